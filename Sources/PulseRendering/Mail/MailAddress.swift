import Foundation
import PulseCore
import PulseText

/// A mailbox (RFC 5322): `ana@example.org`, `Ana Lima <ana@example.org>`, `"Lima, Ana" <ana@example.org>`.
///
/// A domain in any script is stored in its ASCII form (RFC 5891). A non-ASCII local part is refused: it needs SMTPUTF8
/// (RFC 6531) on every hop, and no sendmail command guarantees that.
public struct MailAddress: Sendable, Hashable {
    /// The display name, on one line; empty: none.
    public let name: String
    /// As written, including the quotation marks of a quoted string.
    public let localPart: String
    /// Lower-case ASCII.
    public let domain: String

    /// `ana@example.org`
    public var address: String { localPart + "@" + domain }

    /// For comparing addresses: in practice servers ignore case.
    public var key: String { address.lowercased() }

    /// - Throws: `.usage`. Its message says what is wrong with the address, worded to follow a colon or a semicolon.
    public init(_ text: String) throws {
        let trimmed = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        guard !trimmed.unicodeScalars.contains(where: { $0 == "\n" || PlainText.isUnsafe($0) }) else {
            throw Self.fault("\(Self.quoted(text)) had a line break or another invisible character in it.")
        }
        guard !trimmed.isEmpty else { throw MailAddress.fault("it is empty.") }
        guard trimmed.last == ">" else {
            name = ""
            (localPart, domain) = try MailAddress.parts(of: trimmed, in: text)
            return
        }
        guard let open = trimmed.lastIndex(of: "<") else {
            throw MailAddress.fault("in \(MailAddress.quoted(text)) the < and > do not match.")
        }
        name = try MailAddress.name(from: trimmed[..<open], in: text)
        (localPart, domain) = try MailAddress.parts(
            of: String(trimmed[trimmed.index(after: open)...].dropLast()), in: text)
    }

    private static func fault(_ text: Message) -> PulseError { PulseError(.usage, text) }

    private static func quoted(_ text: String) -> String { "“\(PlainText.line(text))”" }

    /// The address of a user of this machine, for the From field. Invalid characters are dropped, so that there is
    /// always an address.
    public init(user: String, host: String) {
        let atoms = user.split(separator: ".").map { atom in
            String(decoding: atom.utf8.filter(MailAddress.isAtomText), as: UTF8.self)
        }
        let local = atoms.filter { !$0.isEmpty }.joined(separator: ".")
        name = ""
        localPart = local.isEmpty || local.count > 64 ? "pulse-digest" : local
        domain = MailAddress.domain(from: host) ?? "localhost"
    }

    /// Parses a comma-separated list of addresses, as in a header.
    public static func list(_ text: String) throws -> [MailAddress] {
        var pieces: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == ",", !isQuoted {
                pieces.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            pieces[pieces.count - 1].append(character)
        }
        return try pieces.map { try MailAddress($0) }
    }

    // MARK: - The grammar

    /// atext of RFC 5322, section 3.2.3.
    static func isAtomText(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func name(from text: Substring, in whole: String) throws -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.first == "\"" else {
            guard !text.contains(where: { "<>\"".contains($0) }) else {
                throw MailAddress.fault("in \(MailAddress.quoted(whole)) the < and > do not match.")
            }
            return PlainText.line(text)
        }
        guard let name = unquoted(text) else {
            throw MailAddress.fault("in \(MailAddress.quoted(whole)) the quotation marks do not fit together.")
        }
        return PlainText.line(name)
    }

    /// The contents of a quoted string; nil if the closing quote is not at the end.
    private static func unquoted(_ text: String) -> String? {
        let quoted = text.wholeMatch(of: #/(?s)"((?:[^"\\]|\\.)*)"/#)
        return quoted.map { String($0.1.replacing(#/(?s)\\(.)/#, with: { escaped in escaped.1 })) }
    }

    private static func parts(of address: String, in whole: String) throws -> (local: String, domain: String) {
        guard let at = address.lastIndex(of: "@") else {
            throw fault("\(quoted(whole)) has no @. A name with a comma in it goes into quotation marks.")
        }
        let local = String(address[..<at])
        guard local.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw fault(
                "what is before the @ of \(quoted(whole)) is not in ASCII, and some email servers refuse that.")
        }
        let atoms = local.split(separator: ".", omittingEmptySubsequences: false)
        let isDotAtom = atoms.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isAtomText) }
        guard isDotAtom || unquoted(local)?.isEmpty == false, local.utf8.count <= 64 else {
            throw fault("the part before the @ of \(quoted(whole)) is not valid.")
        }
        guard let domain = domain(from: String(address[address.index(after: at)...])) else {
            throw fault("what follows the @ of \(quoted(whole)) is not a domain.")
        }
        return (local, domain)
    }

    /// The ASCII form of a domain; nil if it is invalid.
    private static func domain(from text: String) -> String? {
        var ascii = text.lowercased()
        if !ascii.utf8.allSatisfy({ $0 < 0x80 }) {
            // Foundation's URLs implement IDNA. Characters with a meaning in URLs are excluded first.
            let isName = text.unicodeScalars.allSatisfy { scalar in
                scalar == "." || scalar == "-" || scalar.properties.isIDContinue
            }
            var components = URLComponents()
            components.host = text
            guard isName, let host = components.encodedHost else { return nil }
            ascii = host.lowercased()
        }
        let labels = ascii.split(separator: ".", omittingEmptySubsequences: false)
        let isDomain = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
        }
        return isDomain && ascii.utf8.count <= 253 ? ascii : nil
    }
}
