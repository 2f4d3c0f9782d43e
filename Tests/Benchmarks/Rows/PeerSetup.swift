import Foundation
import PulseTestSupport

/// The peer's environment, made by Peers/setup.sh where it is not there yet.
struct PeerSetup {
    let root: String
    let cache: String

    var script: String { root + "/Tests/Benchmarks/Peers/peer.py" }

    /// The Python to run; what it says while it works goes to standard error.
    func python() throws -> String {
        let library = ProcessInfo.processInfo.environment["LLAMA_LIB"] ?? ""
        let (status, data) = try output(
            of: "/bin/sh", [root + "/Tests/Benchmarks/Peers/setup.sh", cache + "/python", library])
        let path = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard status == 0, !path.isEmpty else {
            throw BenchError("llama-cpp-python could not be installed. Without it: --no-peer")
        }
        return path
    }
}
