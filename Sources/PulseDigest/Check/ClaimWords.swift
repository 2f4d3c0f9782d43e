/// What a rule can have against a sentence.
public enum ClaimRule: String, Sendable, CaseIterable {
    /// A number that no report has.
    case number
    /// A “not” more or less.
    case negation
    /// “Rose” for “fell”.
    case opposite
    /// A lost “alleged”.
    case limit
    /// A “may” or “reportedly” of its own.
    case doubt
    /// Somebody else says it.
    case speaker
}

/// English words that the check of a model's own words looks at.
enum ClaimWords {
    /// So frequent that their place says nothing.
    static let small = words(
        """
        a an the this that these those it its he she they his her their is are was were be been has have had will would
        of in on at by for with from to and or but as who which also not
        """)

    /// What turns a sentence round.
    static let negations = words(
        """
        not no never none nobody nothing neither nor without cannot deny denied denies refuse refused refuses fail
        failed fails unable lack lacked lacks reject rejected rejects n't
        """)

    /// Those that turn round what stands behind them.
    private static let plainNegations: Set = ["not", "no", "never", "cannot", "nobody", "nothing", "without"]

    /// The keys of the words that a “not” stands before: of “does not yet sell cars”, of “sell”.
    static func denied(in text: String) -> Set<String> {
        let words = Said.words(text.replacing("’", with: "'").replacing("n't", with: " not")).map { $0.lowercased() }
        let next = words.indices.filter { plainNegations.contains(words[$0]) }.compactMap { place in
            words[(place + 1)...].first { !small.contains($0) && !negations.contains($0) && !fillers.contains($0) }
        }
        return Set(next.map(Said.key))
    }

    private static let fillers: Set = ["yet", "any", "so", "be", "been", "being", "do", "does", "did", "can", "could"]

    /// What says that something is not quite known.
    static let limits = words(
        """
        alleged allegedly reportedly suspected suspects apparently unconfirmed rumoured rumored
        """)

    /// What says so of a claim.
    static let doubts = words(
        """
        may might could possibly probably likely perhaps appears appeared seems seemed suspected reportedly apparently
        allegedly
        """)

    /// What says so of a report in one way or another, or that something is still to come.
    static let open = doubts.union(
        words(
            """
            potentially thought believed can would will should if plan plans planned planning expect expects expected hope
            hopes hoped want wants propose proposes proposed considering intends aims
            """))

    /// What somebody does who is quoted.
    static let saying = words(
        """
        said says told tells claimed claims accused accuses insisted insists argued argues denied denies warned warns
        alleged alleges believes asked explained added
        """)

    /// Whether somebody is quoted in it.
    static func isSpeech(_ text: String) -> Bool {
        let words = all(in: text)
        return !words.isDisjoint(with: saying) || words.contains("according") || text.contains { "\"“”".contains($0) }
    }

    /// The keys of the names of those who say something: “Minister Anna Kouri said”, “according to Reuters”.
    static func speakers(in text: String) -> Set<String> {
        let words = Said.words(text)
        var speakers: Set<String> = []
        for (place, word) in words.enumerated() {
            var name: Substring?
            if saying.contains(word.lowercased()) {
                // Between the name and the verb stand three words at most.
                name = words[..<place].suffix(4).last { $0.first?.isUppercase == true }
            } else if word.lowercased() == "according", place + 2 < words.count, words[place + 1] == "to" {
                name = words[(place + 2)...].prefix { $0.first?.isUppercase == true }.last
            }
            if let name, !small.contains(name.lowercased()), name != "Some" { speakers.insert(Said.key(name)) }
        }
        return speakers
    }

    /// Words that say the opposite of one another, a side each: vectors of words hardly tell them apart.
    static let opposites: [(Set<String>, Set<String>)] = [
        (
            "rise rises rose risen rising climb climbed climbs up",
            "fall falls fell fallen falling drop dropped drops down"
        ),
        (
            "increase increased increases increasing grow grew grows grown",
            "decrease decreased decreases decline declined"
        ),
        ("higher more gain gains gained profit profits", "lower less fewer lose loses lost loss losses"),
        ("win wins won winning", "lose loses lost losing"), ("beat beats", "lost"),
        ("approve approved approves accept accepted accepts", "reject rejected rejects refuse refused refuses"),
        ("open opened opens reopen reopened", "close closed closes shut"),
        ("allow allowed allows permit permitted legal", "ban banned bans forbid forbidden prohibit prohibited illegal"),
        (
            "support supported supports back backed favour",
            "oppose opposed opposes against criticise criticised criticized"
        ),
        ("guilty convicted", "innocent acquitted cleared"), ("arrested detained jailed", "released freed"),
        ("filed", "dismissed withdrawn"),
        ("begin began begins start started starts", "end ended ends stop stopped stops"),
        ("before", "after"), ("buy bought buys", "sell sold sells"), ("first", "last"),
        ("arrive arrived", "leave left"),
        ("alive survived survive", "dead died killed"), ("north northern", "south southern"),
        ("east eastern", "west western"),
    ].map { (words($0.0), words($0.1)) }

    static let numbers: [String: String] = [
        "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
        "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
        "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30",
        "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    ]

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The words of a sentence as they stand in these lists; “isn't” gives “n't” too, and May is a month.
    static func all(in text: String) -> Set<String> {
        var all = Set(Said.words(text).filter { $0 != "May" }.map { $0.lowercased() })
        if text.replacing("’", with: "'").lowercased().contains("n't") { all.insert("n't") }
        return all
    }

    /// A number in one form, whether it is written in digits or as a word; nil for other words.
    static func number(_ word: some StringProtocol) -> String? {
        guard word.first?.isNumber == true else { return numbers[word.lowercased()] }
        let digits = String(word.filter { $0 != "," })
        return digits.hasSuffix(".") ? String(digits.dropLast()) : digits
    }
}
