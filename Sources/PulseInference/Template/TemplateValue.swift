/// A template's values: Python's types, as far as chat templates use them.
enum TemplateValue {
    /// An undefined variable and its name.
    case undefined(String)
    case none
    case flag(Bool)
    case integer(Int)
    case real(Double)
    case text(String)
    case list(TemplateList)
    case dictionary(TemplateDictionary)
    case namespace(TemplateNamespace)
    case macro(TemplateClosure)
    /// A built-in function, by its name.
    case function(String)

    static func list(_ items: [Self]) throws(TemplateFault) -> Self { .list(try TemplateList(items)) }
}

/// The size of a nested value. Printing, comparing and freeing are recursive; and a list that contains the same list
/// twice takes no memory, but twice the time.
struct TemplateExtent {
    /// The number of nested parts and the bytes of their texts.
    let size: Int
    private let depth: Int

    static let one = TemplateExtent(size: 1, depth: 0)
    private static let deepest = 40
    private static let largest = 1 << 40

    init(text: String) { self.init(size: 1 + text.utf8.count, depth: 0) }

    init(of parts: some Sequence<TemplateValue>) throws(TemplateFault) {
        var (size, depth) = (1, 0)
        for part in parts {
            let extent = part.extent
            (size, depth) = (min(size + extent.size, Self.largest), max(depth, extent.depth))
        }
        guard depth < Self.deepest else { throw TemplateFault("its lists are nested too deeply") }
        self.init(size: size, depth: depth + 1)
    }

    private init(size: Int, depth: Int) { (self.size, self.depth) = (size, depth) }
}

struct TemplateList {
    let items: [TemplateValue]
    let extent: TemplateExtent

    init(_ items: [TemplateValue]) throws(TemplateFault) {
        extent = try TemplateExtent(of: items)
        self.items = items
    }
}

/// A dictionary that keeps the order of insertion.
struct TemplateDictionary {
    let entries: [(key: TemplateValue, value: TemplateValue)]
    let extent: TemplateExtent

    init(_ entries: [(key: TemplateValue, value: TemplateValue)]) throws(TemplateFault) {
        for (key, _) in entries {
            switch key {
            case .text, .integer, .flag, .none: break
            default: throw TemplateFault("a dictionary has a key that is no text and no number")
            }
        }
        extent = try TemplateExtent(of: entries.map(\.key) + entries.map(\.value))
        self.entries = entries
    }

    /// The last value of a key.
    subscript(key: TemplateValue) -> TemplateValue? { entries.last { $0.key.equals(key) }?.value }
}

/// `namespace(…)`: the only mutable kind of value.
final class TemplateNamespace {
    var fields: [String: TemplateValue]

    init(_ fields: [String: TemplateValue]) { self.fields = fields }
}

/// A scope of names and values. Lookups continue in the enclosing scope.
final class TemplateScope {
    var values: [String: TemplateValue] = [:]
    private let outer: TemplateScope?

    init(in outer: TemplateScope? = nil) { self.outer = outer }

    func value(of name: String) -> TemplateValue? {
        var scope: TemplateScope? = self
        while let current = scope {
            if let value = current.values[name] { return value }
            scope = current.outer
        }
        return nil
    }
}

/// A macro and its scope.
final class TemplateClosure {
    let macro: TemplateMacro
    let scope: TemplateScope

    init(_ macro: TemplateMacro, in scope: TemplateScope) { (self.macro, self.scope) = (macro, scope) }
}

extension TemplateValue {
    fileprivate var extent: TemplateExtent {
        switch self {
        case .text(let text): TemplateExtent(text: text)
        case .list(let list): list.extent
        case .dictionary(let dictionary): dictionary.extent
        default: .one
        }
    }

    /// The number of parts, with nested parts and the bytes of texts.
    var size: Int { extent.size }

    var isTrue: Bool {
        switch self {
        case .undefined, .none: false
        case .flag(let flag): flag
        case .integer(let number): number != 0
        case .real(let number): number != 0
        case .text(let text): !text.isEmpty
        case .list(let list): !list.items.isEmpty
        case .dictionary(let dictionary): !dictionary.entries.isEmpty
        case .namespace, .macro, .function: true
        }
    }

