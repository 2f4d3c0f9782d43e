public import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseTestSupport

/// What `models/training/stories.py` learns from: of each labelled report, the encoder's vector and the facts that are
/// compared.
public enum Reports {
    private struct Line: Decodable {
        let id, title, content, source: String
    }

    private struct Known: Encodable {
        let id: String
        let vector: [Float]
        let names, leads: [String]
        let language: String?
    }

    /// - Parameter file: Lines of {"id": …, "title": …, "content": …, "source": …, "published_at": …}.
    /// - Returns: As many lines of {"id": …, "vector": […], "names": […], "leads": […], "language": …}.
    public static func lines(of file: URL) async throws -> [String] {
        let path = Repository.root.appendingPathComponent("models/pulse-meaning.gguf").path
        let encoder = try Encoder.load(path, repacksWeights: true)
        var lines: [String] = []
        for line in try Line.lines(of: file) {
            let article = Article(id: line.id, title: line.title, content: line.content, source: line.source)
            let facts = ReportFacts(article)
            let known = Known(
                id: line.id, vector: try await encoder.vector(of: StoryMap.text(of: article)),
                names: facts.names.sorted(), leads: facts.leadingNames.sorted(), language: article.writtenLanguage)
            lines.append(String(decoding: try JSONEncoder().encode(known), as: UTF8.self))
        }
        return lines
    }
}
