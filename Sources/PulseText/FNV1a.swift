/// The hash FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): it names things, it does not protect them.
public enum FNV1a {
    @inlinable public static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
