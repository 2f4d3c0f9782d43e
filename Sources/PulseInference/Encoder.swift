import CLlama
import Foundation
public import PulseCore

/// A small embedding model. It makes a vector for each token of a sentence, by which the check compares sentences, and
/// one for a whole text, by which search finds similar ones. It can share the thread of an engine.
///
/// It is opened with the engine if the plan has memory for both, or at its first use.
public actor Encoder {
    /// Nil before it is opened, and if the plan leaves it out.
    private var library: EncoderLibrary?
    private var isLeftOut = false
    private let path: String
    private let repacksWeights: Bool
    /// An engine that is loaded with it runs on the same thread.
    nonisolated let thread = PinnedThread.shared
    /// In bytes: its weights, its buffers, and the vectors that are cached while stories are checked.
    public nonisolated let memory: UInt64

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The buffers take 3 MiB, rows of logits 20, library and vocabulary 7, and a digest's sentences' vectors some 10.
    private static let buffers: UInt64 = 40 << 20

    /// Reads the header of its file. `repacksWeights` is faster for whole texts, and takes twice the memory of the
    /// weights. Throws `.unavailable` if the file is missing, damaged or not an encoder.
    public static func load(_ path: String, repacksWeights: Bool = false) throws -> Encoder {
        let file = try ModelFile(path: path)
        guard file.header.architecture == "bert" else {
            throw PulseError(.unavailable, "\(path) is not an encoder.", hint: "Install the program's own file again.")
        }
        return Encoder(file, repacksWeights: repacksWeights)
    }

    private init(_ file: ModelFile, repacksWeights: Bool) {
        path = file.path
        self.repacksWeights = repacksWeights
        memory = file.size * (repacksWeights ? 2 : 1) + Self.buffers
    }

    // Isolated, so that the handles are freed on the thread that made them.
    isolated deinit {}

    /// Opens the encoder, or leaves it out, as the plan says. Must be called on the thread.
    nonisolated func follow(_ plan: MachinePlan) throws {
        let isLeftOut = plan.concessions.contains(.encoder)
        try assumeIsolated { encoder in
            encoder.isLeftOut = isLeftOut
            if isLeftOut { encoder.library = nil }
            try encoder.open()
        }
    }

    /// Opens the encoder unless it is open or left out.
    public func open() throws {
        guard library == nil, !isLeftOut else { return }
        library = try EncoderLibrary(path: path, repacksWeights: repacksWeights)
    }

    /// The token vectors of sentences, which are given as words and punctuation, and cut at 100 tokens. On the thread,
    /// as in an engine's callback, it computes at once; elsewhere it waits. Throws if the plan leaves it out.
    public nonisolated func vectors(of sentences: [[String]]) throws -> [TokenVectors] {
        try thread.sync { try self.assumeIsolated { try $0.tokenVectors(of: sentences) } }
    }

    private func tokenVectors(of sentences: [[String]]) throws -> [TokenVectors] {
        try open()
        guard let vectors = try library?.vectors(of: sentences) else { throw Self.leftOut }
        return vectors
    }

    /// The embedding of a text, cut at some 130 words: the mean of its tokens' vectors, of length 1; zeros for an
    /// unknown script.
    public func vector(of text: String) throws -> [Float] { try means(of: [text], usesAllCores: false)[0] }

    /// The embeddings of several texts, in their order, on all cores that other programs leave.
    public func vectors(of texts: [String]) throws -> [[Float]] { try means(of: texts, usesAllCores: true) }

    private func means(of texts: [String], usesAllCores: Bool) throws -> [[Float]] {
        try open()
        guard let means = try library?.means(of: texts, usesAllCores: usesAllCores) else { throw Self.leftOut }
        return means
    }

    private static let leftOut = PulseError(.tryAgain, "There is not enough memory to check what a model writes.")
}

