/// Something that the program says: English words, with places for what they are about. A `Catalogue` has the same in
/// another language, so it is made of literals and becomes a text where it is printed, not before.
///
/// An interpolated message is translated by itself. Everything else is put in as it is, whatever it contains.
public struct Message: Sendable, ExpressibleByStringInterpolation {
    /// What catalogues know it by: the English words, with `%1$@`, `%2$@` … in the places of the arguments.
    let pattern: String
    private let arguments: [Argument]

    fileprivate enum Argument: Sendable {
        case text(String)
        case number(Int)
        case message(Message)
    }

    private init(_ pattern: String, _ arguments: [Argument]) {
        self.pattern = pattern
        self.arguments = arguments
    }

    /// Words that are the same in every language, or another program's.
    public init(verbatim text: String) { self.init("%1$@", [.text(text)]) }

    public init(stringLiteral words: String) { self.init(words, []) }

    public init(stringInterpolation words: StringInterpolation) { self.init(words.pattern, words.arguments) }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pattern = ""
        fileprivate var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) { pattern.reserveCapacity(literalCapacity) }

        public mutating func appendLiteral(_ words: String) { pattern += words }

        public mutating func appendInterpolation(_ message: Message) { add(.message(message)) }

        public mutating func appendInterpolation(_ error: PulseError) { add(.message(error.text)) }

        /// Disfavoured, so that a literal within a literal is a message, too.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) { add(.text("\(value)")) }

        private mutating func add(_ argument: Argument) {
            arguments.append(argument)
            pattern += "%\(arguments.count)$@"
        }
    }

    /// A number, whose thousands are set apart as the language does it.
    ///
    /// - Parameter noun: Stands behind it.
    static func number(_ count: Int, noun: String = "") -> Message { Message("%1$@" + noun, [.number(count)]) }

    /// One sentence of two literals. What is no literal is interpolated instead, so that catalogues know the whole.
    public static func + (left: Message, right: Message) -> Message {
        var words = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        words.pattern = left.pattern
        words.arguments = left.arguments
        right.pattern.forEachPlace(text: { words.pattern += $0 }) { number in
            guard right.arguments.indices.contains(number - 1) else { return }
            words.arguments.append(right.arguments[number - 1])
            words.pattern += "%\(words.arguments.count)$@"
        }
        return Message(stringInterpolation: words)
    }

    /// In the language of a catalogue; in English where that does not have it.
    public func text(in catalogue: Catalogue) -> String {
        var text = ""
        (catalogue[pattern] ?? pattern).forEachPlace(text: { text += $0 }) { number in
            guard arguments.indices.contains(number - 1) else { return }
            switch arguments[number - 1] {
            case .text(let value): text += value
            case .number(let count): text += Noun.grouped(count, catalogue.locale)
            case .message(let message): text += message.text(in: catalogue)
            }
        }
        return text
    }
}

/// As it is in English. Two messages that say the same are equal.
extension Message: Hashable, CustomStringConvertible {
    public var description: String { text(in: .english) }
    public static func == (left: Message, right: Message) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    public var isEmpty: Bool { description.isEmpty }
    public func contains(_ words: String) -> Bool { description.contains(words) }
    public func hasPrefix(_ words: String) -> Bool { description.hasPrefix(words) }
    public func hasSuffix(_ words: String) -> Bool { description.hasSuffix(words) }
}

extension Sequence where Element == Message {
    /// Each by itself, with the separator between them, which is translated, too.
    public func joined(separator: Message = "") -> Message {
        var words = Message.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, message) in enumerated() {
            if index > 0 { words.appendInterpolation(separator) }
            words.appendInterpolation(message)
        }
        return Message(stringInterpolation: words)
    }
}

extension String {
    /// The parts of a pattern in their order: its words, and the numbers of its arguments.
    fileprivate func forEachPlace(text: (Substring) -> Void, argument: (Int) -> Void) {
        var rest = self[...]
        while let place = rest.firstIndex(of: "%") {
            let digits = rest[rest.index(after: place)...].prefix(while: \.isNumber)
            guard let number = Int(digits), rest[digits.endIndex...].hasPrefix("$@") else {
                text(rest[...place])
                rest = rest[rest.index(after: place)...]
                continue
            }
            text(rest[..<place])
            argument(number)
            rest = rest[digits.endIndex...].dropFirst(2)
        }
        text(rest)
    }
}
