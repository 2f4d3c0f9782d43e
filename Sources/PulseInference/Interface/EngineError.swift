/// What went wrong in the engine: a code for the program, the library's own words where there are any, and a message
/// for the user.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: Sendable, Hashable, CaseIterable {
        /// No file at the path.
        case modelNotFound
        /// The file is there but cannot be read.
        case modelUnreadable
        /// The file is empty.
        case modelEmpty
        /// The file is something else than GGUF.
        case modelNotGGUF
        /// The file ends before its content does.
        case modelTruncated
        /// The file contradicts itself.
        case modelCorrupted
        /// A sound file that libllama does not know how to run.
        case modelUnsupported
        /// The model carries no chat template.
        case noChatTemplate
        /// The model carries a chat template that libllama does not know.
        case unknownChatTemplate
        /// No token of the vocabulary ends a text.
        case noEndOfText
        /// The prompt does not fit into the context.
        case promptTooLong
        /// The machine has less memory than the model takes, or ran short of it at work.
        case tooLittleMemory
        /// The library could not open a context.
        case contextUnavailable
        /// Generation was asked of an engine that read only the vocabulary.
        case vocabularyOnly
        /// The task was cancelled.
        case cancelled
        /// The stall deadline passed.
        case stalled
        /// The overall deadline passed.
        case outOfTime
        /// libllama failed while computing.
        case computationFailed
    }

    public var code: Code
    /// One or two sentences: what happened, and what to do next.
    public var message: String
    /// The library's last error lines, for `--verbose` and bug reports.
    public var cause: String?

    public init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
}
