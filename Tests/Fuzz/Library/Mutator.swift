import Foundation
import PulseTestSupport

/// Changes an honest input into one that nobody would write, by a seed.
struct Mutator {
    private var random: SplitMix
    /// What means something in these inputs.
    private let dictionary: [Data]
    /// In bytes. A parser that is slow on more is found by the tests of growth.
    static let longest = 1 << 16

    init(seed: UInt64, dictionary: [String]) {
        random = SplitMix(seed: seed)
        self.dictionary = dictionary.map { Data($0.utf8) }
    }

    /// One of several inputs, changed in one to eight places.
    mutating func input(from seeds: [Data]) -> Data {
        var data = Data(seeds.randomElement(using: &random)?.prefix(Self.longest) ?? Data())
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            change(&data, with: seeds)
            if data.count > Self.longest { data.removeLast(data.count - Self.longest) }
        }
        return data
    }

    private static let telling: [[UInt8]] = [
        [0], [0xff], [0x7f], [0x80], [0x0a], [0x0d], [0x22], [0x26], [0x3c], [0x3e], [0x1b], [0xef, 0xbb, 0xbf],
        [0xff, 0xfe], [0xc2], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbf, 0xbe], [0xe2, 0x80, 0xae],
        [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0x7f], [1, 0, 0, 0, 0, 0, 0, 0],
        [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    ]
    private static let numbers = [
        "-1", "0", "1e999", "9223372036854775808", "65536", "0x7fffffff", "00000000001", "1.5e-9",
    ]

    private mutating func change(_ data: inout Data, with seeds: [Data]) {
        let range = self.range(in: data)
        switch Int.random(in: 0..<11, using: &random) {
        case 0 where !data.isEmpty: data[range.lowerBound % data.count] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: write(Data(Self.telling.randomElement(using: &random) ?? []), over: range.lowerBound, of: &data)
        case 2: data.insert(contentsOf: Self.telling.randomElement(using: &random) ?? [], at: range.lowerBound)
        case 3: data.removeSubrange(range)
        case 4: data.insert(contentsOf: data[range], at: self.range(in: data).lowerBound)
        case 5: data.insert(contentsOf: dictionary.randomElement(using: &random) ?? Data(), at: range.lowerBound)
        case 6: data.replaceSubrange(range, with: dictionary.randomElement(using: &random) ?? Data())
        case 7:
            let other = seeds.randomElement(using: &random) ?? Data()
            data.replaceSubrange(
                range.lowerBound..<data.count, with: other.suffix(from: self.range(in: other).lowerBound))
        case 8:
            let piece = data[range].prefix(64)
            guard !piece.isEmpty else { return }
            let most = Self.longest / piece.count
            let count = Int.random(in: 0..<most, using: &random) >> Int.random(in: 0..<10, using: &random)
            data.insert(contentsOf: (0..<count).flatMap { _ in piece }, at: range.upperBound)
        case 9: replaceNumber(in: &data, from: range.lowerBound)
        default: data.removeSubrange(range.upperBound..<data.count)
        }
    }

    /// Short ranges more often than long ones.
    private mutating func range(in data: Data) -> Range<Int> {
        let start = Int.random(in: 0...data.count, using: &random)
        let length = Int.random(in: 0...data.count - start, using: &random) >> Int.random(in: 0..<12, using: &random)
        return start..<start + length
    }

    private func write(_ bytes: Data, over start: Int, of data: inout Data) {
        data.replaceSubrange(start..<min(data.count, start + bytes.count), with: bytes)
    }

    private mutating func replaceNumber(in data: inout Data, from start: Int) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = data[start...].firstIndex(where: digits.contains) else { return }
        let end = data[first...].firstIndex { !digits.contains($0) } ?? data.count
        data.replaceSubrange(first..<end, with: Data((Self.numbers.randomElement(using: &random) ?? "").utf8))
    }
}
