/// A message of the program: an English pattern with arguments. It is translated by a `Catalogue` when it is printed,
/// so it must be made of literals.
///
/// An interpolated `Message` is translated separately. Any other value is inserted as it is.
public struct Message: Sendable, ExpressibleByStringInterpolation {
    /// The key in catalogues: the English text with `%1$@`, `%2$@` … for the arguments.
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

    /// Text that is not translated: the same in every language, or another program's.
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

        /// Disfavoured, so that a literal inside a literal is a `Message`, too.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) { add(.text("\(value)")) }

        private mutating func add(_ argument: Argument) {
            arguments.append(argument)
            pattern += "%\(arguments.count)$@"
        }
    }

    /// A number with the language's thousands separators.
    ///
    /// - Parameter noun: Follows the number.
    static func number(_ count: Int, noun: String = "") -> Message { Message("%1$@" + noun, [.number(count)]) }

    /// Joins two literals to one pattern. Everything else must be interpolated, so that catalogues have the whole
    /// sentence.
    public static func + (left: Message, right: Message) -> Message {
        var words = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        words.pattern = left.pattern
        words.arguments = left.arguments
        right.pattern.forEachPart(text: { words.pattern += $0 }) { number in
            guard right.arguments.indices.contains(number - 1) else { return }
            words.arguments.append(right.arguments[number - 1])
            words.pattern += "%\(words.arguments.count)$@"
        }
        return Message(stringInterpolation: words)
    }

    /// The translation; the English text where the catalogue has none.
    public func text(in catalogue: Catalogue) -> String {
        var text = ""
        (catalogue[pattern] ?? pattern).forEachPart(text: { text += $0 }) { number in
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

/// Compared and searched by the English text.
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
    /// Joins messages; each is translated separately, and so is the separator.
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
    /// Visits the parts of a pattern in order: literal text, and numbers of arguments.
    fileprivate func forEachPart(text: (Substring) -> Void, argument: (Int) -> Void) {
        var rest = self[...]
        while let percent = rest.firstIndex(of: "%") {
            let digits = rest[rest.index(after: percent)...].prefix(while: \.isNumber)
            guard let number = Int(digits), rest[digits.endIndex...].hasPrefix("$@") else {
                text(rest[...percent])
                rest = rest[rest.index(after: percent)...]
                continue
            }
            text(rest[..<percent])
            argument(number)
            rest = rest[digits.endIndex...].dropFirst(2)
        }
        text(rest)
    }
}
