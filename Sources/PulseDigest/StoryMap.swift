import Foundation
public import PulseCore
import PulseText

/// The trained numbers by which reports are compared (`make train-stories`): a linear map that takes out of the encoder's
/// vector what differs between two reports of one event, such as style and language, and the weights of what two
/// reports have in common.
public struct StoryMap: Sendable {
    /// What two reports have in common, in the order of the weights.
    struct Likeness {
        var cosine: Double
        /// In days.
        var gap: Double
        /// Whether their languages differ, and whether neither is English, on which the encoder was trained.
        var isAcross, isForeign: Bool
        /// The number of names that both have, and which share of the names in each title and lead the other has.
        var names: Int
        var shares: (Double, Double)

        fileprivate static let count = 8

        /// - Parameter mostDays: A longer gap counts as this.
        fileprivate func value(_ weights: [Double], mostDays: Double) -> Double {
            weights[0] + weights[1] * cosine + weights[2] * min(gap, mostDays) + weights[3] * (isAcross ? 1 : 0)
                + weights[4] * (isForeign ? 1 : 0) + weights[5] * log(1 + Double(names))
                + weights[6] * min(shares.0, shares.1) + weights[7] * max(shares.0, shares.1)
        }
    }

    /// Identifies the map: vectors of another one are not comparable.
    public let form: Int
    private let outputs: Int
    private let mean, matrix: [Float]
    private let same, continuing: [Double]

    /// In components.
    private static let width = 384
    /// The longest time between an event and a report that continues it.
    static let longestCourse = 7.0

    /// - Parameter bytes: The contents of the file.
    /// - Throws: `.unavailable` if the file is damaged or made for another version.
    public init(_ bytes: [UInt8]) throws(PulseError) {
        var reader = ParameterReader(bytes)
        guard reader.isSound, reader.magic() == "PULSEMAP", reader.integer() == UInt32(Self.width),
            let outputs = reader.integer(), (1...UInt32(Self.width)).contains(outputs),
            let mean = reader.floats(Self.width), let matrix = reader.floats(Int(outputs) * Self.width),
            let same = reader.floats(Likeness.count), let continuing = reader.floats(Likeness.count), reader.isAtEnd
        else {
            throw PulseError(
                .unavailable, "The numbers by which reports are compared are damaged.",
                hint: "Install the program again.", cause: "pulse-story.map")
        }
        form = Int(reader.checksum)
        self.outputs = Int(outputs)
        (self.mean, self.matrix) = (mean, matrix)
        (self.same, self.continuing) = (same.map(Double.init), continuing.map(Double.init))
    }

    /// - Parameter vector: The encoder's, of `text(of:)`.
    public func vector(_ vector: [Float]) -> ReportVector {
        let centred = zip(vector, mean).map { $0 - $1 }
        return ReportVector(
            (0..<outputs).map { row in
                var sum: Float = 0
                for place in 0..<Self.width { sum += matrix[row * Self.width + place] * centred[place] }
                return sum
            })
    }

    /// What of a report is encoded: news has who, what, when and where in front. Measured: three sentences are worse,
    /// and 200 words no better.
    public static func text(of article: Article) -> String {
        let front = article.body.prefix(mostCharacters)
        let words = front.split(maxSplits: mostWords, whereSeparator: \.isSpace).prefix(mostWords)
        return PlainText.line(article.title) + ". " + words.joined(separator: " ")
    }

    private static let (mostWords, mostCharacters) = (90, 900)

    /// Whether two reports tell one event: above 0 it is more likely than not.
    func value(ofOne likeness: Likeness) -> Double { likeness.value(same, mostDays: 1) }

    /// The same of a later report that may tell how the event went on.
    func value(ofCourse likeness: Likeness) -> Double { likeness.value(continuing, mostDays: Self.longestCourse) }
}

/// What is known of reports by their meaning; empty where there is no encoder.
public struct Meanings: Sendable {
    let map: StoryMap?
    /// By article id.
    let vectors: [String: ReportVector]

    /// Words alone decide.
    public static let none = Meanings(nil, [:])

    public init(_ map: StoryMap?, _ vectors: [String: ReportVector]) { (self.map, self.vectors) = (map, vectors) }
}
