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
    private var text = ""

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
        text = String(decoding: data, as: UTF8.self)
        let found: Members
        do {
            _ = try SettingsFile(data)
            let decoder = JSONDecoder()
            decoder.allowsJSON5 = true
            found = try decoder.decode(Members.self, from: data)
        } catch {
            flaw = PulseError(
                .configuration, "\(file), \(reason(error))",
                hint: "It is to be like { \"maxStories\": 25 }. To correct it: pulse-digest config edit")
            return
        }
        values = values(of: found.values)
        flaw = unknown(found.values.keys, in: nil)
        for (name, own) in found.profiles.sorted(by: { $0.key < $1.key }) {
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

    private func values(of members: [String: Scalars]) -> [(Option, [String])] {
        options.compactMap { option in members[option.settingName].map { (option, $0.values) } }
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
        let found = (try? SettingsFile(text))?.line(of: [Self.profilesName, profile, name])
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

    private func reason(_ error: any Error) -> Message {
        if let found = error as? SettingsFile.Unreadable { return found.message }
        guard let error = error as? DecodingError else { return "it cannot be understood." }
        let context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "")
            }
        // The place in a list is none in the file.
        let names = context.codingPath.filter { $0.intValue == nil }.map(\.stringValue)
        let line: Message = (try? SettingsFile(text))?.line(of: names).map { "line \($0): " } ?? ""
        let path = names.joined(separator: ".")
        if names.first == Self.profilesName, names.count < 3 {
            return "\(line)“\(path)” is not like { ana: { to: \"ana@example.org\", language: \"pt\" } }."
        }
        return path.isEmpty
            ? "\(line)it is not one object, { … }." : "\(line)“\(path)” is not text, a number, true or false."
    }
}

/// The members of the file: its settings, and those of its profiles.
private struct Members: Decodable {
    var values: [String: Scalars] = [:]
    var profiles: [String: [String: Scalars]] = [:]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        for name in members.allKeys {
            if name.stringValue == SettingsContents.profilesName {
                profiles = try members.decode([String: [String: Scalars]].self, forKey: name)
            } else {
                values[name.stringValue] = try members.decode(Scalars.self, forKey: name)
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// A setting's value: a text, a number or a truth, or a list of them.
private struct Scalars: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var values: [String] = []
            while !list.isAtEnd { values += try list.decode(Scalars.self).values }
            self.values = values
            return
        }
        let single = try decoder.singleValueContainer()
        if let truth = try? single.decode(Bool.self) {
            values = [String(truth)]
        } else if let whole = try? single.decode(Int.self) {
            values = [String(whole)]
        } else if let number = try? single.decode(Double.self) {
            values = [String(number)]
        } else {
            values = [try single.decode(String.self)]
        }
    }
}
