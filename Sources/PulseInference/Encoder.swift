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
    private var isOpen = false
    private var isLeftOut = false
    private let path: String
    /// An engine that is loaded with it runs on the same thread.
    nonisolated let thread = PinnedThread()
    /// In bytes: its weights, its buffers, and the vectors that are cached while stories are checked.
    public nonisolated let memory: UInt64

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// A computation's buffers take 3 MiB, the library and its vocabulary 9, and the vectors of a digest's sentences
    /// about 10.
    private static let buffers: UInt64 = 24 << 20

    /// Reads the header of its file.
    ///
    /// - Throws: `.unavailable` if the file is missing, damaged or not an encoder.
    public static func load(path: String) async throws(PulseError) -> Encoder { try Encoder(path: path) }

    private init(path: String) throws(PulseError) {
        let file = try ModelFile(path: path)
        guard case .text("bert")? = file.header.metadata["general.architecture"] else {
            throw PulseError(.unavailable, "\(path) is no encoder.", hint: "Install the program's own file again.")
        }
        self.path = path
        memory = file.size + Self.buffers
    }

    // Isolated, so that the handles are freed on the thread that made them.
    isolated deinit {}

    /// Opens the encoder, or leaves it out, as the plan says. Must be called on the thread.
    nonisolated func follow(_ plan: MachinePlan) throws(PulseError) {
        let isLeftOut = plan.concessions.contains(.encoder)
        try assumeIsolated { $0.opened(unless: isLeftOut) }.get()
    }

    private func opened(unless isLeftOut: Bool) -> Result<Void, PulseError> {
        self.isLeftOut = isLeftOut
        if isLeftOut {
            library = nil
            isOpen = false
        }
        return Result { () throws(PulseError) in try open() }
    }

    private func open() throws(PulseError) {
        guard !isOpen, !isLeftOut else { return }
        library = try EncoderLibrary(path: path)
        isOpen = true
    }

    /// The token vectors of sentences, which are given as words and punctuation. A sentence is cut at 100 tokens.
    ///
    /// On the thread, such as in a callback of an engine, it computes at once; elsewhere it waits for the thread.
    ///
    /// - Throws: if the plan leaves it out, or if opening or computing fails.
    public nonisolated func vectors(of sentences: [[String]]) throws(PulseError) -> [TokenVectors] {
        try thread.sync { self.assumeIsolated { $0.encoded(sentences) } }.get()
    }

    /// Runs `body` on the thread, where `vectors` need not wait.
    ///
    /// - Throws: what opening the encoder throws.
    public func run<Value: Sendable>(_ body: @Sendable () -> Value) throws(PulseError) -> Value {
        try open()
        return body()
    }

    /// The embedding of a text: the mean of its tokens' vectors, scaled to length 1. A text is cut at about two hundred
    /// words.
    public func vector(of text: String) throws(PulseError) -> [Float] {
        try open()
        guard let vector = try library?.mean(of: text) else { throw Self.leftOut }
        return vector
    }

    private static let leftOut = PulseError(
        .tryAgain, "There is not enough memory for the check of what a model writes.")

    private func encoded(_ sentences: [[String]]) -> Result<[TokenVectors], PulseError> {
        Result { () throws(PulseError) in try encode(sentences) }
    }

    private func encode(_ sentences: [[String]]) throws(PulseError) -> [TokenVectors] {
        if isLeftOut { throw Self.leftOut }
        try open()
        var vectors: [TokenVectors] = []
        for sentence in sentences {
            if let some = try library?.vectors(of: sentence) { vectors.append(some) }
        }
        return vectors
    }
}

/// The model and its context. The context is freed first.
private struct EncoderLibrary: ~Copyable {
    private let context: OpaquePointer
    private var batch: Batch
    private let model: Model
    private let width: Int
    private let opening, closing: llama_token
    private let tap: LayerTap

    /// Tokens of a whole text, with the two tokens around it: the number of positions that the model has.
    private static let longestText = 256
    /// Tokens of one sentence. Longer ones are cut, because attention is quadratic.
    private static let longest = 100
    /// Bytes of one word. Nothing longer is a word.
    private static let longestPiece = 100
    /// Bytes of a text that are tokenised: more than 256 tokens ever stand for.
    private static let longestBytes = 8000

