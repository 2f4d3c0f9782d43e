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

    static func list(_ items: [Self]) throws -> Self { .list(try TemplateList(items)) }
}

/// The size of a nested value, because printing and freeing are recursive. A list twice in another counts twice.
struct TemplateExtent {
    /// An upper bound of the printed value's bytes.
    let size: Int
    /// How deeply lists and dictionaries are nested in it.
    let depth: Int

    private static let deepest = 40
    private static let largest = 1 << 40

    init(of parts: some Sequence<TemplateValue>) throws {
        var (size, depth) = (2, 0)
        for part in parts {
            let extent = part.extent
            (size, depth) = (min(size + 2 + extent.size, Self.largest), max(depth, extent.depth))
        }
        guard depth < Self.deepest else { throw TemplateFault("its lists are nested too deeply") }
        self.init(size: size, depth: depth + 1)
    }

    fileprivate init(size: Int, depth: Int = 0) { (self.size, self.depth) = (size, depth) }
}

struct TemplateList {
    let items: [TemplateValue]
    let extent: TemplateExtent

    init(_ items: [TemplateValue]) throws {
        extent = try TemplateExtent(of: items)
        self.items = items
    }
}

/// A dictionary that keeps the order of insertion.
struct TemplateDictionary {
    let entries: [(key: TemplateValue, value: TemplateValue)]
    let extent: TemplateExtent
    private let places: [Key: Int]

    /// A key, as Python compares them: `1`, `1.0` and `true` are one.
    private enum Key: Hashable {
        case none
        case number(Int)
        case text([UInt8])

        init?(_ value: TemplateValue) {
            switch value {
            case .none: self = .none
            case .text(let text): self = .text(Array(text.utf8))
            default:
                guard let number = value.whole ?? value.number.flatMap(Int.init(exactly:)) else { return nil }
                self = .number(number)
            }
        }
    }

    init(_ entries: [(key: TemplateValue, value: TemplateValue)]) throws {
        var places: [Key: Int] = [:]
        for (place, entry) in entries.enumerated() {
            guard let key = Key(entry.key) else {
                throw TemplateFault("a dictionary has a key that is no text and no number")
            }
            places[key] = place
        }
        self.places = places
        extent = try TemplateExtent(of: entries.map(\.key) + entries.map(\.value))
        self.entries = entries
    }

    /// The last value of a key.
    subscript(key: TemplateValue) -> TemplateValue? { Key(key).flatMap { places[$0] }.map { entries[$0].value } }
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
    /// The number of scopes around it: the cost of a lookup. At most the template's nesting, also in macros.
    let depth: Int

    init(in outer: TemplateScope? = nil) { (self.outer, depth) = (outer, outer.map { $0.depth + 1 } ?? 0) }

    func value(of name: String) -> TemplateValue? {
        var scope: TemplateScope? = self
        while let current = scope {
            if let value = current.values[name] { return value }
            scope = current.outer
        }
        return nil
    }
}

final class TemplateClosure {
    let macro: TemplateMacro
    let scope: TemplateScope

    init(_ macro: TemplateMacro, in scope: TemplateScope) { (self.macro, self.scope) = (macro, scope) }
}

extension TemplateValue {
    var extent: TemplateExtent {
        switch self {
        case .text(let text): TemplateExtent(size: 1 + text.utf8.count)
        case .list(let list): list.extent
        case .dictionary(let dictionary): dictionary.extent
        case .macro(let closure): TemplateExtent(size: 12 + closure.macro.name.utf8.count)
        default: TemplateExtent(size: 32)
        }
    }

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

    /// Python's `str()`; empty if undefined.
    var shown: String {
        switch self {
        case .undefined: return ""
        case .text(let text): return text
        default:
            var out = ""
            write(to: &out)
            return out
        }
    }

    /// Python's `repr()`.
    private func write(to out: inout String) {
        switch self {
        case .undefined: out += "Undefined"
        case .none: out += "None"
        case .flag(let flag): out += flag ? "True" : "False"
        case .integer(let number): out += "\(number)"
        case .real(let number): out += "\(number)"
        case .text(let text):
            let mark: Unicode.Scalar = text.utf8.contains(0x27) && !text.utf8.contains(0x22) ? "\"" : "'"
            Self.quote(text, by: mark, isJSON: false, to: &out)
        case .list(let list): Self.write(list.items, "[", "]", to: &out) { item, out in item.write(to: &out) }
        case .dictionary(let dictionary):
            Self.write(dictionary.entries, "{", "}", to: &out) { entry, out in
                entry.key.write(to: &out)
                out += ": "
                entry.value.write(to: &out)
            }
        case .namespace: out += "<Namespace>"
        case .macro(let closure): out += "<Macro '\(closure.macro.name)'>"
        case .function(let name): out += "<function \(name)>"
        }
    }

    /// Python's `json.dumps` with `ensure_ascii=False`, and spaces for each level; nil: everything on one line.
    func writeJSON(indent: Int?, level: Int = 0, to out: inout String) throws {
        switch self {
        case .none: out += "null"
        case .flag(let flag): out += flag ? "true" : "false"
        case .integer, .real: write(to: &out)
        case .text(let text): Self.quote(text, by: "\"", isJSON: true, to: &out)
        case .list(let list):
            try Self.write(list.items, "[", "]", indent: indent, level: level, to: &out) { item, out in
                try item.writeJSON(indent: indent, level: level + 1, to: &out)
            }
        case .dictionary(let dictionary):
            try Self.write(dictionary.entries, "{", "}", indent: indent, level: level, to: &out) { entry, out in
                Self.quote(entry.key.shown, by: "\"", isJSON: true, to: &out)
                out += ": "
                try entry.value.writeJSON(indent: indent, level: level + 1, to: &out)
            }
        case .undefined, .namespace, .macro, .function:
            throw TemplateFault("it writes something as JSON that is no data")
        }
    }

    private static func write<Part>(
        _ parts: [Part], _ opening: String, _ closing: String, indent: Int? = nil, level: Int = 0,
        to out: inout String, _ write: (Part, inout String) throws -> Void
    ) rethrows {
        func lineBreak(_ level: Int) -> String {
            indent.map { "\n" + String(repeating: " ", count: $0 * level) } ?? ""
        }
        out += opening
        for (index, part) in parts.enumerated() {
            out += (index == 0 ? "" : indent == nil ? ", " : ",") + lineBreak(level + 1)
            try write(part, &out)
        }
        out += (parts.isEmpty ? "" : lineBreak(level)) + closing
    }

    /// Writes a text in quotation marks, with JSON's escapes or the few of them that Python needs.
    private static func quote(_ text: String, by mark: Unicode.Scalar, isJSON: Bool, to out: inout String) {
        out.unicodeScalars.append(mark)
        for scalar in text.unicodeScalars {
            switch scalar {
            case mark, "\\": out += "\\\(scalar)"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{8}" where isJSON: out += "\\b"
            case "\u{c}" where isJSON: out += "\\f"
            case "\0"..<" " where isJSON:
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        out.unicodeScalars.append(mark)
    }
}
