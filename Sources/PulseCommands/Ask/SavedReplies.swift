import Foundation
import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering

/// A file of questions and their answers, in Markdown, that grows by each that is asked with `--save`.
struct SavedReplies {
    private let path: String
    private let context: Run<AskArguments>

    /// - Throws: Where it could not be written, before a model has worked for nothing.
    init(_ named: String, in context: Run<AskArguments>) throws(PulseError) {
        path = URL(fileURLWithPath: named).resolvingSymlinksInPath().path
        self.context = context
        guard AtomicFile.isRegular(path) else { throw PulseError(.cannotWrite, "\(named) is not a file.") }
        let folder = (path as NSString).deletingLastPathComponent
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw PulseError(
                .cannotWrite, "\(named) cannot be written: its folder is missing, or belongs to somebody else.",
                hint: "Give --save another name.")
        }
    }

    /// Runs that add at once take turns. What is new holds what was read, so its owner alone may read it.
    func add(_ reply: Reply) throws(PulseError) {
        let text = ReplyMarkdown.render(reply, timeZone: context.timeZone, on: context.now)
        try context.app.state().waitingLock("output.lock").hold { () throws(PulseError) in
            let earlier = try AtomicFile.read(path) ?? Data()
            let gap = earlier.isEmpty ? "" : "\n"
            try AtomicFile.write(
                earlier + Data((gap + text).utf8), to: path, mode: DigestOutput.mode(of: path, new: 0o600))
        }
    }
}
