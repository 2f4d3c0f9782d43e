import CLlama
import Foundation
import PulseTestSupport
import Testing

@testable import PulseInference

/// The library's log lines and its last words.
@Suite(.timeLimit(.minutes(20))) struct LibraryTests {
    @Test func abortIsOneSentenceAndNoBacktrace() async throws {
        let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            LlamaLibrary.start(logsToStandardError: false)
            let metadata = gguf_init_empty()
            gguf_set_val_str(metadata, "key", "text")
            // gguf.h: "will abort if the wrong type is used for the key".
            _ = gguf_get_val_u32(metadata, 0)
        }
        let lines = try #require(result).standardErrorContent.split(separator: UInt8(ascii: "\n"))
        let text = lines.map { String(decoding: $0, as: UTF8.self) }
        #expect(text.count == 1)
        #expect(text.first?.hasPrefix("pulse-digest: the inference library") == true)
    }

    @Test(arguments: [true, false]) func logLinesOnlyWhenAsked(isAsked: Bool) async throws {
        let result =
            isAsked
            ? await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try await load(logsToStandardError: true)
            }
            : await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try await load(logsToStandardError: false)
            }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("llama_model_loader") == isAsked)
        if !isAsked { #expect(text == "") }
    }

    /// libllama asks many thousand times in one answer, and each time deeper thunks overflowed the stack once.
    @Test func theStopSwitchMayBeAskedAnyNumberOfTimes() {
        let abortFlag = AbortFlag()
        #expect(!abortFlag.isOn)
        abortFlag.follow(.init { true })
        #expect((0..<200_000).allSatisfy { _ in abortFlag.isOn })
        abortFlag.follow(nil)
        #expect(!abortFlag.isOn)
    }

    @Test func lastErrorsAreKeptForTheThreadThatMadeThem() {
        let collector = LogCollector()
        for number in 1...6 { collector.take(level: GGML_LOG_LEVEL_ERROR, text: "fault \(number)\n") }
        collector.take(level: GGML_LOG_LEVEL_INFO, text: "all is well\n")
        collector.take(level: GGML_LOG_LEVEL_CONT, text: " indeed\n")
        collector.take(level: GGML_LOG_LEVEL_ERROR, text: "\u{1b}[31mfault\u{9b} \u{202e}7\u{7}")
        collector.take(level: GGML_LOG_LEVEL_CONT, text: "\n")
        collector.take(level: GGML_LOG_LEVEL_ERROR, text: nil)
        #expect(collector.takeErrors() == "fault 4; fault 5; fault 6; fault 7")
        #expect(collector.takeErrors() == nil)
    }
}

/// Loads a model and lets it go.
private func load(logsToStandardError: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try FixtureModel.write(to: folder.file("m.gguf"))
    _ = try await Engine.load(EngineOptions(modelPath: folder.file("m.gguf"), logsToStandardError: logsToStandardError))
}
