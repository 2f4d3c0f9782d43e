/// An account of Ana's at a Miniflux, and what setting it up leaves in a home.
import Foundation

extension LoopbackServer {
    /// A Miniflux that knows one user, and her key.
    public static func minifluxOfAna() throws -> LoopbackServer {
        try LoopbackServer { request, _ in
            guard request.headers["x-auth-token"] == "k3y-of-ana" else { return LoopbackResponse(status: 401) }
            return LoopbackResponse(text: #"{"id":1,"username":"ana"}"#)
        }
    }
}

extension TemporaryFolder {
    /// The path of a file with a key, which its owner alone may read.
    public func keyFile(_ key: String = "k3y-of-ana") throws -> String {
        let path = try write(key + "\n", to: "key")
        chmod(path, 0o600)
        return path
    }

    /// A file's permissions.
    public func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Every file that the program wrote among its settings.
    public func settingsFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: file(".config")).map { file(".config/" + $0) }
            .filter { (try? mode(of: $0)) != nil && !$0.hasSuffix("/pulse-digest") && !$0.hasSuffix("/keys") }
    }
}
