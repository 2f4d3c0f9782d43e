import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseText

/// What a settings file says, as far as it can be understood.
struct SettingsContents {
    /// In the order of the options.
    private(set) var values: [(Option, [String])] = []
    private(set) var profiles: [(name: String, values: [(Option, [String])])] = []
    /// The first thing that is wrong with it.
    private(set) var flaw: PulseError?
    private let file: String
    private let options: [Option]
    private var text: SettingsFile?

    static let profilesName = "profiles"

    /// Nothing where there is no file.
    ///
    /// - Parameter options: Every option that may be a setting.
    init(ofFile file: String, options: [Option]) {
        self.file = file
        self.options = options
        do throws(PulseError) {
            if let data = try AtomicFile.readRegular(file) { read(data) }
        } catch {
            flaw = PulseError(
                .configuration, "The settings cannot be read: \(error.message)",
                hint: error.hint ?? "Check the permissions of the file, and where it leads if it is a link.")
        }
    }

    /// - Parameter text: What the file is to have in it.
    init(_ text: String, ofFile file: String, options: [Option]) {
        self.file = file
        self.options = options
        read(Data(text.utf8))
    }

    private mutating func read(_ data: Data) {
        var common: [String: [String]] = [:]
        var own: [(name: String, values: [String: [String]])] = []
        do throws(SettingsFile.Unreadable) {
            let text = try SettingsFile(data)
            self.text = text
            common = try text.values(besides: Self.profilesName)
            for name in try text.names(in: [Self.profilesName]) {
                own.append((name, try text.values(in: [Self.profilesName, name])))
            }
        } catch {
            flaw = PulseError(
                .configuration, "\(file), \(error.message)",
                hint: "It is to be like { \"maxStories\": 25 }. To correct it: pulse-digest config edit")
            return
        }
        values = values(of: common)
        flaw = unknown(common.keys, in: nil)
        for (name, own) in own.sorted(by: { $0.name < $1.name }) {
            flaw = flaw ?? Self.fault(ofName: name) ?? unknown(own.keys, in: name)
            profiles.append((name, values(of: own).filter(\.0.isAllowedInProfile)))
        }
    }

    /// Whom it has digests mailed to.
    var addresses: [(profile: String, to: [MailAddress])] {
        ([(name: "", values: values)] + profiles).map { profile, values in
            let to = values.first { $0.0.name == Option.to.name }?.1 ?? []
            return (profile, (try? Value.addresses(to)) ?? [])
        }
    }

    private func values(of members: [String: [String]]) -> [(Option, [String])] {
        options.compactMap { option in members[option.settingName].map { (option, $0) } }
    }

    /// What is wrong with the first of the names that is no setting, or none that a profile may have.
    private func unknown(_ names: some Sequence<String>, in profile: String?) -> PulseError? {
        let known = options.filter { profile == nil || $0.isAllowedInProfile }.map(\.settingName)
        guard let name = names.sorted().first(where: { !known.contains($0) }) else { return nil }
        let whole: Message = profile.map { "“\(name)” of \(place(of: name, in: $0))" } ?? "“\(name)” in \(file)"
        if options.contains(where: { $0.settingName == name }) {
            return PulseError(
                .configuration, "\(whole) cannot be set in a profile.",
                hint: "It is for all profiles: put it before “\(Self.profilesName)”.")
        }
        let meant = EditDistance.nearest(to: name, among: known + (profile == nil ? [Self.profilesName] : []))
        return PulseError(
            .configuration, "\(whole) is not a setting.",
            hint: meant.map { "Did you mean “\($0)”?" }
                ?? (profile == nil
                    ? "To see which there are: pulse-digest config list"
                    : "A profile may have: \(known.joined(separator: ", ")).")
        )
    }

    /// Where a profile's setting stands: `the profile “ana” (/home/a/config.json, line 4)`.
    func place(of name: String, in profile: String) -> Message {
        let found = text?.line(of: [Self.profilesName, profile, name])
        let line: Message = found.map { ", line \($0)" } ?? ""
        return "the profile “\(profile)” (\(file)\(line))"
    }

    /// What is wrong with the name of a profile; it is written on command lines, and before a point.
    static func fault(ofName name: String) -> PulseError? {
        if name.wholeMatch(of: /[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}/) != nil { return nil }
        return PulseError(
            .configuration, "“\(PlainText.line(name))” is no name for a profile.",
            hint: "It has letters, digits, - and _, 40 at most, and begins with a letter or a digit.")
    }
}
