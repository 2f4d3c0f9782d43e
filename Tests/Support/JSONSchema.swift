public import Foundation

/// As much of JSON Schema (draft 2020-12) as the schemas of this project use. A keyword that is not known here is a
/// fault of the schema, so that none is passed over.
public struct JSONSchema: Sendable {
    /// What cannot be used as a schema, and why.
    public struct Unusable: Error { public let reason: String }

    private let root: [String: JSONValue]

    public init(_ text: Data) throws {
        guard case .object(let root) = try JSONValue.parse(text) else { throw Unusable(reason: "is no object") }
        self.root = root
    }

    /// What is wrong with a document, each fault with its place; empty where it is as the schema says.
    public func faults(in document: Data) throws -> [String] {
        try check(try JSONValue.parse(document), .object(root), at: "$")
    }

    private func check(_ value: JSONValue, _ schema: JSONValue, at place: String) throws -> [String] {
        switch schema {
        case .bool(let isAllowed): return isAllowed ? [] : ["\(place): may not be here"]
        case .object(let keywords):
            return try keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule in
                try check(value, keyword, rule, of: keywords, at: place)
            }
        default: throw Unusable(reason: "\(place): neither an object nor a truth")
        }
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, of schema: [String: JSONValue], at place: String
    ) throws -> [String] {
        func fault(unless holds: Bool) -> [String] {
            holds ? [] : ["\(place): \(keyword) \(rule) is not met by \(value)"]
        }
        switch (keyword, rule, value) {
        case ("$schema", _, _), ("$defs", _, _), ("title", .string, _), ("description", .string, _): return []
        case ("$ref", .string(let path), _): return try check(value, definition(path), at: place)
        case ("const", _, _): return fault(unless: value == rule)
        case ("enum", .array(let choices), _): return fault(unless: choices.contains(value))
        case ("anyOf", .array(let choices), _):
            return fault(unless: try choices.contains { try check(value, $0, at: place).isEmpty })
        case ("type", .string(let name), _): return fault(unless: value.isA(name))
        case ("type", .array(let names), _):
            return fault(unless: names.contains { if case .string(let name) = $0 { value.isA(name) } else { false } })
        case ("required", .array(let names), .object(let members)):
            return names.compactMap { name in
                guard case .string(let name) = name, members[name] == nil else { return nil }
                return "\(place): \(name) is missing"
            }
        case ("properties", .object(let rules), .object(let members)):
            return try rules.sorted { $0.key < $1.key }.flatMap { name, rule in
                try members[name].map { try check($0, rule, at: "\(place).\(name)") } ?? []
            }
        case ("additionalProperties", _, .object(let members)):
            guard case .object(let known) = schema["properties"] ?? .object([:]) else {
                throw Unusable(reason: "\(place): properties is no object")
            }
            return try members.sorted { $0.key < $1.key }.filter { known[$0.key] == nil }.flatMap { name, member in
                try check(member, rule, at: "\(place).\(name)")
            }
        case ("items", _, .array(let elements)):
            return try elements.enumerated().flatMap { try check($1, rule, at: "\(place)[\($0)]") }
        case ("minItems", .number(let least), .array(let elements)): return fault(unless: elements.count >= Int(least))
        case ("pattern", .string(let pattern), .string(let text)):
            return fault(unless: text.contains(try Regex(pattern)))
        case ("minimum", .number(let least), .number(let number)): return fault(unless: number >= least)
        // What is said of another type than the value's is met (Validation, 6).
        case ("required", .array, _), ("properties", .object, _), ("additionalProperties", _, _), ("items", _, _),
            ("minItems", .number, _), ("pattern", .string, _), ("minimum", .number, _):
            return []
        default: throw Unusable(reason: "\(place): \(keyword) is not known, or not like this")
        }
    }

    private func definition(_ path: String) throws -> JSONValue {
        guard path.hasPrefix("#/$defs/"), case .object(let definitions) = root["$defs"],
            let found = definitions[String(path.dropFirst("#/$defs/".count))]
        else { throw Unusable(reason: "there is no \(path)") }
        return found
    }
}

/// A JSON text, in which a number is no truth and a truth no number.
enum JSONValue: Decodable, Sendable, Hashable {
    case null, bool(Bool), number(Double), string(String), array([JSONValue]), object([String: JSONValue])

    static func parse(_ text: Data) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: text) }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .bool(truth)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    func isA(_ type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number.rounded() == number
        default: false
        }
    }
}
