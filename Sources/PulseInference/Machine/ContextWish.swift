/// What a context should be where memory does not matter, and in which order to do with less.
///
/// Time goes before words, and words before articles: fewer sequences write the same text later; a cache of eight bits
/// may turn a word here and there; a shorter context leaves out what was read.
struct ContextWish: Sendable, Hashable {
    /// Tokens one request may have.
    var length: Int
    /// Whether the length was asked for: then it is that one or none.
    var isLengthFixed: Bool
    /// Requests at once.
    var sequences: Int
    /// Tokens for all requests together; nil: by the number of requests.
    var cells: Int?
    /// The best first.
    var cacheTypes: [CacheType]

    /// Tokens a request of a digest has: some 250 of a story's prompt, 160 of an answer at most, and a few to spare for
    /// what was reported three times.
    static let usualRequest = 512
    /// No context is made shorter than this: a prompt of a few leads and its answer would not fit.
    static let leastLength = 1024

    /// - Parameter trainedLength: The model's; 0 where it does not say.
    init(_ options: EngineOptions, trainedLength: Int) {
        let wanted = options.contextLength ?? EngineOptions.defaultContextLimit
        length = max(1, trainedLength > 0 ? min(wanted, trainedLength) : wanted)
        isLengthFixed = options.contextLength != nil
        sequences = max(1, options.sequences)
        cells = options.cells
        cacheTypes = options.cacheType.map { [$0] } ?? [.f16, .q8_0]
    }

    /// Every shape worth trying, the best first.
    var shapes: [ContextShape] { (isLengthFixed ? [length] : [length] + shorterLengths).flatMap(shapes(ofLength:)) }

    /// The shapes of shorter contexts than the one that was asked for.
    var shorterShapes: [ContextShape] { isLengthFixed ? shorterLengths.flatMap(shapes(ofLength:)) : [] }

    /// Half, a quarter, and so on.
    private var shorterLengths: [Int] {
        Array(sequence(first: length / 2) { $0 / 2 }.prefix { $0 >= Self.leastLength })
    }

    private func shapes(ofLength length: Int) -> [ContextShape] {
        cacheTypes.flatMap { type -> [ContextShape] in
            let counts = Array(sequence(first: sequences) { $0 / 2 }.prefix { $0 >= 1 })
            let shapes = counts.map { count in
                ContextShape(
                    length: length, cells: cells ?? count * Self.usualRequest, sequences: count, cacheType: type)
            }
            // A sequence takes next to nothing but its cells: giving one up pays only where cells go with it.
            return shapes.enumerated().filter { $0.offset == 0 || $0.element.cells < shapes[$0.offset - 1].cells }.map(
                \.element)
        }
    }
}
