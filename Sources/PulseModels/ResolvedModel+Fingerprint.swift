extension ResolvedModel {
    /// What tells the file from every other without opening it: its name, its size and when it was changed last, to the
    /// nanosecond. The same that a sidecar holds its hash by. Nil where there is no file.
    public var fingerprint: String? {
        FileStamp(path: path).map { "\(name) \($0.size) \($0.modified)" }
    }
}
