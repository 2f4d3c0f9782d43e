import PulseCore
import PulseDigest
import Testing

/// What gets through, and what nothing lets through.
@Suite(.timeLimit(.minutes(20))) struct StoryCheckTests {
    private static let ferry = """
        A ferry with 212 people aboard ran aground off Naxos on Wednesday, the coastguard said. The Queen Maud, a \
        vessel of Strand Lines, was on its way to Port Illard when it struck a sandbank, 700 metres from \
        shore. Nobody was hurt.
        """

    @Test func aCopyIsQuoted() {
        #expect(verdict("Nobody was hurt.", on: Self.ferry) == .quoted(sources: ["1"]))
        #expect(verdict("  Nobody  was\nhurt. ", on: Self.ferry) == .quoted(sources: ["1"]))
        let quoting = "The mayor called it “a rumour” on Friday."
        #expect(verdict("The mayor called it \"a rumour\" on Friday.", on: quoting) == .quoted(sources: ["1"]))
    }

    @Test func aTitleIsNoSentence() {
        let title = "Ferry runs aground off Naxos"
        #expect(verdict(title, on: Self.ferry, title: title) == .refused(.title))
        #expect(verdict("A ferry runs aground off Naxos.", on: Self.ferry, title: title) == .refused(.title))
        // What the text says in the title's words is the title again.
        let text = "The ferry runs aground off Naxos, with 212 people aboard."
        #expect(verdict("A ferry runs aground off Naxos.", on: text, title: title) == .refused(.title))
        #expect(verdict("A ferry runs aground off Naxos.", on: text) == .supported(sources: ["1"], isVerbatim: false))
        // But a sentence of the text is one.
        #expect(verdict("Nobody was hurt.", on: Self.ferry, title: "Nobody was hurt") == .quoted(sources: ["1"]))
        #expect(verdict(title, on: "", title: title) == .refused(.title))
    }

    @Test func articlesMayDifferAndAnEndMayGo() {
        let told = "Queen Maud, a vessel of Strand Lines, was on its way to Port Illard when it struck a sandbank."
        #expect(verdict(told, on: Self.ferry) == .supported(sources: ["1"], isVerbatim: true))
        let text = "Three men were found on the beach, on Monday."
        #expect(verdict("three men were found on the beach.", on: text) == .supported(sources: ["1"], isVerbatim: true))
        let strike = "Crews began a strike on Monday after talks with the union, Unite"
        #expect(!isHeld(strike + ".", by: strike + ", collapsed."))
        #expect(isHeld(strike + ".", by: strike + ", based in Port Illard."))
        // Other function words are no quotation.
        for sentence in ["The three men were found on the beach.", "Three men were found at the beach."] {
            #expect(verdict(sentence, on: text) == .supported(sources: ["1"], isVerbatim: false))
        }
    }

    @Test func aDatelineMayGo() {
        let text = "UPPER ARREL (Northern Wire) - A meteorite fell through the roof of a greenhouse."
        #expect(isHeld("A meteorite fell through the roof of a greenhouse.", by: text))
        // What divides a dateline is more than its capitals.
        #expect(!isHeld("Watt fell through the roof.", by: "US Judge Watt fell through the roof."))
    }

    @Test func aSentenceHasOneSource() {
        // From two sentences, or from two reports.
        #expect(verdict("Queen Maud ran aground off Naxos on Wednesday.", on: Self.ferry) == .refused(.words))
        let reports = [
            Article(id: "a", title: "", content: "The dam of Tamsin was opened before dawn."),
            Article(id: "b", title: "", content: "Nobody was hurt at the Tamsin dam in the night."),
        ]
        #expect(QuotationCheck(reports).verdict(on: "The dam of Tamsin was opened in the night.") == .refused(.words))
    }

    @Test func everyReportThatSaysItIsASource() {
        let reports = [
            Article(id: "a", title: "", content: "Two gates of the dam were opened, on Friday."),
            Article(id: "b", title: "", content: "The lake is full. Two gates of a dam were opened, on Friday."),
            Article(id: "c", title: "", content: "Nobody was hurt."),
        ]
        let check = QuotationCheck(reports)
        #expect(
            check.verdict(on: "Two gates of the dam were opened.")
                == .supported(sources: ["a", "b"], isVerbatim: true))
        #expect(check.verdict(on: "Two gates of a dam were opened, on Friday.") == .quoted(sources: ["b"]))
        #expect(QuotationCheck([]).verdict(on: "Nobody was hurt.") == .refused(.words))
    }

    @Test func whoDoesWhatIsKept() {
        let text = "The court of Brevik fined the bank after the union sued it over unpaid wages."
        #expect(!isHeld("The bank fined the court of Brevik after the union sued it over unpaid wages.", by: text))
        #expect(!isHeld("The union fined the bank after the court of Brevik sued it over unpaid wages.", by: text))
        #expect(!isHeld("The court of Brevik dismissed the bank after the union sued it over unpaid wages.", by: text))
        #expect(!isHeld("The court of Brevik was fined by the bank.", by: text))
        #expect(!isHeld("The man who was rescued was arrested.", by: "The man who rescued them was arrested."))
    }

    @Test func causesAndTimesAreKept() {
        let text = "Shares fell on Monday before the minister resigned over the contract."
        #expect(!isHeld("Shares fell on Monday after the minister resigned over the contract.", by: text))
        #expect(!isHeld("Shares fell on Monday because the minister resigned over the contract.", by: text))
    }

    @Test(arguments: [
        ("The council did not approve the plan for homes.", "The council approved the plan for homes."),
        ("The council did approve the plan for homes.", "The council did not approve the plan for homes."),
        ("The council didn't approve the plan for homes.", "The council did approve the plan for homes."),
        ("The ministers will sign the plan.", "The ministers will not sign the plan."),
        ("The minister signed the plan in May.", "The minister never signed the plan in May."),
        ("The plan was signed without the ministers.", "The plan was signed with the ministers."),
    ])
    func aNegationIsNeitherAddedNorLost(sentence: String, text: String) { #expect(!isHeld(sentence, by: text)) }

    @Test func whatTakesPartOfItBackIsKept() {
        let all = "All the passengers were brought ashore unhurt, apart from a cook with a burn."
        #expect(!isHeld("All the passengers were brought ashore unhurt.", by: all))
        #expect(!isHeld("The bridge will open on Friday.", by: "The bridge will open on Friday, if it does not rain."))
        #expect(!isHeld("Fares will not rise before May.", by: "Fares will not rise before May, the company said."))
        #expect(!isHeld("The maker sold phones in Britain.", by: "The maker sold phones in Britain, Canada and Chile."))
        #expect(!isHeld("The law applies to 31 products.", by: "The law applies to 31 kinds of product."))
    }

    @Test func aPieceIsNoSentence() {
        #expect(verdict("The Queen Maud, a vessel of Strand Lines, was on its", on: Self.ferry) == .refused(.cut))
        #expect(verdict("Off Naxos on Wednesday.", on: Self.ferry) == .refused(.cut))
        #expect(verdict("", on: Self.ferry) == .refused(.words))
        #expect(verdict("…", on: Self.ferry) == .refused(.words))
    }
}
