/// Renders a template, which is untrusted: work, output and depth are limited, and it sees only the given values.
struct TemplateEvaluator {
    /// The work left. A byte read, compared or made costs 1, charged beforehand. Usual templates take a thousandth of
    /// it.
    private var budget = 4_000_000
    /// The cost of an expression, or of a list item, which takes 32 bytes.
    static let step = 4
    /// Scopes and namespaces cost more: they are kept to the end.
    private static let scopeCost = 40
    private var depth = 0
    private let clock: (String) -> String
    /// Values that may contain themselves. Emptied at the end, because reference cycles are never freed.
    private var namespaces: [TemplateNamespace] = []
    private var closures: [TemplateScope] = []

    /// The deepest nesting: see `TemplateParser`. A level takes some kilobytes of stack.
    private static let deepest = 200

    /// - Parameter clock: formats the current time by a strftime(3) format.
    static func render(
        _ statements: [TemplateStatement], with values: [String: TemplateValue], clock: @escaping (String) -> String
    ) throws -> String {
        var evaluator = TemplateEvaluator(clock: clock)
        defer {
            for namespace in evaluator.namespaces { namespace.fields = [:] }
            for scope in evaluator.closures { scope.values = [:] }
        }
        let scope = TemplateScope()
        scope.values = values
        var out = ""
        _ = try evaluator.run(statements, in: scope, into: &out)
        return out
    }

    private init(clock: @escaping (String) -> String) { self.clock = clock }

    mutating func spend(_ amount: Int) throws {
        budget -= amount
        guard budget >= 0 else { throw TemplateFault("it takes too many steps, or too much memory") }
    }

    mutating func spend(_ amount: Int, times count: Int) throws {
        let product = amount.multipliedReportingOverflow(by: count)
        try spend(product.overflow ? .max / 2 : product.partialValue)
    }

    /// Charges a new text's bytes, and returns it as a value.
    mutating func made(_ text: String) throws -> TemplateValue {
        try spend(text.utf8.count)
        return .text(text)
    }

    private mutating func newScope(in outer: TemplateScope) throws -> TemplateScope {
        try spend(Self.scopeCost)
        return TemplateScope(in: outer)
    }

    private mutating func newNamespace(_ fields: [String: TemplateValue]) throws -> TemplateNamespace {
        try spend(Self.scopeCost, times: 1 + fields.count)
        let namespace = TemplateNamespace(fields)
        namespaces.append(namespace)
        return namespace
    }

    mutating func enter() throws {
        depth += 1
        guard depth <= Self.deepest else { throw TemplateFault("it calls itself too deeply") }
    }

    mutating func leave() { depth -= 1 }

    // MARK: - Statements

    private enum Flow { case onward, endLoop, nextRound }

    private mutating func run(
        _ statements: [TemplateStatement], in scope: TemplateScope, into out: inout String
    ) throws -> Flow {
        try enter()
        defer { leave() }
        for statement in statements {
            try spend(Self.step)
            switch statement {
            case .text(let text): try write(text, to: &out)
            case .output(let expression): try write(try text(try value(expression, scope)), to: &out)
            case .branch(let branches, let otherwise):
                var body = otherwise
                for branch in branches where try value(branch.condition, scope).isTrue {
                    body = branch.body
                    break
                }
                let flow = try run(body, in: scope, into: &out)
                if flow != .onward { return flow }
            case .loop(let loop): try run(loop, in: scope, into: &out)
            case .set(let target, let expression): try set(target, to: try value(expression, scope), in: scope)
            case .capture(let target, let body):
                var text = ""
                let flow = try run(body, in: try newScope(in: scope), into: &text)
                try set(target, to: .text(text), in: scope)
                if flow != .onward { return flow }
            case .filtered(let name, let arguments, let body):
                var text = ""
                let flow = try run(body, in: try newScope(in: scope), into: &text)
                let result = try filter(.text(text), name, try call(arguments, scope))
                try write(try self.text(result), to: &out)
                if flow != .onward { return flow }
            case .macro(let macro):
                try spend(Self.scopeCost)
                closures.append(scope)
                scope.values[macro.name] = .macro(TemplateClosure(macro, in: scope))
            case .endLoop: return .endLoop
            case .nextRound: return .nextRound
            }
        }
        return .onward
    }

    private mutating func write(_ text: String, to out: inout String) throws {
        try spend(text.utf8.count)
        out += text
    }

