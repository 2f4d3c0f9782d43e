extension Category {
    /// The name as a heading. Pulse's own are told in the reader's language; any other is its source's word for it, with
    /// its first letter in upper case.
    public func title(in language: Language) -> String {
        switch language {
        case .english: title
        case .portuguese: Category.portuguese[name] ?? title
        case .europeanPortuguese: Category.european[name] ?? Category.portuguese[name] ?? title
        case .spanish: Category.spanish[name] ?? title
        }
    }

    private static let portuguese = [
        "world": "Mundo", "politics": "Política", "business": "Economia", "technology": "Tecnologia",
        "science": "Ciência", "health": "Saúde", "sports": "Esportes", "entertainment": "Entretenimento",
        "general": "Geral",
    ]

    private static let european = ["sports": "Desporto"]

    private static let spanish = [
        "world": "Mundo", "politics": "Política", "business": "Economía", "technology": "Tecnología",
        "science": "Ciencia", "health": "Salud", "sports": "Deportes", "entertainment": "Entretenimiento",
        "general": "General",
    ]
}
