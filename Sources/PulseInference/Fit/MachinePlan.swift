public import PulseCore

/// What is loaded on this machine, and how: the figures, and what was decided by them. Made before any weights are
/// read; a pure value of the figures it was given.
public struct MachinePlan: Sendable, Hashable {
    let shape: ContextShape
    public let footprint: Footprint
    public let budget: MemoryBudget
    /// Why the processor computes every layer although there is another device, if not for want of memory there: the
    /// end of a sentence.
    public internal(set) var deviceFault: Message?
    /// What was given up to make it fit, the most noticeable first.
    public let concessions: [Concession]

    /// Something that a machine with more memory would have.
    public enum Concession: Sendable, Hashable {
        case sequences(of: Int)
        case cacheType
        case length(of: Int)
        /// What reads the sentences that the model writes.
        case encoder
    }

    /// Tokens that one request may have.
    public var contextLength: Int { shape.length }
    /// Tokens that all requests at work have together.
    public var cells: Int { shape.cells }
    /// The most requests that are answered at once.
    public var sequences: Int { shape.sequences }
    public var cacheType: CacheType { shape.cacheType }

    /// The first of the requested shapes that fits; where none does beside the encoder, the first that does without.
    ///
    /// - Parameters:
    ///   - encoder: What the encoder takes, in bytes; 0: there is none.
    ///   - measure: What a shape takes; nil if the library cannot open such a context.
    /// - Throws: `.tryAgain` with the figures and the least that would help; and when no shape can be opened whatever
    ///   the memory.
    init(
        _ request: ContextRequest, budget: MemoryBudget, encoder: UInt64 = 0, measure: (ContextShape) -> Footprint?
    ) throws(PulseError) {
        var nearest: (shape: ContextShape, footprint: Footprint, shortage: Shortage)?
        // Those that fit without the encoder, the best first.
        var fitting: (shape: ContextShape, footprint: Footprint)?
        for shape in request.shapes {
            guard let footprint = measure(shape) else { continue }
            if let shortage = budget.shortage(of: footprint) {
                if nearest.map({ shortage.missing < $0.shortage.missing }) ?? true {
                    nearest = (shape, footprint, shortage)
                }
                continue
            }
            var both = footprint
            both.encoder = encoder
            if budget.shortage(of: both) == nil {
                self.init(shape: shape, footprint: both, budget: budget, concessions: request.concessions(in: shape))
                return
            }
            fitting = fitting ?? (shape, footprint)
        }
        if let fitting {
            self.init(
                shape: fitting.shape, footprint: fitting.footprint, budget: budget,
                concessions: [.encoder] + request.concessions(in: fitting.shape))
            return
        }
        guard let nearest else {
            throw PulseError(
                .tryAgain, "The library cannot open a context of \(request.length) tokens on this model.",
                hint: "Ask for another length, or choose another model.")
        }
        // A length that the user asked for is not changed, but they are told of a shorter one that would fit.
        let shorter = request.shorterShapes.first { shape in
            measure(shape).map { budget.shortage(of: $0) == nil } ?? false
        }
        throw .tooLittleMemory(
            length: nearest.shape.length, footprint: nearest.footprint, shortage: nearest.shortage,
            fittingLength: shorter?.length)
    }

    fileprivate init(shape: ContextShape, footprint: Footprint, budget: MemoryBudget, concessions: [Concession]) {
        self.shape = shape
        self.footprint = footprint
        self.budget = budget
        self.concessions = concessions
    }
}

/// Which context is wanted, and what to do with less in which order when memory is short.
///
/// Time is given up before quality, and quality before articles: fewer sequences write the same text later; a cache of
/// eight bits may change a word here and there; a shorter context leaves out articles.
struct ContextRequest: Sendable, Hashable {
    /// Tokens one request may have.
    var length: Int
    /// Whether the user asked for the length: then it is that one or none.
    var isLengthFixed: Bool
    /// Requests at once.
    var sequences: Int
    /// Tokens for all requests together; nil: by the number of requests.
    var cells: Int?
    /// The best first.
    var cacheTypes: [CacheType]

    /// Tokens that a request of a digest has: some 250 of a story's prompt, 160 of an answer at most, and a few to
    /// spare for stories with several reports.
    private static let usualRequest = 512
    /// No context is made shorter than this: a prompt of a few leads and its answer would not fit.
    private static let leastLength = 1024

