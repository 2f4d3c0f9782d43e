import Foundation

/// An RPC server of the libllama that the tests are linked with, in a process of its own. What needs it is skipped
/// without: `.enabled(if: RPCServer.isThere, "\(RPCServer.absence)")`.
public final class RPCServer {
    public let port: Int
    private let process = Process()

    /// The folder of the libraries, where they have RPC; only Linux tells (proc_pid_maps(5)).
    private static let libraries: String? = {
        // Of a file of no size, `String(contentsOfFile:)` reads the first page only.
        let data = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        let line = String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n").first {
            $0.contains("/libggml-base.so")
        }
        guard let file = line?.split(separator: " ").last else { return nil }
        let folder = URL(fileURLWithPath: String(file)).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { $0.hasPrefix("libggml-rpc") } ? folder : nil
    }()

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    public static var isThere: Bool { libraries != nil && python != nil }
    public static let absence = "this libllama has no RPC (libggml-rpc), or there is no python3"

    /// - Parameters:
    ///   - computations: How many it makes before it dies.
    ///   - connections: How many it takes before it dies.
    ///   - memory: Bytes that it says are free; nil: the truth.
    ///   - isReal: Otherwise it answers with nonsense.
    public init(
        computations: Int = 1 << 30, connections: Int = 1 << 30, memory: UInt64? = nil, isReal: Bool = true
    ) throws {
        let script = Repository.fixtures.appendingPathComponent("rpc-server.py").path
        process.executableURL = URL(fileURLWithPath: Self.python ?? "/usr/bin/python3")
        process.arguments = [
            script, isReal ? Self.libraries ?? "" : "nonsense", "\(computations)", "\(connections)",
            "\(memory ?? 0)",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Ours stays open otherwise, and the end of a script that dies would never be seen.
        try? output.fileHandleForWriting.close()
        var line = Data()
        while !line.contains(10), case let part = output.fileHandleForReading.availableData, !part.isEmpty {
            line += part
        }
        guard let port = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            Self.end(process)
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    public var address: String { "127.0.0.1:\(port)" }

    deinit { Self.end(process) }

    private static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
