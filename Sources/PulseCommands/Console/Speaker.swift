import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseText

/// Reads aloud with speech-dispatcher, espeak-ng or macOS's say, the first that is installed.
struct Speaker {
    /// The raw value is the command's name.
    enum Synthesizer: String, CaseIterable {
        case speechDispatcher = "spd-say"
        case espeak = "espeak-ng"
        case say

        /// The arguments to read standard input aloud in a language, and to exit when all is spoken.
        ///
        /// - Parameters:
        ///   - tag: A BCP 47 tag.
        ///   - isOwn: Whether it is the reader's own language.
        func arguments(language tag: String, isOwn: Bool) -> [String] {
            let regional = Language(rawValue: tag)?.locale.replacing("_", with: "-") ?? tag
            switch self {
            // --pipe-mode reads line by line, and copies to its output; --wait ends after speaking.
            case .speechDispatcher: return ["--pipe-mode", "--wait", "--language", regional]
            case .espeak: return ["--stdin", "-v", regional.lowercased()]
            // Its voices have names. The default voice speaks the reader's language.
            case .say:
                let voices = [
                    "en-GB": "Daniel", "pt-BR": "Luciana", "pt-PT": "Joana", "es-ES": "Mónica", "fr-FR": "Thomas",
                ]
                return ["-f", "-"] + (isOwn ? [] : voices[regional].map { ["-v", $0] } ?? [])
            }
        }
    }

    private let synthesizer: Synthesizer
    private let path: String
    private let context: CommandContext<OutputArguments>

    init(_ context: CommandContext<OutputArguments>) throws {
        self.context = context
        let search = ProgramSearch(environment: context.environment)
        for synthesizer in Synthesizer.allCases {
            guard let path = search.find(synthesizer.rawValue) else { continue }
            (self.synthesizer, self.path) = (synthesizer, path)
            return
        }
        throw PulseError(
            .unavailable, "There is no program on this machine to read aloud with.",
            hint: "Install speech-dispatcher or espeak-ng (Debian: apt-get install espeak-ng), or use --format speech.")
    }

    /// Returns after all of it was spoken; Ctrl-C stops it at once.
    func speak(_ speech: SpeechText) async throws {
        let own = context.arguments.language.rawValue
        for paragraph in speech.paragraphs {
            let text = paragraph.text + "\n"
            guard let complaint = try await say(text, in: paragraph.language) else { continue }
            // The usual cause: no voice for the article's language. There must be one for the reader's.
            if let last = paragraph.language == own ? complaint : try await say(text, in: own) { throw fault(last) }
        }
    }

    private func fault(_ complaint: Message) -> PulseError {
        PulseError(
            .unavailable, "\(path) could not read it aloud: \(complaint)", hint: "To read it yourself: --format speech")
    }

    /// - Returns: The error; nil if it was spoken.
    private func say(_ text: String, in language: String) async throws -> Message? {
        let arguments = synthesizer.arguments(
            language: language, isOwn: language == context.arguments.language.rawValue)
        context.explain("\(path) \(arguments.joined(separator: " "))")
        let outcome: ChildProcess.Outcome
        do {
            outcome = try await ChildProcess(
                path: path, arguments: arguments, environment: context.environment, input: Data(text.utf8),
                outputLimit: 0, timeout: Self.limit(for: text)
            ).run()
        } catch {
            if error.asPulseError.code == .interrupted { await hush() }
            throw error
        }
        if outcome.ending == .timedOut {
            await hush()
            throw fault("it does not finish. Is there a sound device that works?")
        }
        let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").map {
            PlainText.line(String($0))
        }
        // Without an audio device, espeak-ng prints an error, but exits with 0.
        let complaint = lines.last { $0.lowercased().hasPrefix("error") } ?? lines.last ?? ""
        if outcome.ending == .exited(0), !complaint.lowercased().hasPrefix("error") { return nil }
        return complaint.isEmpty ? "it failed without a message." : "\(complaint.prefix(300))"
    }

    /// Without sound output, spd-say waits for ever. Slow voices say ten letters a second.
    static func limit(for text: String) -> Duration { .seconds(20 + text.count / 5) }

    /// Killing spd-say does not stop its server's speech.
    private func hush() async {
        guard synthesizer == .speechDispatcher else { return }
        // The long form of -S wants an argument in version 0.11.
        let stop = ChildProcess(
            path: path, arguments: ["-S"], environment: context.environment, timeout: .seconds(10))
        // A new task, since this one may be cancelled.
        _ = await Task.detached { try? await stop.run() }.value
    }
}
