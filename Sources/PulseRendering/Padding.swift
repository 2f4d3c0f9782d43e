extension String {
    /// The text with spaces after it up to a number of columns.
    func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - DisplayWidth.of(self)))
    }
}
