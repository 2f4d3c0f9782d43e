/// Takes out of a model's text what was never meant for a reader: its thoughts between `<think>` and `</think>`, and
/// everything from a mark of a chat template on, with which a model that has lost its way begins the next turn. A mark
/// may come in any number of pieces, and is one whatever combines with its last character: it is looked for by bytes.
struct MarkerFilter: Sendable {
    /// What begins and ends a stretch of thoughts; the second pair is GPT-OSS's (harmony).
    private static let thoughts = [
        ("<think>", "</think>"), ("<thinking>", "</thinking>"),
        ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    ]
    /// What stands before an answer without thoughts: GPT-OSS's again.
    private static let openings = ["<|channel|>final<|message|>"]
    /// The marks of the common families of templates.
    static let ends = [
        // ChatML, Qwen, Yi
        "<|im_end|>", "<|im_start|>", "<|endoftext|>",
        // Llama 3 and 4
        "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|end_of_text|>", "<|begin_of_text|>", "<|eom_id|>",
        "<|eot|>", "<|header_start|>", "<|header_end|>",
        // Llama 2, Mistral
        "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CALLS]",
        // Gemma
        "<end_of_turn>", "<start_of_turn>",
        // Phi, Zephyr, Falcon, GLM
        "<|end|>", "<|user|>", "<|assistant|>", "<|system|>", "<|observation|>",
        // DeepSeek
        "<｜end▁of▁sentence｜>", "<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>",
        // Command R
        "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|SYSTEM_TOKEN|>",
        // GPT-OSS
        "<|start|>", "<|message|>", "<|return|>", "<|call|>", "<|channel|>commentary",
        // Granite, EXAONE
        "<|start_of_role|>", "<|end_of_role|>", "[|assistant|]", "[|user|]", "[|endofturn|]",
    ]
    private static let marks = thoughts.map(\.0) + openings + ends

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
                guard let range = held.utf8.firstRange(of: end.utf8) else {
                    held = String(held[MarkerFilter.beginning(of: [end], in: held)...])
                    return text
                }
                held = String(held[range.upperBound...])
                awaited = nil
                continue
            }
            let found = MarkerFilter.marks.compactMap { mark in held.utf8.firstRange(of: mark.utf8).map { (mark, $0) } }
                .min { $0.1.lowerBound < $1.1.lowerBound }
            guard let (mark, range) = found else {
                let tail = MarkerFilter.beginning(of: MarkerFilter.marks, in: held)
                text += held[..<tail]
                held = String(held[tail...])
                return text
            }
            text += held[..<range.lowerBound]
            held = String(held[range.upperBound...])
            awaited = MarkerFilter.thoughts.first { $0.0 == mark }?.1
            if awaited == nil, !MarkerFilter.openings.contains(mark) {
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

    /// Where the longest end of a text begins that may become one of the marks; the text's end where none does.
    private static func beginning(of marks: [String], in text: String) -> String.Index {
        let bytes = text.utf8
        let longest = marks.map { mark in
            let most = min(mark.utf8.count - 1, bytes.count)
            return stride(from: most, to: 0, by: -1)
                .first { bytes.suffix($0).elementsEqual(mark.utf8.prefix($0)) } ?? 0
        }.max()
        return bytes.index(bytes.endIndex, offsetBy: -(longest ?? 0))
    }
}
