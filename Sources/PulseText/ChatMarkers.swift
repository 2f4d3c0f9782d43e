/// The special tokens with which chat templates separate turns. They are removed from articles, where one could pass
/// for an instruction; and an answer ends where a model writes one.
public enum ChatMarkers {
    /// The tokens around a model's reasoning, as in the chat templates of families of models.
    public static let thoughts = [
        ("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"),
        ("<reasoning>", "</reasoning>"), ("<seed:think>", "</seed:think>"), ("<mm:think>", "</mm:think>"),
        ("<think:opensource>", "</think:opensource>"), ("[THINK]", "[/THINK]"),
        ("<|START_THINKING|>", "<|END_THINKING|>"), ("<|inner_prefix|>", "<|inner_suffix|>"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"), ("<|channel>thought", "<channel|>"),
        ("<|think|>", "<|content|>"), ("<|channel|>analysis", finalChannel),
    ]

    /// GPT-OSS writes to channels (harmony); only this one is the answer.
    public static let finalChannel = "<|channel|>final<|message|>"

    /// The tokens that end or begin a turn.
    public static let ends = EmbeddedLists.read(PackageResources.chat_markers_txt)[0].lines
        .flatMap { $0.split(separator: " ").map(String.init) }

    /// Anything in these brackets counts as a special token, whatever the model.
    private static let brackets = [("<|", "|>"), ("<｜", "｜>"), ("[|", "|]")].map {
        (Array($0.0.utf8), Array($0.1.utf8))
    }
    /// The tokens without such brackets.
    private static let others = (ends + thoughts.flatMap { [$0.0, $0.1] }).map { Array($0.utf8) }.filter { mark in
        !brackets.contains { mark.starts(with: $0.0) && mark.reversed().starts(with: $0.1.reversed()) }
    }
    /// The second and third byte of each of `others`.
    private static let starts = others.map { UInt16($0[1]) << 8 | UInt16($0[2]) }
    /// In bytes; no model has a longer token.
    private static let longest = 48

    /// The text with each token replaced by a space, so that the text around one cannot join into another.
    public static func removed(from text: String) -> String {
        let cleaned: [UInt8]? = text.withBytes { bytes in
            var cleaned: [UInt8] = []
            var start = 0
            for index in bytes.indices
            where bytes[index] == UInt8(ascii: "<") || bytes[index] == UInt8(ascii: "[") {
                guard index >= start, mayBegin(bytes, at: index), let end = end(ofMarkIn: bytes, at: index) else {
                    continue
                }
                cleaned.append(contentsOf: bytes[start..<index])
                cleaned.append(UInt8(ascii: " "))
                start = end
            }
            return start == 0 ? nil : cleaned + bytes[start...]
        }
        return cleaned.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Looks at two bytes, which rules out most HTML tags.
    private static func mayBegin(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard start + 2 < bytes.count else { return false }
        return switch bytes[start + 1] {
        case UInt8(ascii: "|"), 0xef: true
        case let second: starts.contains(UInt16(second) << 8 | UInt16(bytes[start + 2]))
        }
    }

    /// The index after the token that begins at `start`; nil where none does.
    private static func end(ofMarkIn bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let rest = bytes[start..<min(start + longest, bytes.count)]
        for (opening, closing) in brackets where rest.starts(with: opening) {
            // A token's name has no white space and no second bracket.
            var index = start + opening.count
            while index < rest.endIndex, rest[index] > 0x20, rest[index] != opening[0] {
                if rest[index...].starts(with: closing) { return index + closing.count }
                index += 1
            }
        }
        return others.first { rest.starts(with: $0) }.map { start + $0.count }
    }
}
