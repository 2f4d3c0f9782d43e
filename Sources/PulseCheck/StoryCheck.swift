public import PulseCore

/// Stands in until the check is merged.
public struct StoryCheck: Sendable {
    public enum Refusal: String, Sendable, CaseIterable { case echo, about, quotation, number, day, name, words }
    public enum Verdict: Sendable, Hashable {
        case quoted(sources: [String])
        case supported(sources: [String])
        case refused(Refusal)
    }
    private let ids: [String]
    public init(_ reports: [Article]) { ids = reports.map(\.id) }
    public func verdict(on sentence: String) -> Verdict { .supported(sources: ids) }
}
