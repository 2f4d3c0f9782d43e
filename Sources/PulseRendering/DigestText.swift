public import PulseCore
import PulseText

/// The digest as text, piece by piece in the order in which it is made, so that a reader can follow a model as it
/// writes. The pieces of a finished digest, put together, are the same text.
public struct DigestText: Sendable {
    private let style: TextStyle
    private let language: Language
    private let phrases: Phrases
    private var wrapper: LineWrapper
    /// The stories of the section that is being written, and the number of the first of them.
    private var stories: [Story] = []
    private var firstNumber = 1
    private var citations = Citations(stories: [], numberedFrom: 1)
    /// The text of the section so far, for knowing what belongs between two sentences.
    private var last = ""

    public init(style: TextStyle, language: Language) {
        self.style = style
        self.language = language
        self.phrases = Phrases(language)
        self.wrapper = LineWrapper(width: style.width)
    }

    /// The top: what this is, what was read, and on a terminal how much of each topic.
    public func heading(_ digest: DigestOverview) -> String {
        let opening = digest.opening(in: style.timeZone, language).map { style.aside($0) }
        let lines = style.heading(digest.title(in: style.timeZone, language)) + opening.joined()
        let chart = TopicChart.render(digest.topics, language: language, style: style)
        return chart.isEmpty ? lines : lines + "\n" + chart
    }

    /// The beginning of a section. Its stories are numbered on from those of the section before.
    ///
    /// - Parameter foreignLanguage: What it is told in where that is not the reader's language.
    public mutating func sectionHeading(
        _ category: Category, foreignLanguage: String? = nil, stories: [Story]
    ) -> String {
        firstNumber += self.stories.count
        self.stories = stories
        citations = Citations(stories: stories, numberedFrom: firstNumber)
        last = ""
        let title = phrases.sectionTitle(category, foreignLanguage: foreignLanguage)
        return "\n" + style.heading(title) + "\n"
    }

    /// The next sentence of the section, with the numbers of its stories.
    public mutating func sentence(_ sentence: Sentence) -> String {
        let text = PlainText.line(sentence.text)
        let marks = citations.marks(of: sentence)
        // Behind a number in brackets there is a space in any script.
        let gap = last.isEmpty ? "" : Sentence.gap(after: last)
        last = text + (marks.isEmpty ? "" : " " + marks)
        return wrapper.add(gap + last)
    }

    /// The end of the section's text, and the stories that it tells of, each with its sources.
    public mutating func sectionEnd(omitted: Int) -> String {
        let end = wrapper.finish()
        // What has begun has an end of its line, at least.
        var lines = (last.isEmpty ? style.aside(phrases.nothingWritten) : end) + "\n"
        let width = "\(firstNumber + stories.count - 1)".count + 2
        for (offset, story) in stories.enumerated() {
            let number = "[\(firstNumber + offset)]".padding(to: width, atFront: true)
            let source = story.lead.source.isEmpty ? "" : " — " + story.lead.source
            lines += line(number, story.lead, story.lead.title + source)
            for reading in story.others {
                let article = reading.article
                let also = phrases.also + " " + (article.source.isEmpty ? article.title : article.source)
                lines += line("".padding(to: width), article, also)
            }
        }
        if omitted > 0 {
            lines += "  " + style.dim(style.clip(phrases.more(omitted), indent: 2)) + "\n"
        }
        return lines
    }

    private func line(_ number: String, _ article: Article, _ text: String) -> String {
        let key = String(article.key.prefix(ArticleKey.shortLength))
        let front = "  \(number) \(key)"
        let title = style.clip(PlainText.line(text), indent: front.count + 2)
        return style.dim(front) + "  " + style.link(title, to: article.url, id: key) + "\n"
    }

    /// The bottom: who wrote, and what to know about it.
    public func closing(_ digest: Digest) -> String {
        // Every article above has its short name before it.
        "\n" + style.aside(DigestClosing(digest, showsNames: true).sentences.joined(separator: " "))
    }

    /// A finished digest, whole.
    public static func render(_ digest: Digest, style: TextStyle) -> String {
        var text = DigestText(style: style, language: digest.language)
        var lines = text.heading(DigestOverview(digest))
        for section in digest.sections {
            lines += text.sectionHeading(
                section.category, foreignLanguage: section.foreignLanguage, stories: section.stories)
            for sentence in section.sentences { lines += text.sentence(sentence) }
            lines += text.sectionEnd(omitted: section.omitted)
        }
        return lines + text.closing(digest)
    }
}
