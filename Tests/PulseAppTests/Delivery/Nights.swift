import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseApp

extension NightlyRun {
    /// A run that imports what is on a machine without readers and asks the web for nothing.
    init(
        for readers: [DigestReader], by mail: MailSettings, in app: AppEnvironment, startedBy scheduler: TimerKind?,
        wait: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) {
        let reporter = scheduler == nil ? Reporter.silent : Reporter.silent.quiet
        self.init(
            DigestDelivery(to: readers, by: mail, in: app, reporter: reporter), of: readers[0],
            sources: ImportSources(Importer(in: app, reporter: reporter)),
            feeds: FeedRefresh(
                in: app, services: FeedServiceSettings().services(in: app), keepUnreadDays: 30, reporter: reporter),
            startedBy: scheduler, wait: wait)
    }
}

/// What tests of many nights have in common: articles that are told apart by a word, and a sendmail that keeps what it
/// takes.
struct Nights {
    let folder: TemporaryFolder

    /// - Parameter decision: Lines of shell that end sendmail where it does not take `$F/message`.
    init(sendmail decision: String) throws {
        folder = try TemporaryFolder()
        try folder.writeProgram(
            """
            #!/bin/sh
            cat > "$F/message"
            \(decision)
            mv "$F/message" "$F/mails/$(ls "$F/mails" | wc -l)"
            """, to: "sendmail")
        try folder.makeFolder("mails")
    }

    /// A word that no other article has.
    static func word(_ number: Int) -> String {
        var (rest, word) = (number + 500, "")
        while rest > 0 {
            word += ["ba", "do", "fi", "gu", "ke", "lo", "mi", "nu", "pa", "re"][rest % 10]
            rest /= 10
        }
        return word
    }

    static func article(_ number: Int, source: String = "S", category: PulseCore.Category) -> Article {
        let word = word(number)
        return Article(
            id: "a\(number)", title: "The \(word)ville opening",
            content: "The \(word)house of \(word)ville was opened by \(word)son in \(word)berg.", source: source,
            category: category)
    }

    func mails() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("mails")).count
    }

    /// The mails that came after the first so many, and the numbers of the articles in each.
    func delivered(after seen: Int, of count: Int) throws -> [(text: String, articles: [Int])] {
        try (seen..<(try mails())).map { index in
            let text = try folder.text("mails/\(index)")
                .replacing("=\n", with: "")
            return (text, (0..<count).filter { text.contains("\(Self.word($0))ville") })
        }
    }

    /// The numbers as a column of a table.
    static func column(_ name: String = "", numbers: some Sequence<Int>, width: Int) -> String {
        let text = numbers.sorted().map(String.init).joined(separator: " ")
        return pad(name + (text.isEmpty ? "-" : text), width)
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: width, withPad: " ", startingAt: 0)
    }

    /// The table without the spaces at the ends of its lines is the golden file of that name.
    static func expect(_ table: String, is name: String) throws {
        let table = table.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) + "\n" }.joined()
        #expect(try table == Golden.text(name, actual: table))
    }
}
