import PulseCore
import PulseRendering

/// Whom digests are for: those of the settings' top level, and those of its profiles.
extension Context {
    /// Whom this run is for, each with their own settings: whoever is named, else those of the settings' top level and
    /// of every profile that has an address.
    var readers: [Context] {
        guard settings.profile.isEmpty, !isGiven(.to) else { return [self] }
        let others = profiles.filter { !$0.to.isEmpty }.map { profile in
            var settings = profile
            settings.isQuiet = self.settings.isQuiet
            return with(settings)
        }
        return settings.to.isEmpty && !others.isEmpty ? others : [self] + others
    }

    /// Whom they are, each with their profile: `you@example.org, ana@example.org (ana)`; nil where there are no profiles.
    var readerNames: Message? {
        guard !profiles.isEmpty else { return nil }
        let addressed = ([settings] + profiles).filter { !$0.to.isEmpty }
        let others: [Message] = profiles.filter(\.to.isEmpty).map { "nobody (\($0.profile))" }
        return (addressed.map { Message(verbatim: Self.name($0)) } + others).joined(separator: ", ")
    }

    static func name(_ reader: Settings) -> String {
        let addresses = reader.to.map(\.address).joined(separator: ", ")
        return addresses + (reader.profile.isEmpty ? "" : " (\(reader.profile))")
    }

    /// Which profiles a schedule leaves out though they have an address; nil: none.
    ///
    /// - Parameter entry: As it is installed, or the options of one that will be.
    func leftOut(by entry: String) -> Message? {
        let names = profiles.filter { !$0.to.isEmpty }.map(\.profile).joined(separator: ", ")
        guard !names.isEmpty, entry.contains(/(^|[\s"'>])--to[\s"'=<]/) else { return nil }
        return "The schedule names its recipient with --to, so it leaves out the profiles \(names). "
            + "To mail them too: pulse-digest schedule install without --to"
    }
}
