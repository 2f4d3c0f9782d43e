/// What is loaded on this machine, and how: the figures, and what was decided by them. Made before any weights are
/// read; a pure value of the figures it was given.
public struct MachinePlan: Sendable, Hashable {
    let shape: ContextShape
    public let footprint: Footprint
    public let budget: MemoryBudget
    /// What was given up to make it fit, in the order of giving up.
    public let sacrifices: [Sacrifice]

    /// Something that a machine with more memory would have.
    public enum Sacrifice: Sendable, Hashable {
        case sequences(of: Int)
        case cacheType
        case length(of: Int)
    }

    /// Tokens that one request may have.
    public var contextLength: Int { shape.length }
    /// Tokens that all requests at work have together.
    public var cells: Int { shape.cells }
    /// Requests that are answered at once, at most.
    public var sequences: Int { shape.sequences }
    public var cacheType: CacheType { shape.cacheType }

    /// The first of the shapes wished for that fits.
    ///
    /// - Parameter measure: What a shape takes; nil where the library cannot open such a context.
    /// - Throws: `.tooLittleMemory` with the figures and the least that would help; `.contextUnavailable` where no
    ///   shape can be opened whatever the memory.
    init(
        _ wish: ContextWish, budget: MemoryBudget, measure: (ContextShape) -> Footprint?
    ) throws(EngineError) {
        var least: (shape: ContextShape, footprint: Footprint, shortage: Shortage)?
        for shape in wish.shapes {
            guard let footprint = measure(shape) else { continue }
            guard let shortage = budget.shortage(of: footprint) else {
                self.init(shape: shape, wish: wish, footprint: footprint, budget: budget)
                return
            }
            if least.map({ shortage.missing < $0.shortage.missing }) ?? true { least = (shape, footprint, shortage) }
        }
        guard let least else {
            throw EngineError(
                .contextUnavailable,
                "The library cannot open a context of \(wish.length) tokens on this model. Ask for another length, or choose another model."
            )
        }
        // Where the user has named a length, a shorter one is theirs to choose; but they should know of it.
        let shorter = wish.shorterShapes.first { shape in
            measure(shape).map { budget.shortage(of: $0) == nil } ?? false
        }
        throw TooLittleMemory(
            length: least.shape.length, footprint: least.footprint, shortage: least.shortage,
            fittingLength: shorter?.length
        ).error
    }

    private init(shape: ContextShape, wish: ContextWish, footprint: Footprint, budget: MemoryBudget) {
        self.shape = shape
        self.footprint = footprint
        self.budget = budget
        var sacrifices: [Sacrifice] = []
        if shape.length < wish.length { sacrifices.append(.length(of: wish.length)) }
        if shape.cacheType != wish.cacheTypes.first { sacrifices.append(.cacheType) }
        if shape.sequences < wish.sequences { sacrifices.append(.sequences(of: wish.sequences)) }
        self.sacrifices = sacrifices
    }
}
