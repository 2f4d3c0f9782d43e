import Foundation

extension Language {
    /// The language of a POSIX environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty
    /// decides (POSIX.1-2017, 8.2). `pt_PT.UTF-8` is European Portuguese; an unknown region falls back on the language
    /// without a region.
    ///
    /// - Returns: nil where none is set, for `C` and `POSIX`, and for a language that the program does not write.
    package init?(localeOf environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        guard let locale = names.first(where: { !$0.isEmpty }) else { return nil }
        self.init(tag: locale)
    }

    /// A BCP 47 tag, or a POSIX locale with its encoding.
    private init?(tag text: String) {
        let tag = text.prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }.replacing("_", with: "-").lowercased()
        let code = tag.prefix { $0 != "-" }
        let found =
            Language.allCases.first { $0.rawValue.lowercased() == tag }
            ?? Language.allCases.first { $0.rawValue == code }
        guard let found else { return nil }
        self = found
    }

    /// A language as users write it: `pt-PT`, `en_GB.UTF-8`, `English`, `português`.
    ///
    /// - Parameter local: The variant to use for a language that is named without its region.
    package init?(named text: String, local: Language?) {
        func folded(_ text: String?) -> String? {
            text?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let name = folded(text)
        let meant =
            Language(tag: text)
            ?? Language.allCases.first { language in
                ["en", language.code].contains {
                    folded(Locale(identifier: $0).localizedString(forLanguageCode: language.code)) == name
                }
            }
        guard let meant else { return nil }
        let hasRegion = text.contains { "-_".contains($0) }
        self = if let local, !hasRegion, local.code == meant.rawValue { local } else { meant }
    }
}
