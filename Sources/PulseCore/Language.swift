import Foundation
import PulseText
import Synchronization

/// A language that the program writes, with its phrases and word lists.
///
/// A new language is one more file in `Languages`, a line here, and prompts in `prompts/`.
public struct Language: Sendable {
    public static let english = Language("en", LanguageFile(PackageResources.en_txt))
    public static let portuguese = Language("pt", brazilian)
    public static let europeanPortuguese = Language(
        "pt-PT", sharingLexiconsOf: portuguese, LanguageFile(PackageResources.pt_PT_txt, over: brazilian))
    public static let spanish = Language("es", LanguageFile(PackageResources.es_txt))
    public static let french = Language("fr", LanguageFile(PackageResources.fr_txt))

    private static let brazilian = LanguageFile(PackageResources.pt_txt)

    public static let allCases = [english, portuguese, europeanPortuguese, spanish, french]

    /// The BCP 47 tag used in options, files and JSON: `pt`, `pt-PT`.
    public let rawValue: String
    private let lazyContents: LazyContents
    private var contents: Contents { lazyContents.value }

    /// The CLDR locale for dates and numbers: `pt_BR`.
    public var locale: String { contents.locale }
    /// The first day of a month, if it is not a plain number; CLDR lacks it: `1er`.
    package var firstOfMonth: String? { contents.firstOfMonth }
    /// Headings of the known categories; a category without one keeps its source's name.
    package var categories: [String: String] { contents.categories }
    /// Names of categories that say nothing about their articles: “news”.
    package var vagueCategories: [String] { contents.vagueCategories }
    package var phrases: Phrases { contents.phrases }
    package var leadLexicon: LeadLexicon { contents.leadLexicon }
    package var quotationLexicon: QuotationLexicon { contents.quotationLexicon }
    package var countLexicon: CountLexicon { contents.countLexicon }

    /// Read on first use, because most runs write one language.
    ///
    /// - Parameter other: A language whose word lists are the same.
    init(
        _ tag: String, sharingLexiconsOf other: Language? = nil,
        _ file: @autoclosure @escaping @Sendable () -> LanguageFile
    ) {
        rawValue = tag
        lazyContents = LazyContents { Contents(file(), sharingLexiconsOf: other) }
    }

    private final class Contents: Sendable {
        let locale: String
        let firstOfMonth: String?
        let categories: [String: String]
        let vagueCategories: [String]
        let phrases: Phrases
        let leadLexicon: LeadLexicon
        let quotationLexicon: QuotationLexicon
        let countLexicon: CountLexicon

        init(_ file: LanguageFile, sharingLexiconsOf other: Language?) {
            locale = file["language.locale"]
            firstOfMonth = file.values["language.firstOfMonth"]
            categories = file.section("categories")
            vagueCategories = file.phrases("vague")
            phrases = Phrases(file)
            leadLexicon = other?.leadLexicon ?? LeadLexicon(file)
            quotationLexicon = other?.quotationLexicon ?? QuotationLexicon(file)
            countLexicon = other?.countLexicon ?? CountLexicon(file)
        }
    }

    private final class LazyContents: Sendable {
        private let read: @Sendable () -> Contents
        private let contents = AtomicLazyReference<Contents>()

        init(_ read: @escaping @Sendable () -> Contents) { self.read = read }

        var value: Contents { contents.load() ?? contents.storeIfNil(read()) }
    }

    /// The ISO 639 code, without the region. Prompt files are named by it.
    public var code: String { String(rawValue.prefix { $0 != "-" }) }
}

extension Language: RawRepresentable, CaseIterable, Hashable, Codable, CustomStringConvertible {
    /// - Returns: nil if no language of `allCases` has the tag.
    public init?(rawValue: String) {
        guard let language = Language.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = language
    }

    public var description: String { rawValue }

