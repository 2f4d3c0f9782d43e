import PulseCore
import PulseDigest

/// A story of one report, told as a test needs it.
func verdict(
    _ sentence: String, on text: String, title: String = "", source: String = "", language: String = "en"
) -> QuotationCheck.Verdict {
    QuotationCheck([Article(id: "1", title: title, content: text, source: source, language: language)])
        .verdict(on: sentence)
}

/// Whether one report that says the second lets the first through.
func isHeld(_ sentence: String, by text: String, language: String = "en") -> Bool {
    if case .refused = verdict(sentence, on: text, language: language) { return false }
    return true
}
