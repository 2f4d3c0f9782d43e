package import PulseCore

/// Receives the messages of a use case. Its caller decides what becomes of them: a line on a terminal, or nothing.
package struct Reporter: Sendable {
    package enum Event: Sendable {
        /// A part of the work failed, and the rest goes on.
        case problem(Message)
        /// The same, in the form of a command's error: what happened, and what to do about it.
        case failure(PulseError)
        /// The user may want to know it.
        case note(Message)
        /// A note for somebody who watches: it is not worth a line in a mail or a log.
        case hint(Message)
        /// A step of the work, for debugging; always in English.
        case detail(String)
        /// The current step; nil: there is none any more.
        case progress(Message?)
    }

    private let receive: @Sendable (Event) -> Void

    package init(_ receive: @escaping @Sendable (Event) -> Void) { self.receive = receive }

    /// The same without notes, hints and progress.
    package var quiet: Reporter {
        Reporter { [receive] event in
            switch event {
            case .problem, .failure, .detail: receive(event)
            case .note, .hint, .progress: break
            }
        }
    }

    package func problem(_ message: Message) { receive(.problem(message)) }
    package func failure(_ error: PulseError) { receive(.failure(error)) }
    package func note(_ message: Message) { receive(.note(message)) }
    package func hint(_ message: Message) { receive(.hint(message)) }
    package func detail(_ text: String) { receive(.detail(text)) }
    package func show(_ progress: Message) { receive(.progress(progress)) }
    package func clear() { receive(.progress(nil)) }
}

/// Answers the questions of a use case, such as a person at a terminal.
package protocol Questioner: Sendable {
    /// - Parameter isSecret: Whether the answer is not to be shown.
    /// - Returns: Nil if there will be no answer.
    func ask(_ question: Message, isSecret: Bool) async throws -> String?

    /// - Parameter isUsual: What an empty answer means.
    func agrees(to question: Message, isUsual: Bool) async throws -> Bool
}

extension Questioner {
    package func ask(_ question: Message) async throws -> String? { try await ask(question, isSecret: false) }

    package func agrees(to question: Message) async throws -> Bool { try await agrees(to: question, isUsual: false) }
}
