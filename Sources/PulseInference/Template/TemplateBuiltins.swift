/// Jinja's filters and tests, and the methods of Python's types, as far as chat templates use them.
extension TemplateEvaluator {
    mutating func filter(_ value: TemplateValue, _ name: String, _ call: Call) throws(TemplateFault) -> TemplateValue {
        switch name {
        case "trim": return .text(TemplateText.stripped(try text(value), of: call.text(0, "chars")))
        case "string", "safe": return .text(try text(value))
        case "upper", "lower", "capitalize", "title", "replace":
            return try method(name, of: .text(try text(value)), call)
        case "length", "count":
            if case .integer = value { throw TemplateFault("it asks for the length of a number") }
            return .integer(try items(of: value).count)
        case "default", "d":
            let isMissing = !value.isDefined || (call.value(1, "boolean")?.isTrue == true && !value.isTrue)
            return isMissing ? call.value(0, "default_value") ?? .text("") : value
        case "join": return try method(name, of: .text(call.text(0, "d") ?? ""), Call(values: [value]))
        case "list": return try .list(try items(of: value))
        case "first", "last":
            let items = try items(of: value)
            return (name == "first" ? items.first : items.last) ?? .undefined(name)
        case "reverse":
            let items = Array(try items(of: value).reversed())
            if case .text = value { return .text(items.map(\.shown).joined()) }
            return try .list(items)
        case "items": return try method(name, of: value, call)
        case "dictsort", "sort":
            let items = name == "sort" ? try items(of: value) : try items(of: try method("items", of: value, Call()))
            return try .list(try sorted(items, byFirst: name == "dictsort"))
        case "int":
            if case .text(let text) = value { return .integer(Int(TemplateText.stripped(text, of: nil)) ?? 0) }
            return .integer(value.number.flatMap { Int(exactly: $0.rounded(.towardZero)) } ?? 0)
        case "abs":
            guard case .integer(let number) = value, number != .min else { throw TemplateFault("abs of no number") }
            return .integer(abs(number))
        case "tojson":
            try spend(value.size)
            let indent = call.named["indent"]?.whole ?? call.values.first?.whole
            if let indent {
                guard (0...16).contains(indent) else { throw TemplateFault("it indents JSON by \(indent)") }
                try spend(value.size, times: 40 * (indent + 1))
            }
            return .text(try value.json(indent: indent))
        case "indent":
            let width = call.value(0, "width")?.whole ?? 4
            guard (0...64).contains(width) else { throw TemplateFault("it indents by \(width)") }
            let lines = TemplateText.split(try text(value), by: "\n", atMost: .max)
            try spend(lines.count, times: width)
            let spaces = String(repeating: " ", count: width)
            let isFirst = call.value(1, "first")?.isTrue == true
            return .text(
                lines.enumerated().map { index, line in
                    (index == 0 ? isFirst : !line.isEmpty) ? spaces + line : line
                }.joined(separator: "\n"))
        case "map":
            var results: [TemplateValue] = []
            for item in try value.isTrue ? items(of: value) : [] {
                if let attribute = call.named["attribute"] {
                    results.append(try part(attribute.shown, of: item))
                } else {
                    let rest = Call(values: Array(call.values.dropFirst()), named: call.named)
                    results.append(try filter(item, call.text(0, "filter") ?? "", rest))
                }
            }
            return try .list(results)
        case "select", "reject", "selectattr", "rejectattr":
            return try selected(value, name, call)
        default: throw TemplateFault("it uses the filter “\(name.prefix(40))”, which chat templates do without")
        }
    }

    /// The items that pass a test, or have an attribute that does; `reject` and `rejectattr` select the others.
    private mutating func selected(
        _ value: TemplateValue, _ name: String, _ call: Call
    ) throws(TemplateFault) -> TemplateValue {
        let isByPart = name.hasSuffix("attr")
        var results: [TemplateValue] = []
        for item in try value.isTrue ? items(of: value) : [] {
            let tested = isByPart ? try part(call.text(0, "attribute") ?? "", of: item) : item
            let arguments = call.values.dropFirst(isByPart ? 1 : 0)
            var isSelected = tested.isTrue
            if case .text(let test)? = arguments.first {
                isSelected = try self.test(tested, test, Array(arguments.dropFirst()))
            }
            if isSelected == name.hasPrefix("select") { results.append(item) }
        }
        return try .list(results)
    }

