/// Reads a file of trained numbers: little-endian, and at the end a CRC-32 of all bytes before it.
struct ParameterReader {
    private let bytes: ArraySlice<UInt8>
    private var place: Int
    let isSound: Bool
    /// Tells files of one kind apart.
    let checksum: UInt32

    private static let mostBytes = 8 << 20

    init(_ all: [UInt8]) {
        bytes = all.dropLast(4)
        place = 0
        let isOfSize = (64...Self.mostBytes).contains(all.count)
        checksum = Self.number(all.suffix(4))
        isSound = isOfSize && Self.checksum(of: all.dropLast(4)) == checksum
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func magic() -> String? { take(8).map { String(decoding: $0, as: UTF8.self) } }

    mutating func integer() -> UInt32? { take(4).map(Self.number) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var number: UInt32 = 0
        for byte in bytes.reversed() { number = number << 8 | UInt32(byte) }
        return number
    }

    /// Nil if the file ends before, or if a number is infinite or NaN.
    mutating func floats(_ count: Int) -> [Float]? {
        guard let floats = integers(count)?.map(Float.init(bitPattern:)) else { return nil }
        return floats.allSatisfy(\.isFinite) ? floats : nil
    }

    mutating func integers(_ count: Int) -> [UInt32]? {
        guard count <= bytes.count / 4, let taken = take(4 * count) else { return nil }
        return stride(from: taken.startIndex, to: taken.endIndex, by: 4).map { Self.number(taken[$0..<$0 + 4]) }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - place else { return nil }
        defer { place += count }
        return bytes[place..<(place + count)]
    }

    /// CRC-32 as in zlib.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        var table: [UInt32] = []
        for entry in 0..<UInt32(256) {
            var value = entry
            for _ in 0..<8 {
                let isOdd = value & 1 == 1
                value >>= 1
                if isOdd { value ^= 0xEDB8_8320 }
            }
            table.append(value)
        }
        var sum = ~UInt32(0)
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        return ~sum
    }
}