    var isDefined: Bool { if case .undefined = self { false } else { true } }

    /// As a number. Python's booleans are numbers.
    var number: Double? {
        switch self {
        case .flag(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    var whole: Int? {
        switch self {
        case .flag(let flag): flag ? 1 : 0
        case .integer(let number): number
        default: nil
        }
    }

    func equals(_ other: Self) -> Bool {
        if let one = whole, let two = other.whole { return one == two }
        if let one = number, let two = other.number { return one == two }
        return switch (self, other) {
        case (.undefined, .undefined), (.none, .none): true
        case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
        case (.list(let one), .list(let two)): one.items.elementsEqual(two.items) { $0.equals($1) }
        case (.dictionary(let one), .dictionary(let two)):
            one.entries.count == two.entries.count
                && one.entries.allSatisfy { key, value in two[key].map(value.equals) ?? false }
        case (.namespace(let one), .namespace(let two)): one === two
        case (.macro(let one), .macro(let two)): one === two
        case (.function(let one), .function(let two)): one == two
        default: false
        }
    }

    /// Python's `<`; nil if the types have no order.
    func isLess(than other: Self) -> Bool? {
        if let one = whole, let two = other.whole { return one < two }
        if let one = number, let two = other.number { return one < two }
        if case .text(let one) = self, case .text(let two) = other {
            return one.unicodeScalars.lexicographicallyPrecedes(two.unicodeScalars)
        }
        return nil
    }
}

// MARK: - Text

extension TemplateValue {
    /// Python's `str()`; empty if undefined.
    var shown: String {
        switch self {
        case .undefined: ""
        case .text(let text): text
        default: literal
        }
    }

    /// Python's `repr()`.
    private var literal: String {
        switch self {
        case .undefined: "Undefined"
        case .none: "None"
        case .flag(let flag): flag ? "True" : "False"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): Self.quoted(text)
        case .list(let list): "[" + list.items.map(\.literal).joined(separator: ", ") + "]"
        case .dictionary(let dictionary):
            "{" + dictionary.entries.map { "\($0.key.literal): \($0.value.literal)" }.joined(separator: ", ") + "}"
        case .namespace: "<Namespace>"
        case .macro(let closure): "<Macro '\(closure.macro.name)'>"
        case .function(let name): "<function \(name)>"
        }
    }

    private static func quoted(_ text: String) -> String {
        let quote: Character = text.contains("'") && !text.contains("\"") ? "\"" : "'"
        var out = String(quote)
        for character in text {
            switch character {
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case quote: out += "\\\(quote)"
            default: out.append(character)
            }
        }
        return out + String(quote)
    }

    /// Python's `json.dumps` with `ensure_ascii=False`.
    ///
    /// - Parameter indent: spaces for each level; nil: everything on one line.
    func json(indent: Int?, level: Int = 0) throws(TemplateFault) -> String {
        func joined(_ parts: [String], _ open: String, _ close: String) -> String {
            guard let indent, !parts.isEmpty else { return open + parts.joined(separator: ", ") + close }
            let inner = "\n" + String(repeating: " ", count: indent * (level + 1))
            return open + inner + parts.joined(separator: "," + inner) + "\n"
                + String(repeating: " ", count: indent * level) + close
        }
        switch self {
        case .none: return "null"
        case .flag(let flag): return flag ? "true" : "false"
        case .integer, .real: return literal
        case .text(let text): return Self.jsonString(text)
        case .list(let list):
            let parts = try list.items.map { item throws(TemplateFault) in
                try item.json(indent: indent, level: level + 1)
            }
            return joined(parts, "[", "]")
        case .dictionary(let dictionary):
            let parts = try dictionary.entries.map { key, value throws(TemplateFault) in
                "\(Self.jsonString(key.shown)): \(try value.json(indent: indent, level: level + 1))"
            }
            return joined(parts, "{", "}")
        case .undefined, .namespace, .macro, .function:
            throw TemplateFault("it writes something as JSON that is no data")
        }
    }

    private static func jsonString(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{8}": out += "\\b"
            case "\u{c}": out += "\\f"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
