/// What a terminal shows of what it was sent: characters, carriage return, line feed, and of ECMA-48 SGR, CUU, ED and
/// EL; links (OSC 8) are passed over. Anything else is an error. What leaves the screen at its top stays readable, and
/// cannot be reached any more. Made narrower or wider it breaks its lines anew, as most terminals do.
public struct Screen {
    public struct Unknown: Error { public let sequence: String }

    /// A line as it was sent; the screen breaks it into rows.
    public struct Line: Equatable {
        fileprivate var cells: [Cell] = []

        public var text: String { cells.map(\.text).joined() }
        /// What of it stands subdued (SGR 2).
        public var subdued: String { cells.filter(\.isSubdued).map(\.text).joined() }
    }

    /// A column; of a wide character the second is empty.
    fileprivate struct Cell: Equatable {
        var text: String
        var isSubdued: Bool
    }

    private(set) var columns: Int
    private let height: Int
    public private(set) var lines = [Line()]
    /// What stood there each time before something was taken away.
    public private(set) var earlier: [[Line]] = []

    /// Where the cursor is: in a line, so many cells behind its beginning.
    private var (line, cell) = (0, 0)
    private var isSubdued = false
    /// The beginning of a character, and of a sequence, of which the rest has not come.
    private var begunBytes: [UInt8] = []
    private var begun = ""

    public init(columns: Int, height: Int = 40) {
        (self.columns, self.height) = (columns, height)
    }

    /// Everything that stands there, a line each, without what is empty at the end.
    public var text: String {
        var texts = lines.map { String($0.text.reversed().drop(while: \.isWhitespace).reversed()) }
        while texts.last?.isEmpty == true { texts.removeLast() }
        return texts.joined(separator: "\n")
    }

    /// The words that stand there, whatever lines they are in.
    public var words: [Substring] { text.split(whereSeparator: \.isWhitespace) }

    public mutating func resize(columns: Int) { self.columns = columns }

    /// - Parameter piece: Any piece of the output, which may end in the middle of a character.
    public mutating func feed(_ piece: some Sequence<UInt8>) throws {
        begunBytes += piece
        var whole = begunBytes.count
        if let first = begunBytes.suffix(4).lastIndex(where: { $0 & 0xc0 != 0x80 }) {
            let byte = begunBytes[first]
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            if first + length > whole { whole = first }
        }
        let text = String(decoding: begunBytes[..<whole], as: UTF8.self)
        begunBytes.removeFirst(whole)
        try read(text)
    }

    private mutating func read(_ text: String) throws {
        var rest = Array((begun + text).unicodeScalars)[...]
        begun = ""
        var plain = String.UnicodeScalarView()
        while let scalar = rest.first {
            guard scalar.value < 0x20 || scalar.value == 0x7f else {
                plain.append(scalar)
                rest.removeFirst()
                continue
            }
            show(String(plain))
            plain = String.UnicodeScalarView()
            if scalar == "\u{1b}" {
                guard let length = Screen.length(of: rest) else {
                    begun = String(String.UnicodeScalarView(rest))
                    return
                }
                try obey(String(String.UnicodeScalarView(rest.prefix(length))))
                rest = rest.dropFirst(length)
            } else {
                try control(scalar)
                rest.removeFirst()
            }
        }
        show(String(plain))
    }

    /// The length of the sequence at the beginning (ECMA-48, 5.4 and 5.6); nil: its end has not come.
    private static func length(of rest: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let kind = rest.dropFirst().first else { return nil }
        if kind == "]" {
            for index in rest.indices.dropFirst(2) {
                if rest[index] == "\u{7}" { return index - rest.startIndex + 1 }
                if rest[index] == "\\", rest[index - 1] == "\u{1b}" { return index - rest.startIndex + 1 }
            }
            return nil
        }
        guard kind == "[" else { return 2 }
        let end = rest.indices.dropFirst(2).first { (0x40...0x7e).contains(rest[$0].value) }
        return end.map { $0 - rest.startIndex + 1 }
    }

    private mutating func control(_ scalar: Unicode.Scalar) throws {
        switch scalar {
        case "\r": cell = row * columns
        case "\n":
            // As a terminal that is set to ONLCR: back to the beginning, too.
            let next = row + 1
            if next * columns < lines[line].cells.count {
                cell = next * columns
            } else {
                line += 1
                cell = 0
                if line == lines.count { lines.append(Line()) }
            }
        default: throw Unknown(sequence: "U+\(String(scalar.value, radix: 16))")
        }
    }

    private mutating func obey(_ sequence: String) throws {
        if sequence.hasPrefix("\u{1b}]8;") { return }
        guard sequence.hasPrefix("\u{1b}["), let end = sequence.last else { throw Unknown(sequence: sequence) }
        let parameters = sequence.dropFirst(2).dropLast()
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch end {
        case "m":
            for number in numbers {
                switch number {
                case 0, 22: isSubdued = false
                case 2: isSubdued = true
                case 1, 4, 24, 36: break
                default: throw Unknown(sequence: sequence)
                }
            }
        case "A": moveUp(max(1, numbers.first ?? 1))
        case "J" where parameters.isEmpty || parameters == "0":
            earlier.append(lines)
            lines[line].cells.removeSubrange(min(cell, lines[line].cells.count)...)
            lines.removeSubrange((line + 1)...)
        case "K" where parameters.isEmpty || parameters == "0":
            earlier.append(lines)
            let rest = min(cell, lines[line].cells.count)..<min((row + 1) * columns, lines[line].cells.count)
            if rest.upperBound == lines[line].cells.count {
                lines[line].cells.removeSubrange(rest)
            } else {
                for place in rest { lines[line].cells[place] = Cell(text: " ", isSubdued: false) }
            }
        default: throw Unknown(sequence: sequence)
        }
    }

    /// The row of its line that the cursor is in. Behind a row that is full it stays in that (DEC's pending wrap).
    private var row: Int {
        cell > 0 && cell % columns == 0 && cell >= lines[line].cells.count ? cell / columns - 1 : cell / columns
    }

    private func rows(of line: Line) -> Int { max(1, (line.cells.count + columns - 1) / columns) }

    /// Up in the same column, to the top of the screen at most.
    private mutating func moveUp(_ count: Int) {
        let column = cell - row * columns
        let above = lines[..<line].reduce(0) { $0 + rows(of: $1) }
        let below = lines[line...].reduce(0) { $0 + rows(of: $1) }
        let target = max(above + row - count, above + below - height, 0)
        var (index, rest) = (0, target)
        while rest >= rows(of: lines[index]) {
            rest -= rows(of: lines[index])
            index += 1
        }
        (line, cell) = (index, rest * columns + column)
    }

    private mutating func show(_ text: String) {
        for character in text {
            let scalar = character.unicodeScalars.first?.value ?? 0
            let isWide = [0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xff00...0xff60, 0x1f300...0x1faff]
                .contains { $0.contains(scalar) }
            var cells = [Cell(text: String(character), isSubdued: isSubdued)]
            if isWide {
                cells.append(Cell(text: "", isSubdued: isSubdued))
                if cell % columns == columns - 1 { put([Cell(text: "", isSubdued: false)]) }
            }
            put(cells)
        }
    }

    private mutating func put(_ cells: [Cell]) {
        for new in cells {
            while lines[line].cells.count < cell { lines[line].cells.append(Cell(text: " ", isSubdued: false)) }
            if cell < lines[line].cells.count { lines[line].cells[cell] = new } else { lines[line].cells.append(new) }
            cell += 1
        }
    }
}
