indirect enum TemplateExpression {
    case literal(TemplateValue)
    case name(String)
    case list([Self])
    case dictionary([(key: Self, value: Self)])
    case attribute(Self, String)
    case item(Self, Self)
    case slice(Self, from: Self?, to: Self?, step: Self?)
    case call(Self, TemplateArguments)
    case filter(Self, String, TemplateArguments)
    case test(Self, String, TemplateArguments)
    case not(Self)
    case negative(Self)
    /// A left-associative chain of operators of the same precedence. Chains may be long, and do not count as nesting.
    case chain(Self, [(operation: String, operand: Self)])
    case comparison(Self, [(operation: String, operand: Self)])
    case conditional(Self, condition: Self, otherwise: Self?)
}

struct TemplateArguments {
    var values: [TemplateExpression] = []
    var named: [(name: String, value: TemplateExpression)] = []
}

indirect enum TemplateStatement {
    case text(String)
    case output(TemplateExpression)
    case branch([(condition: TemplateExpression, body: [Self])], otherwise: [Self])
    case loop(TemplateLoop)
    case set(TemplateTarget, TemplateExpression)
    case capture(TemplateTarget, body: [Self])
    case macro(TemplateMacro)
    case filtered(name: String, TemplateArguments, body: [Self])
    case endLoop
    case nextRound
}

enum TemplateTarget {
    case names([String])
    case field(of: String, String)
}

struct TemplateLoop {
    var names: [String]
    var source: TemplateExpression
    var condition: TemplateExpression?
    var body: [TemplateStatement]
    var otherwise: [TemplateStatement]
}

struct TemplateMacro {
    var name: String
    var parameters: [(name: String, standard: TemplateExpression?)]
    var body: [TemplateStatement]
}

/// Parses a template's tokens by Jinja's grammar (jinja2/parser.py), as far as chat templates use it.
struct TemplateParser {
    private let tokens: [TemplateToken]
    private var position = 0
    private var nesting = 0

    /// The deepest nesting, because parsing and evaluation are recursive.
    private static let deepest = 60

    static func parse(_ source: String) throws -> [TemplateStatement] {
        var parser = TemplateParser(tokens: try TemplateLexer.tokens(of: source))
        let statements = try parser.statements(until: [])
        guard parser.position == parser.tokens.count else { throw TemplateFault("a tag stands where none can") }
        return statements
    }

    private init(tokens: [TemplateToken]) { self.tokens = tokens }

    private var token: TemplateToken? { position < tokens.count ? tokens[position] : nil }
    private var next: TemplateToken? { position + 1 < tokens.count ? tokens[position + 1] : nil }

    private mutating func skip(_ expected: TemplateToken) -> Bool {
        guard token == expected else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ expected: TemplateToken) throws {
        guard skip(expected) else { throw TemplateFault("\(Self.show(expected)) is missing before \(shown)") }
    }

    private mutating func name() throws -> String {
        guard case .name(let name)? = token else { throw TemplateFault("a name is missing before \(shown)") }
        position += 1
        return name
    }

    private var shown: String { token.map(Self.show) ?? "the end" }

    /// The text of a name or a symbol. No operator is both.
    private var word: String? {
        switch token {
        case .name(let text)?, .symbol(let text)?: text
        default: nil
        }
    }

    private static func show(_ token: TemplateToken) -> String {
        switch token {
        case .text: "text"
        case .outputBegin: "{{"
        case .outputEnd: "}}"
        case .tagBegin: "{%"
        case .tagEnd: "%}"
        case .name(let text), .symbol(let text): "“\(text.prefix(40))”"
        case .string: "a string"
        case .integer, .real: "a number"
        }
    }

    private mutating func enter() throws {
        nesting += 1
        guard nesting <= Self.deepest else { throw TemplateFault("it is nested too deeply") }
    }

    // MARK: - Statements

    /// Parses statements up to a tag with one of these names, which is consumed; or to the end, if there are no names.
    private mutating func statements(until ends: Set<String>) throws -> [TemplateStatement] {
        try enter()
        defer { nesting -= 1 }
        var statements: [TemplateStatement] = []
        while let next = token {
            position += 1
            switch next {
            case .text(let text): statements.append(.text(text))
            case .outputBegin:
                statements.append(.output(try tuple()))
                try expect(.outputEnd)
            default:
                let tag = try name()
                if ends.contains(tag) {
                    last = tag
                    return statements
                }
                try statement(tag, into: &statements)
            }
        }
        if let end = ends.sorted().last { throw TemplateFault("\(end) is missing") }
        return statements
    }

    /// The tag that ended the last block of statements.
    private var last = ""