/// The model and its contexts, which are freed before it.
private struct EncoderLibrary: ~Copyable {
    /// For batches of fewer than `fewestTogether` tokens, and for the others.
    private let short, long: EncoderContext
    private var batch: Batch
    private let model: Model
    private let width: Int
    private let opening, closing: llama_token

    /// Tokens of a whole text, with the two tokens around it. The library keeps a row of logits for each: 260 KB with
    /// the vocabulary of the encoder for texts.
    private static let longestText = 192
    /// Tokens of sentences, and of short texts, that are computed together. With the vocabulary of the encoder for
    /// sentences, the library reserves 120 KiB a token for logits.
    private static let (longestBatch, longestTogether) = (128, 96)
    /// Tokens of one sentence. Longer ones are cut, because attention is quadratic.
    private static let longest = 100
    private static let mostTogether = 16
    /// From this many tokens on, ggml's flash attention (ops.cpp, `use_tiled`) is faster than plain attention.
    private static let fewestTogether = 64
    /// Bytes of one word. Nothing longer is a word.
    private static let longestPiece = 100
    /// A text is in an unknown script if more than one in this many tokens is unknown.
    private static let unknownShare = 4
    /// Bytes of a text that are tokenised; 192 tokens never stand for more.
    private static let longestBytes = 8000

    init(path: String, repacksWeights: Bool) throws {
        LlamaLibrary.start(logsToStandardError: nil)
        #if canImport(Glibc)
            // After large feeds, glibc keeps tens of megabytes that the weights and buffers cannot use.
            malloc_trim(0)
        #endif
        let model = try Model(path: path, reading: .whole, isRepacked: repacksWeights)
        let short = try EncoderContext(of: model, capacity: Self.fewestTogether - 1, Self.mostTogether, isFlash: false)
        let long = try EncoderContext(of: model, capacity: Self.longestText, Self.mostTogether, isFlash: true)
        self.short = short
        self.long = long
        width = model.width
        (opening, closing) = model.vocabulary.frame
        batch = Batch(capacity: Self.longestText)
        self.model = model
    }

    // MARK: - Sentences

    /// The vectors of all tokens except the two around each sentence.
    mutating func vectors(of sentences: [[String]]) throws -> [TokenVectors] {
        var vectors = sentences.map { tokens(of: $0) }
        let numbers = vectors.indices.filter { !vectors[$0].tokens.isEmpty }
        try encode(vectors.map(\.tokens), numbers, atMost: Self.longestBatch, usesAllCores: false) { number, rows in
            vectors[number].values = try rows.dropFirst().dropLast().flatMap { try Self.ofLengthOne($0) }
        }
        return vectors
    }

    private func tokens(of sentence: [String]) -> TokenVectors {
        var (tokens, pieces): ([llama_token], [Int]) = ([], [])
        for (index, piece) in sentence.enumerated() {
            let text = piece.utf8.count <= Self.longestPiece ? piece : "?"
            let some = model.vocabulary.tokens(of: text, as: .data)
            guard tokens.count + some.count <= Self.longest else { break }
            tokens += some
            pieces += Array(repeating: index, count: some.count)
        }
        return TokenVectors(tokens: tokens, pieces: pieces, values: [])
    }

    // MARK: - Texts

    /// The mean of each text's vectors, scaled to length 1; zeros for a text in an unknown script.
    mutating func means(of texts: [String], usesAllCores: Bool) throws -> [[Float]] {
        defer { useThreads(1) }
        let tokens = texts.map { text in
            let front = String(decoding: text.utf8.prefix(Self.longestBytes), as: UTF8.self)
            return Array(model.vocabulary.tokens(of: front, as: .data).prefix(Self.longestText - 2))
        }
        var means = [[Float]](repeating: Array(repeating: 0, count: width), count: texts.count)
        let numbers = tokens.indices.filter { text in
            tokens[text].count(where: model.vocabulary.isUnknown) * Self.unknownShare <= tokens[text].count
        }
        try encode(tokens, numbers, atMost: Self.longestTogether, usesAllCores: usesAllCores) { number, rows in
            for row in rows {
                for place in row.indices { means[number][place] += row[place] }
            }
            means[number] = try Self.ofLengthOne(means[number])
        }
        return means
    }

