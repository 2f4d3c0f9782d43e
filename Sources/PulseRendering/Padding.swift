extension String {
    /// The text with spaces after it, or before it as figures have them, up to a number of columns.
    func padding(to columns: Int, atFront: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - DisplayWidth.of(self)))
        return atFront ? spaces + self : self + spaces
    }
}
