import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChatMarkersTests {
    @Test(
        arguments: ChatMarkers.ends + ChatMarkers.thoughts.flatMap { [$0.0, $0.1] })
    func known(mark: String) {
        let cleaned = ChatMarkers.removed(from: "Before \(mark) after [1] < 2.")
        #expect(!cleaned.contains("<|") && !cleaned.contains(mark))
        #expect(cleaned.hasPrefix("Before ") && cleaned.hasSuffix(" after [1] < 2."))
    }

    @Test(
        arguments: ["<|begin_of_image|>", "<|IM_END|>", "[|tool|]", "<｜tool▁sep｜>"])
    func unknown(mark: String) { #expect(ChatMarkers.removed(from: "a\(mark)b") == "a b") }

    @Test(
        arguments: ["a < b", "[1]", "[link]", "<p>x</p>", "if (a<b || c>d)", "<| a |>", "<|", "[|"])
    func other(text: String) { #expect(ChatMarkers.removed(from: text) == text) }

    @Test func whatStandsAroundAMarkMakesNone() {
        #expect(ChatMarkers.removed(from: "<|im_<|im_end|>end|>") == "<|im_ end|>")
        let nested = String(repeating: "<|im_", count: 5000) + String(repeating: "end|>", count: 5000)
        #expect(!ChatMarkers.removed(from: nested).contains("<|im_end|>"))
    }
}