    private mutating func statement(_ tag: String, into statements: inout [TemplateStatement]) throws {
        switch tag {
        case "if": statements.append(try branch())
        case "for": statements.append(.loop(try loop()))
        case "set": statements.append(try assignment())
        case "macro": statements.append(.macro(try macro()))
        case "break", "continue":
            statements.append(tag == "break" ? .endLoop : .nextRound)
            try expect(.tagEnd)
        case "generation":
            // `generation` marks the assistant's words for training, and has no effect here.
            try expect(.tagEnd)
            statements += try block(until: "endgeneration")
        case "filter":
            let name = try name()
            let arguments = try optionalArguments()
            try expect(.tagEnd)
            statements.append(.filtered(name: name, arguments, body: try block(until: "endfilter")))
        default: throw TemplateFault("it uses the tag “\(tag.prefix(40))”, which chat templates do without")
        }
    }

    private mutating func block(until end: String) throws -> [TemplateStatement] {
        let body = try statements(until: [end])
        try expect(.tagEnd)
        return body
    }

    private mutating func branch() throws -> TemplateStatement {
        var branches: [(condition: TemplateExpression, body: [TemplateStatement])] = []
        repeat {
            let condition = try expression()
            try expect(.tagEnd)
            branches.append((condition, try statements(until: ["elif", "else", "endif"])))
        } while last == "elif"
        let hasElse = last == "else"
        try expect(.tagEnd)
        return .branch(branches, otherwise: hasElse ? try block(until: "endif") : [])
    }

    private mutating func loop() throws -> TemplateLoop {
        let names = try names()
        try expect(.name("in"))
        let source = try tuple(withConditional: false)
        let condition = skip(.name("if")) ? try expression() : nil
        try expect(.tagEnd)
        let body = try statements(until: ["else", "endfor"])
        let hasElse = last == "else"
        try expect(.tagEnd)
        return TemplateLoop(
            names: names, source: source, condition: condition, body: body,
            otherwise: hasElse ? try block(until: "endfor") : [])
    }

    private mutating func names() throws -> [String] {
        let isBracketed = skip(.symbol("("))
        var names = [try name()]
        while skip(.symbol(",")) { names.append(try name()) }
        if isBracketed { try expect(.symbol(")")) }
        return names
    }

    private mutating func assignment() throws -> TemplateStatement {
        let names = try names()
        var target = TemplateTarget.names(names)
        if names.count == 1, skip(.symbol(".")) { target = .field(of: names[0], try name()) }
        if skip(.symbol("=")) {
            let value = try tuple()
            try expect(.tagEnd)
            return .set(target, value)
        }
        try expect(.tagEnd)
        return .capture(target, body: try block(until: "endset"))
    }

    private mutating func macro() throws -> TemplateMacro {
        let macroName = try name()
        try expect(.symbol("("))
        let parameters = try items(until: ")") { parser in
            (name: try parser.name(), standard: parser.skip(.symbol("=")) ? try parser.expression() : nil)
        }
        try expect(.tagEnd)
        return TemplateMacro(name: macroName, parameters: parameters, body: try block(until: "endmacro"))
    }

    // MARK: - Expressions

    /// One expression, or a list of several, separated by commas.
    private mutating func tuple(withConditional: Bool = true) throws -> TemplateExpression {
        let first = try expression(withConditional: withConditional)
        guard token == .symbol(",") else { return first }
        var items = [first]
        while skip(.symbol(",")) {
            switch token {
            case .symbol(")")?, .tagEnd?, .outputEnd?: return .list(items)
            default: items.append(try expression(withConditional: withConditional))
            }
        }
        return .list(items)
    }

    private mutating func expression(withConditional: Bool = true) throws -> TemplateExpression {
        let outside = nesting
        defer { nesting = outside }
        try enter()
        var value = try operation(above: 0)
        while withConditional, skip(.name("if")) {
            let condition = try operation(above: 0)
            value = .conditional(value, condition: condition, otherwise: skip(.name("else")) ? try expression() : nil)
            try enter()
        }
        return value
    }

    /// Operators by precedence, the lowest first. `not` and comparisons are between the second and the third.
    private static let levels: [[String]] = [["or"], ["and"], [], ["+", "-"], ["~"], ["*", "/", "//", "%"]]
    private static let comparisons: Set<String> = ["==", "!=", "<", ">", "<=", ">="]

    private mutating func operation(above level: Int) throws -> TemplateExpression {
        guard level < Self.levels.count else { return try unary() }
        guard !Self.levels[level].isEmpty else { return try comparison(level) }
        let first = try operation(above: level + 1)
        var rest: [(operation: String, operand: TemplateExpression)] = []
        while let word, Self.levels[level].contains(word) {
            position += 1
            rest.append((word, try operation(above: level + 1)))
        }
        return rest.isEmpty ? first : .chain(first, rest)
    }

    private mutating func comparison(_ level: Int) throws -> TemplateExpression {
        if skip(.name("not")) {
            try enter()
            defer { nesting -= 1 }
            return .not(try comparison(level))
        }
        let first = try operation(above: level + 1)
        var rest: [(operation: String, operand: TemplateExpression)] = []
        while let next = token {
            switch next {
            case .symbol(let symbol) where Self.comparisons.contains(symbol):
                position += 1
                rest.append((symbol, try operation(above: level + 1)))
            case .name("in"):
                position += 1
                rest.append(("in", try operation(above: level + 1)))
            case .name("not") where self.next == .name("in"):
                position += 2
                rest.append(("not in", try operation(above: level + 1)))
            default: return rest.isEmpty ? first : .comparison(first, rest)
            }
        }
        return rest.isEmpty ? first : .comparison(first, rest)
    }

