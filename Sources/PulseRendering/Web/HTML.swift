import PulseText

/// Markup that is safe by construction: literals are markup, and interpolated values are escaped. No other
/// initialiser is visible, so untrusted text cannot become markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    let source: String

    init(stringLiteral literal: StaticString) { source = literal.description }

    init(stringInterpolation interpolation: StringInterpolation) { source = interpolation.source }

    private init(source: String) { self.source = source }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: StaticString) { source += literal.description }
        mutating func appendInterpolation(_ text: String) { source += PlainText.escaped(PlainText.printable(text)) }
        mutating func appendInterpolation(_ number: Int) { source += String(number) }
        mutating func appendInterpolation(_ html: HTML) { source += html.source }
        mutating func appendInterpolation(_ link: WebLink) { appendInterpolation(link.address) }
    }

    static func + (left: HTML, right: HTML) -> HTML { HTML(source: left.source + right.source) }
}

extension Sequence<HTML> {
    /// The concatenated pieces.
    func joined(_ separator: HTML = "") -> HTML {
        var all: HTML = ""
        var isFirst = true
        for piece in self {
            all = isFirst ? piece : all + separator + piece
            isFirst = false
        }
        return all
    }
}
