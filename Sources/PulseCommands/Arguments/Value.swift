import Foundation
import PulseCore
import PulseInference
import PulsePlatform
import PulseRendering
import PulseSources
import PulseText

/// Reads the values of options. Where an option is given several times, the last one counts.
enum Value {
    static func text(_ values: [String]) throws(InvalidValue) -> String {
        guard let text = values.last, !text.isEmpty else { throw InvalidValue("needs a value.") }
        return text
    }

    /// The address of a server. A password in it would be shown by `config` and by `ps`.
    static func server(_ values: [String]) throws(InvalidValue) -> String {
        let text = try text(values)
        guard WebURL.withoutUser(text) == text else {
            throw InvalidValue("holds a user name or a password, which others could see.")
        }
        guard WebAddress(text) != nil else {
            throw InvalidValue("takes an address such as https://news.example.org, not “\(text)”.")
        }
        return text
    }

    /// A path, its leading `~` expanded: no shell does so in settings files and quoted arguments.
    static func path(_ values: [String]) throws(InvalidValue) -> String {
        try expanded(text(values))
    }

    /// As a shell expands `~`: to HOME, which may be another folder than the user's own.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty
        else { return (path as NSString).expandingTildeInPath }
        return home + path.dropFirst()
    }

    /// Words to look for, separated by commas, because an environment variable has only one value.
    static func topics(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    static func isOn(_ values: [String]) throws(InvalidValue) -> Bool {
        switch try text(values).lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw InvalidValue("takes true or false, not “\(try text(values))”.")
        }
    }

    static func integer(in range: ClosedRange<Int>) -> @Sendable ([String]) throws(InvalidValue) -> Int {
        { values throws(InvalidValue) in
            let text = try text(values)
            guard let number = Int(text), range.contains(number) else {
                throw InvalidValue(
                    "takes a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
            }
            return number
        }
    }

    static func number(_ values: [String], from least: Double, upTo most: Double) throws(InvalidValue) -> Double {
        let text = try text(values)
        guard let number = Double(text), (least...most).contains(number) else {
            throw InvalidValue("takes a number from \(plain(least)) to \(plain(most)), not “\(text)”.")
        }
        return number
    }

    static func number(_ values: [String], above least: Double, upTo most: Double) throws(InvalidValue) -> Double {
        let text = try text(values)
        guard let number = Double(text), number > least, number <= most else {
            throw InvalidValue("takes a number above \(plain(least)) and at most \(plain(most)), not “\(text)”.")
        }
        return number
    }

    /// Seconds; nil for 0, which means no limit.
    static func seconds(_ values: [String]) throws(InvalidValue) -> Duration? {
        let seconds = try number(values, from: 0, upTo: 1_000_000)
        return seconds == 0 ? nil : .seconds(seconds)
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ values: [String]
    ) throws(InvalidValue) -> Choice {
        let text = try text(values)
        guard let choice = Choice.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
            throw InvalidValue(oneOf: Choice.self, not: text)
        }
        return choice
    }

    static func language(_ values: [String], local: Language?) throws(InvalidValue) -> Language {
        let text = try text(values)
        guard let language = Language(named: text, local: local) else {
            throw InvalidValue(oneOf: Language.self, not: text)
        }
        return language
    }

    private static func plain(_ number: Double) -> String { number.formatted(.number.grouping(.never)) }

    static func address(_ values: [String]) throws(InvalidValue) -> MailAddress {
        let text = try text(values)
        do {
            return try MailAddress(text)
        } catch {
            throw notAddress(error)
        }
    }

    private static func notAddress(_ error: any Error) -> InvalidValue {
        InvalidValue(
            "takes an address such as ana@example.org or Ana Lima <ana@example.org>; \(error.asPulseError.message)")
    }

    /// All of them; each value is an address, or several separated by commas.
    static func addresses(_ values: [String]) throws(InvalidValue) -> [MailAddress] {
        var addresses: [MailAddress] = []
        for value in values {
            do {
                addresses += try MailAddress.list(value)
            } catch {
                throw notAddress(error)
            }
        }
        return addresses
    }

    /// Addresses of RPC servers; each value is one, or several separated by commas; empty ones are ignored.
    static func servers(_ values: [String]) throws(InvalidValue) -> [RPCAddress] {
        var servers: [RPCAddress] = []
        for value in topics(values) {
            do throws(RPCAddress.Fault) {
                let server = try RPCAddress(value.trimmingCharacters(in: .whitespaces))
                if !servers.contains(server) { servers.append(server) }
            } catch {
                throw InvalidValue(error.words)
            }
        }
        guard servers.count <= RPCAddress.most else {
            throw InvalidValue("takes \(RPCAddress.most) addresses at most, not \(servers.count).")
        }
        return servers
    }

    /// Host names in lower case; of a URL, its host.
    static func hosts(_ values: [String]) throws(InvalidValue) -> [String] {
        guard !topics(values).isEmpty else { throw InvalidValue("needs the name of a site.") }
        var hosts: [String] = []
        for value in topics(values) {
            let words = value.trimmingCharacters(in: .whitespaces).lowercased()
            let host = (words.split(separator: "://").last ?? "").prefix { !"/:".contains($0) }
            guard host.contains("."), !host.hasPrefix("."), !words.contains(where: \.isWhitespace) else {
                throw InvalidValue("takes the name of a site such as theguardian.com, not “\(value)”.")
            }
            hosts.append(host.hasPrefix("www.") ? String(host.dropFirst(4)) : String(host))
        }
        return hosts
    }

    /// The columns, by field, of values such as `title=Headline`.
    static func columns(_ values: [String]) throws(InvalidValue) -> [String: String] {
        var columns: [String: String] = [:]
        for value in values {
            let sides = value.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2, ImportEnvironment.fields.contains(sides[0]) else {
                throw InvalidValue(
                    "takes FIELD=COLUMN, where FIELD is one of \(ImportEnvironment.fields.joined(separator: ", ")); "
                        + "not “\(value)”.")
            }
            columns[sides[0]] = sides[1]
        }
        return columns
    }
}

extension InvalidValue {
    fileprivate init(oneOf choices: (some RawRepresentable<String> & CaseIterable).Type, not text: String) {
        self.init("is one of: \(choices.allCases.map(\.rawValue).joined(separator: ", ")); not “\(text)”.")
    }
}
