/// The short name of an article, like git's: a hash of its id, of which any unambiguous prefix will do.
public enum ArticleKey {
    /// How many digits the lists show. Ten thousand articles share one prefix of this length about once in five.
    public static let shortLength = 7

    /// The FNV-1a hash (64 bits, http://www.isthe.com/chongo/tech/comp/fnv/) of the id's UTF-8 bytes, as sixteen
    /// lower-case hexadecimal digits. It names, it does not protect: two ids that collide stay two articles, and a
    /// prefix that fits both is reported as ambiguous.
    public static func make(from id: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
