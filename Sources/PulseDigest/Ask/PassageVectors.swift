/// Stored vectors of an article's passages, 388 bytes each: the reciprocal of the length as a 32-bit float, and 384
/// 8-bit integers.
public enum PassageVectors {
    /// The format's version, raised whenever the encoder, the passages or this layout change.
    public static let form = 1

    public static let width = 384
    private static let stride = width + 4

    public static func pack(_ vectors: [[Float]]) -> [UInt8] {
        vectors.flatMap { vector in
            let vector = Vector(vector)
            return withUnsafeBytes(of: vector.scale.bitPattern.littleEndian, Array.init)
                + vector.numbers.map(UInt8.init(bitPattern:))
        }
    }

    /// The first of stored vectors; nil where there is none.
    public static func first(in stored: [UInt8]) -> Vector? {
        guard stored.count >= stride else { return nil }
        return Vector(stored[4..<stride].map { Float(Int8(bitPattern: $0)) })
    }

    /// One to compare stored vectors with.
    public struct Vector: Sendable {
        let numbers: [Int8]
        /// The reciprocal of the length.
        let scale: Float

        /// - Parameter vector: Of `width` numbers.
        public init(_ vector: [Float]) {
            let most = vector.reduce(0) { max($0, abs($1)) }
            // Scaled to the largest component, to lose little by rounding.
            let numbers = vector.map { Int8(most > 0 ? ($0 * 127 / most).rounded() : 0) }
            self.numbers = numbers
            let length = numbers.reduce(Float(0)) { $0 + Float($1) * Float($1) }.squareRoot()
            scale = length > 0 ? 1 / length : 0
        }

        /// The cosines with stored vectors, from -1 to 1, in their order.
        public func cosines(with stored: UnsafeRawBufferPointer) -> [Float] {
            numbers.withUnsafeBufferPointer { own in
                (0..<stored.count / PassageVectors.stride).map { place in
                    let start = place * PassageVectors.stride
                    let bits = UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                    let other = UnsafeRawBufferPointer(rebasing: stored[(start + 4)..<(start + PassageVectors.stride)])
                    return Self.product(own, other) * scale * Float(bitPattern: bits)
                }
            }
        }

        /// The compiler vectorises this loop.
        private static func product(_ one: UnsafeBufferPointer<Int8>, _ other: UnsafeRawBufferPointer) -> Float {
            guard let left = one.baseAddress,
                let right = other.baseAddress?.assumingMemoryBound(to: Int8.self)
            else { return 0 }
            var sum: Int32 = 0
            for place in 0..<PassageVectors.width { sum &+= Int32(left[place]) &* Int32(right[place]) }
            return Float(sum)
        }
    }
}