    private mutating func run(_ loop: TemplateLoop, in scope: TemplateScope, into out: inout String) throws {
        var items = try items(of: try value(loop.source, scope))
        if let condition = loop.condition {
            items = try items.filter { item in
                let inner = try newScope(in: scope)
                try assign(item, to: loop.names, in: inner)
                return try value(condition, inner).isTrue
            }
        }
        guard !items.isEmpty else {
            _ = try run(loop.otherwise, in: scope, into: &out)
            return
        }
        let state = try newNamespace([:])
        defer { state.fields = [:] }
        for (index, item) in items.enumerated() {
            state.fields = [
                "index": .integer(index + 1), "index0": .integer(index), "first": .flag(index == 0),
                "last": .flag(index == items.count - 1), "length": .integer(items.count),
                "revindex": .integer(items.count - index), "revindex0": .integer(items.count - index - 1),
                "previtem": index > 0 ? items[index - 1] : .undefined("previtem"),
                "nextitem": index + 1 < items.count ? items[index + 1] : .undefined("nextitem"),
            ]
            let inner = try newScope(in: scope)
            inner.values["loop"] = .namespace(state)
            try assign(item, to: loop.names, in: inner)
            if try run(loop.body, in: inner, into: &out) == .endLoop { break }
        }
    }

    private mutating func set(_ target: TemplateTarget, to value: TemplateValue, in scope: TemplateScope) throws {
        switch target {
        case .names(let names): try assign(value, to: names, in: scope)
        case .field(let name, let field):
            guard case .namespace(let namespace)? = scope.value(of: name) else {
                throw TemplateFault("“\(name)” is no namespace")
            }
            namespace.fields[field] = value
        }
    }

    private mutating func assign(_ value: TemplateValue, to names: [String], in scope: TemplateScope) throws {
        guard names.count > 1 else {
            scope.values[names[0]] = value
            return
        }
        let items = try items(of: value)
        guard items.count == names.count else { throw TemplateFault("it takes a value apart that has other parts") }
        for (name, item) in zip(names, items) { scope.values[name] = item }
    }

    // MARK: - Expressions

    mutating func text(_ value: TemplateValue) throws -> String {
        if case .text(let text) = value { return text }
        // A text in a list is printed with escapes.
        try spend(value.extent.size, times: 2)
        return value.shown
    }

    mutating func items(of value: TemplateValue) throws -> [TemplateValue] {
        switch value {
        case .undefined: return []
        case .list(let list):
            try spend(list.items.count, times: Self.step)
            return list.items
        case .dictionary(let dictionary):
            try spend(dictionary.entries.count, times: Self.step)
            return dictionary.entries.map(\.key)
        case .text(let text):
            try spend(text.utf8.count, times: Self.step)
            return text.unicodeScalars.map { .text(String($0)) }
        default: throw TemplateFault("it goes through something that has no parts")
        }
    }

    private mutating func value(_ expression: TemplateExpression, _ scope: TemplateScope) throws -> TemplateValue {
        try spend(Self.step)
        try enter()
        defer { leave() }
        switch expression {
        case .literal(let value): return value
        case .name(let name):
            try spend(scope.depth)
            return scope.value(of: name) ?? (Self.functions.contains(name) ? .function(name) : .undefined(name))
        case .list(let items): return try .list(try values(items, scope))
        case .dictionary(let entries):
            let values = try entries.map { entry in
                (key: try value(entry.key, scope), value: try value(entry.value, scope))
            }
            for (key, _) in values { if case .text(let text) = key { try spend(text.utf8.count) } }
            return .dictionary(try TemplateDictionary(values))
        case .attribute(let object, let name): return try attribute(name, of: try value(object, scope))
        case .item(let object, let index): return try item(try value(index, scope), of: try value(object, scope))
        case .slice(let object, let from, let to, let step):
            let (from, to, step) = (try bound(from, scope), try bound(to, scope), try bound(step, scope) ?? 1)
            return try slice(try value(object, scope), from: from, to: to, by: step)
        case .call(let callee, let arguments): return try call(callee, arguments, scope)
        case .filter(let object, let name, let arguments):
            return try filter(try value(object, scope), name, try call(arguments, scope))
        case .test(let object, let name, let arguments):
            return .flag(try test(try value(object, scope), name, try call(arguments, scope).values.first))
        case .not(let operand): return .flag(try !value(operand, scope).isTrue)
        case .negative(let operand):
            switch try value(operand, scope) {
            case .integer(let number): return .integer(0 &- number)
            case .real(let number): return .real(-number)
            default: throw TemplateFault("it negates what is no number")
            }
        case .chain(let first, let rest):
            var left = try value(first, scope)
            for (operation, operand) in rest {
                switch operation {
                case "or": if !left.isTrue { left = try value(operand, scope) }
                case "and": if left.isTrue { left = try value(operand, scope) }
                default: left = try compute(left, operation, try value(operand, scope))
                }
            }
            return left
        case .comparison(let first, let rest):
            var left = try value(first, scope)
            for (operation, operand) in rest {
                let right = try value(operand, scope)
                guard try compare(left, operation, right) else { return .flag(false) }
                left = right
            }
            return .flag(true)
        case .conditional(let then, let condition, let otherwise):
            if try value(condition, scope).isTrue { return try value(then, scope) }
            return try otherwise.map { try value($0, scope) } ?? .undefined("if")
        }
    }

