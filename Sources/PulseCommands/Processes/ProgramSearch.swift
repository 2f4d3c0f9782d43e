import Foundation

/// Finds programs as a shell does, and in the places that a minimal PATH leaves out.
struct ProgramSearch {
    let environment: [String: String]

    /// - Parameter places: Absolute paths that come first.
    func find(_ name: String, first places: [String] = [], last more: [String] = []) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        return (places + folders.map { "\($0)/\(name)" } + more).first(where: Self.isProgram)
    }

    static func isProgram(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
