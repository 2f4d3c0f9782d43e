import PulseCore

/// What the program says beside the digest to the person at the terminal, in the reader's language. Help, faults of the
/// command line and what is said to those who debug stay English: they are searched for, and quoted in reports.
struct Messages: Sendable {
    let loading: @Sendable (_ model: String) -> String
    let reading: @Sendable (_ tokens: Int, _ all: Int) -> String
    let storiesWritten: @Sendable (_ written: Int, _ stories: Int) -> String
    /// So many stories are told without the model; goes on with why.
    let toldWithout: @Sendable (_ stories: Int) -> String
    let modelUnused: String
    let nothingRead: String
    /// So many articles were read, and none is to be told of: not one in the categories asked for, or all are muted.
    let noneInCategories: @Sendable (_ articles: Int) -> String
    let allMuted: @Sendable (_ articles: Int) -> String
    let typeText: String
}

extension Messages {
    init(_ language: Language) {
        switch language {
        case .english: self = .english
        case .portuguese, .europeanPortuguese: self = .portuguese
        case .spanish: self = .spanish
        }
    }

    /// Why there is no digest.
    func emptiness(readings: Int, muted: Int) -> String {
        if readings == 0 { return nothingRead }
        return muted > 0 ? allMuted(muted) : noneInCategories(readings)
    }

    private static let english = Messages(
        loading: { "Loading \($0)…" },
        reading: { "Reading, \($0) of \($1) tokens" },
        storiesWritten: { "\($0) of \($1) stories written" },
        toldWithout: {
            $0 == 1
                ? "It is told in the publication's own words."
                : "\($0) stories are told in their publications' own words."
        },
        modelUnused:
            "No model is asked: --grounded strict tells everything in the publications' own words. To let it write: --grounded checked",
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
        typeText: "Type or paste the text, then press control-D on a line of its own.")

    private static let portuguese = Messages(
        loading: { "Carregando \($0)…" },
        reading: { "Lendo, \($0) de \($1) tokens" },
        storiesWritten: { "\($0) de \($1) notícias escritas" },
        toldWithout: {
            $0 == 1
                ? "Fica contada com as palavras da publicação."
                : "\($0) notícias ficam contadas com as palavras das publicações."
        },
        modelUnused:
            "Nenhum modelo é usado: --grounded strict conta tudo com as palavras das publicações. Para que ele escreva: --grounded checked",
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
        typeText: "Digite ou cole o texto e depois pressione Ctrl-D em uma linha vazia.")

    private static let spanish = Messages(
        loading: { "Cargando \($0)…" },
        reading: { "Leyendo, \($0) de \($1) tokens" },
        storiesWritten: { "\($0) de \($1) noticias escritas" },
        toldWithout: {
            $0 == 1
                ? "Se cuenta con las palabras de la publicación."
                : "\($0) noticias se cuentan con las palabras de sus publicaciones."
        },
        modelUnused:
            "No se usa ningún modelo: --grounded strict lo cuenta todo con las palabras de las publicaciones. Para que escriba: --grounded checked",
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
        typeText: "Escribe o pega el texto y luego pulsa Ctrl-D en una línea vacía.")
}
