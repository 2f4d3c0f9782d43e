/// The 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/): for names, not for security.
public enum FNV1a {
    @inlinable public static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

/// A short name for a text of any length and any characters: for articles, files and the parts of a message.
public enum ShortHash {
    /// The FNV-1a hash of the UTF-8 bytes, as sixteen lower-case hexadecimal digits. FNV hardly changes the upper bits
    /// when the last letters change, and those are the digits people type first: MurmurHash3's finalizer (fmix64)
    /// spreads every bit over all of them. Two texts may share a hash.
    public static func of(_ text: String) -> String {
        var hash = FNV1a.hash(of: text.utf8)
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return Hexadecimal.text(of: hash ^ (hash >> 33))
    }
}

/// Bytes as hexadecimal digits.
public enum Hexadecimal {
    /// Two digits a byte.
    public static func text(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Sixteen digits, in lower case.
    public static func text(of number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { text(of: $0) }
    }
}
