/// Where the sentences of a text begin and end.
public enum Sentences {
    public static func split(_ text: String) -> [String] {
        var out: [String] = []
        var cur = ""
        for word in text.split(separator: " ") {
            cur += cur.isEmpty ? String(word) : " " + word
            if word.hasSuffix(".") || word.hasSuffix("!") || word.hasSuffix("?") { out.append(cur); cur = "" }
        }
        if !cur.isEmpty { out.append(cur) }
        return out
    }
}
