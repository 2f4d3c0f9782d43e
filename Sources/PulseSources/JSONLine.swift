/// One line of the import format, as it is written: see `JSONLines`.
struct JSONLine: Decodable {
    let id: String?
    let url: String?
    let title: String?
    let description: String?
    let content: String?
    let author: String?
    let source: String?
    let category: String?
    let language: String?
    let publishedAt: String?
    let readAt: String?

    enum CodingKeys: String, CodingKey {
        case id, url, title, description, content, author, source, category, language
        case publishedAt = "published_at"
        case readAt = "read_at"
    }
}
