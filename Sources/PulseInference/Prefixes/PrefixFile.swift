/// The state of a prompt's front as a file: whose it is, and what the library gave. It is believed only if it is whole
/// to the last bit: libllama takes the numbers in a state at their word.
import Foundation

struct PrefixFile {
    /// "PDPF", and the number of this format.
    private static let magic: [UInt8] = Array("PDPF".utf8) + [1, 0, 0, 0]
    /// The magic, the checksum, and the lengths of key and state.
    private static let headerLength = 32

    /// A file's content.
    static func encode(key: Data, state: Data) -> Data {
        // States are megabytes: one buffer, written once.
        var file = Data(capacity: headerLength + key.count + state.count)
        file.append(contentsOf: magic)
        file.append(number: 0)
        file.append(number: UInt64(key.count))
        file.append(number: UInt64(state.count))
        file.append(key)
        file.append(state)
        let sum = checksum(file.dropFirst(16))
        withUnsafeBytes(of: sum.littleEndian) { file.replaceSubrange(8..<16, with: $0) }
        return file
    }

    /// The state; nil where the file is damaged, or another key's.
    static func decode(_ file: Data, key: Data) -> Data? {
        let file = Data(file)
        guard file.count > headerLength, file.starts(with: magic) else { return nil }
        let body = file.dropFirst(16)
        guard file.number(at: 8) == checksum(body), file.number(at: 16) == UInt64(key.count),
            file.number(at: 24) == UInt64(file.count - headerLength - key.count),
            key.count <= file.count - headerLength,
            file[headerLength..<headerLength + key.count] == key
        else { return nil }
        return Data(file.dropFirst(headerLength + key.count))
    }

    /// A checksum of 64 bits, against accidents: whoever may write into the user's cache needs no such file to do harm.
    /// Eight bytes at a time, mixed as MurmurHash2 does (Austin Appleby, public domain).
    static func checksum(_ data: Data, seed: UInt64 = 0) -> UInt64 {
        let factor: UInt64 = 0xc6a4_a793_5bd1_e995
        var sum = seed ^ (UInt64(data.count) &* factor)
        func mix(_ word: UInt64) {
            var word = word &* factor
            word ^= word >> 47
            sum = (sum ^ (word &* factor)) &* factor
        }
        data.withUnsafeBytes { bytes in
            let whole = bytes.count / 8 * 8
            for offset in stride(from: 0, to: whole, by: 8) {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            for byte in bytes[whole...] { mix(UInt64(byte) | 0x100) }
        }
        sum ^= sum >> 47
        sum = sum &* factor
        return sum ^ (sum >> 47)
    }
}

extension Data {
    /// Eight bytes, the lowest first.
    mutating func append(number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate func number(at offset: Int) -> UInt64 {
        withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }
}
