/// The built program, run as a user runs it, in a home of its own.
import Foundation

struct ProgramRun {
    let program: String
    /// A folder for the run's store, settings and caches.
    let home: String

    struct Result {
        var seconds: Double
        /// What came on standard output, and how many seconds after the start.
        var pieces: [(seconds: Double, text: String)]
        var errors: String
        /// The largest resident size, by its kinds, in bytes; by sampling, so it may miss a peak of milliseconds.
        var peakAnonymous = 0
        var peakFile = 0
        var peakResident = 0

        /// Until the first byte on standard output.
        var firstByte: Double? { pieces.first?.seconds }
    }

    func run(_ arguments: [String], watchesMemory: Bool = false) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PULSE_DIGEST_") }
        environment["HOME"] = home
        for name in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] { environment[name] = nil }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let errors = home + "/errors"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        let output = Pipe()
        process.standardOutput = output
        let start = ContinuousClock.now
        func seconds() -> Double { (ContinuousClock.now - start).seconds }
        try process.run()
        let watch = watchesMemory ? MemoryWatch(process.processIdentifier) : nil
        var pieces: [(Double, String)] = []
        while case let piece = output.fileHandleForReading.availableData, !piece.isEmpty {
            pieces.append((seconds(), String(decoding: piece, as: UTF8.self)))
        }
        process.waitUntilExit()
        var result = Result(
            seconds: seconds(), pieces: pieces,
            errors: (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
        if let watch { (result.peakAnonymous, result.peakFile, result.peakResident) = watch.stop() }
        guard process.terminationStatus == 0 else {
            let said = result.errors.split(separator: "\n").suffix(3).joined(separator: " ")
            throw BenchError(
                "pulse-digest \(arguments.joined(separator: " ")) ended with \(process.terminationStatus): \(said)")
        }
        return result
    }
}
