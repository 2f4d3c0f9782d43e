/// Where a model of the catalogue stands on this machine, judged by names and sizes alone, without hashing.
public enum ModelStatus: Sendable, Equatable {
    /// It came with the program.
    case shipped(path: String)
    /// It is in the user's models folder.
    case present(path: String)
    /// A file of its name is there, but of another size than the catalogue's.
    case damaged(path: String, bytes: Int64)
    /// A download was begun and not finished.
    case partial(bytes: Int64)
    case absent
}
