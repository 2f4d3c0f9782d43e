/// How many threads are to compute, and why.
public struct ThreadChoice: Sendable, Hashable {
    /// When no other program needs a core.
    public var most: Int
    /// At the start.
    public var first: Int
    /// Whether the number stays: because the user asked for it, or because nothing tells of a better one.
    public var isFixed: Bool
    public var reason: Reason

    public enum Reason: Sendable, Hashable {
        case asked
        /// The model is so small that threads would wait for one another most of the time.
        case smallModel
        /// One for each physical core that the process may use, less the busy ones at the start.
        case cores(busy: Int)
        /// As many as the control group grants.
        case quota
    }

    static func fixed(_ count: Int) -> ThreadChoice {
        ThreadChoice(most: max(1, count), first: max(1, count), isFixed: true, reason: .asked)
    }
}

extension ThreadChoice {
    /// The choice where other devices compute layers too. Threads that wait for them have no processor time, just as
    /// threads that are kept from running, so the number stays what it is at the start.
    func beside(_ placement: Placement?) -> ThreadChoice {
        guard let placement, placement.layers > 0 else { return self }
        return ThreadChoice(most: first, first: first, isFixed: true, reason: reason)
    }

    /// - Parameters:
    ///   - asked: The number that the user asked for.
    ///   - modelSize: The file's bytes.
    init(asked: Int?, modelSize: UInt64, processors: Processors) {
        if let asked {
            self = .fixed(asked)
        } else if modelSize < Self.smallModel {
            self.init(most: 1, first: 1, isFixed: false, reason: .smallModel)
        } else {
            let most = processors.usable
            let isQuota = most < processors.cores
            // Cores that others use now are left to them; when they become free, the governor finds out.
            let first = max(1, min(most, processors.cores - processors.busy))
            self.init(most: most, first: first, isFixed: false, reason: isQuota ? .quota : .cores(busy: most - first))
        }
    }

    /// Models below this many bytes are computed by one thread. With a model of 6 MB on two cores, a second thread
    /// makes 1,800 tokens a second of 1,300; but beside one busy process it leaves 30 to 500, where one thread keeps
    /// 1,250.
    static let smallModel: UInt64 = 64 << 20
}