    private mutating func part(_ name: String, of value: TemplateValue) throws(TemplateFault) -> TemplateValue {
        guard case .dictionary(let dictionary) = value else { return .undefined(name) }
        try spend(dictionary.entries.count)
        return dictionary[.text(name)] ?? .undefined(name)
    }

    /// Ignores case, as Jinja's `sort` and `dictsort` do.
    private mutating func sorted(
        _ items: [TemplateValue], byFirst: Bool
    ) throws(TemplateFault) -> [TemplateValue] {
        try spend(items.count * 20)
        var isOrdered = true
        let keys = items.map { item -> TemplateValue in
            var key = item
            if byFirst, case .list(let pair) = item, let first = pair.items.first { key = first }
            if case .text(let text) = key { return .text(text.lowercased()) }
            return key
        }
        let order = items.indices.sorted { one, two in
            guard let isLess = keys[one].isLess(than: keys[two]) else {
                isOrdered = false
                return one < two
            }
            return isLess || (keys[two].isLess(than: keys[one]) == false && one < two)
        }
        guard isOrdered else { throw TemplateFault("it sorts what has no order") }
        return order.map { items[$0] }
    }

    mutating func test(
        _ value: TemplateValue, _ name: String, _ arguments: [TemplateValue]
    ) throws(TemplateFault) -> Bool {
        let other = arguments.first ?? .none
        return switch (name, value) {
        case ("defined", _): value.isDefined
        case ("undefined", _): !value.isDefined
        case ("none", .none), ("string", .text), ("mapping", .dictionary), ("boolean", .flag), ("integer", .integer),
            ("number", .integer), ("number", .real), ("number", .flag), ("float", .real), ("callable", .macro),
            ("callable", .function),
            ("iterable", .list), ("iterable", .text), ("iterable", .dictionary), ("iterable", .undefined),
            ("sequence", .list), ("sequence", .text), ("sequence", .dictionary), ("sequence", .undefined):
            true
        case ("true", .flag(let flag)): flag
        case ("false", .flag(let flag)): !flag
        case ("odd", .integer(let number)): number % 2 != 0
        case ("even", .integer(let number)): number % 2 == 0
        case ("divisibleby", .integer(let number)): (other.whole ?? 0) > 0 && number % (other.whole ?? 1) == 0
        case ("equalto", _), ("eq", _), ("==", _), ("sameas", _): try compare(value, "==", other)
        case ("ne", _), ("!=", _): try compare(value, "!=", other)
        case ("in", _): try compare(value, "in", other)
        case ("none", _), ("string", _), ("mapping", _), ("boolean", _), ("integer", _), ("number", _), ("float", _),
            ("callable", _), ("iterable", _), ("sequence", _), ("true", _), ("false", _), ("odd", _), ("even", _),
            ("divisibleby", _):
            false
        default: throw TemplateFault("it uses the test “\(name.prefix(40))”, which chat templates do without")
        }
    }

    mutating func method(_ name: String, of value: TemplateValue, _ call: Call) throws(TemplateFault) -> TemplateValue {
        switch value {
        case .text(let text):
            try spend(text.utf8.count)
            return try method(name, of: text, call)
        case .dictionary(let dictionary):
            try spend(dictionary.entries.count)
            switch name {
            case "get": return dictionary[call.values.first ?? .none] ?? call.value(1, "default") ?? .none
            case "keys": return try .list(dictionary.entries.map(\.key))
            case "values": return try .list(dictionary.entries.map(\.value))
            case "items":
                return try .list(
                    dictionary.entries.map { key, value throws(TemplateFault) in try .list([key, value]) })
            default: break
            }
        case .undefined(let name): throw TemplateFault("“\(name)” is not defined")
        default: break
        }
        // Among them `append` and `update`, which change a value: Hugging Face's sandbox refuses these too.
        throw TemplateFault("it calls “\(name.prefix(40))”, which chat templates do without")
    }

