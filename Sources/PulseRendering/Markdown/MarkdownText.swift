import PulseText

/// Text as it stands in CommonMark: whatever it holds, it comes out as itself.
enum MarkdownText {
    /// One line of text, to stand in a paragraph, in a heading, in a link or at the beginning of a list's item.
    ///
    /// Escaped is what begins markup anywhere, what begins a block at the beginning of one, and what other dialects make
    /// more of: tables, struck and marked words, formulas, comments, bare addresses.
    static func line(_ text: String) -> String {
        let scalars = Array(PlainText.line(text).unicodeScalars)
        var escaped = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if isMarkup(scalar, at: index, in: scalars) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    /// A link, where there is one; else its text alone.
    ///
    /// - Parameter text: Markdown.
    static func link(_ text: String, _ link: WebLink?) -> String {
        guard let link else { return text }
        // Between < and > an address may hold parentheses; it holds neither of these nor a space. Only with a semicolon
        // can an ampersand be more than itself.
        let address = link.address
        return "[\(text)](<\(address.contains(";") ? address.replacing("&", with: "\\&") : address)>)"
    }

    /// A stretch of code, as it is: fenced by more backticks than it has in a row (CommonMark 0.31, 6.1).
    static func code(_ text: String) -> String {
        let line = PlainText.line(text)
        let runs = line.split { $0 != "`" }.map(\.count)
        let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
        // One space on each side belongs to the fence, and is needed beside a backtick.
        let space = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + space + line + space + fence
    }

    private static func isMarkup(_ scalar: Unicode.Scalar, at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        switch scalar {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "$", "^", "@": return true
        case "&": return next == "#" || isLetter(next)
        case ":": return next == "/"
        case "-", "+": return index == 0
        case "=": return index == 0 || next == "="
        case "%": return next == "%"
        case ".", ")":
            let before = scalars[..<index]
            let isNumber = !before.isEmpty && before.allSatisfy { ("0"..."9").contains($0) }
            return isNumber || scalar == "." && isHostPrefix(before)
        default: return false
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isHostPrefix(_ before: ArraySlice<Unicode.Scalar>) -> Bool {
        before.suffix(3).count == 3 && before.suffix(3).allSatisfy { $0 == "w" || $0 == "W" }
    }
}
