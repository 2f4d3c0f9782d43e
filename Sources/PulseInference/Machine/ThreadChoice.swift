/// How many threads are to compute, and why.
public struct ThreadChoice: Sendable, Hashable {
    /// Where nobody else needs a core.
    public var most: Int
    /// To begin with.
    public var first: Int
    /// Whether the number was asked for: then it stays.
    public var isFixed: Bool
    public var reason: Reason

    public enum Reason: Sendable, Hashable {
        case asked
        /// The model is so small that threads would wait for one another most of the time.
        case smallModel
        /// One for each physical core that the process may use; so many others are busy.
        case cores(busy: Int)
        /// As many as the control group grants.
        case quota
    }

    /// So many, whatever happens.
    static func fixed(_ count: Int) -> ThreadChoice {
        ThreadChoice(most: max(1, count), first: max(1, count), isFixed: true, reason: .asked)
    }

    init(most: Int, first: Int, isFixed: Bool, reason: Reason) {
        self.most = most
        self.first = first
        self.isFixed = isFixed
        self.reason = reason
    }

    /// - Parameters:
    ///   - asked: By the user; nil: not.
    ///   - modelSize: The file's bytes.
    init(asked: Int?, modelSize: UInt64, processors: Processors) {
        if let asked {
            self = .fixed(asked)
        } else if modelSize < Self.smallModel {
            self.init(most: 1, first: 1, isFixed: false, reason: .smallModel)
        } else {
            let most = processors.usable
            let isQuota = most < processors.cores
            // Cores that others have now are not ours to wait for; where they have gone, the governor finds out.
            let first = max(1, min(most, processors.cores - processors.busy))
            self.init(most: most, first: first, isFixed: false, reason: isQuota ? .quota : .cores(busy: most - first))
        }
    }

    /// Models below this many bytes are computed by one thread. Two make a quiet machine's 1,300 tokens a second 1,800,
    /// and beside one busy process 30 to 500, where one thread keeps its 1,250 (6 MB, two cores).
    static let smallModel: UInt64 = 64 << 20
}
