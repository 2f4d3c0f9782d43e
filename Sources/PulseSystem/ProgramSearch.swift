import Foundation

/// Finds programs as a shell does, and in the places that a minimal PATH leaves out.
public struct ProgramSearch {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// - Parameter places: Absolute paths that come first.
    public func find(_ name: String, first places: [String] = [], last more: [String] = []) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        return (places + folders.map { "\($0)/\(name)" } + more).first(where: Self.isProgram)
    }

    public static func isProgram(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
