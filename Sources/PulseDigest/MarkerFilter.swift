import PulseText

/// Takes out of a model's text what was never meant for a reader: its thoughts between `<think>` and `</think>`, and
/// everything from a mark of a chat template on, with which a model that has lost its way begins the next turn. A mark
/// may come in any number of pieces, and is one whatever combines with its last character: it is looked for by bytes.
struct MarkerFilter: Sendable {
    /// What stands before an answer without thoughts: GPT-OSS's again.
    private static let openings = ["<|channel|>final<|message|>"]
    private static let marks = ChatMarkers.thoughts.map(\.0) + openings + ChatMarkers.ends

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
            awaited = ChatMarkers.thoughts.first { $0.0 == mark }?.1
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