    private mutating func method(
        _ name: String, of value: String, _ call: Call
    ) throws(TemplateFault) -> TemplateValue {
        let first = call.text(0, "")
        switch name {
        case "strip": return .text(TemplateText.stripped(value, of: first))
        case "lstrip": return .text(TemplateText.stripped(value, of: first, right: false))
        case "rstrip": return .text(TemplateText.stripped(value, of: first, left: false))
        case "upper": return .text(value.uppercased())
        case "lower": return .text(value.lowercased())
        case "capitalize": return .text(value.prefix(1).uppercased() + value.dropFirst().lowercased())
        case "title":
            var isInWord = false
            return .text(
                value.map { character in
                    defer { isInWord = character.isLetter }
                    return isInWord ? character.lowercased() : character.uppercased()
                }.joined())
        case "startswith", "endswith":
            var options = [call.values.first ?? .none]
            if case .list(let list)? = call.values.first { options = list.items }
            return .flag(
                options.contains { option in
                    guard case .text(let part) = option else { return false }
                    return name == "startswith"
                        ? value.utf8.starts(with: part.utf8) : value.utf8.reversed().starts(with: part.utf8.reversed())
                })
        case "replace":
            guard let first, let new = call.text(1, "new") else { throw TemplateFault("it replaces what is no text") }
            let most = call.value(2, "count")?.whole ?? .max
            if first.isEmpty { throw TemplateFault("it replaces an empty text") }
            let parts = TemplateText.split(value, by: first, atMost: most < 0 ? .max : most)
            try spend(parts.count, times: 1 + new.utf8.count)
            return .text(parts.joined(separator: new))
        case "split":
            let most = call.value(1, "maxsplit")?.whole ?? .max
            guard first != "" else { throw TemplateFault("it splits by an empty text") }
            let parts = TemplateText.split(value, by: first, atMost: most < 0 ? .max : most)
            try spend(parts.count)
            return try .list(parts.map { .text($0) })
        case "format":
            // Fields are filled in order. Numbered and named fields and formats are not supported.
            let parts = TemplateText.split(value, by: "{}", atMost: .max)
            guard parts.count <= call.values.count + 1, !parts.contains(where: { $0.contains("{") }) else {
                throw TemplateFault("it formats in a way that chat templates do without")
            }
            var out = parts[0]
            for (part, value) in zip(parts.dropFirst(), call.values) { out += try text(value) + part }
            return .text(out)
        case "splitlines": return try .list(value.split(separator: "\n").map { .text(String($0)) })
        case "find":
            let place = first.flatMap { TemplateText.places(of: $0, in: value, atMost: 1).first }
            let bytes = value.utf8.prefix(place ?? 0)
            return .integer(place == nil ? -1 : String(decoding: bytes, as: UTF8.self).unicodeScalars.count)
        case "join":
            let parts = try items(of: call.values.first ?? .none).map { item throws(TemplateFault) in try text(item) }
            try spend(parts.count, times: value.utf8.count)
            return .text(parts.joined(separator: value))
        default: throw TemplateFault("it calls “\(name.prefix(40))”, which chat templates do without")
        }
    }
}

/// Python's string operations, which work on code points and not on grapheme clusters.
enum TemplateText {
    /// The text without white space, or without the given characters, at its ends.
    static func stripped(_ text: String, of characters: String?, left: Bool = true, right: Bool = true) -> String {
        let set = characters.map { Set($0.unicodeScalars) }
        func goes(_ scalar: Unicode.Scalar) -> Bool { set?.contains(scalar) ?? scalar.properties.isWhitespace }
        var rest = text.unicodeScalars[...]
        if left { rest = rest.drop(while: goes) }
        if right { while let last = rest.last, goes(last) { rest.removeLast() } }
        return String(rest)
    }

    /// The byte offsets at which a text occurs in another, without overlaps; the first `most`.
    static func places(of part: String, in whole: String, atMost most: Int) -> [Int] {
        let (part, whole) = (Array(part.utf8), Array(whole.utf8))
        var places: [Int] = []
        guard !part.isEmpty, part.count <= whole.count else { return part.isEmpty && most > 0 ? [0] : [] }
        var index = 0
        while index + part.count <= whole.count, places.count < most {
            if whole[index] == part[0], whole[index..<index + part.count].elementsEqual(part) {
                places.append(index)
                index += part.count
            } else {
                index += 1
            }
        }
        return places
    }

    /// - Parameter separator: nil: white space, without empty parts.
    static func split(_ text: String, by separator: String?, atMost most: Int) -> [String] {
        guard let separator else {
            return text.unicodeScalars.split(maxSplits: most, whereSeparator: \.properties.isWhitespace).map(
                String.init)
        }
        let bytes = Array(text.utf8)
        var parts: [String] = []
        var start = 0
        for place in places(of: separator, in: text, atMost: most) {
            parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place + separator.utf8.count
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }
}
