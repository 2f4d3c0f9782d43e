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

/// Somebody who answers what a use case has to ask, such as a person at a terminal.
package struct Questioner: Sendable {
    package typealias Answer = @Sendable (_ question: Message, _ isSecret: Bool) async throws -> String?

    private let answer: Answer
    private let agreement: @Sendable (_ question: Message, _ isUsual: Bool) async throws -> Bool

    package init(
        answer: @escaping Answer,
        agreement: @escaping @Sendable (_ question: Message, _ isUsual: Bool) async throws -> Bool
    ) {
        self.answer = answer
        self.agreement = agreement
    }

    /// - Parameter isSecret: Whether the answer is not to be shown.
    /// - Returns: Nil where there will be no answer.
    package func ask(_ question: Message, isSecret: Bool = false) async throws -> String? {
        try await answer(question, isSecret)
    }

    /// - Parameter isUsual: What an empty answer means.
    package func agrees(to question: Message, isUsual: Bool = false) async throws -> Bool {
        try await agreement(question, isUsual)
    }
}
