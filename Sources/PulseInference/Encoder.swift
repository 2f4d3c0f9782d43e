import CLlama
import Foundation
public import PulseCore

/// A small embedding model. It makes a vector for each token of a sentence, by which the check compares sentences, and
/// a vector for a whole text, by which search finds texts of similar meaning. It can share the thread of an engine, so
/// that all calls into libllama are on one thread.
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

    /// A computation's buffers take 3 MiB, the rows of logits 20, the library and its vocabulary 7, and the vectors of
    /// a digest's sentences about 10.
    private static let buffers: UInt64 = 40 << 20

    /// Reads the header of its file.
    ///
    /// - Parameter repacksWeights: Faster for whole texts; it takes the memory of the weights twice.
    /// - Throws: `.unavailable` if the file is missing, damaged or not an encoder.
    public static func load(_ path: String, repacksWeights: Bool = false) throws -> Encoder {
        let file = try ModelFile(path: path)
        guard case .text("bert")? = file.header.metadata["general.architecture"] else {
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
        try assumeIsolated { try $0.open(unless: isLeftOut) }
    }

    private func open(unless isLeftOut: Bool) throws {
        self.isLeftOut = isLeftOut
        if isLeftOut { library = nil }
        try open()
    }

    /// Opens the encoder unless it is open or left out.
    public func open() throws {
        guard library == nil, !isLeftOut else { return }
        library = try EncoderLibrary(path: path, repacksWeights: repacksWeights)
    }

    /// The token vectors of sentences, which are given as words and punctuation. A sentence is cut at 100 tokens.
    ///
    /// On the thread, such as in a callback of an engine, it computes at once; elsewhere it waits for the thread.
    ///
    /// - Throws: if the plan leaves it out, or if opening or computing fails.
    public nonisolated func vectors(of sentences: [[String]]) throws -> [TokenVectors] {
        try thread.sync { try self.assumeIsolated { try $0.encode(sentences) } }
    }

    /// The embedding of a text: the mean of its tokens' vectors, scaled to length 1; zeros for a text in a script that it
    /// does not know. A text is cut at about 130 words.
    public func vector(of text: String) throws -> [Float] {
        try open()
        guard let vector = try library?.means(of: [text]).first else { throw Self.leftOut }
        return vector
    }

    /// The embeddings of several texts, in their order, on all cores that other programs leave.
    public func vectors(of texts: [String]) throws -> [[Float]] {
        try open()
        guard let vectors = try library?.means(of: texts, usesAllCores: true) else { throw Self.leftOut }
        return vectors
    }

    private static let leftOut = PulseError(
        .tryAgain, "There is not enough memory to check what a model writes.")

    private func encode(_ sentences: [[String]]) throws -> [TokenVectors] {
        if isLeftOut { throw Self.leftOut }
        try open()
        return try library?.vectors(of: sentences) ?? []
    }
}

/// The model and its contexts, which are freed before it.
private struct EncoderLibrary: ~Copyable {
    /// For batches of fewer than `fewestTogether` tokens, and for the others.
    private let short, long: EncoderContext
    private var batch: Batch
    private let model: Model
    private let width: Int
    private let opening, closing: llama_token

