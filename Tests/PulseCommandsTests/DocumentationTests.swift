import Foundation
import PulseTestSupport
import Testing

@testable import PulseCommands

/// What the README and the pages in `docs` show is what the program takes.
@Suite(.timeLimit(.minutes(20))) struct DocumentationTests {
    private static let root = Repository.root.path

    private static func text(_ file: String) -> String {
        (try? String(contentsOfFile: root + "/" + file, encoding: .utf8)) ?? ""
    }

    private static let pages: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/docs")) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    /// The lines of code: indented, or between fences.
    private static func code(_ page: String) -> [Substring] {
        var isFenced = false
        return text(page).split(separator: "\n").filter { line in
            if line.hasPrefix("```") {
                isFenced.toggle()
                return false
            }
            return isFenced || line.hasPrefix("    ")
        }
    }

    /// What follows the program's name on lines of code, up to a comment, a pipe or a redirection.
    private static let commands: [String] = pages.flatMap(code).compactMap { line in
        guard let start = line.firstRange(of: "pulse-digest ")?.upperBound, !line.contains("/pulse-digest ") else {
            return nil
        }
        let command = line[start...].prefix { !"#>|;&<".contains($0) }
        return command.first?.isLowercase == true && !command.contains("'") && !command.contains("\"")
            ? String(command) : nil
    }

    /// The picture of the modules in ARCHITECTURE.md. With `UPDATE_GOLDEN` it is made anew.
    @Test func theModulesArePictured() throws {
        let package = try Regex(#"arget\(\s*name: "((?:Pulse|pulse-digest)\w*)",\s*dependencies: \[([^\]]*)\]"#)
        var imports: [String: [String]] = [:]
        for match in Self.text("Package.swift").matches(of: package) {
            let name = match.output[1].substring.map(String.init) ?? ""
            guard !["Tests", "Support", "Evaluation", "Fuzzing"].contains(where: name.hasSuffix) else { continue }
            imports[name] = (match.output[2].substring ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
        }
        func reaches(_ module: String, _ other: String) -> Bool {
            imports[module, default: []].contains { $0 == other || reaches($0, other) }
        }
        let arrows = imports.keys.sorted().flatMap { module in
            let known = imports[module, default: []].sorted()
            return known.filter { other in !known.contains { reaches($0, other) } }
                .map { "    \(module) --> \($0)\n" }
        }
        #expect(arrows.count > 12)
        let picture = "```mermaid\ngraph TD\n" + arrows.joined() + "```\n"
        let page = Self.text("ARCHITECTURE.md")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try page.replacing(/```mermaid\n(?s:.*?)```\n/, with: picture)
                .write(toFile: Self.root + "/ARCHITECTURE.md", atomically: true, encoding: .utf8)
        } else {
            #expect(page.contains(picture))
        }
    }

    @Test func thereAreCommands() { #expect(Self.commands.count > 30) }

    @Test(arguments: Set(commands).sorted())
    func everyCommandIsOne(line: String) throws {
        let invocation = try Parser(commands: Program.commands).parse(line.split(separator: " ").map(String.init))
        #expect(invocation.command != nil)
    }

    private static let options =
        Option.everywhere + Program.commands.flatMap { $0.options + $0.subcommands.flatMap(\.options) }

    @Test(arguments: ["README.md", "docs/guide.md"])
    func everyOptionExists(page: String) {
        let known = Set(Self.options.map(\.name) + ["help", "version"])
        for match in Self.text(page).matches(of: /--([a-z][a-z-]+)/) {
            #expect(known.contains(String(match.output.1)), "\(match.output.0)")
        }
    }

    @Test func everySettingIsInTheGuide() {
        let guide = Self.text("docs/guide.md")
        for option in Self.options where option.isSetting {
            let row = guide.split(separator: "\n").first { $0.hasPrefix("| `\(option.settingName)` |") }
            #expect(row?.contains("--\(option.name)") == true, "\(option.settingName)")
            #expect(row?.contains("`\(option.environmentName)`") == true, "\(option.settingName)")
        }
        for option in Self.options where !option.isSetting { #expect(guide.contains("--\(option.name)")) }
    }

    @Test(arguments: Command.importing.subcommands.map(\.name))
    func everySourceIsDescribed(name: String) {
        let page = Self.text("docs/sources.md")
        #expect(page.contains("import \(name)") || page.contains("| `\(name)` |"))
    }

    @Test func everyMakeTargetExists() {
        let makefile = Self.text("Makefile")
        for match in Self.pages.map(Self.text).joined().matches(of: /(?m)^    (?:sudo )?make ([a-z-]+)/) {
            #expect(makefile.contains("\n\(match.output.1):"), "\(match.output.0)")
        }
    }
}