    private mutating func values(_ parts: [TemplateExpression], _ scope: TemplateScope) throws -> [TemplateValue] {
        try parts.map { part in try value(part, scope) }
    }

    private mutating func attribute(_ name: String, of object: TemplateValue) throws -> TemplateValue {
        switch object {
        case .namespace(let namespace): return namespace.fields[name] ?? .undefined(name)
        case .undefined(let object): throw TemplateFault("“\(object)” is not defined")
        default: return try item(.text(name), of: object)
        }
    }

    private mutating func item(_ index: TemplateValue, of object: TemplateValue) throws -> TemplateValue {
        switch object {
        case .dictionary(let dictionary): return try look(index, in: dictionary) ?? Self.missing(index)
        case .namespace:
            guard case .text(let name) = index else { return Self.missing(index) }
            try spend(name.utf8.count)
            return try attribute(name, of: object)
        case .list, .text:
            guard let number = index.whole else { return Self.missing(index) }
            let items = if case .list(let list) = object { list.items } else { try items(of: object) }
            let place = number < 0 ? items.count + number : number
            return items.indices.contains(place) ? items[place] : Self.missing(index)
        case .undefined(let name): throw TemplateFault("“\(name)” is not defined")
        default: return Self.missing(index)
        }
    }

    /// The value of a missing item. The name is for error messages.
    private static func missing(_ index: TemplateValue) -> TemplateValue {
        switch index {
        case .text(let name): .undefined(name)
        case .integer(let number): .undefined("\(number)")
        default: .undefined("an item")
        }
    }

    /// A key's value. Charges the key's bytes.
    mutating func look(_ key: TemplateValue, in dictionary: TemplateDictionary) throws -> TemplateValue? {
        if case .text(let text) = key { try spend(text.utf8.count) }
        try spend(Self.step)
        return dictionary[key]
    }

    /// The start, end or step of a slice; nil if it is left out.
    private mutating func bound(_ expression: TemplateExpression?, _ scope: TemplateScope) throws -> Int? {
        guard let expression else { return nil }
        let bound = try value(expression, scope)
        if case .none = bound { return nil }
        guard let number = bound.whole else { throw TemplateFault("it slices by what is no number") }
        return number
    }

    private mutating func slice(_ object: TemplateValue, from: Int?, to: Int?, by step: Int) throws -> TemplateValue {
        let items = try items(of: object)
        guard step != 0, step.magnitude < 1 << 32 else { throw TemplateFault("it slices by steps of \(step)") }
        // As in Python, indices outside are clamped to the ends, which are one lower for negative steps.
        let (low, high) = step > 0 ? (0, items.count) : (-1, items.count - 1)
        func place(_ number: Int?, otherwise: Int) -> Int {
            guard let number else { return otherwise }
            return min(max(number < 0 ? items.count + number : number, low), high)
        }
        let from = place(from, otherwise: step > 0 ? low : high)
        let to = place(to, otherwise: step > 0 ? high : low)
        let part = stride(from: from, to: to, by: step).map { items[$0] }
        if case .text = object { return try made(part.map(\.shown).joined()) }
        return try .list(part)
    }

    private mutating func compute(
        _ left: TemplateValue, _ operation: String, _ right: TemplateValue
    ) throws -> TemplateValue {
        switch (operation, left, right) {
        case ("~", _, _):
            let one = try text(left)
            return try made(one + (try text(right)))
        case ("+", .text(let one), .text(let two)): return try made(one + two)
        case ("+", .list(let one), .list(let two)):
            try spend(one.items.count + two.items.count, times: Self.step)
            return try .list(one.items + two.items)
        case ("*", .text(let text), .integer(let count)), ("*", .integer(let count), .text(let text)):
            try spend(1 + text.utf8.count, times: max(0, count))
            return .text(String(repeating: text, count: max(0, count)))
        default: break
        }
        guard operation != "/", let one = left.whole, let two = right.whole else {
            guard let one = left.number, let two = right.number else {
                throw TemplateFault("it computes “\(operation)” with what is not made for it")
            }
            switch operation {
            case "+": return .real(one + two)
            case "-": return .real(one - two)
            case "*": return .real(one * two)
            case "/" where two != 0: return .real(one / two)
            default: throw TemplateFault("it computes “\(operation)” with a fraction or zero")
            }
        }
        let result: (partialValue: Int, overflow: Bool)
        switch operation {
        case "+": result = one.addingReportingOverflow(two)
        case "-": result = one.subtractingReportingOverflow(two)
        case "*": result = one.multipliedReportingOverflow(by: two)
        default:
            // Rounded down, as in Python.
            let quotient = one.dividedReportingOverflow(by: two)
            let rest = two == 0 || quotient.overflow ? 0 : one % two
            let isRoundedUp = rest != 0 && (rest < 0) != (two < 0)
            result =
                operation == "//"
                ? (quotient.partialValue - (isRoundedUp ? 1 : 0), quotient.overflow)
                : (rest + (isRoundedUp ? two : 0), quotient.overflow)
        }
        guard !result.overflow else { throw TemplateFault("it computes a number that is too large") }
        return .integer(result.partialValue)
    }

