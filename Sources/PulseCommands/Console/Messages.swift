import PulseCore

/// What the program says beside the digest to the person at the terminal, in the reader's language. Help, faults of the
/// command line and what is said to those who debug stay English: they are searched for, and quoted in reports.
struct Messages: Sendable {
    let loading: @Sendable (_ model: String) -> String
    let reading: @Sendable (_ tokens: Int, _ all: Int) -> String
    /// The same, of the section of this number.
    let readingSection:
        @Sendable (_ category: String, _ number: Int, _ sections: Int, _ tokens: Int, _ all: Int) -> String
    let nothingRead: String
    /// So many articles were read, and none is to be told of: not one in the categories asked for, or all are muted.
    let noneInCategories: @Sendable (_ articles: Int) -> String
    let allMuted: @Sendable (_ articles: Int) -> String
    /// Categories that found no place in a context of so many tokens.
    let tooSmall: @Sendable (_ tokens: Int, _ categories: String) -> String
    /// The same, of the part of this number of an article that is long.
    let readingPart: @Sendable (_ number: Int, _ parts: Int, _ tokens: Int, _ all: Int) -> String
    let partsWritten: @Sendable (_ written: Int, _ parts: Int) -> String
    /// The same, of the article of this number among those that are read whole.
    let readingArticle: @Sendable (_ number: Int, _ articles: Int, _ tokens: Int, _ all: Int) -> String
    let articlesRead: @Sendable (_ read: Int, _ articles: Int) -> String
    /// So many sections of all are written.
    let sectionsWritten: @Sendable (_ written: Int, _ sections: Int) -> String
    /// Why it came so quickly: the moment it was written at.
    let nothingChanged: @Sendable (_ moment: String) -> String
    let typeText: String

    init(_ language: Language) {
        switch language {
        case .english: self = .english
        case .portuguese: self = .portuguese
        case .spanish: self = .spanish
        }
    }

    /// Why there is no digest.
    func emptiness(readings: Int, muted: Int) -> String {
        if readings == 0 { return nothingRead }
        return muted > 0 ? allMuted(muted) : noneInCategories(readings)
    }

    private init(
        loading: @escaping @Sendable (String) -> String, reading: @escaping @Sendable (Int, Int) -> String,
        readingSection: @escaping @Sendable (String, Int, Int, Int, Int) -> String, nothingRead: String,
        noneInCategories: @escaping @Sendable (Int) -> String, allMuted: @escaping @Sendable (Int) -> String,
        tooSmall: @escaping @Sendable (Int, String) -> String,
        readingPart: @escaping @Sendable (Int, Int, Int, Int) -> String,
        partsWritten: @escaping @Sendable (Int, Int) -> String,
        readingArticle: @escaping @Sendable (Int, Int, Int, Int) -> String,
        articlesRead: @escaping @Sendable (Int, Int) -> String,
        sectionsWritten: @escaping @Sendable (Int, Int) -> String,
        nothingChanged: @escaping @Sendable (String) -> String, typeText: String
    ) {
        self.loading = loading
        self.reading = reading
        self.readingSection = readingSection
        self.nothingRead = nothingRead
        self.noneInCategories = noneInCategories
        self.allMuted = allMuted
        self.tooSmall = tooSmall
        self.readingPart = readingPart
        self.partsWritten = partsWritten
        self.readingArticle = readingArticle
        self.articlesRead = articlesRead
        self.sectionsWritten = sectionsWritten
        self.nothingChanged = nothingChanged
        self.typeText = typeText
    }

