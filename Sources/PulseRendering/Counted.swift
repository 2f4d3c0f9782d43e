/// A number with its noun.
public enum Counted {
    public static func text(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
