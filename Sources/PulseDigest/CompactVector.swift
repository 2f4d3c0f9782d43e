/// A vector that the encoder made, or one computed from it, as 8-bit integers.
public struct CompactVector: Sendable, Hashable {
    private let numbers: [Int8]
    /// The reciprocal of the length.
    let scale: Float

    public init(_ vector: [Float]) {
        let most = vector.reduce(0) { max($0, abs($1)) }
        // Scaled to the largest component, to lose little by rounding. NaN, which damaged files give, becomes 0.
        self.init(numbers: vector.map { Int8(exactly: ($0 * 127 / most).rounded()) ?? 0 })
    }

    private init(numbers: [Int8]) {
        self.numbers = numbers
        let length = numbers.reduce(Float(0)) { $0 + Float($1) * Float($1) }.squareRoot()
        // The vector of a text that the encoder cannot read is all zeros: its cosine with any other is 0.
        scale = length > 0 ? 1 / length : 1
    }

    /// As stored: one byte per component.
    public var bytes: [UInt8] { numbers.map(UInt8.init(bitPattern:)) }

    /// - Parameter bytes: As `bytes` gave them.
    public init(bytes: [UInt8]) { self.init(numbers: bytes.map(Int8.init(bitPattern:))) }

    /// From -1 to 1; 0 for vectors of different widths.
    func cosine(with other: CompactVector) -> Float {
        other.numbers.withUnsafeBytes(product) * scale * other.scale
    }

    /// The weighted sum of the components of the unit vector.
    func sum(weightedBy weights: [Float]) -> Float {
        zip(numbers, weights).reduce(0) { $0 + Float($1.0) * $1.1 } * scale
    }

    /// The inner product with the bytes of another one; 0 for another width.
    func product(with other: UnsafeRawBufferPointer) -> Float {
        numbers.withUnsafeBufferPointer { own in
            guard other.count == own.count, let left = own.baseAddress,
                let right = other.baseAddress?.assumingMemoryBound(to: Int8.self)
            else { return 0 }
            var sum: Int32 = 0
            // The compiler vectorises this loop.
            for place in 0..<own.count { sum &+= Int32(left[place]) &* Int32(right[place]) }
            return Float(sum)
        }
    }
}
