import PulseCore

extension Language {
    /// The language of the messages of a POSIX locale, as the environment names it: the first of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG` that is set and not empty decides (POSIX.1-2017, 8.2). `pt_BR.UTF-8` is Portuguese.
    ///
    /// - Returns: nil where none is set, for `C` and `POSIX`, and for a language the program does not write.
    init?(localeOf environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        guard let locale = names.first(where: { !$0.isEmpty }) else { return nil }
        // “pt_PT” and “pt_PT.UTF-8” are European; all others of Portuguese are told as Brazil writes it.
        if locale.lowercased().hasPrefix("pt_pt") {
            self = .europeanPortuguese
        } else {
            self.init(rawValue: locale.prefix { $0.isLetter }.lowercased())
        }
    }
}
