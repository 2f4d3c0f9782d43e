import Foundation
import PulseCommands

exit(
    await Program.run(
        Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
        executable: Bundle.main.executablePath ?? CommandLine.arguments[0], name: CommandLine.arguments[0]))