    init(path: String) throws(PulseError) {
        Library.start(logsToStandardError: false)
        // Repacked weights would take memory and gain little, because few tokens are computed at a time.
        let model = try Model(path: path, reading: .whole, isRepacked: false)
        let tap = LayerTap()
        var parameters = llama_context_default_params()
        parameters.n_ctx = UInt32(Self.longestText)
        parameters.n_batch = parameters.n_ctx
        parameters.n_ubatch = parameters.n_ctx
        parameters.n_seq_max = 1
        parameters.n_threads = 1
        parameters.n_threads_batch = 1
        parameters.embeddings = true
        parameters.pooling_type = LLAMA_POOLING_TYPE_NONE
        parameters.no_perf = true
        parameters.cb_eval = LayerTap.look
        parameters.cb_eval_user_data = Unmanaged.passUnretained(tap).toOpaque()
        guard let context = model.openContext(parameters) else {
            throw PulseError(
                .tryAgain, "There is not enough memory for the check of what a model writes.",
                hint: "Choose a smaller model.", cause: LogCollector.shared.takeErrors())
        }
        self.context = context
        self.tap = tap
        width = model.width
        (opening, closing) = model.vocabulary.frame
        batch = Batch(capacity: Self.longestText)
        self.model = model
    }

    deinit { llama_free(context) }

    mutating func vectors(of sentence: [String]) throws(PulseError) -> TokenVectors {
        var (tokens, pieces): ([llama_token], [Int]) = ([], [])
        for (index, piece) in sentence.enumerated() {
            let text = piece.utf8.count <= Self.longestPiece ? piece : "?"
            let some = model.vocabulary.tokens(of: text, as: .data)
            guard tokens.count + some.count <= Self.longest else { break }
            tokens += some
            pieces += Array(repeating: index, count: some.count)
        }
        guard !tokens.isEmpty else { return TokenVectors(tokens: [], pieces: [], values: []) }
        let values = try layer([opening] + tokens + [closing])
        return TokenVectors(tokens: tokens, pieces: pieces, values: values)
    }

    /// The vectors of all tokens but the first and the last, as they leave the layer that the check was trained on.
    private mutating func layer(_ tokens: [llama_token]) throws(PulseError) -> [Float] {
        tap.isOn = true
        defer { tap.isOn = false }
        try encode(tokens)
        guard tap.values.count == tokens.count * width else { throw DecodingFailure(status: -1).error }
        var values: [Float] = []
        values.reserveCapacity((tokens.count - 2) * width)
        for index in 1..<(tokens.count - 1) {
            values += try Self.ofLengthOne(tap.values[index * width..<(index + 1) * width])
        }
        return values
    }

    mutating func mean(of text: String) throws(PulseError) -> [Float] {
        let front = String(decoding: text.utf8.prefix(Self.longestBytes), as: UTF8.self)
        let tokens = model.vocabulary.tokens(of: front, as: .data).prefix(Self.longestText - 2)
        try encode([opening] + tokens + [closing])
        var sum = [Float](repeating: 0, count: width)
        for index in 0..<(tokens.count + 2) {
            guard let vector = llama_get_embeddings_ith(context, Int32(index)) else {
                throw DecodingFailure(status: -1).error
            }
            for place in 0..<width { sum[place] += vector[place] }
        }
        return try Self.ofLengthOne(sum[...])
    }

    private mutating func encode(_ tokens: [llama_token]) throws(PulseError) {
        batch.fill(with: tokens)
        let status = llama_encode(context, batch.raw)
        guard status == 0 else { throw DecodingFailure(status: status).error }
    }

    private static func ofLengthOne(_ vector: ArraySlice<Float>) throws(PulseError) -> [Float] {
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite, length > 0 else { throw DecodingFailure(status: -1).error }
        return vector.map { $0 / length }
    }
}

/// Reads the output of a middle layer and cancels the rest of the graph. libllama only returns that of the last layer;
/// but ggml-backend.h says of its callback: "when ask == true, the scheduler wants to know if the user wants to observe
/// this node … when ask == false, the scheduler is passing the node tensor to the user for observation; if the user
/// returns false, the scheduler will cancel the graph compute".
///
/// Used on the encoder's thread only.
private final class LayerTap {
    var isOn = false
    private(set) var values: [Float] = []

    /// A layer ends with the addition of this tensor, by its name in every GGUF file of the architecture. The check was
    /// trained on the fourth layer.
    private static let bias = "blk.3.layer_output_norm.bias"

    static let look: ggml_backend_sched_eval_callback = { tensor, isAsked, pointer in
        guard let tensor, let pointer else { return !isAsked }
        let tap = Unmanaged<LayerTap>.fromOpaque(pointer).takeUnretainedValue()
        guard tap.isOn, tensor.pointee.op == GGML_OP_ADD, let added = tensor.pointee.src.1,
            strcmp(ggml_get_name(added), LayerTap.bias) == 0
        else { return !isAsked }
        guard !isAsked else { return true }
        tap.values = [Float](repeating: 0, count: Int(ggml_nelements(tensor)))
        tap.values.withUnsafeMutableBytes { ggml_backend_tensor_get(tensor, $0.baseAddress, 0, $0.count) }
        return false
    }
}
