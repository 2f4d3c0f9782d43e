/// Jinja's filters and tests, and the methods of Python's types, as far as chat templates use them.
extension TemplateEvaluator {
    mutating func filter(_ value: TemplateValue, _ name: String, _ call: Call) throws -> TemplateValue {
        try spend(Self.step)
        // A `map` can apply `map`.
        try enter()
        defer { leave() }
        switch name {
        case "string", "safe": return .text(try text(value))
        case "trim":
            return try method("strip", of: .text(try text(value)), Call(values: [call.value(0, "chars") ?? .none]))
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
            if case .text = value { return try made(items.map(\.shown).joined()) }
            return try .list(items)
        case "items": return try method(name, of: value, call)
        case "dictsort", "sort":
            let items = name == "sort" ? try items(of: value) : try items(of: try method("items", of: value, Call()))
            return try .list(try sorted(items, byFirst: name == "dictsort"))
        case "int":
            if case .text(let text) = value {
                try spend(text.utf8.count)
                return .integer(Int(TemplateText.stripped(text, of: nil)) ?? 0)
            }
            return .integer(value.number.flatMap { Int(exactly: $0.rounded(.towardZero)) } ?? 0)
        case "abs":
            guard case .integer(let number) = value, number != .min else { throw TemplateFault("abs of no number") }
            return .integer(abs(number))
        case "tojson":
            let indent = call.named["indent"]?.whole ?? call.values.first?.whole
            guard (0...16).contains(indent ?? 0) else { throw TemplateFault("it indents JSON by too much") }
            let extent = value.extent
            // A JSON escape has up to six bytes.
            try spend(extent.size, times: 6 + (indent.map { $0 * (extent.depth + 1) } ?? 0))
            var out = ""
            try value.writeJSON(indent: indent, to: &out)
            return .text(out)
        case "indent":
            let width = call.value(0, "width")?.whole ?? 4
            guard (0...64).contains(width) else { throw TemplateFault("it indents by \(width)") }
            let lines = try split(try text(value), by: "\n", atMost: .max)
            try spend(lines.count, times: width)
            let spaces = String(repeating: " ", count: width)
            let isFirst = call.value(1, "first")?.isTrue == true
            return try made(
                lines.enumerated().map { index, line in
                    (index == 0 ? isFirst : !line.isEmpty) ? spaces + line : line
                }.joined(separator: "\n"))
        case "map":
            var results: [TemplateValue] = []
            let rest = Call(values: Array(call.values.dropFirst()), named: call.named)
            for item in try value.isTrue ? items(of: value) : [] {
                if let attribute = call.named["attribute"] {
                    results.append(try part(try text(attribute), of: item))
                } else {
                    results.append(try filter(item, call.text(0, "filter") ?? "", rest))
                }
            }
            return try .list(results)
        case "select", "reject", "selectattr", "rejectattr": return try selected(value, name, call)
        default: throw TemplateFault("it uses the filter “\(name.prefix(40))”, which chat templates do without")
        }
    }

    /// The items that pass a test, or have an attribute that does; `reject` and `rejectattr` select the others.
    private mutating func selected(_ value: TemplateValue, _ name: String, _ call: Call) throws -> TemplateValue {
        let isByPart = name.hasSuffix("attr")
        var results: [TemplateValue] = []
        let arguments = call.values.dropFirst(isByPart ? 1 : 0)
        for item in try value.isTrue ? items(of: value) : [] {
            let tested = isByPart ? try part(call.text(0, "attribute") ?? "", of: item) : item
            var isSelected = tested.isTrue
            if case .text(let test)? = arguments.first {
                isSelected = try self.test(tested, test, arguments.dropFirst().first)
            }
            if isSelected == name.hasPrefix("select") { results.append(item) }
        }
        return try .list(results)
    }

    private mutating func part(_ name: String, of value: TemplateValue) throws -> TemplateValue {
        guard case .dictionary(let dictionary) = value else { return .undefined(name) }
        return try look(.text(name), in: dictionary) ?? .undefined(name)
    }

    /// Ignores case, as Jinja's `sort` and `dictsort` do.
    private mutating func sorted(_ items: [TemplateValue], byFirst: Bool) throws -> [TemplateValue] {
        let keys = try items.map { item -> TemplateValue in
            var key = item
            if byFirst, case .list(let pair) = item, let first = pair.items.first { key = first }
            if case .text(let text) = key { key = try made(text.lowercased()) }
            return key
        }
        var fault: (any Error)?
        let order = items.indices.sorted { one, two in
            // After a fault, nothing is compared any more. Swift's sort is stable.
            guard fault == nil else { return false }
            do {
                return try isLess(keys[one], keys[two])
            } catch {
                fault = error
                return false
            }
        }
        if let fault { throw fault }
        return order.map { items[$0] }
    }

