import PulseCore

/// What a model and a context of some shape take, in bytes.
public struct Footprint: Sendable, Hashable {
    /// The weights. They are mapped from the file, and what is mapped can be dropped and read again; but every token
    /// takes all of them, so a machine that has to drop some reads the disk for every token. On processors for which
    /// ggml rearranges weights, most of them are also copied, and the copies cannot be dropped. So they count in full.
    public var weights: UInt64
    /// The keys and values of the tokens read and written.
    public var cache: UInt64
    /// The buffers of the computation and of its results.
    public var buffers: UInt64
    /// What reads the sentences that the model writes (`Encoder`), weights and buffers; 0: nothing does.
    public var encoder: UInt64 = 0
    /// Whether cache and buffers are the library's own figures, from a load without allocations; otherwise they are
    /// estimated from the model's dimensions.
    public var isSimulated = true
    /// What other devices than the processor compute, and is not counted above where it lies in their own memory; nil:
    /// there are none.
    public var placement: Placement?

    /// For the rest of the program: its heap, the vocabulary, the prompts, the store. And a little that stays free, so
    /// that memory is not short at once when other programs take some.
    public static let reserve: UInt64 = 64 << 20

    public var memory: UInt64 { weights + cache + buffers + encoder + Self.reserve }
}

/// Memory that is needed and not there, in bytes.
struct Shortage: Sendable, Hashable {
    enum Limit: Sendable, Hashable { case machine, group }

    var limit: Limit
    var needed: UInt64
    var available: UInt64

    var missing: UInt64 { needed - available }
}

extension MemoryBudget {
    /// What keeps a footprint from fitting, the largest lack if there are several; nil: it fits.
    func shortage(of footprint: Footprint) -> Shortage? {
        let limits: [(Shortage.Limit, UInt64?)] = [(.machine, machine), (.group, group)]
        return limits.compactMap { limit, available in
            guard let available, footprint.memory > available else { return nil }
            return Shortage(limit: limit, needed: footprint.memory, available: available)
        }.max { $0.missing < $1.missing }
    }
}

// MARK: - Errors

extension PulseError {
    /// - Parameters:
    ///   - length: Of the context that comes nearest to fitting.
    ///   - fittingLength: Of a shorter context that would fit, if the user chose the length.
    static func tooLittleMemory(
        length: Int, footprint: Footprint, shortage: Shortage, fittingLength: Int?
    ) -> PulseError {
        let parts: Message =
            "the weights \(mebibytes(footprint.weights))\(elsewhere(footprint.placement)), a context of \(length) "
            + "tokens \(mebibytes(footprint.cache)), computing \(mebibytes(footprint.buffers)), the rest for the "
            + "program"
        let holder: Message =
            switch shortage.limit {
            case .machine: "the machine has"
            case .group: "the limit of the control group leaves"
            }
        let more = "\(mebibytes(shortage.missing)) MiB"
        let hint: Message =
            switch (fittingLength, shortage.limit) {
            case (let length?, _): "A context of \(length) tokens would fit; or make room for \(more) more."
            case (nil, .machine): "Close something that takes \(more), or choose a smaller model."
            case (nil, .group): "Raise the limit by \(more), or choose a smaller model."
            }
        return PulseError(
            .tryAgain,
            "There is too little memory for this model: it takes \(mebibytes(shortage.needed)) MiB (\(parts)), and "
                + "\(holder) \(shortage.available >> 20) MiB.", hint: hint)
    }

    private static func elsewhere(_ placement: Placement?) -> Message {
        let shares: [Message] = (placement?.shares ?? []).map { "\(mebibytes($0.bytes)) MiB on \($0.device.name)" }
        return shares.isEmpty ? "" : " besides \(shares.joined(separator: " and "))"
    }

    /// Rounded up, so that what is asked for is enough.
    private static func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes + (1 << 20) - 1) >> 20 }
}
