import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(10))) struct HelpTests {
    private func help(_ names: String...) throws -> String {
        let invocation = try Parser(commands: Program.commands).parse(names + ["--help"])
        return Help(Program.commands, width: nil).text(for: invocation.path)
    }

    @Test func golden() throws {
        let program = try help()
        #expect(try program == Golden.text("help.txt", actual: program))
        let today = try help("today")
        #expect(try today == Golden.text("help.today.txt", actual: today))
        let history = try help("history")
        #expect(try history == Golden.text("help.history.txt", actual: history))
    }

    @Test func everyCommandAndOptionIsInItsHelp() throws {
        for command in Program.commands {
            #expect(try help().contains("  \(command.name) "))
            for subcommand in command.subcommands {
                let text = try help(command.name, subcommand.name)
                for option in subcommand.allOptions { #expect(text.contains("--\(option.name)")) }
                #expect(try help(command.name).contains("  \(subcommand.name) "))
            }
            for option in command.options { #expect(try help(command.name).contains("--\(option.name)")) }
        }
    }

    @Test func linesFitATerminal() throws {
        for command in Program.commands {
            for line in try help(command.name).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test(arguments: Completions.Shell.allCases)
    func completionsKnowEveryCommandAndOption(shell: Completions.Shell) {
        let script = Completions.script(for: shell, commands: Program.commands)
        for command in Program.commands {
            #expect(script.contains(command.name))
            for option in command.options { #expect(script.contains(option.name)) }
            for subcommand in command.subcommands { #expect(script.contains(subcommand.name)) }
        }
    }
}
