import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct HashTests {
    /// From the test vectors of its authors.
    @Test(arguments: [
        ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("b", "af63df4c8601f1a5"), ("foobar", "85944171f73967e8"),
    ])
    func fnv(text: String, hash: String) { #expect(Hexadecimal.text(of: FNV1a.hash(of: text.utf8)) == hash) }

    @Test func digits() {
        #expect(Hexadecimal.text(of: [0, 9, 10, 0xab, 255]) == "00090aabff")
        #expect(Hexadecimal.text(of: [0, 9, 10, 0xab, 255], uppercase: true) == "00090AABFF")
        #expect(Hexadecimal.text(of: [UInt8]()) == "")
        #expect(Hexadecimal.text(of: 0x00ab_cdef) == "0000000000abcdef")
    }
}
