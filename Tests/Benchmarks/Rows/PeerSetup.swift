import Foundation

/// The peer's environment, made by Peers/setup.sh where it is not there yet.
struct PeerSetup {
    let root: String
    let cache: String

    var script: String { root + "/Tests/Benchmarks/Peers/peer.py" }

    /// The Python to run; what it says while it works goes to standard error.
    func python() throws -> String {
        let library = ProcessInfo.processInfo.environment["LLAMA_LIB"] ?? ""
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [root + "/Tests/Benchmarks/Peers/setup.sh", cache + "/python", library]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let path = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, !path.isEmpty else {
            throw BenchError("llama-cpp-python could not be installed. Without it: --no-peer")
        }
        return path
    }
}
