import PulseCore

extension Article {
    /// What is known after the same article came in once more: a longer text replaces a shorter one, a gap is filled,
    /// and nothing is ever emptied. The id stays the first one.
    func merged(with newer: Article) -> Article {
        var merged = self
        if newer.content.utf8.count > content.utf8.count {
            merged.content = newer.content
            if !newer.title.isEmpty { merged.title = newer.title }
        }
        if newer.summary.utf8.count > summary.utf8.count { merged.summary = newer.summary }
        if title.isEmpty { merged.title = newer.title }
        if source.isEmpty { merged.source = newer.source }
        if category == .general { merged.category = newer.category }
        merged.url = url ?? newer.url
        merged.author = author ?? newer.author
        merged.language = language ?? newer.language
        merged.publishedAt = publishedAt ?? newer.publishedAt
        return merged
    }
}
