/// A number with its noun.
enum Counted {
    static func text(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
}
