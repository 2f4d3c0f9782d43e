import Foundation
package import PulseCore
package import PulseDigest
import PulsePlatform
import PulseText

/// A prompt that the user may change: the program's file, and the user's own, which takes precedence.
package struct EditablePrompt: Sendable {
    package let job: PromptTemplate.Job
    package let language: Language
    /// The path of the user's own file, which may not exist.
    package let ownPath: String
    private let shippedPath: String?
    private let locations: Locations
    /// The program's file as the user last saw it. Missing if the user copied the file by hand.
    private let seenPath: String

    private init(_ job: PromptTemplate.Job, _ language: Language, in locations: Locations) {
        (self.job, self.language, self.locations) = (job, language, locations)
        let file = "/prompts/\(job.rawValue).\(language.code).md"
        ownPath = locations.configuration + file
        shippedPath = locations.resources.map { $0 + file }
        seenPath = locations.state + file
    }

    /// The prompts in each language; European Portuguese shares those of Portuguese.
    package static func all(in locations: Locations) -> [EditablePrompt] {
        Language.allCases.filter { $0.code == $0.rawValue }.flatMap { language in
            PromptTemplate.Job.allCases.map { EditablePrompt($0, language, in: locations) }
        }
    }

    /// - Parameters:
    ///   - name: `digest.en`, its file's name `digest.en.md`, or `digest`.
    ///   - language: Used if the name has none.
    package static func named(_ name: String, or language: Language, in locations: Locations) throws -> EditablePrompt {
        let all = all(in: locations)
        let bare = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
        if let prompt = all.first(where: { [bare, "\(bare).\(language.code)"].contains($0.name) }) { return prompt }
        throw PulseError(
            .usage, "There is no prompt “\(PlainText.line(name))”.",
            hint: EditDistance.nearest(to: bare, among: all.map(\.name)).map { "Did you mean \($0)?" }
                ?? "To see them all: pulse-digest prompts")
    }

    package var name: String { "\(job.rawValue).\(language.code)" }

    package func own() throws -> String? { try Self.text(ownPath) }

    package func shipped() throws -> String? {
        if let shippedPath { try Self.text(shippedPath) } else { nil }
    }

    private static func text(_ path: String) throws -> String? {
        try AtomicFile.readRegular(path).map { String(decoding: $0, as: UTF8.self) }
    }

    package func current() throws -> (path: String, text: String) {
        let path = try locations.promptPath(for: job, in: language)
        return (path, try Self.text(path) ?? "")
    }

    /// Whether the program's file has changed since the user last saw it.
    package func isOutdated() throws -> Bool {
        guard try own() != nil, let seen = try Self.text(seenPath) else { return false }
        return try shipped() != seen
    }

    /// Copies the program's file for the user to change, unless they have one.
    package func copy(in app: AppEnvironment) throws {
        let lock = try app.state().waitingLock("settings.lock")
        defer { withExtendedLifetime(lock) {} }
        guard try own() == nil else { return }
        try AtomicFile.restore(Data(current().text.utf8), to: ownPath, mode: 0o600)
        try remember()
    }

    package func remember() throws {
        try AtomicFile.restore(shipped().map { Data($0.utf8) }, to: seenPath, mode: 0o600)
    }

    /// Deletes the user's own file if it equals the program's, so that the program's next version can bring another.
    ///
    /// - Returns: Whether the user has no file of their own now.
    package func discardCopy() throws -> Bool {
        guard let own = try own() else { return true }
        guard try own == shipped() else { return false }
        try AtomicFile.remove(ownPath)
        try AtomicFile.remove(seenPath)
        return true
    }

    /// Throws the error that using it would cause.
    package func check() throws { _ = try locations.promptTemplate(for: job, in: language) }

    /// Renames the user's own file.
    ///
    /// - Returns: Its new path; nil if there was none.
    package func reset() throws -> String? {
        guard try own() != nil else { return nil }
        let names = sequence(first: 1) { $0 + 1 }.lazy.map { ownPath + ".old" + ($0 == 1 ? "" : "\($0)") }
        guard let kept = names.first(where: { !FileManager.default.fileExists(atPath: $0) }) else { return nil }
        try AtomicFile.rename(ownPath, to: kept)
        try AtomicFile.remove(seenPath)
        return kept
    }

    /// The changes in the user's own file, as `diff -u` writes them; nil if there is none.
    package func difference() throws -> String? {
        guard let own = try own() else { return nil }
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let (old, new) = (lines(try shipped() ?? ""), lines(own))
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in new.difference(from: old) {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): added.insert(place)
            }
        }
        var (shown, left, right): ([String], Int, Int) = (["--- \(shippedPath ?? "")", "+++ \(ownPath)"], 0, 0)
        // Prompts are short: all unchanged lines are shown, too.
        while left < old.count || right < new.count {
            if removed.contains(left) {
                shown.append("-" + old[left])
                left += 1
            } else if added.contains(right) {
                shown.append("+" + new[right])
                right += 1
            } else {
                shown.append(" " + old[left])
                (left, right) = (left + 1, right + 1)
            }
        }
        return shown.joined(separator: "\n") + "\n"
    }
}
