import Foundation
import PulseTestSupport
import Testing

/// What a reader of another language, and one who follows and mutes, gets from the built program.
@Suite(.timeLimit(.minutes(20))) struct LanguageTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    @Test(arguments: [
        ("pt_PT.UTF-8", "O seu resumo de ", "\n\nMundo\n", "\n\nDesporto\n"),
        ("fr_FR.UTF-8", "Votre résumé du ", "\n\nMonde\n", "\n\nSciences\n"),
        ("es_MX", "Tu resumen del ", "\n\nEconomía\n", "\n\nCiencia\n"),
        ("C", "Your digest, ", "\n\nWorld\n", "\n\nScience\n"),
    ])
    func theLocaleDecides(locale: String, beginning: String, one: String, other: String) throws {
        sandbox.environment["LC_ALL"] = locale
        let outcome = try run("today").ends(0, errors: "")
        #expect(outcome.output.hasPrefix(beginning))
        for heading in [one, other] { #expect(outcome.output.contains(heading), "\(heading)") }
        // A story in another language stands in its category, in its language.
        let world = outcome.output.components(separatedBy: "\n\n").first { section in
            ["World\n", "Mundo\n", "Monde\n"].contains(where: section.hasPrefix)
        }
        #expect(world?.contains("A ponte sobre o rio Arvela") == true)
        #expect(world?.contains("Kestria and Vellmark signed") == true)
    }

    @Test func promptsAreInTheLanguageOfTheirStories() throws {
        try sandbox.run(["today", "--dry-run", "--language", "es"] + sandbox.written)
            .ends(0, printing: "Sum up the news story", "Resuma a notícia", "Resume la noticia")
    }

    @Test func aSummaryIsAskedForInTheLanguageOfTheText() throws {
        for (prompt, text) in [
            ("Resuma o artigo", "A câmara não aprovou na terça-feira a reconstrução da ponte, que estava fechada."),
            ("Resume el artículo", "El ayuntamiento aprobó el martes la obra del puente, que estaba cerrado."),
            ("Résumez l’article", "Le conseil municipal a voté mardi la reconstruction du pont, qui était fermé."),
            ("Sum up the article", "The council of Orlen voted on Tuesday to rebuild the bridge that had been closed."),
        ] {
            let input = Data(text.utf8)
            try sandbox.run(["summarize", "-", "--dry-run"] + sandbox.written, input: input)
                .ends(0, printing: prompt)
            #expect(try run("summarize -", input: input).output == "“\(text)”\n")
        }
    }

    /// What the program itself says is in the language, too; English is as it is in any other test.
    @Test(arguments: [("pt_BR.UTF-8", "pt"), ("pt_PT.UTF-8", "pt-PT"), ("es_AR.UTF-8", "es")])
    func theProgramSpeaksTheLanguage(locale: String, language: String) throws {
        sandbox.environment["LANG"] = locale
        try sandbox.folder.write("{ maxStory: 3 }", to: "broken.json")
        let lines = "{\"id\":\"new-1\",\"title\":\"One\"}\nnonsense\n{\"title\":\"Two\"}\n"
        let commands: [([String], String?)] = [
            (["tody"], nil), (["today", "--hours", "none"], nil), (["today", "--date", "3/4/2026"], nil),
            (["today", "--send", "--date", "monday"], nil), (["history", "show", "3"], nil),
            (["history", "show", "nothing", "--store", sandbox.folder.file("none.sqlite")], nil),
            (["history", "search", "zzzzz"] + sandbox.plain, nil), (["history", "stats"] + sandbox.plain, nil),
            (["history", "list", "-n", "2", "--since", "3d"] + sandbox.plain, nil),
            (["history", "clear"] + sandbox.plain, nil), (["bookmarks"] + sandbox.plain, nil),
            (["import", "jsonl"] + sandbox.plain, lines), (["import", "/nowhere"] + sandbox.plain, nil),
            (["feeds", "remove", "x"] + sandbox.plain, nil), (["feeds", "refresh"] + sandbox.plain, nil),
            (["config", "set", "maxStory", "3"], nil), (["config", "set", "maxStories", "x"], nil),
            (["summarize", "-"] + sandbox.plain, " "), (["schedule", "install"], nil),
            (["models", "path", "none"], nil), (["open", "pulse://x"] + sandbox.plain, nil),
        ]
        var transcript = ""
        for (arguments, input) in commands {
            let outcome = try sandbox.run(arguments, input: input.map { Data($0.utf8) })
            transcript += (["$ pulse-digest"] + arguments).joined(separator: " ") + "\n"
            transcript += outcome.output + outcome.errors + "\n"
        }
        let said = transcript.replacing(sandbox.folder.path, with: "FOLDER")
        #expect(try said == Golden.text("said.\(language).txt", actual: said))
    }

    /// A setting and an option count more than the locale, also for what is wrong with a command line.
    @Test func whoAsksForALanguageIsAnsweredInIt() throws {
        sandbox.environment["LANG"] = "es_ES.UTF-8"
        #expect(try sandbox.run("today", "--hours", "none").errors.contains("--hours acepta un número"))
        #expect(try sandbox.run("today", "--hours", "none", "--language=pt").errors.contains("aceita um número"))
        #expect(try sandbox.run("today", "--language", "pt-PT", "--nosuch").errors.contains("não é uma opção"))
        #expect(try sandbox.run("today", "--help", "--language", "pt").output.contains("Opções gerais"))
        sandbox.environment["PULSE_DIGEST_LANGUAGE"] = "en"
        #expect(try sandbox.run("today", "--hours", "none").errors.contains("--hours takes a number"))
        // Digests are written in French, and all else is English then.
        sandbox.environment["PULSE_DIGEST_LANGUAGE"] = "fr"
        #expect(try sandbox.run("today", "--help").output.contains("Global options"))
    }

    /// What programs read is the same in every language.
    @Test func whatProgramsReadStaysEnglish() throws {
        let commands = [
            ["doctor", "--format", "json"], ["history", "stats", "--format", "json"] + sandbox.plain, ["man"],
            ["config", "list", "--format", "json"], ["completions", "bash"], ["complete-values", "--", "history", ""],
        ]
        // The machine's own table and its free memory change between two runs.
        try sandbox.folder.writeProgram("#!/bin/sh\necho no crontab >&2\nexit 1\n", to: "bin/crontab")
        sandbox.environment["PATH"] = sandbox.folder.file("bin") + ":/usr/bin:/bin"
        func outputs(_ locale: String) throws -> [String] {
            sandbox.environment["LANG"] = locale
            return try commands.map {
                try sandbox.run($0).output.replacing(locale, with: "LOCALE")
                    .replacing(/"value" : "(pt|en)"/, with: "")
                    .replacing(/[0-9.]+ [MG]iB (available|within)/, with: "SIZE")
            }
        }
        let english = try outputs("en_GB.UTF-8")
        for (one, other) in zip(english, try outputs("pt_BR.UTF-8")) { #expect(one == other) }
        #expect(english.allSatisfy { !$0.isEmpty })
    }

    @Test func yesIsUnderstoodInTheLanguage() async throws {
        sandbox.environment["LANG"] = "pt_PT.UTF-8"
        sandbox.environment["TERM"] = "dumb"
        for (answer, isDeleted) in [("n", false), ("sem dúvida, não", false), ("Sim", true)] {
            let shown = try await sandbox.talk([("? [s/N] ", answer)], with: ["history", "clear"] + sandbox.plain)
            #expect(shown.contains(isDeleted ? "Eliminado: 40 artigos." : "Nada foi eliminado."), "\(shown)")
        }
    }

    @Test func mutedIsOutAndSaid() throws {
        try run("today --max-stories 99").ends(nil, printing: "Tamsin dam", without: "muted")
        try run("today --max-stories 99 --mute tamsin --mute-source", "the touchline")
            .ends(nil, printing: "; 5 articles muted.\n", "Clube da Foz", without: "Tamsin", "The Touchline")
    }

    @Test func settingsFollowAndMute() throws {
        try sandbox.configure("{ follow: ['gardening', 'bumblebees'], mute: ['tamsin'], language: 'pt' }")
        let outcome = try run("today --max-stories 4")
        #expect(outcome.output.contains("; 3 artigos silenciados.\n"))
        let gardening = try #require(outcome.output.range(of: "\nGardening\n"))
        let business = try #require(outcome.output.range(of: "\nEconomia"))
        #expect(gardening.lowerBound < business.lowerBound)
        #expect(outcome.output.contains("umblebees"))
        // A flag takes the place of the setting.
        try run("today --mute", "", "--max-stories", "99").ends(nil, printing: "Tamsin", without: "silenciado")
    }
}
