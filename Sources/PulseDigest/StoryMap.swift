import Foundation
public import PulseCore
import PulseText

/// The trained numbers by which reports are compared (`make train-stories`): a linear map that removes from the
/// encoder's vector what differs between two reports of one event, such as style and language, and the weights of what
/// two reports have in common.
public struct StoryMap: Sendable {
    /// What two reports have in common, in the order of the weights.
    struct Likeness {
        var cosine: Double
        /// In days.
        var gap: Double
        /// Whether their languages differ, and whether neither is English.
        var isAcross, isForeign: Bool
        /// The numbers of names that both have; see `isCommon`.
        var rareNames, commonNames: Int
        /// The share of each title and lead's names that the other has.
        var shares: (Double, Double)
        /// Whether one publication has both: it seldom tells an event twice.
        var isOfOneSource: Bool
        /// How much the two read like columns, and not like reports (`StoryMap.columnness`).
        var columnness: Double

        fileprivate static let count = 14

        fileprivate func value(_ weights: [Double]) -> Double {
            let rare = log(1 + Double(rareNames))
            // Independent reports hardly ever exceed this, so greater values were not trained.
            let cosine = min(max(cosine, 0), 0.7)
            let features = [
                1, cosine, gap, isAcross ? 1 : 0, isForeign ? 1 : 0, rare, log(1 + Double(commonNames)),
                min(shares.0, shares.1), max(shares.0, shares.1), cosine * rare, cosine * cosine,
                max(0, gap - 1), isOfOneSource ? 1 : 0, columnness,
            ]
            return zip(weights, features).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// Identifies the map: vectors of another one are not comparable.
    public let form: Int
    private let outputs: Int
    private let mean, matrix: [Float]
    /// For `columnness`: the weights of a mapped vector's components, then the bias.
    private let columnWeights: [Float]
    private let same, continuing: [Double]
    /// Sorted hashes of common words; see `isCommon`.
    private let common: [UInt32]

    /// In components.
    private static let width = 384
    /// The most days between an event and a report that continues it.
    static let longestCourse = 7.0

    /// - Parameter bytes: The contents of the file.
    /// - Throws: `.unavailable` if the file is damaged or made for another version.
    public init(_ bytes: [UInt8]) throws {
        var reader = ParameterReader(bytes)
        guard reader.isSound, reader.magic() == "PULSEMAP", reader.integer() == UInt32(Self.width),
            let outputs = reader.integer(), (1...UInt32(Self.width)).contains(outputs),
            let mean = reader.floats(Self.width), let matrix = reader.floats(Int(outputs) * Self.width),
            let columnWeights = reader.floats(Int(outputs) + 1), let same = reader.floats(Likeness.count),
            let continuing = reader.floats(Likeness.count),
            let words = reader.integer(), let common = reader.integers(Int(words)), reader.isAtEnd
        else {
            throw PulseError(
                .unavailable, "The data file that pulse-digest uses to compare articles is damaged.",
                hint: "Install the program again.", cause: "pulse-story.map")
        }
        form = Int(reader.checksum)
        self.outputs = Int(outputs)
        (self.mean, self.matrix, self.columnWeights, self.common) = (mean, matrix, columnWeights, common)
        (self.same, self.continuing) = (same.map(Double.init), continuing.map(Double.init))
    }

    /// - Parameter vector: The encoder's, of `text(of:)`.
    public func vector(_ vector: [Float]) -> CompactVector {
        let centred = zip(vector, mean).map { $0 - $1 }
        return CompactVector(
            (0..<outputs).map { row in
                var sum: Float = 0
                for place in 0..<Self.width { sum += matrix[row * Self.width + place] * centred[place] }
                return sum
            })
    }

    /// How much a report reads like a column about an event: about 1 for a column, about 0 for a report of it.
    ///
    /// - Parameter vector: As `vector` gave it.
    func columnness(_ vector: CompactVector) -> Double {
        Double(vector.sum(weightedBy: columnWeights) + (columnWeights.last ?? 0))
    }

    /// The encoded part of a report: news begins with who, what, when and where. Measured: three sentences are worse,
    /// and 200 words no better.
    public static func text(of article: Article) -> String {
        let front = article.body.prefix(mostCharacters)
        let words = front.split(maxSplits: mostWords, whereSeparator: \.isSpace).prefix(mostWords)
        return PlainText.line(article.title) + ". " + words.joined(separator: " ")
    }

    private static let (mostWords, mostCharacters) = (90, 900)

    /// Whether a name is a common word, such as “Portugal” or “bank”: the vocabulary of the check's encoder has it. That
    /// two reports have it says little.
    ///
    /// - Parameter name: In lower case and without accents.
    func isCommon(_ name: String) -> Bool {
        let hash = UInt32(truncatingIfNeeded: FNV1a.hash(of: name.utf8))
        var (low, high) = (0, common.count)
        while low < high {
            let middle = (low + high) / 2
            if common[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < common.count && common[low] == hash
    }

    /// Whether two reports tell one event: above 0 it is more likely than not.
    func sameEventValue(of likeness: Likeness) -> Double { likeness.value(same) }

    /// The same for a later report that may continue the event.
    func courseValue(of likeness: Likeness) -> Double { likeness.value(continuing) }
}

/// The vectors of reports, and their map; empty without an encoder.
public struct Meanings: Sendable {
    let map: StoryMap?
    /// By article id.
    let vectors: [String: CompactVector]

    /// Words alone decide.
    public static let none = Meanings(nil, [:])

    public init(_ map: StoryMap?, _ vectors: [String: CompactVector]) { (self.map, self.vectors) = (map, vectors) }
}
