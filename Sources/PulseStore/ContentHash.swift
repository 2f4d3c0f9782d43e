import CCrypto
public import PulseCore
import PulseText

import struct Foundation.UUID

/// SHA-256 hashes (FIPS 180-4) of contents, as 64 lower-case hexadecimal digits. The articles are untrusted, so nobody
/// may be able to make two texts with one hash and so give one article the summary of another.
public enum ContentHash {
    /// The hash of a list of texts. Each is prefixed with its length, so that ["ab", "c"] and ["a", "bc"] differ, and
    /// so do nil and "".
    public static func of(_ texts: [String?]) -> String {
        var bytes: [UInt8] = []
        for text in texts {
            bytes += (text.map { "\($0.utf8.count):" } ?? "-").utf8
            bytes += (text ?? "").utf8
        }
        var digest = [UInt8](repeating: 0, count: 32)
        // EVP_DigestInit(3): EVP_Digest() "Returns 1 for success and 0 for failure", such as a libcrypto without
        // SHA-256. A random hash makes every look-up a miss.
        guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else {
            return "none-\(UUID().uuidString)"
        }
        return Hexadecimal.text(of: digest)
    }

    /// The hash of all of an article's fields.
    public static func of(_ article: Article) -> String {
        of([
            article.id, article.url, article.title, article.summary, article.content, article.author, article.source,
            article.category.name, article.language,
            article.publishedAt.map { "\(Instant.milliseconds($0))" },
        ])
    }
}