    public static func == (left: Language, right: Language) -> Bool { left.rawValue == right.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The contents of a file of `Languages`: lists of words, and values by section and name.
struct LanguageFile {
    /// By section and name: `phrases.title`.
    private(set) var values: [String: String] = [:]
    private var lists: [String: EmbeddedLists.List] = [:]

    /// - Parameter base: The language of which this one is a variant. The file has only what differs.
    init(_ bytes: [UInt8], over base: LanguageFile? = nil) {
        if let base { self = base }
        for list in EmbeddedLists.read(bytes) {
            guard ["language", "categories", "phrases"].contains(list.name) else {
                lists[String(list.name)] = list
                continue
            }
            for line in list.lines {
                guard let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
                // Spaces stand around the sign.
                let (name, text) = (line[..<sign].dropLast(), line[sign...].dropFirst(2))
                values["\(list.name).\(name)"] = String(
                    text.utf8.contains(UInt8(ascii: "~")) ? text.replacing("~", with: "\u{a0}") : text)
            }
        }
    }

    subscript(name: String) -> String { values[name, default: ""] }

    /// A section's values by their names.
    func section(_ name: String) -> [String: String] {
        let prefix = name + "."
        return values.reduce(into: [:]) { section, value in
            if value.key.hasPrefix(prefix) { section[String(value.key.dropFirst(prefix.count))] = value.value }
        }
    }

    /// The words of a list, or of a value, in order.
    func list(_ name: String) -> [String] {
        (lists[name]?.lines ?? [self[name][...]]).flatMap(EmbeddedLists.words)
    }

    func words(_ name: String) -> Set<String> { Set(list(name)) }

    func phrases(_ name: String) -> [String] { lists[name].map(EmbeddedLists.phrases) ?? [] }
}

extension Language {
    /// The language of a POSIX environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty
    /// decides (POSIX.1-2017, 8.2). `pt_PT.UTF-8` is European Portuguese; an unknown region falls back on the language
    /// without a region.
    ///
    /// - Returns: nil if none is set, for `C` and `POSIX`, and for a language that the program does not write.
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
        let name = Words.folded(text)
        let meant =
            Language(tag: text)
            ?? Language.allCases.first { language in
                ["en", language.code].contains {
                    Locale(identifier: $0).localizedString(forLanguageCode: language.code).map(Words.folded) == name
                }
            }
        guard let meant else { return nil }
        let hasRegion = text.contains { "-_".contains($0) }
        self = if let local, !hasRegion, local.code == meant.rawValue { local } else { meant }
    }
}

/// The words by which an article's lead sentence is chosen and shortened. All in lower case.
///
/// The lists are in `Languages/*.txt`.
package struct LeadLexicon: Sendable {
    /// Pairs of quotation marks, opening and closing. In a whole sentence they are balanced.
    package var quotes: [String]
    /// Whether a space belongs before a semicolon.
    package var setsSemicolonsApart: Bool
    /// Elided words before an apostrophe: `l` of “l'article”.
    package var elisions: Set<String>
    /// Words without a meaning of their own. Articles in any language are compared with one list, so a word that means
    /// something in another of the program's languages must not be in it.
    package var stopWords: Set<String>
    /// Verbs, and endings that, in words of five letters or more, only verbs have. A sentence with a verb is no heading
    /// and no caption.
    package var verbs: Set<String>
    package var verbEndings: [String]
    /// Words that only occur beside a verb, even one not listed: “not”, “who”.
    package var besideVerbs: Set<String>
    /// A sentence that begins with one of these refers to an earlier sentence.
    package var pronouns: Set<String>
    /// These, too, refer to an earlier sentence.
    package var connectives: Set<String>
    /// A sentence that begins with one of these may be a lead, but does not replace the article's first sentence.
    package var definite: Set<String>
    /// Pronouns and connectives that refer back anywhere among a sentence's first words.
    package var early: Set<String>
    /// Beginnings that look like a pronoun but refer to nothing: “this week”, “it was”.
    package var harmless: [String]
    /// Words before the colon of a caption: “Photo: …”.
    package var captions: Set<String>
    /// Words in the label before a title that is not news: “Interview: …”.
    package var features: Set<String>
    /// Words for a day, which are wrong on any other day. Longer ones come before their prefixes.
    package var days: [String]
    /// Words after one of `days` that change its meaning: “yesterday evening”.
    package var daysGoOn: Set<String>
    /// Words before one of `days` that cannot stay without it: “on today”.
    package var prepositions: Set<String>
    /// Words that, after a comma, begin a final clause that a long sentence can lose.
    package var clauses: [String]
    /// Verbs of speaking, and the like.
    package var speaking: Set<String>

    init(_ file: LanguageFile) {
        quotes = file.list("language.quotes")
        setsSemicolonsApart = file["language.setsSemicolonsApart"] == "yes"
        elisions = file.words("elisions")
        stopWords = file.words("stopWords")
        verbs = file.words("verbs")
        verbEndings = file.list("verbEndings")
        besideVerbs = file.words("besideVerbs")
        pronouns = file.words("pronouns")
        connectives = file.words("connectives")
        definite = file.words("definite")
        early = file.words("early")
        harmless = file.phrases("harmless")
        captions = file.words("captions")
        features = file.words("features")
        days = file.phrases("days")
        daysGoOn = file.words("daysGoOn")
        prepositions = file.words("prepositions")
        clauses = file.list("clauses")
        speaking = file.words("speaking")
    }
}

/// The words by which a model's sentence is checked against the articles. All in the form of `Words.folded`.
package struct QuotationLexicon: Sendable {
    /// “the”, “a” and the like: a model may add or leave them out anywhere. All other words count.
    package var free: Set<String>
    /// Words that make a statement conditional or limit it: “if”, “but”, “except”.
    package var conditions: Set<String>
    /// Conjunctions in lists.
    package var listJoiners: Set<String>
    package var firstPerson, firstPersonSingular: Set<String>
    /// Verbs of speaking, and the like.
    package var speaking: Set<String>
    /// Words for the given text or the model's own answer.
    package var aboutText: Set<String>
    /// Words before a colon in a prompt.
    package var labels: Set<String>
    /// Phrases by which a text addresses an assistant: “ignore all previous”, “the user wants”.
    package var orders: [String]

    init(_ file: LanguageFile) {
        func folded(_ name: String) -> Set<String> { Set(file.list(name).map(Words.folded)) }
        free = folded("free")
        conditions = folded("conditions")
        listJoiners = folded("listJoiners")
        firstPersonSingular = folded("firstPersonSingular")
        firstPerson = firstPersonSingular.union(folded("firstPersonPlural"))
        speaking = folded("speaking")
        aboutText = folded("aboutText")
        labels = folded("labels")
        orders = file.phrases("orders").map(Words.folded)
    }
}

/// The words by which counts of one thing are recognised. All in lower case.
package struct CountLexicon: Sendable {
    /// Number words and their digits.
    package let numbers: [String: String]
    /// Words after a number word that make it part of a larger number: “sesenta y un”.
    package let compounds: Set<String>
    /// Words for casualties, by kind: dead, injured, missing, arrested and evacuated people have the same index in each
    /// language.
    package let casualties: [String: Int]
    /// Words before a lower bound, and before an approximate number.
    package let atLeast, about: [[String]]
    /// Words after a number that counts only some of a group: “two of them”, “three more”.
    package let partly: Set<String>
    /// Units, and nouns too general to compare: “hours”, “people”.
    package let uncounted: Set<String>

    init(_ file: LanguageFile) {
        numbers = Dictionary(
            file.list("numbers").map { entry in
                let sides = entry.split(separator: "=").map(String.init)
                return (sides[0], sides.last ?? "")
            }
        ) { first, _ in first }
        compounds = Set(file.list("compounds"))
        casualties = Dictionary(
            file.phrases("casualties").enumerated().flatMap { kind, words in
                words.split(separator: " ").map { (String($0), kind) }
            }
        ) { first, _ in first }
        func phrases(_ name: String) -> [[String]] {
            file.phrases(name).map { $0.split(separator: " ").map(String.init) }
        }
        (atLeast, about) = (phrases("atLeast"), phrases("about"))
        partly = file.words("partly")
        uncounted = file.words("uncounted")
    }
}
