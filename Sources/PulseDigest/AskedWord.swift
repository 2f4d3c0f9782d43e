import PulseText

/// A word of a question that says what it is about.
public struct AskedWord: Sendable, Hashable {
    /// As it was typed.
    public let text: String
    /// With its ending cut, as it is searched for.
    public let term: String
    /// Whether it is written like a name, or is a number.
    public let isName: Bool

    public var isNumber: Bool { text.first?.isNumber == true }

    /// What one asks with, besides the stop words of the languages.
    private static let asking = Set(
        """
        read reading happened happen happens happening news article articles report reports anything something everything \
        tell told know find found list show there's what's who's much many long
        li leu lido ler aconteceu acontecem noticia noticias artigo artigos algo alguma houve saiu diga sobre quanto quantos
        lei leido leer paso pasado articulo articulos hubo cuenta cuanto cuantos
        lu lire passe quelque chose actualites combien
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Each once, in their order.
    public static func all(in question: String) -> [AskedWord] {
        // In all capitals, names cannot be recognised.
        let hasNames = question.contains(where: \.isLowercase)
        var seen: Set<String> = []
        return question.split { !$0.isLetter && !$0.isNumber && !"'’-".contains($0) }.enumerated().compactMap {
            place, part in
            let word = part.lowercased().replacing("’", with: "'")
            guard !asking.contains(Words.folded(word)), let term = Terms.term(word), seen.insert(term).inserted else {
                return nil
            }
            let isCapital = hasNames && place > 0 && part.first?.isUppercase == true
            return AskedWord(text: String(part), term: term, isName: isCapital || part.contains(where: \.isNumber))
        }
    }
}
