/// Makes a text plain, from bytes to bytes in one pass: an import cleans every article, and spends most of its time
/// here.
struct Tidying {
    /// White space to write before the next character, the weakest first.
    private enum Gap: Int { case none, space, line, paragraph }

    private let keepsLines: Bool
    private var isEmpty = true
    private var gap = Gap.none
    /// Whether the current line has any output.
    private var hasContent = false
    private var hasLines = false
    /// Combining marks on the last letter.
    private var marks = 0
    /// Scalars since the last one that certainly began a new character.
    private var unsure = 0
    private var mayHaveLongClusters = false

    /// - Parameter keepsLines: Whether a line break stays one line feed, and several become two. Otherwise they become
    ///   spaces.
    /// - Returns: The text, and whether it has a single line feed.
    static func run(_ text: String, keepsLines: Bool) -> (text: String, hasLines: Bool) {
        var text = text
        var tidying = Tidying(keepsLines: keepsLines)
        var isTidy = false
        let cleaned = text.withUTF8 { bytes -> String in
            isTidy = isTidyASCII(bytes)
            if isTidy { return "" }
            // The output is never longer than the input.
            return String(unsafeUninitializedCapacity: bytes.count) { tidying.run(bytes, into: $0) }
        }
        if isTidy { return (text, false) }
        return (tidying.mayHaveLongClusters ? withoutGiants(cleaned) : cleaned, tidying.hasLines)
    }

    private init(keepsLines: Bool) { self.keepsLines = keepsLines }

    /// Printable ASCII with single spaces between words: most titles and names.
    private static func isTidyASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in bytes {
            guard 0x20...0x7e ~= byte, byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return bytes.isEmpty || last != 0x20
    }

    /// - Returns: The number of bytes written.
    private mutating func run(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var written = 0
        var index = 0
        while index < input.count {
            let byte = input[index]
            if 0x21...0x7e ~= byte {
                // Whole words at a time.
                var end = index + 1
                while end < input.count, 0x21...0x7e ~= input[end] || (input[end] == 0x20 && input[end - 1] != 0x20) {
                    end += 1
                }
                if input[end - 1] == 0x20 { end -= 1 }
                written = append(input[index..<end], to: output, at: written)
                marks = 0
                unsure = 0
                index = end
                continue
            }
            var length = 1
            var value = UInt32(byte)
            if byte >= 0x80 { (value, length) = Tidying.scalar(in: input, at: index) }
            let character = input[index..<index + length]
            index += length
            switch Tidying.kind(of: value) {
            case .escape:
                index = EscapeSequence.end(in: input, from: index, isControlSequence: value == 0x9b)
            case .dropped: break
            case .text:
                marks = 0
                unsure = Tidying.isAlone(value) ? 0 : unsure + 1
                written = append(character, to: output, at: written)
            case .mark:
                marks += 1
                if marks > PlainText.mostMarks { continue }
                unsure += 1
                written = append(character, to: output, at: written)
            case .space: request(.space)
            case .newline:
                // CR LF is one line break.
                if byte == 0x0d, index < input.count, input[index] == 0x0a { index += 1 }
                request(keepsLines ? hasContent ? .line : .paragraph : .space)
                hasContent = false
            }
            if unsure > Tidying.mostScalars { mayHaveLongClusters = true }
        }
        return written
    }

    private mutating func request(_ gap: Gap) {
        if gap.rawValue > self.gap.rawValue { self.gap = gap }
        marks = 0
        unsure = 0
    }

    private mutating func append(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to output: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        var written = start
        func add(_ byte: UInt8) {
            output[written] = byte
            written += 1
        }
        if !isEmpty {
            switch gap {
            case .none: break
            case .space: add(0x20)
            case .line:
                add(0x0a)
                hasLines = true
            case .paragraph:
                add(0x0a)
                add(0x0a)
            }
        }
        isEmpty = false
        gap = .none
        hasContent = true
        let target = UnsafeMutableBufferPointer(rebasing: output[written..<written + bytes.count])
        _ = target.update(fromContentsOf: bytes)
        return written + bytes.count
    }

    private enum Kind { case text, mark, space, newline, dropped, escape }

    /// The same classes as in `PlainText`; a test compares the two for every scalar.
    private static func kind(of value: UInt32) -> Kind {
        switch value {
        case 0x1b, 0x9b: .escape
        case 0x0a...0x0d, 0x85, 0x2028, 0x2029: .newline
        case 0...0x20, 0x7f...0xa0, 0x1680, 0x2000...0x200a, 0x202f, 0x205f, 0x3000: .space
        case 0x21..<0x80: .text
        default:
            Unicode.Scalar(value).map { scalar -> Kind in
                PlainText.isDropped(scalar) ? .dropped : PlainText.isMark(scalar) ? .mark : .text
            } ?? .text
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

    // MARK: - Overlong grapheme clusters

    /// Scalars per grapheme cluster; no letter, emoji family or flag has more.
    private static let mostScalars = 16

    /// Common letters and signs that never combine with the character before them.
    private static func isAlone(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x300, 0x370..<0x483, 0x2010..<0x2028, 0x3001..<0x3029, 0x3041..<0x3099, 0x30a1..<0x30fb,
            0x3400..<0xa000, 0xac00..<0xd7a4:
            true
        default: false
        }
    }

    /// The text with each grapheme cluster cut to `mostScalars`. A chain of joined emoji, or of stacked letters and
    /// marks, is one character of any length and width.
    private static func withoutGiants(_ text: String) -> String {
        var bounded = ""
        for character in text {
            guard character.utf8.count > mostScalars, character.unicodeScalars.count > mostScalars else {
                bounded.append(character)
                continue
            }
            // A joiner at the end would combine with the next character.
            let front = character.unicodeScalars.prefix(mostScalars)
            let end = front.lastIndex { !PlainText.isMark($0) }.map(front.index(after:)) ?? front.endIndex
            bounded += String(front[..<end])
        }
        return bounded
    }
}

/// Skips the control sequences of terminals (ECMA-48, and xterm's “Operating System Commands”), parameters included.
enum EscapeSequence {
    /// The index after the sequence whose ESC, or one-byte CSI, was read. An incomplete sequence is not skipped.
    static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int, isControlSequence: Bool) -> Int {
        var index = start
        func byte() -> UInt8? { index < text.count ? text[index] : nil }
        if !isControlSequence {
            guard let second = byte() else { return start }
            index += 1
            switch second {
            case UInt8(ascii: "["): break
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
                return endOfString(in: text, from: index) ?? start
            case 0x20...0x2f:
                guard let final = byte(), 0x30...0x7e ~= final else { return start }
                return index + 1
            case 0x30...0x7e: return index
            default: return start
            }
        }
        // Parameter bytes, intermediate bytes, one final byte.
        while let next = byte(), 0x20...0x3f ~= next { index += 1 }
        guard let final = byte(), 0x40...0x7e ~= final else { return start }
        return index + 1
    }

    /// The index after BEL or ST; any other ESC ends the string, too. A string without an end is not skipped, because
    /// the text after it would be lost.
    private static func endOfString(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        for index in start..<text.count {
            let next = index + 1 < text.count ? text[index + 1] : 0
            switch text[index] {
            case 0x07: return index + 1
            case 0x1b: return next == UInt8(ascii: "\\") ? index + 2 : index + 1
            case 0xc2 where next == 0x9c: return index + 2
            default: continue
            }
        }
        return nil
    }
}
