import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct HelpTests {
    private func help(
        _ names: String..., width: Int? = nil, isStyled: Bool = false, in language: Language = .english
    ) throws -> String {
        let invocation = try Parser(commands: Program.commands).parse(names + ["--help"])
        let translations = Repository.root.appendingPathComponent("Sources/Translations").path
        return Help(
            Program.groups, width: width, isStyled: isStyled, catalogue: .of(language, in: translations)
        ).text(for: invocation.path)
    }

    @Test func golden() throws {
        let program = try help()
        #expect(try program == Golden.text("help.txt", actual: program))
        let today = try help("today", width: 80)
        #expect(try today == Golden.text("help.today.txt", actual: today))
        let history = try help("history", width: 80)
        #expect(try history == Golden.text("help.history.txt", actual: history))
    }

    @Test func everyCommandAndOptionIsInItsHelp() throws {
        for command in Program.commands {
            #expect(try help().contains("  \(command.name) "))
            for subcommand in command.subcommands {
                let text = try help(command.name, subcommand.name)
                for option in subcommand.listedOptions { #expect(text.contains("--\(option.name)")) }
                #expect(try help(command.name).contains("  \(subcommand.name) "))
            }
            for option in command.options where !option.isHidden {
                #expect(try help(command.name).contains("--\(option.name)"))
            }
        }
    }

    @Test(arguments: [Language.portuguese, .europeanPortuguese, .spanish])
    func goldenInOtherLanguages(language: Language) throws {
        let text = try help(width: 80, in: language) + help("today", width: 80, in: language)
        #expect(try text == Golden.text("help.\(language).txt", actual: text))
    }

    @Test(arguments: [40, 80, 120], [Language.english, .portuguese, .europeanPortuguese, .spanish])
    func linesFitATerminal(width: Int, language: Language) throws {
        for command in Program.commands {
            let text = try
                ([help(command.name, width: width, in: language)]
                + command.subcommands.map { try help(command.name, $0.name, width: width, in: language) }).joined()
            // What is to be copied is not broken.
            for line in text.split(separator: "\n")
            where !line.hasPrefix("  pulse-digest ") && !line.contains("| pulse") {
                let isTyped = line.hasPrefix("  ") && line.contains("pulse-digest ")
                #expect(line.count <= width || isTyped, "\(line)")
            }
        }
    }

    @Test func whatMeansNothingInACommandIsNotInItsHelp() throws {
        #expect(try !help("history", "stats").contains("--model"))
        #expect(try !help("completions").contains("--store"))
        #expect(try !help("today").contains("--scheduled"))
        #expect(try help("today").contains("--model") && help("today").contains("--store"))
    }

    @Test func aTerminalSetsOffHeadingsAndNames() throws {
        let text = try help("today", isStyled: true)
        #expect(text.contains("\u{1b}[1mExamples\u{1b}[0m") && text.contains("\u{1b}[36m    --hours N\u{1b}[0m"))
        #expect(try !help("today").contains("\u{1b}"))
    }

    /// An example that is not understood would be worse than none.
    @Test func everyCommandHasExamplesThatAreUnderstood() throws {
        let known = Set(
            Program.commands.flatMap { command in
                (command.run == nil ? [] : [command.name]) + command.subcommands.map { "\(command.name) \($0.name)" }
            })
        #expect(Set(Example.all.keys).isSubset(of: known))
        for (path, examples) in Example.all {
            #expect((1...3).contains(examples.count), "\(path)")
            for example in examples {
                let start = try #require(example.line.firstRange(of: "pulse-digest ")?.upperBound)
                // A word in quotation marks is one.
                let line = example.line[start...].prefix { !"|>)".contains($0) }.replacing(/'[^']*'/, with: "word")
                let words = line.split(separator: " ").map(String.init)
                let names = try Parser(commands: Program.commands).parse(words).path.map(\.name)
                #expect(names.joined(separator: " ").hasPrefix(path))
            }
        }
        // Those of `import` are as many as there are sources, and alike.
        for path in known where !path.hasPrefix("import ") { #expect(Example.all[path] != nil, "\(path)") }
    }
}
