import Foundation
import PulseCore
import PulseTestSupport
import PulseText
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct DigestTextTests {
    @Test(arguments: [
        ("digest.txt", Sample.digest, TextStyle(timeZone: Sample.utc)),
        ("digest.80.txt", Sample.digest, terminal(80)), ("digest.120.txt", Sample.digest, terminal(120)),
        ("digest.narrow.txt", Sample.digest, TextStyle(width: 1, timeZone: Sample.utc)),
        ("digest.written.txt", Sample.written, TextStyle(width: 80, timeZone: Sample.utc)),
        ("hostile.txt", HostileSample.digest(), TextStyle(width: 80, timeZone: Sample.utc)),
    ])
    func golden(name: String, digest: Digest, style: TextStyle) throws {
        let text = DigestText.render(digest, style: style)
        #expect(try text == Golden.text(name, actual: text))
    }

    private static func terminal(_ width: Int) -> TextStyle {
        TextStyle(width: width, isStyled: true, hasLinks: true, timeZone: Sample.lisbon)
    }

    private static let all = [Sample.digest, Sample.written, HostileSample.digest()]

    /// What is printed story by story is what is printed at once.
    @Test(arguments: [nil, 24, 60, 80])
    func storiesMakeTheSameText(width: Int?) {
        let style = TextStyle(width: width, isStyled: true, hasLinks: true, timeZone: Sample.utc)
        for digest in Self.all {
            #expect(LanguageSample.streamed(digest, style: style) == DigestText.render(digest, style: style))
        }
    }

    /// What a program reads from a pipe: a story a line, its number first, without a sequence.
    @Test func aPipeGetsOneStoryALine() {
        for digest in Self.all {
            let text = DigestText.render(digest, style: TextStyle(timeZone: Sample.utc))
            let numbers = text.matches(of: /(?m)^ *([0-9]+)  \S/).compactMap { Int($0.output.1) }
            #expect(numbers == Array(1...digest.stories.count))
            for entry in digest.sections.flatMap(\.entries) where !entry.sentences.isEmpty {
                let told = Wording(entry.sentences, digest.language.phrases.quotation).text
                #expect(text.split(separator: "\n").count { $0.contains("  \(told) — ") } == 1)
            }
            #expect(!text.contains("█"))
        }
    }

    @Test func nothingUnsafeIsPrinted() {
        for digest in Self.all {
            for style in [TextStyle(timeZone: Sample.utc), TextStyle(width: 50, timeZone: Sample.utc)] {
                let text = DigestText.render(digest, style: style)
                #expect(!text.unicodeScalars.contains { PlainText.isUnsafe($0) })
            }
            // With its own sequences nothing but them.
            let styled = DigestText.render(digest, style: Self.terminal(50))
            #expect(!Self.bare(styled).unicodeScalars.contains { PlainText.isUnsafe($0) })
        }
    }

    @Test(arguments: [24, 40, 60, 80, 88, 120, 200])
    func noLineIsWiderThanTheTerminal(width: Int) {
        let text = DigestText.render(Sample.digest, style: TextStyle(width: width, timeZone: Sample.utc))
        // Wide characters take two columns; those that only look so here are bounded from above.
        for line in text.split(separator: "\n") {
            #expect(line.reduce(0) { $0 + ($1.isASCII || "äéÁáãâçõ—…█▌“”‘’".contains($1) ? 1 : 2) } <= width, "\(line)")
        }
        for digest in Self.all + Language.allCases.map({ LanguageSample($0).digest }) {
            let styled = DigestText.render(digest, style: Self.terminal(width))
            for line in Self.bare(styled).split(separator: "\n") { #expect(DisplayWidth.of(line) <= width, "\(line)") }
        }
    }

    /// Colours and links change nothing of the text.
    @Test(arguments: [24, 60, 80])
    func sequencesChangeNoLetter(width: Int) {
        for digest in Self.all {
            let plain = DigestText.render(digest, style: TextStyle(width: width, timeZone: Sample.lisbon))
            #expect(Self.bare(DigestText.render(digest, style: Self.terminal(width))) == plain)
        }
    }

    /// However its name is broken, a source's link leads to its article, in every piece, and ends with its line.
    @Test(arguments: [24, 30, 44, 80])
    func sourcesAreLinks(width: Int) throws {
        for digest in Self.all {
            let text = DigestText.render(digest, style: Self.terminal(width))
            var pieces: [String: (target: String, text: String)] = [:]
            var order: [String] = []
            for line in text.split(separator: "\n") {
                #expect(line.ranges(of: "\u{1b}]8;id=").count == line.ranges(of: "\u{1b}]8;;\u{1b}\\").count)
                for match in line.matches(of: /\e\]8;id=([a-z0-9]+);([^\e]+)\e\\([^\e]*)\e\]8;;\e\\/) {
                    let (id, target) = (String(match.output.1), String(match.output.2))
                    if pieces[id] == nil { order.append(id) }
                    #expect(pieces[id].map { $0.target == target } ?? true)
                    pieces[id] = (target, (pieces[id]?.text ?? "") + match.output.3.filter { !$0.isWhitespace })
                }
            }
            let outline = DigestOutline(digest, timeZone: Sample.utc)
            let sources = outline.sections.flatMap { $0.entries + $0.titled }.flatMap(\.sources)
                .filter { $0.link != nil }
            #expect(order.compactMap { pieces[$0]?.target } == sources.compactMap { $0.link?.address })
            #expect(order.compactMap { pieces[$0]?.text } == sources.map { $0.name.filter { !$0.isWhitespace } })
        }
    }

    /// The tenth source of the first story and the first of the tenth light up apart.
    @Test func noTwoLinksPassForOne() {
        let sources = (0...120).map { number in
            Article(id: "\(number)", url: "https://a.example/\(number)", title: "T", source: "S \(number)")
        }
        let readings = sources.map { Reading(article: $0, readAt: Sample.now, origin: "test") }
        var digest = Sample.digest
        digest.sections = [
            Digest.Section(
                heading: .more,
                entries: [Sample.entry(Story(readings))] + readings.map { Sample.entry(Story([$0])) })
        ]
        let text = DigestText.render(digest, style: Self.terminal(80))
        var targets: [Substring: Set<Substring>] = [:]
        for match in text.matches(of: /\e\]8;id=([a-z0-9]+);([^\e]+)\e/) {
            targets[match.output.1, default: []].insert(match.output.2)
        }
        // Twelve of the crowd behind the first story have a name, and the others are a number.
        #expect(targets.count == 12 + 121 && targets.values.allSatisfy { $0.count == 1 })
        #expect(text.contains("+109"))
    }

    /// Behind its number a story's lines stand in a column of their own.
    @Test(arguments: [24, 40, 80])
    func numbersHang(width: Int) throws {
        let text = DigestText.render(Sample.digest, style: TextStyle(width: width, timeZone: Sample.utc))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let numbered = lines.indices.filter { lines[$0].contains(/^ *[0-9]+  \S/) }
        #expect(numbered.count == Sample.digest.stories.count)
        let column = try #require(lines[numbered[0]].firstRange(of: /[0-9]+[ ]{2}/))
        let indent = lines[numbered[0]].distance(from: lines[numbered[0]].startIndex, to: column.upperBound)
        for number in numbered {
            #expect(lines[number].prefix(indent).hasSuffix("  "))
            // Its further lines, up to the next number, the next heading or what else was read.
            for line in lines[(number + 1)...] {
                guard line.hasPrefix(String(repeating: " ", count: indent)) else { break }
                #expect(line.dropFirst(indent).first?.isWhitespace == false)
            }
        }
    }

    @Test func whoTellsAStoryStandsBehindItAndIsDim() {
        let text = DigestText.render(Sample.digest, style: TextStyle(width: 88, isStyled: true, timeZone: Sample.utc))
        #expect(text.contains("rebuild the bridge.” \u{1b}[2m— \u{1b}[0m\u{1b}[2mThe Herald\u{1b}[0m\u{1b}[2m,"))
        // A publication that is not known is told by its host; a title that nobody signs, by itself.
        let plain = DigestText.render(Sample.digest, style: TextStyle(timeZone: Sample.utc))
        #expect(plain.contains("“It stands by itself here.” — lone.example\n"))
        #expect(plain.contains("  Nobody knows whose title this is\n"))
    }

    /// The dash stands with the name that it announces, and a short name stands on one line.
    @Test(arguments: 24...88)
    func namesStandOnOneLine(width: Int) {
        var digest = Sample.digest
        let first = digest.sections[0].entries[1]
        digest.sections = [
            Digest.Section(heading: .more, entries: [Sample.entry(first.story, [("One two three four.", .copied)])])
        ]
        let text = DigestText.render(digest, style: TextStyle(width: width, timeZone: Sample.utc))
        #expect(text.contains("— Diário da Foz"))
    }

    /// What lists the rest can be copied whole, unless the terminal is narrower than it is.
    @Test(arguments: [nil, 88, 96])
    func theCommandThatListsTheRestIsOnOneLine(width: Int?) {
        let text = DigestText.render(Sample.digest, style: TextStyle(width: width, timeZone: Sample.utc))
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for command in [
            "pulse-digest history list --since 2026-11-19 --category world -n 9999",
            "pulse-digest history list --since 2026-11-19 --source 'The Register & Sons' -n 9999",
            "pulse-digest history list --since 2026-11-19 -n 9999",
        ] {
            #expect(lines.contains { $0 == command || $0.hasSuffix(": " + command) }, "\(command)")
        }
        #expect(lines.contains { $0.hasPrefix("1 more article. To list all:") })
        #expect(lines.contains { $0.hasPrefix("12 more articles. To list all:") })
    }

    /// The number read is of all that was read: what was told before or muted is a part of it. So are the times.
    @Test func theOpeningSaysWhatTheNumbersAreOf() throws {
        var digest = Sample.digest
        let shown = digest.readings.count
        (digest.toldArticles, digest.muted) = (18, 2)
        digest.times = Array(repeating: digest.date, count: 9)
        let outline = DigestOutline(digest, timeZone: Sample.utc)
        #expect(outline.opening[0].contains("\(shown) of the \(shown + digest.omitted + 20) articles you read since"))
        #expect(outline.opening[0].hasSuffix("; 18 articles told before; 2 articles muted."))
        #expect(try #require(outline.readingTimes).peak.hasSuffix(": 9 articles."))
    }

    /// The name of a publication is one word of the command, whatever is in it.
    @Test func aSourceCannotEndItsCommand() {
        let text = DigestText.render(HostileSample.digest(), style: TextStyle(timeZone: Sample.utc))
        #expect(text.contains("--source 'Le `rm -rf ~` $(reboot) '\\'' Journal' -n 9999\n"))
        #expect(text.contains("--category '<i>odd</i> category' -n 9999\n"))
    }

    @Test func scriptsWithoutSpacesGetNone() {
        for width in [nil, 80] {
            let text = DigestText.render(Sample.digest, style: TextStyle(width: width, timeZone: Sample.utc))
            #expect(text.contains("“東京で新しい橋が完成した。”“市長が祝辞を述べた。” — Ásia Hoje"))
        }
    }

    /// A digest of titles alone has nobody's sentences.
    @Test func whoseWordsTheseAreIsSaidWhereThereAreAny() {
        func closing(_ digest: Digest) -> String {
            DigestText(digest, style: TextStyle(timeZone: Sample.utc)).closing(digest)
        }
        #expect(closing(Sample.digest).contains("quoted from the publication named"))
        #expect(closing(Sample.written).contains("by pulse-nano"))
        #expect(closing(Sample.written).contains("2 of its sentences were not borne out"))
        var titles = Sample.digest
        titles.sections = [Digest.Section(heading: .more, entries: [], titled: Sample.digest.stories)]
        #expect(closing(titles) == "\n" + Language.english.phrases.readOn + "\n")
    }

    private static func bare(_ text: String) -> String {
        text.replacing(/\e\]8;[^\e]*\e\\/, with: "").replacing(/\e\[[0-9]+m/, with: "")
    }
}
