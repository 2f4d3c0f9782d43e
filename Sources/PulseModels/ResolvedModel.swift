/// What `--model` turned out to mean: a file to load, and what the catalogue knows of it.
public struct ResolvedModel: Sendable, Equatable {
    /// The catalogue's name, or the file's name without `.gguf`.
    public let name: String
    public let path: String
    /// nil for a file of the user's own.
    public let entry: CatalogEntry?
}
