/// One text on its way to plain text, from bytes to bytes in one pass: an import cleans every article it brings, so this
/// is where it spends its time.
struct Tidying {
    struct Result {
        let text: String
        /// Whether a line feed stands alone in it.
        let hasLines: Bool
    }

    /// What is owed before the next character, the weakest first.
    private enum Gap: Int { case none, space, line, paragraph }

    private let keepsLines: Bool
    private var isEmpty = true
    private var gap = Gap.none
    /// Whether the line that is read has anything that is kept.
    private var hasContent = false
    private var hasLines = false
    /// How many marks stand on the letter that was read last.
    private var marks = 0
    /// How many characters were read since the last that begins a new one whatever stands before it.
    private var unsure = 0
    private var mayHaveGiants = false

    /// - Parameter keepsLines: whether line breaks are kept, and of several in a row two; else they are spaces.
    static func run(_ text: String, keepsLines: Bool) -> Result {
        var text = text
        var tidying = Tidying(keepsLines: keepsLines)
        var isTidy = false
        let cleaned = text.withUTF8 { bytes -> String in
            isTidy = isTidyASCII(bytes)
            if isTidy { return "" }
            // Nothing grows.
            return String(unsafeUninitializedCapacity: bytes.count) { tidying.run(bytes, into: $0) }
        }
        if isTidy { return Result(text: text, hasLines: false) }
        let bounded = tidying.mayHaveGiants ? withoutGiants(cleaned) : cleaned
        return Result(text: bounded, hasLines: tidying.hasLines)
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

    /// - Returns: How many bytes there are.
    private mutating func run(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var written = 0
        var index = 0
        while index < input.count {
            let byte = input[index]
            if 0x21...0x7e ~= byte {
                // As many words at a time as there are: nothing in them is looked at twice.
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
            case .space: owe(.space)
            case .newline:
                // The two characters of Windows are one line break.
                if byte == 0x0d, index < input.count, input[index] == 0x0a { index += 1 }
                owe(keepsLines ? hasContent ? .line : .paragraph : .space)
                hasContent = false
            }
            if unsure > Tidying.mostScalars { mayHaveGiants = true }
        }
        return written
    }

    private mutating func owe(_ gap: Gap) {
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

    // MARK: - Characters without end

    /// More than any letter, family or flag is spelled with.
    private static let mostScalars = 16

    /// Letters and marks of most texts that never join what stands before them.
    private static func isAlone(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x300, 0x370..<0x483, 0x2010..<0x2028, 0x3001..<0x3029, 0x3041..<0x3099, 0x30a1..<0x30fb,
            0x3400..<0xa000, 0xac00..<0xd7a4:
            true
        default: false
        }
    }

    /// The text with every character, as a reader sees one, cut to its first scalars: a chain of joined emoji without
    /// end, or of the letters and marks of a script that stacks them, is one character, and as wide as it is long.
    private static func withoutGiants(_ text: String) -> String {
        var bounded = ""
        for character in text {
            guard character.utf8.count > mostScalars, character.unicodeScalars.count > mostScalars else {
                bounded.append(character)
                continue
            }
            // What joins would take hold of the next one.
            let front = character.unicodeScalars.prefix(mostScalars)
            let end = front.lastIndex { !PlainText.isMark($0) }.map(front.index(after:)) ?? front.endIndex
            bounded += String(front[..<end])
        }
        return bounded
    }
}
