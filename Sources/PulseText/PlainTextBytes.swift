/// `PlainText.line` and `PlainText.paragraphs` by bytes, in one pass: an import cleans every article it brings, so this
/// is where it spends its time. Texts with escape sequences are left to the scalars, where those are read.
enum PlainTextBytes {
    /// Nil where the text holds an escape sequence.
    static func line(_ text: String) -> String? { tidy(text, keepsParagraphs: false) }

    /// Nil where the text holds an escape sequence.
    static func paragraphs(_ text: String) -> String? { tidy(text, keepsParagraphs: true) }

    /// Whether the text is printable ASCII and line feeds alone.
    static func isPlainASCII(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in bytes.allSatisfy { 0x20...0x7e ~= $0 || $0 == 0x0a } }
    }

    private static func tidy(_ text: String, keepsParagraphs: Bool) -> String? {
        var text = text
        var isTidy = false
        let cleaned: String? = text.withUTF8 { bytes in
            if isTidyASCII(bytes) {
                isTidy = true
                return nil
            }
            // Nothing grows but a line break between two paragraphs, which may become two.
            var isPossible = true
            let cleaned = String(unsafeUninitializedCapacity: 2 * bytes.count) { output in
                guard let count = Tidying(keepsParagraphs: keepsParagraphs).run(bytes, into: output) else {
                    isPossible = false
                    return 0
                }
                return count
            }
            return isPossible ? cleaned : nil
        }
        return isTidy ? text : cleaned
    }

    /// Printable ASCII with single spaces between words: most titles and names.
    private static func isTidyASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in bytes {
            guard 0x20...0x7e ~= byte, byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return bytes.isEmpty || last != 0x20
    }
}

/// One text on its way from bytes to bytes.
private struct Tidying {
    private let keepsParagraphs: Bool
    private var isEmpty = true
    private var owesSpace = false
    private var owesBreak = false
    /// Whether the line that is read has anything that is kept.
    private var hasContent = false
    /// How many marks stand on the letter that was read last.
    private var marks = 0

    init(keepsParagraphs: Bool) { self.keepsParagraphs = keepsParagraphs }

    /// - Returns: How many bytes there are; nil where an escape sequence begins.
    consuming func run(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var written = 0
        var index = 0
        while index < input.count {
            let byte = input[index]
            if 0x21...0x7e ~= byte {
                // A word at a time: nothing in it is looked at twice.
                var end = index + 1
                while end < input.count, 0x21...0x7e ~= input[end] { end += 1 }
                written = append(input[index..<end], to: output, at: written)
                marks = 0
                index = end
                continue
            }
            var length = 1
            var value = UInt32(byte)
            if byte >= 0x80 { (value, length) = Tidying.scalar(in: input, at: index) }
            switch Tidying.kind(of: value) {
            case .escape: return nil
            case .dropped: break
            case .text:
                marks = 0
                written = append(input[index..<index + length], to: output, at: written)
            case .mark:
                marks += 1
                if marks <= PlainText.mostMarks {
                    written = append(input[index..<index + length], to: output, at: written)
                }
            case .space:
                owesSpace = true
                marks = 0
            case .newline:
                marks = 0
                // The two characters of Windows are one line break.
                if byte == 0x0d, index + 1 < input.count, input[index + 1] == 0x0a { length = 2 }
                owesSpace = true
                if keepsParagraphs, !hasContent { owesBreak = true }
                hasContent = false
            }
            index += length
        }
        return written
    }

    private mutating func append(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to output: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        var written = start
        if !isEmpty, owesBreak {
            output[written] = 0x0a
            output[written + 1] = 0x0a
            written += 2
        } else if !isEmpty, owesSpace {
            output[written] = 0x20
            written += 1
        }
        isEmpty = false
        owesSpace = false
        owesBreak = false
        hasContent = true
        let place = UnsafeMutableBufferPointer(rebasing: output[written..<written + bytes.count])
        _ = place.update(fromContentsOf: bytes)
        return written + bytes.count
    }

    private enum Kind { case text, mark, space, newline, dropped, escape }

    /// As `PlainText` sorts them; a test goes through every scalar there is.
    private static func kind(of value: UInt32) -> Kind {
        switch value {
        case 0x1b, 0x9b: .escape
        case 0x0a...0x0d, 0x85, 0x2028, 0x2029: .newline
        case 0...0x20, 0x7f...0xa0, 0x1680, 0x2000...0x200a, 0x202f, 0x205f, 0x3000: .space
        case 0x21..<0x80: .text
        default:
            if let scalar = Unicode.Scalar(value) {
                PlainText.isDropped(scalar) ? .dropped : PlainText.isMark(scalar) ? .mark : .text
            } else {
                .text
            }
        }
    }

    /// The scalar that begins at a byte of 0x80 or above, and how many bytes it takes. A `String` holds valid UTF-8.
    private static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt32, length: Int) {
        func continuation(_ offset: Int) -> UInt32 { UInt32(bytes[index + offset] & 0x3f) }
        let first = UInt32(bytes[index])
        if first < 0xe0 { return ((first & 0x1f) << 6 | continuation(1), 2) }
        if first < 0xf0 { return ((first & 0x0f) << 12 | continuation(1) << 6 | continuation(2), 3) }
        return ((first & 0x07) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3), 4)
    }
}
