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

    /// Those that turn round nearly any sentence they stand in.
    static let plainNegations: Set = ["not", "no", "never", "n't", "cannot", "nobody", "nothing", "without"]

    /// What says that something is not quite known.
    static let limits = words(
        """
        alleged allegedly reportedly suspected suspects apparently unconfirmed rumoured rumored
        """)

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

    /// The words of a sentence as they stand in these lists; “isn't” gives “n't” too.
    static func all(in text: String) -> Set<String> {
        var all = Set(Said.words(text).map { $0.lowercased() })
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
