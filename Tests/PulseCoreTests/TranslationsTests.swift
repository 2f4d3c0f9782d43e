import Foundation
import PulseTestSupport
import Testing

@testable import PulseCore

/// What the program says is in every catalogue, and nothing else is.
@Suite(.timeLimit(.minutes(20))) struct CatalogueTests {
    private static let root = Repository.root

    private static func entries(_ name: String) throws -> [String: String] {
        Translations.entries(
            Array(try Data(contentsOf: root.appendingPathComponent("Sources/Translations/\(name).po"))))
    }

    /// The sources by their paths.
    private static let literals: [(file: String, literal: SourceLiteral)] = {
        let files = FileManager.default.enumerator(atPath: root.appendingPathComponent("Sources").path)
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
            let text = try? String(contentsOf: root.appendingPathComponent("Sources/\(file)"), encoding: .utf8)
            return SourceLiteral.all(in: text ?? "").map { (file, $0) }
        }
    }()

    @Test(arguments: [Language.portuguese, .europeanPortuguese, .spanish])
    func everythingThatIsSaidIsTranslated(language: Language) throws {
        var entries = try Self.entries(language.code)
        if language.rawValue != language.code {
            let own = try Self.entries(language.rawValue)
            let same = own.filter { entries[$0.key] == $0.value }.keys.sorted()
            #expect(same.isEmpty, "It is so in \(language.code).po: \(same)")
            entries.merge(own) { $1 }
        }
        #expect(Self.said.count > 1000)
        let missing = Self.said.subtracting(entries.keys).sorted()
        #expect(
            missing.isEmpty, "Add to Sources/Translations/\(language.code).po:\n\(missing.map(Self.entry).joined())")
        let unused = Set(entries.keys).subtracting(Self.literals.map(\.literal.pattern)).sorted()
        #expect(unused.isEmpty, "Nothing says: \(unused)")
        // Each argument is said once, and no other.
        for (pattern, words) in entries { #expect(Self.places(pattern) == Self.places(words), "\(pattern)") }
    }

    private static let said = Set(literals.filter(isSaid).map(\.literal.pattern))

    private static func places(_ text: String) -> [String] {
        text.matches(of: /%[0-9]+\$@/).map { String($0.output) }.sorted()
    }

    private static func entry(_ pattern: String) -> String {
        let text = pattern.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "msgid \"\(text)\"\nmsgstr \"\"\n\n"
    }

    // MARK: - What is said

    /// What a command, an option, an error or a label says; and two words or more that are neither another language's
    /// nor for a file, a server or a log.
    private static func isSaid(_ file: String, _ literal: SourceLiteral) -> Bool {
        let (pattern, before) = (literal.pattern, literal.before)
        if before.firstMatch(
            of: /(cause:|verbatim:|explain\(|detail\(|TemplateFault\(|\.replacing\(|precondition\w*\([^"]*) ?$/)
            != nil
        {
            return false
        }
        if pattern.firstMatch(
            of: /^\s*([(<#\/!]|(SELECT|LEFT|CASE|CAST|coalesce|pulse-digest|curl|source)\b)| AS |^(item|status)\.|^\{\n/
        ) != nil {
            return false
        }
        let isNamed = [
            /(?:summary|details|help|hint): $/, /PulseError\( ?\.\w+, $/, /\.(?:ok|warning|problem)\( ?$/,
            /(?:facts|rows|obstacles)\.append\( ?\($/,
        ].contains { before.contains($0) }
        if isNamed, pattern.contains(/^[^%]*[a-z]/) { return true }
        guard !silent.contains(where: file.contains) || speaking.contains(where: file.contains) else { return false }
        if pattern.wholeMatch(of: /(history|bookmarks|feeds|schedule|models|config|prompts|interests) [a-z-]+/) != nil {
            return false
        }
        let words = pattern.replacing(/%[0-9]+\$@/, with: "X")
        let isProse = words.firstMatch(
            of: /[a-z]{2,}[,;:.)”]* [(“{\[]?[a-zA-Z]|X [a-z]{3,}|[a-z]{3,} X|^[A-Z][a-z]+[.…]$|^an? [a-zA-Z]+$/)
        // A quotation mark in a regular expression begins no literal.
        return isProse != nil && !others.contains(pattern) && !pattern.contains("private static func")
    }

    /// Files that say nothing at a terminal, or what is English everywhere.
    private static let silent = [
        "/Languages/", "PulseText/", "PulseMarkup/", "SQLite/", "PulseDigest/", "/Web/", "/Pages/",
        "PulseRendering/Mail/", "PulseRendering/Digest", "ManPage", "/Bench/", "BenchmarkText", "AtomFeed", "JSONText",
        "GGUFHeader", "Template/Template", "Generation/Thought", "Schema", "Migrations", "ReadingRow",
        "Library/LlamaLibrary", "Store+", "EntryWriter", "ArticleWriter",
    ]
    private static let speaking = ["PromptTemplate", "PageFetcher", "MailAddress", "PulseError+Store"]

    /// Names, what other programs say, and what is written into files.
    private static let others: Set<String> = [
        "--user NAME", "standard input", "another program", "according to", "breaking news", "all news",
        "unknown error",
        "compute buffer size = ", "output buffer size = ", "an unknown host", "an unknown address", "Google Reader API",
        "=== %1$@: %2$@ tokens\n--- system\n%3$@\n--- user\n%4$@\n\n", "%1$@: status %2$@",
        "%1$@<outline type=\"rss\" text=\"%2$@\" title=\"%3$@\" xmlUrl=\"%4$@\"%5$@/>",
        "%1$@<outline text=\"%2$@\" title=\"%3$@\">", "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "Bearer %1$@",
        "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8",
        "Microsoft Edge", "Profile %1$@", "visit.redirect_destination IS NULL", "Readwise Reader",
        "%1$@ (reads articles for one person; asks once)", "Service Unavailable!", "GoogleLogin auth=%1$@",
        "Hugging Face", "Tiny Tiny RSS", "SQLite format 3", "SQLite format 30", "%1$@/Library/Application Support/%2$@",
        "Application Support", "Containers/com.ranchero.NetNewsWire-Evergreen/Data/Library/Application Support",
        "not within the file bounds", "unable to allocate", "unknown model architecture", "unknown pre-tokenizer",
        "wrong number of tensors", "version https://git-lfs.github.com/", "libllama was called from a second thread",
        "%1$@%2$@: changed by \"pulse-digest schedule install\", removed by \"schedule remove\"\n%3$@\n%4$@\n",
        "--date %1$@", "--format %1$@", "--to %1$@", "config set model", "basis bookmarks", "basis unread",
        "category VALUE", "color never", "date VALUE", "language VALUE", "max-stories VALUE", "output VALUE",
        "send --to VALUE", "since VALUEd", "to VALUE", "today --basis unread", "today --date yesterday", "last week",
        "last month", "la semaine derniere", "semana pasada", "semana passada", "wallabag can't retrieve contents",
        "we found a short description:", "No title found", "No module named pip", "no such module", "no crontab for",
        "No such file", "not allowed",
    ]

    // MARK: - The format

    @Test func aFileIsReadAsGettextWritesIt() {
        let file = """
            # A comment.
            msgid ""
            msgstr "Language: es\\n"

            #. Sources
            msgid "No article %1$@."
            msgstr ""
            "Ningún "
            "artículo %1$@.\\n"
            #, fuzzy
            msgid "unsure"
            msgstr "inseguro"
            #~ msgid "old"
            #~ msgstr "viejo"

            msgid "a \\"quoted\\" \\\\ word"
            msgstr "«x»"

            msgid "none"
            msgstr ""
            """
        #expect(
            Translations.entries(Array(file.utf8)) == [
                "No article %1$@.": "Ningún artículo %1$@.\n", "a \"quoted\" \\ word": "«x»",
            ])
        #expect(Translations.entries([0xff, 0x22, 0x0a, 0x22]) == [:])
    }
}

@Suite(.timeLimit(.minutes(20))) struct MessageTests {
    private func catalogue(_ text: String, _ body: (Translations) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("es.po")))
        try withExtendedLifetime(folder) { try body(Translations.of(.spanish, in: folder.path)) }
    }

    @Test func aMessageIsTranslatedWithItsParts() throws {
        let file = """
            msgid "%1$@ in %2$@ is gone."
            msgstr "En %2$@ ya no está %1$@."
            msgid "%1$@ article"
            msgstr "%1$@ artículo"
            msgid "%1$@ articles"
            msgstr "%1$@ artículos"
            """
        try catalogue(file) { spanish in
            let message: Message =
                "\(Counted.text(12_345, "article", "articles")) in \("the %1$@ of %2$@" as String) is gone."
            #expect(message.description == "12,345 articles in the %1$@ of %2$@ is gone.")
            // What is put in stays as it is, whatever it contains.
            #expect(message.text(in: spanish) == "En the %1$@ of %2$@ ya no está 12.345 artículos.")
            #expect(Counted.text(1, "article", "articles").text(in: spanish) == "1 artículo")
            #expect(Message.decimal(3.72).text(in: spanish) == "3,7" && "\(Message.decimal(4))" == "4.0")
            let unknown: Message = "Nothing \(1)%, " + "or \("so")."
            #expect(unknown.text(in: spanish) == "Nothing 1%, or so.")
            #expect(unknown == "Nothing 1%, or so.")
        }
    }

    @Test func aTranslationAddsNothing() throws {
        try catalogue("msgid \"%1$@ is gone.\"\nmsgstr \"%1$@ %2$@ %9$@ 100% no está.\"\n") { spanish in
            let message: Message = "\("It") is gone."
            #expect(message.text(in: spanish) == "It   100% no está.")
        }
    }

    @Test func whatPortugalDoesNotSayInItsOwnWayIsAsInBrazil() throws {
        let folder = try TemporaryFolder()
        for (name, words) in [("pt", ["arquivo", "resumo"]), ("pt-PT", ["ficheiro"])] {
            let entries = zip(["the file", "the digest"], words).map { "msgid \"\($0)\"\nmsgstr \"\($1)\"\n" }
            try Data(entries.joined().utf8).write(to: URL(fileURLWithPath: folder.file("\(name).po")))
        }
        func said(_ language: Language) -> [String] {
            ["the file", "the digest"].map { (message: Message) in message.text(in: .of(language, in: folder.path)) }
        }
        #expect(said(.portuguese) == ["arquivo", "resumo"] && said(.europeanPortuguese) == ["ficheiro", "resumo"])
    }

    /// French is for digests: the program speaks English then, and where a catalogue is missing.
    @Test func withoutACatalogueItIsEnglish() throws {
        let folder = try TemporaryFolder()
        let message: Message = "There is no recipient."
        for language in Language.allCases {
            #expect(message.text(in: .of(language, in: folder.path)) == "There is no recipient.")
            #expect(message.text(in: .of(language, in: nil)) == "There is no recipient.")
        }
        #expect(Translations.of(.french, in: folder.path) == .english)
    }

    @Test func anErrorIsTranslatedWithItsHint() throws {
        let file = "msgid \"No editor.\"\nmsgstr \"No hay editor.\"\nmsgid \"Name one.\"\nmsgstr \"Indica uno.\"\n"
        try catalogue(file) { spanish in
            let error = PulseError(.usage, "No editor.", hint: "Name one.")
            let outer: Message = "\(error) \(["No editor.", "x"].joined(separator: "; "))"
            #expect(outer.text(in: spanish) == "No hay editor. Indica uno. No hay editor.; x")
            // A failure that comes back is recognised in any language.
            #expect(error.reason == "No editor. Name one.")
        }
    }
}
