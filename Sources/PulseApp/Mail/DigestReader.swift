import PulseCore
package import PulseRendering

/// A reader of digests: the request, the model and the addresses.
package struct DigestReader: Sendable {
    package var request: DigestRequest
    package var model: ModelSettings
    /// Empty: they read the output.
    package var to: [MailAddress]
    /// The sender of their mail; nil: the user of this machine.
    package var from: MailAddress?

    package init(request: DigestRequest, model: ModelSettings, to: [MailAddress], from: MailAddress?) {
        (self.request, self.model, self.to, self.from) = (request, model, to, from)
    }

    package var name: String { Self.name(to, profile: request.profile) }

    /// `ana@example.org (ana)`, with the profile where there is one.
    package static func name(_ addresses: [MailAddress], profile: String) -> String {
        addresses.map(\.address).joined(separator: ", ") + (profile.isEmpty ? "" : " (\(profile))")
    }
}

extension [MailAddress] {
    /// Each address once.
    ///
    /// - Throws: If there is none.
    package func recipients() throws -> [MailAddress] {
        var seen: Set<String> = []
        let all = filter { seen.insert($0.key).inserted }
        guard !all.isEmpty else {
            throw PulseError(.usage, "There is no recipient.", hint: "Use --to ADDRESS, such as --to ana@example.org.")
        }
        return all
    }
}
