import Foundation
import PulseCommands

let environment = ProcessInfo.processInfo.environment
if let status = Program.refusal(environment: environment) { exit(status) }
exit(
    await Program.run(
        Array(CommandLine.arguments.dropFirst()), environment: environment,
        executable: Bundle.main.executablePath ?? CommandLine.arguments[0], name: CommandLine.arguments[0]))
