/// The names of an article, in the forms that a name has.
extension Evidence {
    /// Whether two names stand together in it.
    func holds(name: String, before next: String) -> Bool {
        pairs.contains([name, next])
            || pairs.contains { Evidence.isForm($0[0], of: name) && Evidence.isForm($0[1], of: next) }
    }

    /// Whether one line has both names and tells of a family: a brother's last name is told once.
    func tellsOfFamily(_ name: String, _ next: String) -> Bool {
        lines.contains {
            $0.words.contains(name) && $0.words.contains(next) && !$0.words.isDisjoint(with: Evidence.family)
        }
    }

    private static let family: Set<String> = [
        "brother", "brothers", "sister", "sisters", "son", "sons", "daughter", "daughters", "wife", "husband", "father",
        "mother", "twin", "twins", "couple", "cousin", "siblings", "irmao", "irmaos", "irma", "irmas", "filho", "filha",
        "filhos", "mulher", "marido", "pai", "mae", "hermano", "hermana", "hermanos", "hijo", "hija", "hijos", "esposa",
        "esposo", "padre", "madre", "gemelos", "gemeos", "primo", "prima",
    ]

    private static func isForm(_ left: String, of right: String) -> Bool { left == right || isSameName(left, right) }

    /// Whether a name stands in it, in one of the forms that a name has.
    func holds(name: String) -> Bool {
        if words.contains(name) || initials.contains(name) { return true }
        return names[name.prefix(4), default: []].contains { Evidence.isSameName($0, name) }
    }

    /// Whether three or more words that follow one another in it begin with these letters, names or not: “cost of
    /// living” for “CoL”. Two letters would be found anywhere.
    func holds(acronym: String) -> Bool {
        guard acronym.count >= 3 else { return initials.contains { $0.hasSuffix(acronym) } }
        return initials.contains { $0.contains(acronym) } || lines.contains { $0.initials.contains(acronym) }
    }

    /// “Kestria” and “Kestrian”, “Rovers” and “Rover”: what is behind the common front are endings that make people,
    /// adjectives and plurals of names.
    static func isSameName(_ left: String, _ right: String) -> Bool {
        let common = zip(left, right).prefix { $0 == $1 }.count
        let tails = (String(left.dropFirst(common)), String(right.dropFirst(common)))
        // “Uzbek” and “Uzbekistan”, “Levant” and “Levantine”
        if common >= 5, tails.0.isEmpty && places.contains(tails.1) || tails.1.isEmpty && places.contains(tails.0) {
            return true
        }
        // “China” and “Chinese” have little in common but what is before the endings of people.
        let isPeople = peoples.contains(tails.0) || peoples.contains(tails.1)
        guard common >= 4, isPeople || common * 3 >= max(left.count, right.count) * 2 || common >= 6 else {
            return false
        }
        return endings.contains(tails.0) && endings.contains(tails.1)
    }

    private static let places: Set<String> = [
        "istan", "land", "ine", "ite", "ano", "ana", "anos", "anas", "eno", "ena", "enho", "enha", "ense", "enses",
    ]
    private static let peoples: Set<String> = ["ian", "ians", "ese", "ish", "ean", "eans", "an", "ans"]

    private static let endings: Set<String> = [
        "", "s", "es", "n", "ns", "an", "ans", "ian", "ians", "ia", "ish", "ese", "i", "ic", "er", "ers", "a", "o",
        "os", "as",
        "e", "y", "ean", "eans", "ano", "ana", "anos", "anas", "es", "esa", "esas", "eses", "ense", "enses", "al",
    ]
}
