/// What a report tells, as a point: reports of one event are near one another, whatever their words and languages.
/// `StoryMap` makes it of the encoder's vector.
public struct ReportVector: Sendable, Hashable {
    /// Scaled to the largest component, to lose little by rounding.
    private let numbers: [Int8]
    /// The reciprocal of their length.
    private let scale: Float

    init(_ vector: [Float]) {
        let most = vector.reduce(0) { max($0, abs($1)) }
        self.init(numbers: vector.map { Int8(most > 0 ? ($0 * 127 / most).rounded() : 0) })
    }

    private init(numbers: [Int8]) {
        self.numbers = numbers
        let length = numbers.reduce(Float(0)) { $0 + Float($1) * Float($1) }.squareRoot()
        scale = length > 0 ? 1 / length : 0
    }

    /// As it is kept: a byte a component.
    public var bytes: [UInt8] { numbers.map(UInt8.init(bitPattern:)) }

    /// - Parameter bytes: As `bytes` gave them.
    public init(bytes: [UInt8]) { self.init(numbers: bytes.map(Int8.init(bitPattern:))) }

    /// From -1 to 1; 0 for vectors of different maps.
    func cosine(with other: ReportVector) -> Double {
        guard numbers.count == other.numbers.count else { return 0 }
        var sum: Int32 = 0
        // With pointers, the compiler vectorises this loop.
        numbers.withUnsafeBufferPointer { own in
            other.numbers.withUnsafeBufferPointer { other in
                for place in own.indices { sum &+= Int32(own[place]) &* Int32(other[place]) }
            }
        }
        return Double(Float(sum) * scale * other.scale)
    }
}
