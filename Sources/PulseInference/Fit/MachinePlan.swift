public import PulseCore

/// How a model is loaded on this machine: its memory, and the decisions. Made before any weights are read.
public struct MachinePlan: Sendable, Hashable {
    let shape: ContextShape
    public let footprint: Footprint
    public let budget: MemoryBudget
    /// Why the CPU computes every layer although there is another device, as the end of a sentence. Nil also if that
    /// only lacks memory.
    public internal(set) var deviceFault: Message?
    /// Concessions to save memory, the most noticeable first.
    public let concessions: [Concession]

    /// Something that a machine with more memory would have.
    public enum Concession: Sendable, Hashable {
        case sequences(of: Int)
        case cacheType
        case length(of: Int)
        /// The encoder that checks the model's sentences.
        case encoder
    }

    /// The tokens of one request, prompt and answer.
    public var contextLength: Int { shape.length }
    /// The cells of the KV cache, for all sequences together.
    public var cells: Int { shape.cells }
    /// The most concurrent requests.
    public var sequences: Int { shape.sequences }
    public var cacheType: CacheType { shape.cacheType }
}

extension MachinePlan {
    /// Chooses the first requested shape that fits with the encoder (bytes; 0: none), else the first that fits without.
    /// `measure` returns the memory of a shape; nil if the library cannot open such a context.
    ///
    /// - Throws: `.tryAgain` with the sizes and the smallest remedy; also if no shape can be opened at all.
    init(
        _ request: ContextRequest, budget: MemoryBudget, encoder: UInt64 = 0, measure: (ContextShape) -> Footprint?
    ) throws {
        var nearest: (shape: ContextShape, footprint: Footprint, shortage: Shortage)?
        // The first shape that fits without the encoder.
        var fitting: (shape: ContextShape, footprint: Footprint)?
        for shape in request.shapes {
            guard let footprint = measure(shape) else { continue }
            if let shortage = budget.shortage(of: footprint) {
                if shortage.missing < nearest?.shortage.missing ?? .max { nearest = (shape, footprint, shortage) }
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
                hint: "Set another length with --context, or choose another model.")
        }
        // A length that the user asked for is not changed, but the error suggests a shorter one that would fit.
        let shorter = request.shorterShapes.first { shape in
            measure(shape).map { budget.shortage(of: $0) == nil } ?? false
        }
        throw PulseError.tooLittleMemory(
            length: nearest.shape.length, footprint: nearest.footprint, shortage: nearest.shortage,
            fittingLength: shorter?.length)
    }
}

/// The requested context, and the order in which to reduce it if memory is short.
///
/// Speed is given up before quality, and quality before articles: with fewer sequences the same text takes longer;
/// quantised keys and values make it a little worse; a shorter context leaves out articles.
struct ContextRequest: Sendable, Hashable {
    /// The tokens of one request, prompt and answer.
    var length: Int
    /// Whether the user asked for the length. Then it is not reduced.
    var isLengthFixed: Bool
    var sequences: Int
    /// The cells of the KV cache; nil: by the number of sequences.
    var cells: Int?
    /// The best first.
    var cacheTypes: [CacheType]

    /// Tokens of a digest's request: about 250 for the prompt, at most 160 for the answer, the rest for further
    /// reports.
    private static let usualRequest = 512
    /// The shortest context: with less, a prompt of a few leads and its answer would not fit.
    private static let leastLength = 1024

    /// - Parameter trainedLength: the model's; 0: unknown.
    init(_ options: EngineOptions, trainedLength: Int) {
        let wanted = options.contextLength ?? options.contextLimit
        length = max(1, trainedLength > 0 ? min(wanted, trainedLength) : wanted)
        isLengthFixed = options.contextLength != nil
        sequences = max(1, options.sequences)
        cells = options.cells
        cacheTypes = options.cacheType.map { [$0] } ?? [.f16, .q8_0]
    }

    /// All shapes to try, the best first.
    var shapes: [ContextShape] { (isLengthFixed ? [length] : [length] + shorterLengths).flatMap(shapes(ofLength:)) }

    /// Shapes with a shorter context than the user asked for.
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
            // A sequence takes hardly any memory but its cells, so fewer sequences only help if there are fewer cells.
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

/// The engine's view of the machine. Tests replace its closures.
struct Machine: Sendable {
    var budget: @Sendable () -> MemoryBudget = { MemoryBudget.current() }
    var processors: @Sendable () -> Processors = { Processors.current() }
    var pressure: @Sendable () -> PressureSample = { PressureSample.current() }

    /// Layers may be offloaded to the devices. `encoder` is the encoder's memory in bytes.
    func plan(
        _ options: EngineOptions, file: ModelFile, adapter: ModelFile?, devices: [ComputeDevice] = [],
        encoder: UInt64 = 0
    ) throws -> MachinePlan {
        let run = try DryRun(file, devices: devices, gpuLayers: options.gpuLayers)
        let request = ContextRequest(options, trainedLength: run.trainedLength)
        var plan = try MachinePlan(request, budget: budget(), encoder: encoder) { shape in
            var footprint = run.footprint(shape)
            footprint?.weights += adapter?.size ?? 0
            return footprint
        }
        plan.deviceFault = run.deviceFault
        return plan
    }

    /// The plan for the CPU alone if there is twice the memory it needs; nil: a dry run is needed, which takes time.
    func roomyPlan(
        _ options: EngineOptions, file: ModelFile, adapter: ModelFile?, encoder: UInt64 = 0
    ) -> MachinePlan? {
        let budget = budget()
        guard budget != MemoryBudget(), let trained = file.number("context_length") else { return nil }
        let request = ContextRequest(options, trainedLength: trained)
        guard let shape = request.shapes.first, var footprint = file.footprint(shape) else { return nil }
        footprint.encoder = encoder
        footprint.weights += adapter?.size ?? 0
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
