/// What the same measurement gave each time it was made.
public struct Samples: Sendable, Hashable, Codable {
    public var values: [Double]

    public init(_ values: [Double] = []) { self.values = values }

    /// The middle value, or the mean of the two in the middle; nil of none.
    public var median: Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// How far apart the smallest and the largest are, as a share of the median.
    public var spread: Double? {
        guard let median, median != 0, let least = values.min(), let most = values.max() else { return nil }
        return (most - least) / median
    }

    /// What each measurement is to its pair in `others`, made right beside it under the same conditions; the ratio of
    /// a comparison is the median of these.
    public func ratios(to others: Samples) -> Samples {
        Samples(zip(values, others.values).compactMap { $1 == 0 ? nil : $0 / $1 })
    }
}
