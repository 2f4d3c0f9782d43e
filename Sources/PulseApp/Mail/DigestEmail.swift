import Foundation
package import PulseCore
package import PulseRendering

/// A digest as an email.
package struct DigestEmail {
    private let from: MailAddress
    private let timeZone: TimeZone

    /// - Parameter from: Nil: the user of this machine.
    package init(from: MailAddress?, in app: AppEnvironment) {
        self.from = from ?? Sender.address(environment: app.variables)
        timeZone = app.timeZone
    }

    /// - Parameter to: At least one.
    package func message(of digest: Digest, to: [MailAddress]) -> EmailMessage {
        EmailMessage(digest, from: from, to: to, timeZone: timeZone)
    }

    /// The digest as far as it fits into a mail, whatever feeds have brought: some programs cut what is longer, and some
    /// servers refuse it. What does not fit is counted, with the command that lists it.
    package func fitting(_ digest: Digest, to: [MailAddress]) -> Digest {
        func fits(_ digest: Digest) -> Bool { message(of: digest, to: to).text.utf8.count <= Self.longestMail }
        if fits(digest) { return digest }
        let most = max(0, digest.stories.count - 1)
        // What gives way: long links, then the stories that take most room, then who else tells them.
        for readings in [Int.max, 1] {
            func cut(_ stories: Int) -> Digest {
                digest.cut(largest: stories, mostReadings: readings, longestLink: Self.longestLink)
            }
            guard fits(cut(most)) else { continue }
            var (least, enough) = (0, most)
            while least < enough {
                let middle = (least + enough) / 2
                if fits(cut(middle)) { enough = middle } else { least = middle + 1 }
            }
            return cut(least)
        }
        return digest.cut(largest: most, mostReadings: 1, longestLink: Self.longestLink)
    }

    /// In bytes.
    private static let longestMail = 200_000
    private static let longestLink = 500
}
