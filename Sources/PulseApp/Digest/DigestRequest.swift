package import Foundation
package import PulseCore
import PulseDigest
package import PulseRendering

/// Which digest is wanted: of what, of which time, and in which language.
package struct DigestRequest: Sendable {
    package enum Window: Sendable, Hashable {
        case hours(Double)
        case since(Date)
        /// What no digest that was sent had in it.
        case sinceLast
        /// The last seven days of the calendar, today among them.
        case week
    }

    /// The reader's, by the name of their profile; empty: nobody's in particular.
    package var profile = ""
    package var basis = DigestScope.read
    package var window = Window.hours(48)
    /// Whether the window was named for this digest, and so limits what waits in feeds, too.
    package var isWindowNamed = false
    /// Names of categories and of publications: only these, or all where there are none.
    package var categories: [Category] = []
    package var sources: [String] = []
    /// Words and names of categories that come first; and words and publications that are left out.
    package var follow: [String] = []
    package var mute: [String] = []
    package var muteSources: [String] = []
    /// Those of the categories that were named for this digest: nothing in one of them is most likely a mistyped name.
    package var namedCategories: [Category] = []
    /// The same of publications.
    package var namedSources: [String] = []
    /// Whether it was limited to a part of what its reader wants, so that the rest is for the next one.
    package var isPart = false
    package var maximumStories = 25
    package var language = Language.english
    /// Whether it goes out even if that day's digest did: what was sent today counts as not sent.
    package var isAgain = false

    package var isWeek: Bool { window == .week }

    var interests: Interests {
        Interests(
            categories: Set(categories), sources: sources, follow: follow, mute: mute, muteSources: muteSources)
    }

    package init() {}
}

/// Somebody whom digests are for: which, by which model, and to which addresses.
package struct DigestReader: Sendable {
    package var request: DigestRequest
    package var model: ModelSettings
    /// None: they read the output.
    package var to: [MailAddress]
    /// Whom their mail is from; nil: the user of this machine.
    package var from: MailAddress?

    package init(request: DigestRequest, model: ModelSettings, to: [MailAddress], from: MailAddress?) {
        self.request = request
        self.model = model
        self.to = to
        self.from = from
    }

    package var name: String { Self.name(to, profile: request.profile) }

    /// `ana@example.org (ana)`, with the profile where there is one.
    package static func name(_ addresses: [MailAddress], profile: String) -> String {
        addresses.map(\.address).joined(separator: ", ") + (profile.isEmpty ? "" : " (\(profile))")
    }

    /// Whom the digest is for, each once.
    package func recipients() throws(PulseError) -> [MailAddress] { try Self.recipients(of: to) }

    package static func recipients(of addresses: [MailAddress]) throws(PulseError) -> [MailAddress] {
        var seen: Set<String> = []
        let all = addresses.filter { seen.insert($0.key).inserted }
        guard !all.isEmpty else {
            throw PulseError(.usage, "No recipient.", hint: "Use --to ADDRESS, such as --to ana@example.org.")
        }
        return all
    }
}
