import PulseText

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        let start = unicodeScalars.firstIndex { !$0.properties.isWhitespace } ?? endIndex
        let end = unicodeScalars.lastIndex { !$0.properties.isWhitespace }.map(unicodeScalars.index(after:)) ?? start
        return String(unicodeScalars[start..<end])
    }

    /// Nil where there is nothing.
    var nonEmpty: String? { isEmpty ? nil : self }
}

extension Unicode.Scalar {
    /// True for characters that no id, link or name may carry: see `PlainText.isUnsafe`.
    var isUnsafe: Bool { PlainText.isUnsafe(self) }
}
