import PulseInference

/// What a model is given to read while it is measured. Each prompt begins with a number of its own, so that nothing of
/// it is in the model's memory already.
struct BenchmarkPrompts {
    private var number = 0

    /// Prompts that share their first message and nothing else.
    mutating func next(_ count: Int = 1) -> [[ChatMessage]] {
        number += 1
        return (1...count).map { part in
            [
                ChatMessage(role: .system, text: "Measurement \(number). \(BenchmarkPrompts.rules)"),
                ChatMessage(role: .user, text: "Part \(part) of \(count).\n\n\(BenchmarkPrompts.news)"),
            ]
        }
    }

    /// A prompt whose best answer is its own text.
    mutating func copying() -> [ChatMessage] {
        number += 1
        return [
            ChatMessage(
                role: .system, text: "Measurement \(number). Repeat the user's text word for word, and add nothing."),
            ChatMessage(role: .user, text: BenchmarkPrompts.news),
        ]
    }

    private static let rules = """
        You write one paragraph of a reader's daily news digest. You are given the articles that the reader read. In \
        two or three sentences, say what they report, the most important first. Use only facts, names and numbers that \
        stand in the articles. Write plain sentences: no heading, no list, no introduction, no opinion.
        """

    private static let news = """
        The harbour of Port Merrow will be closed for eleven days in March while its gates are changed, the port \
        authority said. The gates were made in 1931 and have been repaired nineteen times since; the new ones weigh \
        forty tonnes each and are already on their way. Fishing boats may use the old basin, and the ferry will sail \
        from Harnby, where a second landing stage has been built.

        The council of Stenbridge has voted by nine to four to keep the market in the square. Traders had asked for a \
        roof, and will have one by the summer if the cost stays below 300,000 crowns. The buses will stop at the \
        station instead, a walk of four minutes.
        """
}