    // MARK: - Calls

    struct Call {
        var values: [TemplateValue] = []
        var named: [String: TemplateValue] = [:]

        /// An argument by its position or its name.
        func value(_ place: Int, _ name: String) -> TemplateValue? {
            values.indices.contains(place) ? values[place] : named[name]
        }

        func text(_ place: Int, _ name: String) -> String? {
            if case .text(let text)? = value(place, name) { text } else { nil }
        }
    }

    private mutating func call(_ arguments: TemplateArguments, _ scope: TemplateScope) throws -> Call {
        var call = Call(values: try values(arguments.values, scope))
        for (name, expression) in arguments.named { call.named[name] = try value(expression, scope) }
        return call
    }

    private mutating func call(
        _ callee: TemplateExpression, _ arguments: TemplateArguments, _ scope: TemplateScope
    ) throws -> TemplateValue {
        if case .attribute(let object, let method) = callee {
            let receiver = try value(object, scope)
            if case .namespace(let namespace) = receiver, let value = namespace.fields[method] {
                return try run(value, try call(arguments, scope))
            }
            return try self.method(method, of: receiver, try call(arguments, scope))
        }
        return try run(try value(callee, scope), try call(arguments, scope))
    }

    private static let functions: Set<String> = ["namespace", "range", "strftime_now", "raise_exception"]

    private mutating func run(function name: String, _ call: Call) throws -> TemplateValue {
        switch name {
        case "namespace": return .namespace(try newNamespace(call.named))
        case "range":
            let bounds = call.values.compactMap(\.whole)
            let step = bounds.count > 2 ? bounds[2] : 1
            guard (1...3).contains(bounds.count), bounds.count == call.values.count,
                bounds.allSatisfy({ $0.magnitude < 1 << 32 }), step != 0
            else { throw TemplateFault("it asks for an impossible range") }
            let (from, to) = bounds.count > 1 ? (bounds[0], bounds[1]) : (0, bounds[0])
            var items: [TemplateValue] = []
            for number in stride(from: from, to: to, by: step) {
                try spend(Self.step)
                items.append(.integer(number))
            }
            return try .list(items)
        case "strftime_now":
            guard let format = call.text(0, "format"), format.utf8.count < 256 else {
                throw TemplateFault("it asks for the time without a format")
            }
            try spend(1000)
            return try made(clock(format))
        default: throw TemplateFault("it refuses: \(call.text(0, "message")?.prefix(200) ?? "")")
        }
    }

    private mutating func run(_ value: TemplateValue, _ call: Call) throws -> TemplateValue {
        if case .function(let name) = value { return try run(function: name, call) }
        if case .undefined(let name) = value { throw TemplateFault("“\(name)” is not defined") }
        guard case .macro(let closure) = value else { throw TemplateFault("it calls something that is no macro") }
        let macro = closure.macro
        try spend(macro.parameters.count, times: Self.step * (1 + call.named.count))
        guard call.values.count <= macro.parameters.count,
            call.named.keys.allSatisfy({ name in macro.parameters.contains { $0.name == name } })
        else { throw TemplateFault("the macro “\(macro.name)” gets what it does not take") }
        let scope = try newScope(in: closure.scope)
        for (index, parameter) in macro.parameters.enumerated() {
            if let value = call.value(index, parameter.name) {
                scope.values[parameter.name] = value
            } else if let standard = parameter.standard {
                scope.values[parameter.name] = try self.value(standard, scope)
            } else {
                scope.values[parameter.name] = .undefined(parameter.name)
            }
        }
        var out = ""
        _ = try run(macro.body, in: scope, into: &out)
        return .text(out)
    }
}
