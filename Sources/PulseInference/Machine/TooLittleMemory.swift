/// Nothing fits: the figures, and the least that would help, in the user's words.
struct TooLittleMemory {
    /// Of the context that comes nearest to fitting.
    var length: Int
    var footprint: Footprint
    var shortage: Shortage
    /// A shorter context that would fit, where the length was the user's choice.
    var fittingLength: Int?

    var error: EngineError { EngineError(.tooLittleMemory, "\(figures) \(remedy)") }

    /// Not even the file can be mapped.
    static func toMap(_ size: UInt64, left: UInt64) -> EngineError {
        let needed = size + Footprint.reserve
        return EngineError(
            .tooLittleMemory,
            "There is too little memory for this model: it takes more than \(Mebibytes.roundedUp(needed)) MiB, and the limit on the address space (ulimit -v) leaves \(Mebibytes.roundedDown(left)) MiB. Raise the limit by \(Mebibytes.roundedUp(needed - left)) MiB at least, or choose a smaller model."
        )
    }

    private var figures: String {
        let parts =
            "the weights \(Mebibytes.roundedUp(footprint.weights)), a context of \(length) tokens \(Mebibytes.roundedUp(footprint.cache)), computing \(Mebibytes.roundedUp(footprint.buffers))"
        return
            "There is too little memory for this model: it takes \(Mebibytes.roundedUp(shortage.needed)) MiB (\(parts), the rest for the program), and \(place) \(Mebibytes.roundedDown(shortage.available)) MiB."
    }

    private var place: String {
        switch shortage.bound {
        case .machine: "the machine has"
        case .group: "the limit of the control group leaves"
        case .addressSpace: "the limit on the address space (ulimit -v) leaves"
        }
    }

    private var remedy: String {
        let more = "\(Mebibytes.roundedUp(shortage.missing)) MiB"
        if let fittingLength { return "A context of \(fittingLength) tokens would fit; or make room for \(more) more." }
        return switch shortage.bound {
        case .machine: "Close something that takes \(more), or choose a smaller model."
        case .group, .addressSpace: "Raise the limit by \(more), or choose a smaller model."
        }
    }
}

/// Bytes as people count memory.
enum Mebibytes {
    static func roundedUp(_ bytes: UInt64) -> UInt64 { (bytes + (1 << 20) - 1) >> 20 }
    static func roundedDown(_ bytes: UInt64) -> UInt64 { bytes >> 20 }
}
