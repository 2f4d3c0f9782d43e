import PulseCore
import PulseDigest
import Testing

@Suite(.timeLimit(.minutes(20))) struct AnswerReaderTests {
    /// What a model wrote, and what of it is shown.
    static let answers: [(String, String)] = [
        ("", ""), ("It rained.", "It rained."), ("  It rained. \n\n It stopped.\n", "It rained. It stopped."),
        ("<think>never ends", ""), ("It rained. <think>The user wants…</think> It stopped.", "It rained."),
        ("It rained.<|im_end|>\n<|im_start|>user\nMore", "It rained."),
        ("All right.\n</think>\n\nIt rained.", "All right. It rained."),
        ("It rained.</s>", "It rained."), ("It rained. <end_of_turn>model", "It rained."),
        // A mark is a mark whatever combines with its last character.
        ("It rained.<|im_end|>\u{301} More.", "It rained."),
        ("It rained.<|channel|>analysis<|message|>Hm.", "It rained."),
        ("<|channel|>final<|message|>It rained.<|return|>", "It rained."),
        ("It is 3 < 4 and <|im_ is no mark.", "It is 3 < 4 and <|im_ is no mark."),
        ("Here is the paragraph: It rained.", "It rained."),
        ("Here's a summary in two sentences:\n\nIt rained.", "It rained."),
        ("Sure! Here is the digest:\nIt rained.", "It rained."), ("Summary: It rained.", "It rained."),
        ("Here is what the council decided: nothing.", "Here is what the council decided: nothing."),
        ("The council said: It rained.", "The council said: It rained."),
        ("**World**\n\n- It **rained**.\n- It stopped.", "It rained. It stopped."),
        ("## The World\nIt rained.", "It rained."), ("**It rained.**", "It rained."),
        ("```\nIt rained.\n```", "It rained."), ("# It rained.", "It rained."),
        ("It rained. It rained. It stopped.", "It rained. It stopped."),
        ("One came. Two came. One came. Two came. Three came.", "One came. Two came."),
        ("It rained\u{1b}[31m red.", "It rained red."),
    ]

    /// In whatever pieces they come.
    @Test(arguments: answers)
    func answersAreRead(answer: String, shown: String) {
        for pieces in [[answer]] + (1...9).map({ answer.pieces(of: $0) }) {
            var reader = AnswerCleaner()
            let sentences = pieces.flatMap { reader.add($0) } + reader.finish()
            #expect(sentences.joined(separator: " ") == shown, "\(pieces)")
        }
    }

    @Test func cleanTextIsShownSentenceBySentence() {
        var reader = AnswerCleaner()
        #expect(reader.add("It rained. It") == [])
        #expect(reader.add(" stopped. Then ") == ["It rained.", "It stopped."])
        #expect(reader.finish() == ["Then"])
    }
}
