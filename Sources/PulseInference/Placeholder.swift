// Placeholder, replaced as the room is built.
