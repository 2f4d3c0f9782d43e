/// The short name of an article, like git's: a hash of its id, of which any unambiguous prefix will do.
public enum ArticleKey {
    /// How many digits the lists show. Ten thousand articles share one prefix of this length about once in five.
    public static let shortLength = 7

    /// The FNV-1a hash (64 bits, http://www.isthe.com/chongo/tech/comp/fnv/) of the id's UTF-8 bytes, as sixteen
    /// lower-case hexadecimal digits. FNV leaves the upper bits nearly alone when the last letters change, and those
    /// are the digits people type first: MurmurHash3's finalizer (fmix64) spreads every bit over all of them.
    ///
    /// It names, it does not protect: two ids that collide stay two articles, and a prefix that fits both is reported
    /// as ambiguous.
    public static func make(from id: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        hash ^= hash >> 33
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