    private func useThreads(_ count: Int) { llama_set_n_threads(long.pointer, Int32(count), Int32(count)) }

    // MARK: - Computing

    /// Computes as many sequences together as fit, with the two tokens around each: a sentence alone takes half as long
    /// again, a short text three times as long.
    ///
    /// - Parameters:
    ///   - numbers: The indices of the sequences to compute.
    ///   - usesAllCores: Whether to use all free cores, counted anew for each batch. One core is as fast for fewer than
    ///     `fewestTogether` tokens.
    ///   - take: Receives a sequence's number and the last layer's vectors of its tokens, which are valid in the call.
    private mutating func encode(
        _ sequences: [[llama_token]], _ numbers: [Int], atMost capacity: Int, usesAllCores: Bool,
        _ take: (Int, [UnsafeBufferPointer<Float>]) throws -> Void
    ) throws {
        var rest = numbers[...]
        while !rest.isEmpty {
            var count = 0
            let fitting = rest.prefix(Self.mostTogether).prefix { number in
                count += sequences[number].count + 2
                return count <= capacity
            }
            let group = fitting.isEmpty ? rest.prefix(1) : fitting
            rest = rest.dropFirst(group.count)
            if usesAllCores {
                let processors = Processors.current()
                useThreads(max(1, processors.usable - processors.busy))
            }
            batch.clear()
            for (sequence, number) in group.enumerated() {
                for (position, token) in ([opening] + sequences[number] + [closing]).enumerated() {
                    batch.add(token, at: position, of: sequence, wantsLogits: true)
                }
            }
            let context = batch.count < Self.fewestTogether ? short.pointer : long.pointer
            let status = llama_encode(context, batch.raw)
            guard status == 0 else { throw DecodingFailure(status: status).error }
            var row = 0
            for number in group {
                let rows = row..<row + sequences[number].count + 2
                row = rows.upperBound
                try take(number, rows.map { try Self.output(of: $0, in: context, width) })
            }
        }
    }

    private static func output(
        of token: Int, in context: OpaquePointer, _ width: Int
    ) throws -> UnsafeBufferPointer<Float> {
        guard let vector = llama_get_embeddings_ith(context, Int32(token)) else {
            throw DecodingFailure(status: -1).error
        }
        return UnsafeBufferPointer(start: vector, count: width)
    }

    private static func ofLengthOne(_ vector: some Collection<Float>) throws -> [Float] {
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite, length > 0 else { throw DecodingFailure(status: -1).error }
        return vector.map { $0 / length }
    }
}

/// A context of the encoder. It must not outlive its model.
private struct EncoderContext: ~Copyable {
    let pointer: OpaquePointer

    init(of model: borrowing Model, capacity: Int, _ sequences: Int, isFlash: Bool) throws {
        var parameters = llama_context_default_params()
        parameters.n_ctx = UInt32(capacity)
        parameters.n_batch = parameters.n_ctx
        parameters.n_ubatch = parameters.n_ctx
        parameters.n_seq_max = UInt32(sequences)
        parameters.kv_unified = true
        parameters.n_threads = 1
        parameters.n_threads_batch = 1
        parameters.embeddings = true
        parameters.pooling_type = LLAMA_POOLING_TYPE_NONE
        parameters.flash_attn_type = isFlash ? LLAMA_FLASH_ATTN_TYPE_AUTO : LLAMA_FLASH_ATTN_TYPE_DISABLED
        parameters.no_perf = true
        guard let pointer = model.openContext(parameters) else {
            throw PulseError(
                .tryAgain, "There is not enough memory to check what a model writes.",
                hint: "Choose a smaller model.", cause: LogCollector.shared.takeErrors())
        }
        self.pointer = pointer
    }

    deinit { llama_free(pointer) }
}
