import PulseInference
import PulseModels
import PulseSchedule
import PulseSources
import PulseStore
import PulseSystem

/// What each room's errors mean for the process. Their sentences are passed on as they are.
extension Failure {
    init(_ error: StoreError) {
        let code: ExitCode =
            switch error.code {
            case .missing: .noInput
            case .notAStore, .newer, .corrupt, .tooBig: .badData
            case .busy: .tryAgain
            case .readOnly, .permission: .permission
            case .full: .cannotWrite
            case .cannotOpen, .inputOutput: .cannotRead
            case .bug: .bug
            }
        self.init(code, error.message)
    }

    init(_ error: ModelError) {
        let code: ExitCode =
            switch error.code {
            case .unknown, .absent, .network, .server, .mismatch: .unavailable
            case .noSpace, .cannotWrite: .cannotWrite
            case .cannotRead: .cannotRead
            case .manifest: .configuration
            case .cancelled: .interrupted
            }
        self.init(code, error.message)
    }
}

extension Failure {
    init(_ error: EngineError) {
        let code: ExitCode =
            switch error.code {
            case .modelNotFound, .modelUnreadable, .modelEmpty, .modelNotGGUF, .modelTruncated, .modelCorrupted,
                .modelUnsupported, .noChatTemplate, .unknownChatTemplate, .noEndOfText:
                .unavailable
            case .promptTooLong: .usage
            case .tooLittleMemory, .contextUnavailable, .stalled, .outOfTime: .tryAgain
            case .cancelled: .interrupted
            case .vocabularyOnly, .computationFailed: .bug
            }
        // The engine does not know what its deadlines are called here.
        let hint =
            switch error.code {
            case .stalled: " The limit is --stall-timeout; 0 lifts it."
            case .outOfTime: " The limit is --timeout; 0 lifts it."
            default: ""
            }
        self.init(code, error.message + hint)
    }
}

extension Failure {
    init(_ error: SourceError) {
        let code: ExitCode =
            switch error.code {
            case .missing: .noInput
            case .permission: .permission
            case .notThisFormat, .corrupt: .badData
            case .busy: .tryAgain
            case .inputOutput: .cannotRead
            }
        self.init(code, error.message)
    }
}

extension Failure {
    init(_ error: SystemError) { self.init(ExitCode(error.code), error.message) }

    init(_ error: ScheduleError) {
        let code: ExitCode =
            switch error.code {
            case .tooLong: .usage
            case .malformed: .configuration
            case .system(let code): ExitCode(code)
            }
        self.init(code, error.message)
    }
}

extension ExitCode {
    fileprivate init(_ code: SystemError.Code) {
        self =
            switch code {
            case .cannotRead: .cannotRead
            case .cannotWrite: .cannotWrite
            case .permission: .permission
            case .unavailable: .unavailable
            case .busy: .tryAgain
            case .cancelled: .interrupted
            }
    }
}
