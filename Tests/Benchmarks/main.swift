import Foundation

do {
    try await Bench.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
} catch {
    Bench.say("bench: \(error)")
    exit(1)
}
