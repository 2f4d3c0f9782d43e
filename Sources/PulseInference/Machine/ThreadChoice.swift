/// The number of compute threads, and the reason.
public struct ThreadChoice: Sendable, Hashable {
    /// The number if no other program needs a core.
    public var most: Int
    /// The number at the start.
    public var first: Int
    /// Whether the number never changes, because the user asked for it, or because nothing could indicate a better one.
    public var isFixed: Bool
    public var reason: Reason

    public enum Reason: Sendable, Hashable {
        case asked
        /// The model is so small that threads would mostly wait for each other.
        case smallModel
        /// One for each physical core that the process may use, minus the busy ones at the start.
        case cores(busy: Int)
        /// The quota of the control group.
        case quota
    }

    static func fixed(_ count: Int) -> ThreadChoice {
        ThreadChoice(most: max(1, count), first: max(1, count), isFixed: true, reason: .asked)
    }
}

extension ThreadChoice {
    /// The choice if other devices compute layers too. Threads that wait for a device use no processor time, just like
    /// threads that were preempted, so the number is fixed at the start.
    func beside(_ placement: Placement?) -> ThreadChoice {
        guard let placement, placement.layers > 0 else { return self }
        return ThreadChoice(most: first, first: first, isFixed: true, reason: reason)
    }

    /// - Parameters:
    ///   - asked: the number that the user asked for.
    ///   - modelSize: the file's bytes.
    init(asked: Int?, modelSize: UInt64, processors: Processors) {
        if let asked {
            self = .fixed(asked)
        } else if modelSize < Self.smallModel {
            self.init(most: 1, first: 1, isFixed: false, reason: .smallModel)
        } else {
            let most = processors.usable
            let isQuota = most < processors.cores
            // Busy cores are left to other programs. The governor notices when they become free.
            let first = max(1, min(most, processors.cores - processors.busy))
            self.init(most: most, first: first, isFixed: false, reason: isQuota ? .quota : .cores(busy: most - first))
        }
    }

    /// Models with fewer bytes are computed by one thread. With a model of 6 MB on two cores, a second thread raises
    /// 1,300 tokens a second to 1,800; but beside one busy process two threads make 30 to 500, where one thread makes
    /// 1,250.
    static let smallModel: UInt64 = 64 << 20
}
