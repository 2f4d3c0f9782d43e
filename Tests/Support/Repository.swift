public import Foundation

/// Where the project's own files are, for tests that read them.
public enum Repository {
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    public static let fixtures = root.appendingPathComponent("Tests/Fixtures")

    /// A program that the build puts beside the test bundle.
    public static func product(_ name: String) -> URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL).appendingPathComponent(name)
    }

    /// The model that comes with the program.
    public static let nanoModel = root.appendingPathComponent("models/pulse-nano.gguf").path
}