    /// Tokens of a whole text, with the two tokens around it. The library keeps a row of logits for each: 260 KB.
    private static let longestText = 192
    /// Tokens of sentences, and of short texts, that are computed together. The library reserves a row of logits for each
    /// token: 120 KiB for the check, and twice as much for texts.
    private static let (longestBatch, longestTogether) = (128, 96)
    /// Tokens of one sentence. Longer ones are cut, because attention is quadratic.
    private static let longest = 100
    /// The most sentences that are computed together.
    private static let mostTogether = 16
    /// From this many tokens on, ggml's flash attention (ops.cpp, `use_tiled`) is faster than plain attention.
    private static let fewestTogether = 64
    /// Bytes of one word. Nothing longer is a word.
    private static let longestPiece = 100
    /// A text is not known if more than one of this many tokens is not.
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
        let short = try EncoderContext(of: model, capacity: Self.fewestTogether - 1, Self.mostTogether)
        let long = try EncoderContext(of: model, capacity: Self.longestText, Self.mostTogether, isFlash: true)
        self.short = short
        self.long = long
        width = model.width
        (opening, closing) = model.vocabulary.frame
        batch = Batch(capacity: Self.longestText)
        self.model = model
    }

    /// Computes as many sentences together as fit: alone, each takes half as long again.
    mutating func vectors(of sentences: [[String]]) throws -> [TokenVectors] {
        var vectors = sentences.map { tokens(of: $0) }
        var rest = vectors.indices.filter { !vectors[$0].tokens.isEmpty }[...]
        while !rest.isEmpty {
            let group = Self.together(rest, in: Self.longestBatch) { vectors[$0].tokens.count }
            rest = rest.dropFirst(group.count)
            try read(group, into: &vectors)
        }
        return vectors
    }

    /// The first texts that fit together, and at least one.
    private static func together(
        _ texts: ArraySlice<Int>, in capacity: Int, tokens: (Int) -> Int
    ) -> ArraySlice<Int> {
        var count = 0
        let group = texts.prefix(mostTogether).prefix { text in
            count += tokens(text) + 2
            return count <= capacity
        }
        return group.isEmpty ? texts.prefix(1) : group
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

    /// The vectors of all tokens except the two around each sentence.
    private mutating func read(_ group: ArraySlice<Int>, into vectors: inout [TokenVectors]) throws {
        let context = try encode(group.map { [opening] + vectors[$0].tokens + [closing] })
        var row = 0
        for index in group {
            let count = vectors[index].tokens.count
            vectors[index].values.reserveCapacity(count * width)
            for token in row + 1...row + count {
                vectors[index].values += try Self.ofLengthOne(output(of: token, in: context))
            }
            row += count + 2
        }
    }

    /// The mean of each text's vectors, scaled to length 1; zeros for a text in an unknown script. Short texts are
    /// computed together, which takes a third of the time.
    ///
    /// - Parameter usesAllCores: They are counted before each batch, so that a short-lived program slows only one. A
    ///   batch of fewer than `fewestTogether` tokens uses one: starting more takes as long as computing.
    mutating func means(of texts: [String], usesAllCores: Bool = false) throws -> [[Float]] {
        defer { useThreads(1) }
        let tokens = texts.map { text in
            let front = String(decoding: text.utf8.prefix(Self.longestBytes), as: UTF8.self)
            return model.vocabulary.tokens(of: front, as: .data).prefix(Self.longestText - 2)
        }
        var means = [[Float]](repeating: Array(repeating: 0, count: width), count: texts.count)
        var rest = tokens.indices.filter { text in
            tokens[text].count(where: model.vocabulary.isUnknown) * Self.unknownShare <= tokens[text].count
        }[...]
        while !rest.isEmpty {
            let group = Self.together(rest, in: Self.longestTogether) { tokens[$0].count }
            rest = rest.dropFirst(group.count)
            if usesAllCores {
                let processors = Processors.current()
                useThreads(max(1, processors.usable - processors.busy))
            }
            let context = try encode(group.map { [opening] + tokens[$0] + [closing] })
            var token = 0
            for text in group {
                for _ in 0..<tokens[text].count + 2 {
                    let vector = try output(of: token, in: context)
                    for place in 0..<width { means[text][place] += vector[place] }
                    token += 1
                }
                means[text] = try Self.ofLengthOne(means[text])
            }
        }
        return means
    }

    private func useThreads(_ count: Int) { llama_set_n_threads(long.pointer, Int32(count), Int32(count)) }

    /// The last layer's vector of a token in the batch; valid until the next one is computed.
    private func output(of token: Int, in context: OpaquePointer) throws -> UnsafeBufferPointer<Float> {
        guard let vector = llama_get_embeddings_ith(context, Int32(token)) else {
            throw DecodingFailure(status: -1).error
        }
        return UnsafeBufferPointer(start: vector, count: width)
    }

    /// Computes the sequences in a batch, and returns the context that did.
    private mutating func encode(_ sequences: [[llama_token]]) throws -> OpaquePointer {
        batch.clear()
        for (number, tokens) in sequences.enumerated() {
            for (position, token) in tokens.enumerated() {
                batch.add(token, at: position, of: number, wantsLogits: true)
            }
        }
        let context = batch.count < Self.fewestTogether ? short.pointer : long.pointer
        let status = llama_encode(context, batch.raw)
        guard status == 0 else { throw DecodingFailure(status: status).error }
        return context
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

    init(of model: borrowing Model, capacity: Int, _ sequences: Int, isFlash: Bool = false) throws {
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
