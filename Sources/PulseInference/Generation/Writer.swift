/// The reading of one prompt and the writing of one answer.
import CLlama

struct Writer: ~Copyable {
    var context: Context
    let vocabulary: Vocabulary
    let watch: Watch

    consuming func release() -> Context { context }

    mutating func answer(
        _ request: GenerationRequest, prompt: Prompt, recorder: CallRecorder?, now: () -> Duration,
        deliver: (GenerationEvent) -> Void
    ) throws(EngineError) -> Completion {
        let start = now()
        let room = context.shape.length - prompt.tokens.count
        guard room > 0 else {
            throw EngineError(
                .promptTooLong,
                "The prompt has \(prompt.tokens.count) tokens, and the model holds \(context.shape.length) with its answer. Give it less, or choose a model with a longer context."
            )
        }
        try read(prompt.tokens, deliver: deliver)
        let written = now()
        var sampler = try Sampler(request.sampling, recorder: recorder)
        var answer = Answer(stops: request.grounding == .free ? request.stops : [])
        let limit = min(request.maximumTokens, room)
        let finish: Completion.Finish
        switch request.grounding {
        case .free: finish = try writeFreely(&answer, limit: limit, sampler: &sampler) { deliver(.text($0)) }
        case .strict:
            finish = try writeGrounded(&answer, request, limit: limit, sampler: &sampler) { deliver(.text($0)) }
        }
        answer.finish { deliver(.text($0)) }
        let completion = Completion(
            text: answer.text, promptTokens: prompt.tokens.count, outputTokens: answer.tokens,
            promptTime: written - start, outputTime: now() - written, finish: finish)
        deliver(.finished(completion))
        return completion
    }

    /// Reads the prompt in chunks; what the context still holds of it is not read again.
    private mutating func read(
        _ prompt: [llama_token], deliver: (GenerationEvent) -> Void
    ) throws(EngineError) {
        var position = context.keepPrefix(of: prompt)
        deliver(.reading(tokens: position, of: prompt.count))
        while position < prompt.count {
            let end = min(position + context.chunk, prompt.count)
            try decode(prompt[position..<end], wantsLogits: end == prompt.count)
            position = end
            deliver(.reading(tokens: position, of: prompt.count))
        }
    }

    /// One token after another, as the model likes.
    private mutating func writeFreely(
        _ answer: inout Answer, limit: Int, sampler: inout Sampler, deliver: (String) -> Void
    ) throws(EngineError) -> Completion.Finish {
        while answer.tokens < limit {
            let token = try choose(among: nil, with: &sampler)
            if vocabulary.endsText(token) { return .endOfText }
            answer.add(vocabulary.piece(token), deliver: deliver)
            if answer.isStopped { return .stopSequence }
            if answer.tokens < limit { try decode([token], wantsLogits: true) }
        }
        return .length
    }

    /// The next token by the model's logits and the sampler; `allowed` nil: of all.
    mutating func choose(
        among allowed: [llama_token]?, with sampler: inout Sampler
    ) throws(EngineError) -> llama_token {
        let token = context.withLogits(count: vocabulary.count) { logits in
            if let allowed { sampler.choose(from: logits, among: allowed) } else { sampler.choose(from: logits) }
        }
        guard let token, let token else {
            throw EngineError(
                .computationFailed, "The model gave no usable result. Its file may be damaged: verify it.")
        }
        watch.noteProgress()
        return token
    }

    /// Computes, within the deadlines, in as many chunks as it takes.
    mutating func decode(_ tokens: ArraySlice<llama_token>, wantsLogits: Bool) throws(EngineError) {
        var rest = tokens
        while !rest.isEmpty {
            try watch.check()
            let chunk = rest.prefix(context.chunk)
            rest = rest.dropFirst(chunk.count)
            do throws(DecodingFailure) {
                try context.decode(chunk, wantsLogits: wantsLogits && rest.isEmpty)
            } catch {
                try watch.check()
                throw EngineError(
                    .computationFailed,
                    "The model could not go on computing (\(error.status)). Try a shorter text or a smaller model.",
                    cause: LogCollector.shared.takeErrors())
            }
            watch.noteProgress()
        }
        try watch.check()
    }
}