    private static let english = Messages(
        loading: { "Loading \($0)…" },
        reading: { "Reading, \($0) of \($1) tokens" },
        readingSection: { "\($0) (\($1) of \($2)): reading, \($3) of \($4) tokens" },
        nothingRead:
            "Nothing was read in that time. For a longer one: --hours N. For what there is: pulse-digest history stats",
        noneInCategories: {
            $0 == 1
                ? "The article read in that time is not in the categories asked for."
                : "Of the \($0) articles read in that time, none is in the categories asked for."
        },
        allMuted: {
            $0 == 1
                ? "The article read in that time is muted. To hear of it: --mute \"\" --mute-source \"\""
                : "All \($0) articles read in that time are muted. To hear of them: --mute \"\" --mute-source \"\""
        },
        tooSmall: { "Left out, because a context of \($0) tokens is too small: \($1)." },
        readingPart: { "Part \($0) of \($1): reading, \($2) of \($3) tokens" },
        partsWritten: { "\($0) of \($1) parts are summarised" },
        readingArticle: { "Article \($0) of \($1): reading, \($2) of \($3) tokens" },
        articlesRead: { "\($0) of \($1) long articles are read" },
        sectionsWritten: { "\($0) of \($1) sections written" },
        nothingChanged: { "Nothing has changed since this was written, \($0). To write it anew: --fresh" },
        typeText: "Type or paste the text, then press control-D on a line of its own.")

    private static let portuguese = Messages(
        loading: { "Carregando \($0)…" },
        reading: { "Lendo, \($0) de \($1) tokens" },
        readingSection: { "\($0) (\($1) de \($2)): lendo, \($3) de \($4) tokens" },
        nothingRead:
            "Nada foi lido nesse período. Para um período maior: --hours N. Para ver o que há: pulse-digest history stats",
        noneInCategories: {
            $0 == 1
                ? "O artigo lido nesse período não está nas categorias pedidas."
                : "Dos \($0) artigos lidos nesse período, nenhum está nas categorias pedidas."
        },
        allMuted: {
            $0 == 1
                ? "O artigo lido nesse período está silenciado. Para vê-lo: --mute \"\" --mute-source \"\""
                : "Os \($0) artigos lidos nesse período estão silenciados. Para vê-los: --mute \"\" --mute-source \"\""
        },
        tooSmall: { "Ficaram de fora, porque um contexto de \($0) tokens é pequeno demais: \($1)." },
        readingPart: { "Parte \($0) de \($1): lendo, \($2) de \($3) tokens" },
        partsWritten: { "\($0) de \($1) partes resumidas" },
        readingArticle: { "Artigo \($0) de \($1): lendo, \($2) de \($3) tokens" },
        articlesRead: { "\($0) de \($1) artigos longos lidos" },
        sectionsWritten: { "\($0) de \($1) seções escritas" },
        nothingChanged: { "Nada mudou desde que isto foi escrito, em \($0). Para escrever de novo: --fresh" },
        typeText: "Digite ou cole o texto e depois pressione Ctrl-D em uma linha vazia.")

    private static let spanish = Messages(
        loading: { "Cargando \($0)…" },
        reading: { "Leyendo, \($0) de \($1) tokens" },
        readingSection: { "\($0) (\($1) de \($2)): leyendo, \($3) de \($4) tokens" },
        nothingRead:
            "No se leyó nada en ese período. Para uno más largo: --hours N. Para ver lo que hay: pulse-digest history stats",
        noneInCategories: {
            $0 == 1
                ? "El artículo leído en ese período no está en las categorías pedidas."
                : "De los \($0) artículos leídos en ese período, ninguno está en las categorías pedidas."
        },
        allMuted: {
            $0 == 1
                ? "El artículo leído en ese período está silenciado. Para verlo: --mute \"\" --mute-source \"\""
                : "Los \($0) artículos leídos en ese período están silenciados. Para verlos: --mute \"\" --mute-source \"\""
        },
        tooSmall: { "Quedó fuera, porque un contexto de \($0) tokens es demasiado pequeño: \($1)." },
        readingPart: { "Parte \($0) de \($1): leyendo, \($2) de \($3) tokens" },
        partsWritten: { "\($0) de \($1) partes resumidas" },
        readingArticle: { "Artículo \($0) de \($1): leyendo, \($2) de \($3) tokens" },
        articlesRead: { "\($0) de \($1) artículos largos leídos" },
        sectionsWritten: { "\($0) de \($1) secciones escritas" },
        nothingChanged: { "Nada ha cambiado desde que se escribió esto, el \($0). Para escribirlo de nuevo: --fresh" },
        typeText: "Escribe o pega el texto y luego pulsa Ctrl-D en una línea vacía.")
}
