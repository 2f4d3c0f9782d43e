public import Foundation

/// Where the project's own files are, for tests that read them.
public enum Repository {
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    public static let fixtures = root.appendingPathComponent("Tests/Fixtures")

    /// The model that comes with the program.
    public static let nanoModel = root.appendingPathComponent("models/pulse-nano.gguf").path
}
