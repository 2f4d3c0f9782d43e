/// Takes out of a model's text what was never meant for a reader: its thoughts between `<think>` and `</think>`, and
/// everything from a mark of a chat template on, with which a model that has lost its way begins the next turn. A mark
/// may come in any number of pieces.
struct MarkerFilter: Sendable {
    /// What begins and ends a stretch of thoughts.
    private static let thoughts = [("<think>", "</think>"), ("<thinking>", "</thinking>")]
    /// The marks of the common families of templates: ChatML, Llama 3 and 2, Gemma, Phi, Mistral.
    private static let ends = [
        "<|im_end|>", "<|im_start|>", "<|eot_id|>", "<|start_header_id|>", "<|end_of_text|>", "<|endoftext|>",
        "<|end|>",
        "<|user|>", "<|assistant|>", "<end_of_turn>", "<start_of_turn>", "</s>", "[INST]", "[/INST]", "<<SYS>>",
    ]
    private static let marks = thoughts.map(\.0) + ends

    private var held = ""
    /// The mark that ends the thoughts that are being read.
    private var awaited: String?
    private(set) var isEnded = false

    /// What can be passed on now that this has come.
    mutating func add(_ piece: String) -> String {
        guard !isEnded else { return "" }
        held += piece
        var text = ""
        while true {
            if let end = awaited {
                guard let range = held.firstRange(of: end) else {
                    held = MarkerFilter.beginning(of: [end], in: held)
                    return text
                }
                held = String(held[range.upperBound...])
                awaited = nil
                continue
            }
            let found = MarkerFilter.marks.compactMap { mark in held.firstRange(of: mark).map { (mark, $0) } }
                .min { $0.1.lowerBound < $1.1.lowerBound }
            guard let (mark, range) = found else {
                let tail = MarkerFilter.beginning(of: MarkerFilter.marks, in: held)
                text += held.dropLast(tail.count)
                held = tail
                return text
            }
            text += held[..<range.lowerBound]
            held = String(held[range.upperBound...])
            awaited = MarkerFilter.thoughts.first { $0.0 == mark }?.1
            if awaited == nil {
                isEnded = true
                return text
            }
        }
    }

    /// What was held back because it might have become a mark.
    mutating func finish() -> String {
        defer { held = "" }
        return awaited == nil && !isEnded ? held : ""
    }

    /// The longest end of a text that begins one of the marks.
    private static func beginning(of marks: [String], in text: String) -> String {
        var longest = ""
        for mark in marks {
            for length in stride(from: min(mark.count - 1, text.count), to: longest.count, by: -1)
            where text.hasSuffix(mark.prefix(length)) {
                longest = String(mark.prefix(length))
                break
            }
        }
        return longest
    }
}