    /// - Parameter trainedLength: The model's; 0 if it does not say.
    init(_ options: EngineOptions, trainedLength: Int) {
        let wanted = options.contextLength ?? options.contextLimit
        length = max(1, trainedLength > 0 ? min(wanted, trainedLength) : wanted)
        isLengthFixed = options.contextLength != nil
        sequences = max(1, options.sequences)
        cells = options.cells
        cacheTypes = options.cacheType.map { [$0] } ?? [.f16, .q8_0]
    }

    /// Every shape worth trying, the best first.
    var shapes: [ContextShape] { (isLengthFixed ? [length] : [length] + shorterLengths).flatMap(shapes(ofLength:)) }

    /// Shapes of contexts shorter than the one that the user asked for.
    var shorterShapes: [ContextShape] { isLengthFixed ? shorterLengths.flatMap(shapes(ofLength:)) : [] }

    /// Half, a quarter, and so on.
    private var shorterLengths: [Int] {
        Array(sequence(first: length / 2) { $0 / 2 }.prefix { $0 >= Self.leastLength })
    }

    private func shapes(ofLength length: Int) -> [ContextShape] {
        cacheTypes.flatMap { type -> [ContextShape] in
            let counts = sequence(first: sequences) { $0 / 2 }.prefix { $0 >= 1 }
            let shapes = counts.map { count in
                ContextShape(
                    length: length, cells: cells ?? count * Self.usualRequest, sequences: count, cacheType: type)
            }
            // A sequence takes next to nothing but its cells: giving one up helps only if cells go with it.
            return shapes.enumerated().filter { $0.offset == 0 || $0.element.cells < shapes[$0.offset - 1].cells }
                .map(\.element)
        }
    }

    fileprivate func concessions(in shape: ContextShape) -> [MachinePlan.Concession] {
        var concessions: [MachinePlan.Concession] = []
        if shape.length < length { concessions.append(.length(of: length)) }
        if shape.cacheType != cacheTypes.first { concessions.append(.cacheType) }
        if shape.sequences < sequences { concessions.append(.sequences(of: sequences)) }
        return concessions
    }
}

/// The machine as the engine asks about it. Tests put their own figures in.
struct Machine: Sendable {
    var budget: @Sendable () -> MemoryBudget = { MemoryBudget.current() }
    var processors: @Sendable () -> Processors = { Processors.current() }
    var pressure: @Sendable () -> PressureSample = { PressureSample.current() }

    /// - Parameters:
    ///   - devices: What may be given layers, beside the processor.
    ///   - encoder: What the encoder takes, in bytes.
    func plan(
        _ options: EngineOptions, file: ModelFile, devices: [ComputeDevice] = [], encoder: UInt64 = 0
    ) throws(PulseError) -> MachinePlan {
        let run = try DryRun(file, devices: devices, gpuLayers: options.gpuLayers)
        let request = ContextRequest(options, trainedLength: run.trainedLength)
        var plan = try MachinePlan(request, budget: budget(), encoder: encoder) { run.footprint($0) }
        plan.deviceFault = run.deviceFault
        return plan
    }

    /// The plan where there is room for twice what could be needed, so that nobody has to wait for a dry run, which takes
    /// a second vocabulary and its time; nil: a dry run has to tell. For the processor alone.
    func roomyPlan(_ options: EngineOptions, file: ModelFile, encoder: UInt64 = 0) -> MachinePlan? {
        let budget = budget()
        guard budget != MemoryBudget(), let trained = file.number("context_length") else { return nil }
        let request = ContextRequest(options, trainedLength: trained)
        guard let shape = request.shapes.first, var footprint = file.footprint(shape) else { return nil }
        footprint.encoder = encoder
        var twice = footprint
        twice.weights *= 2
        twice.cache *= 2
        twice.buffers *= 2
        return budget.shortage(of: twice) == nil
            ? MachinePlan(shape: shape, footprint: footprint, budget: budget, concessions: []) : nil
    }

    func threads(_ options: EngineOptions, file: ModelFile) -> ThreadChoice {
        ThreadChoice(asked: options.threads, modelSize: file.size, processors: processors())
    }
}
