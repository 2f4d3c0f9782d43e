/// The memory that this process may still take, in bytes, and who says so. Nil is: no limit is known.
public struct MemoryBudget: Sendable, Hashable {
    /// What the machine can give without swapping.
    public var machine: UInt64?
    /// What the control groups leave, where they set a limit.
    public var group: UInt64?
    /// What the limit on the address space leaves (`ulimit -v`), where there is one.
    public var addressSpace: UInt64?

    public init(machine: UInt64? = nil, group: UInt64? = nil, addressSpace: UInt64? = nil) {
        self.machine = machine
        self.group = group
        self.addressSpace = addressSpace
    }

    /// What bounds memory itself, whoever bounds it; nil: nothing that is known.
    var memory: UInt64? { [machine, group].compactMap { $0 }.min() }

    /// What keeps a footprint from fitting, the largest lack first; nil: it fits.
    func shortage(of footprint: Footprint) -> Shortage? {
        let bounds: [(Shortage.Bound, UInt64, UInt64?)] = [
            (.machine, footprint.memory, machine), (.group, footprint.memory, group),
            (.addressSpace, footprint.addressSpace, addressSpace),
        ]
        return bounds.compactMap { bound, needed, available in
            guard let available, needed > available else { return nil }
            return Shortage(bound: bound, needed: needed, available: available)
        }.max { $0.missing < $1.missing }
    }
}

/// Memory that is needed and not there.
struct Shortage: Sendable, Hashable {
    enum Bound: Sendable, Hashable { case machine, group, addressSpace }

    var bound: Bound
    var needed: UInt64
    var available: UInt64

    var missing: UInt64 { needed - available }
}