    /// In Jinja a sign has a higher precedence than a filter: `-3 | abs` is 3.
    private mutating func unary(withFilters: Bool = true) throws -> TemplateExpression {
        let outside = nesting
        defer { nesting = outside }
        try enter()
        let value: TemplateExpression =
            skip(.symbol("-"))
            ? .negative(try unary(withFilters: false)) : try postfix(of: try primary())
        return withFilters ? try filters(of: value) : value
    }

    private mutating func primary() throws -> TemplateExpression {
        guard let next = token else { throw TemplateFault("an expression is missing at the end") }
        position += 1
        switch next {
        case .name(let name):
            switch name {
            case "true", "True": return .literal(.flag(true))
            case "false", "False": return .literal(.flag(false))
            case "none", "None": return .literal(.none)
            default: return .name(name)
            }
        case .string(var text):
            while case .string(let more)? = token {
                text += more
                position += 1
            }
            return .literal(.text(text))
        case .integer(let number): return .literal(.integer(number))
        case .real(let number): return .literal(.real(number))
        case .symbol("("):
            if skip(.symbol(")")) { return .list([]) }
            let value = try tuple()
            try expect(.symbol(")"))
            return value
        case .symbol("["):
            return .list(try items(until: "]") { parser in try parser.expression() })
        case .symbol("{"):
            return .dictionary(
                try items(until: "}") { parser in
                    let key = try parser.expression()
                    try parser.expect(.symbol(":"))
                    return (key, try parser.expression())
                })
        default:
            position -= 1
            throw TemplateFault("an expression is missing before \(shown)")
        }
    }

    private mutating func postfix(of value: TemplateExpression) throws -> TemplateExpression {
        var value = value
        while true {
            if skip(.symbol(".")) {
                if case .integer(let index)? = token {
                    position += 1
                    value = .item(value, .literal(.integer(index)))
                } else {
                    value = .attribute(value, try name())
                }
            } else if skip(.symbol("[")) {
                value = try subscripted(value)
            } else if token == .symbol("(") {
                value = .call(value, try arguments())
            } else {
                return value
            }
            try enter()
        }
    }

    private mutating func subscripted(_ value: TemplateExpression) throws -> TemplateExpression {
        var parts: [TemplateExpression?] = [nil]
        while !skip(.symbol("]")) {
            if skip(.symbol(":")) { parts.append(nil) } else { parts[parts.count - 1] = try expression() }
        }
        guard parts.count > 1 else {
            guard let index = parts[0] else { throw TemplateFault("an index is missing") }
            return .item(value, index)
        }
        guard parts.count <= 3 else { throw TemplateFault("a slice has too many parts") }
        return .slice(value, from: parts[0], to: parts[1], step: parts.count > 2 ? parts[2] : nil)
    }

    private mutating func filters(of value: TemplateExpression) throws -> TemplateExpression {
        var value = value
        while true {
            if skip(.symbol("|")) {
                let filter = try name()
                value = try postfix(of: .filter(value, filter, try optionalArguments()))
            } else if skip(.name("is")) {
                let isNegated = skip(.name("not"))
                let test = try name()
                let result = TemplateExpression.test(value, test, try testArguments())
                value = isNegated ? .not(result) : result
            } else {
                return value
            }
            try enter()
        }
    }

    /// `is divisibleby 3` needs no parentheses.
    private mutating func testArguments() throws -> TemplateArguments {
        switch token {
        case .symbol("(")?: return try arguments()
        case .name(let name)? where !["else", "or", "and", "if", "is", "in", "not"].contains(name): break
        case .string?, .integer?, .real?, .symbol("[")?, .symbol("{")?: break
        default: return TemplateArguments()
        }
        return TemplateArguments(values: [try postfix(of: try primary())])
    }

    private mutating func optionalArguments() throws -> TemplateArguments {
        token == .symbol("(") ? try arguments() : TemplateArguments()
    }

    private mutating func arguments() throws -> TemplateArguments {
        var arguments = TemplateArguments()
        try expect(.symbol("("))
        _ = try items(until: ")") { parser in
            if case .name(let name)? = parser.token, parser.next == .symbol("=") {
                parser.position += 2
                arguments.named.append((name, try parser.expression()))
            } else {
                arguments.values.append(try parser.expression())
            }
        }
        return arguments
    }

    /// Comma-separated items up to a bracket, perhaps with a trailing comma.
    private mutating func items<Item>(until end: String, _ item: (inout Self) throws -> Item) throws -> [Item] {
        var items: [Item] = []
        while !skip(.symbol(end)) {
            if !items.isEmpty { try expect(.symbol(",")) }
            if skip(.symbol(end)) { break }
            items.append(try item(&self))
        }
        return items
    }
}
