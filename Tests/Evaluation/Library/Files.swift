import Foundation
import PulseDigest
import PulseTestSupport

extension Decodable {
    /// One for each line of a file in JSON Lines.
    static func lines(of file: URL) throws -> [Self] {
        let decoder = JSONDecoder()
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
            .map { try decoder.decode(Self.self, from: $0) }
    }
}

extension PromptTemplate {
    /// The program's own for a digest in English.
    static func digest() throws -> PromptTemplate {
        let text = try String(
            contentsOf: Repository.root.appendingPathComponent("prompts/digest.en.md"), encoding: .utf8)
        return try PromptTemplate(job: .digest, parsing: text, from: "digest.en.md")
    }
}
