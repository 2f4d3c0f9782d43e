/// Bytes as hexadecimal digits.
public enum Hexadecimal {
    /// Two digits a byte, in lower case unless it is said otherwise.
    public static func text(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16, uppercase: uppercase) }
    }

    /// Sixteen digits, in lower case.
    public static func text(of number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { text(of: $0) }
    }
}
