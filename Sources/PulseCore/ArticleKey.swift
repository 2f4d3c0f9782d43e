import PulseText

/// The short name of an article, like git's: a hash of its id, of which any unambiguous prefix will do.
public enum ArticleKey {
    /// How many digits the lists show. Ten thousand articles share one prefix of this length about once in five.
    public static let shortLength = 7

    /// The FNV-1a hash of the id's UTF-8 bytes, as sixteen lower-case hexadecimal digits. FNV leaves the upper bits
    /// nearly alone when the last letters change, and those are the digits people type first: MurmurHash3's finalizer
    /// (fmix64) spreads every bit over all of them.
    ///
    /// It names, it does not protect: two ids that collide stay two articles, and a prefix that fits both is reported
    /// as ambiguous.
    public static func make(from id: String) -> String {
        var hash = FNV1a.hash(of: id.utf8)
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return Hexadecimal.text(of: hash ^ (hash >> 33))
    }
}