    mutating func test(_ value: TemplateValue, _ name: String, _ argument: TemplateValue?) throws -> Bool {
        try spend(Self.step)
        let other = argument ?? .none
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

    mutating func method(_ name: String, of value: TemplateValue, _ call: Call) throws -> TemplateValue {
        switch value {
        case .text(let text):
            try spend(Self.step + text.utf8.count)
            return try method(name, of: text, call)
        case .dictionary(let dictionary):
            switch name {
            case "get":
                return try look(call.values.first ?? .none, in: dictionary) ?? call.value(1, "default") ?? .none
            case "keys": return try .list(try items(of: value))
            case "values":
                try spend(dictionary.entries.count, times: Self.step)
                return try .list(dictionary.entries.map(\.value))
            case "items":
                // A list of two takes as much as four items.
                try spend(dictionary.entries.count, times: 4 * Self.step)
                return try .list(dictionary.entries.map { key, value in try .list([key, value]) })
            default: break
            }
        case .undefined(let name): throw TemplateFault("“\(name)” is not defined")
        default: break
        }
        // This includes `append` and `update`, which change a value: Hugging Face's sandbox refuses them too.
        throw TemplateFault("it calls “\(name.prefix(40))”, which chat templates do without")
    }

    private mutating func method(_ name: String, of value: String, _ call: Call) throws -> TemplateValue {
        let first = call.text(0, "")
        switch name {
        case "strip", "lstrip", "rstrip":
            // A set is made of the characters.
            try spend(first?.utf8.count ?? 0, times: 10)
            return try made(TemplateText.stripped(value, of: first, left: name != "rstrip", right: name != "lstrip"))
        case "upper": return try made(value.uppercased())
        case "lower": return try made(value.lowercased())
        case "capitalize": return try made(value.prefix(1).uppercased() + value.dropFirst().lowercased())
        case "title":
            var isInWord = false
            return try made(
                value.map { character in
                    defer { isInWord = character.isLetter }
                    return isInWord ? character.lowercased() : character.uppercased()
                }.joined())
        case "startswith", "endswith":
            var options = [call.values.first ?? .none]
            if case .list(let list)? = call.values.first { options = list.items }
            for option in options {
                try spend(Self.step)
                guard case .text(let part) = option, part.utf8.count <= value.utf8.count else { continue }
                let size = part.utf8.count
                try spend(size)
                let edge = name == "startswith" ? value.utf8.prefix(size) : value.utf8.suffix(size)
                if edge.elementsEqual(part.utf8) { return .flag(true) }
            }
            return .flag(false)
        case "replace":
            guard let first, let new = call.text(1, "new") else { throw TemplateFault("it replaces what is no text") }
            let most = call.value(2, "count")?.whole ?? .max
            if first.isEmpty { throw TemplateFault("it replaces an empty text") }
            let parts = try split(value, by: first, atMost: most < 0 ? .max : most)
            try spend(parts.count, times: new.utf8.count)
            return .text(parts.joined(separator: new))
        case "split":
            let most = call.value(1, "maxsplit")?.whole ?? .max
            guard first != "" else { throw TemplateFault("it splits by an empty text") }
            return try .list(try split(value, by: first, atMost: most < 0 ? .max : most).map { .text($0) })
        case "format":
            // Fields are filled in order. Numbered and named fields and formats are not supported.
            let parts = try split(value, by: "{}", atMost: .max)
            guard parts.count <= call.values.count + 1, !parts.contains(where: { $0.utf8.contains(0x7b) }) else {
                throw TemplateFault("it formats in a way that chat templates do without")
            }
            var out = parts[0]
            for (part, value) in zip(parts.dropFirst(), call.values) {
                let text = try text(value)
                try spend(text.utf8.count + part.utf8.count)
                out += text + part
            }
            return .text(out)
        case "splitlines":
            var lines = try split(value, by: "\n", atMost: .max)
            if lines.last?.isEmpty == true { lines.removeLast() }
            return try .list(lines.map { .text($0) })
        case "find":
            let place = try first.flatMap { part in try places(of: part, in: value, atMost: 1).first }
            let bytes = value.utf8.prefix(place ?? 0)
            return .integer(place == nil ? -1 : String(decoding: bytes, as: UTF8.self).unicodeScalars.count)
        case "join":
            let parts = try items(of: call.values.first ?? .none).map { item in
                let text = try text(item)
                try spend(text.utf8.count + value.utf8.count)
                return text
            }
            return .text(parts.joined(separator: value))
        default: throw TemplateFault("it calls “\(name.prefix(40))”, which chat templates do without")
        }
    }

    /// The first `most` byte offsets of a text in another. By Knuth-Morris-Pratt: near matches may be everywhere.
    mutating func places(of part: String, in whole: String, atMost most: Int) throws -> [Int] {
        try spend(part.utf8.count + whole.utf8.count)
        let part = Array(part.utf8)
        if part.isEmpty { return most > 0 ? [0] : [] }
        /// KMP failure function: the longest proper prefix of each prefix that is also its suffix.
        var shorter = [0]
        func next(_ length: Int, _ byte: UInt8) -> Int {
            var length = length
            while length > 0, part[length] != byte { length = shorter[length - 1] }
            return part[length] == byte ? length + 1 : 0
        }
        while shorter.count < part.count { shorter.append(next(shorter[shorter.count - 1], part[shorter.count])) }
        var places: [Int] = []
        var length = 0
        for (index, byte) in whole.utf8.enumerated() where places.count < most {
            length = next(length, byte)
            guard length == part.count else { continue }
            try spend(Self.step)
            places.append(index + 1 - part.count)
            length = 0
        }
        return places
    }

    /// - Parameter separator: nil: white space, without empty parts.
    private mutating func split(_ text: String, by separator: String?, atMost most: Int) throws -> [String] {
        guard let separator else {
            // Not more parts than bytes.
            try spend(text.utf8.count, times: Self.step)
            return text.unicodeScalars.split(maxSplits: most, whereSeparator: \.properties.isWhitespace).map(
                String.init)
        }
        let bytes = Array(text.utf8)
        var parts: [String] = []
        var start = 0
        for place in try places(of: separator, in: text, atMost: most) {
            parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place + separator.utf8.count
        }
        parts.append(String(decoding: bytes[start...], as: UTF8.self))
        return parts
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
}
