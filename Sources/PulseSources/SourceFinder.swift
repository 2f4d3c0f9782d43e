public import Foundation
public import PulseCore
import PulsePlatform
import PulseText

/// Recognises the kind of source at a path, and finds the sources of this machine.
public enum SourceFinder {
    public struct Found: Sendable {
        public let kind: SourceKind
        public let path: String

        public init(kind: SourceKind, path: String) {
            self.kind = kind
            self.path = path
        }
    }

    public enum Answer: Sendable {
        case one(Found)
        /// Several kinds recognise the file, or a folder holds several sources.
        case several([Found])
        case unknown(FileAppearance)
    }

    /// The source that `-` stands for.
    public static let standardInput = Found(kind: .jsonLines, path: "-")

    /// The most files of a folder that are looked at.
    private static let mostFiles = 500

    /// Recognises a file, or a folder that is a source or holds sources.
    public static func look(at path: String, among kinds: [SourceKind] = SourceKind.all) throws -> Answer {
        let probe = try SourceProbe(lookingAt: path)
        var found = SourceKind.recognising(probe, among: kinds).map { Found(kind: $0, path: path) }
        if found.isEmpty, probe.isFolder {
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
            for name in names.prefix(mostFiles) {
                let file = path.hasSuffix("/") ? path + name : path + "/" + name
                // Reading from a pipe would consume its data.
                guard FileStamp(path: file)?.isRegular == true, let probe = try? SourceProbe(lookingAt: file) else {
                    continue
                }
                found += SourceKind.recognising(probe, among: kinds).map { Found(kind: $0, path: file) }
            }
        }
        switch found.count {
        case 0: return .unknown(FileAppearance(probe))
        case 1: return .one(found[0])
        default: return .several(found)
        }
    }

    /// The appearance of a file that is not of this kind; nil: it may be of this kind, or only reading it can tell.
    ///
    /// - Returns: its appearance, and whether some other kind recognises it.
    public static func otherLook(of path: String, than kind: SourceKind) -> (look: FileAppearance, isKnown: Bool)? {
        guard let probe = try? SourceProbe(lookingAt: path), !probe.isFolder, !kind.recognises(probe) else {
            return nil
        }
        let look = FileAppearance(probe)
        let isKnown = !SourceKind.recognising(probe).isEmpty
        let isPossible =
            switch (kind.name, look) {
            case (_, .empty), ("csv", .csv), ("csv", .text), ("csv", .wideText), ("csv", .archive), ("json", .archive):
                true
            // JSON Lines have times that other JSON lacks.
            case ("json", .json): !SourceKind.jsonLines.recognises(probe)
            // The first line may be invalid, the others valid.
            case ("jsonl", .json): !isKnown
            case ("jsonl", .text): probe.head(has: "\n{")
            case ("jsonl", _), ("csv", _), ("json", _): false
            // Opening files of other kinds gives a precise error.
            default: true
            }
        return isPossible ? nil : (look, isKnown)
    }

    /// The sources at the default paths of their programs, each once.
    /// - Parameter withBrowsers: whether to include browser histories.
    public static func all(in environment: ImportEnvironment, withBrowsers: Bool) -> [Found] {
        var seen: Set<String> = []
        return SourceKind.all.filter { withBrowsers || !$0.isBrowser }.flatMap { kind in
            kind.found(in: environment).filter { path in
                seen.insert(URL(fileURLWithPath: path).resolvingSymlinksInPath().path).inserted
            }.map { Found(kind: kind, path: $0) }
        }
    }
}

/// The parts of a file or folder by which kinds of source recognise it, without reading it whole.
public struct SourceProbe: Sendable, Hashable {
    public let path: String
    public let isFolder: Bool
    /// The first 64 KiB of the file, decompressed if the file is gzipped; empty for a folder.
    public let head: Data
    /// The columns of each table, in lower case, if the file is an SQLite database.
    public let tables: [String: Set<String>]
}

extension SourceProbe {
    /// In bytes.
    static let longestHead = 1 << 16

    /// Looks at a file or folder. Throws `.usage` for a pipe, whose data cannot be put back.
    init(lookingAt path: String) throws {
        let stamp = try FileStamp(reading: path)
        if stamp.isFolder {
            guard access(path, R_OK | X_OK) == 0 else { throw PulseError(reading: path, errno: errno) }
            self.init(path: path, isFolder: true, head: Data(), tables: [:])
        } else if stamp.isRegular {
            let bytes = Data(
                try ByteStream(path: path, length: Self.longestHead, packing: .none).rest(limit: Self.longestHead))
            let isDatabase = bytes.starts(with: Array("SQLite format 3\0".utf8))
            self.init(
                path: path, isFolder: false, head: Self.unpacked(bytes),
                tables: isDatabase ? try SourceDatabase(path: path, program: "another program").tables() : [:])
        } else {
            throw PulseError(
                .usage, "\(path) is neither a file nor a folder, so its format must be named.",
                hint: "To read it as JSON Lines: pulse-digest import jsonl \(path)")
        }
    }

    var isJSON: Bool {
        head.first { $0 > 0x20 && ![0xef, 0xbb, 0xbf].contains($0) }
            .map { [UInt8(ascii: "["), UInt8(ascii: "{")].contains($0) } ?? false
    }

    func head(has text: String) -> Bool { head.firstRange(of: Data(text.utf8)) != nil }

    /// The names of the files in a folder, or in a ZIP archive with their folders.
    var exportNames: [String] {
        if isFolder { return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        return ZIPArchive.isOne(head) ? (try? ZIPArchive(path: path))?.members.map(\.name) ?? [] : []
    }

    /// Decompresses the beginning of a gzipped file. Returns other bytes, and damaged data, unchanged.
    private static func unpacked(_ head: Data) -> Data {
        let bytes = (try? ByteStream(head, name: "").piece()) ?? []
        return bytes.isEmpty ? head : Data(bytes.prefix(longestHead))
    }
}

/// What an unrecognised file looks like.
public enum FileAppearance: Sendable, Hashable {
    case empty
    case folder
    /// An SQLite database with these tables.
    case database([String])
    /// JSON, with the keys of its first object if they are visible.
    case json([String])
    /// With the columns of its first line.
    case csv([String])
    case opml
    /// RSS, Atom or RDF.
    case feed
    case html
    case text
    /// Text in UTF-16, an encoding that only tables may have.
    case wideText
    case archive
    case binary

    init(_ probe: SourceProbe) {
        if probe.isFolder {
            self = .folder
        } else if !probe.tables.isEmpty || probe.head.starts(with: Array("SQLite format 3\0".utf8)) {
            self = .database(probe.tables.keys.filter { !$0.hasPrefix("sqlite_") }.sorted())
        } else {
            self = FileAppearance(head: probe.head)
        }
    }

    private init(head: Data) {
        var bytes = head
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
        // This holds for any encoding whose bytes below 0x20 are those of ASCII.
        let isText = !bytes.contains { $0 < 0x09 || 0x0e..<0x20 ~= $0 && $0 != 0x1b }
        let text = String(decoding: bytes, as: UTF8.self).drop(while: \.isWhitespace)
        let start = text.prefix(2000).lowercased()
        if bytes.isEmpty || isText && text.isEmpty {
            self = .empty
        } else if ZIPArchive.isOne(bytes) {
            self = .archive
        } else if !isText {
            self = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) ? .wideText : .binary
        } else if start.hasPrefix("{") || start.hasPrefix("[") {
            self = .json(FileAppearance.keys(in: String(text)))
        } else if start.hasPrefix("<") {
            self =
                start.contains("<opml")
                ? .opml
                : ["<rss", "<feed", "<rdf:rdf"].contains(where: start.contains)
                    ? .feed : start.contains("<html") || start.contains("<!doctype html") ? .html : .text
        } else {
            let line = text.prefix { !$0.isNewline }
            let separator: Character? = [",", ";", "\t"].first { line.contains($0) }
            let columns = separator.map { line.split(separator: $0).map(FileAppearance.name) } ?? []
            self = columns.count > 1 && columns.allSatisfy(FileAppearance.isColumn) ? .csv(columns) : .text
        }
    }

    /// Whether the text may be the name of a column rather than a piece of a sentence.
    private static func isColumn(_ name: String) -> Bool {
        (1...40).contains(name.count) && ![".", "!", "?", "…"].contains(name.last)
    }

    /// The keys in the text, in order. The text may be cut off, so it is not parsed.
    private static func keys(in text: String) -> [String] {
        let pattern = /"((?:[^"\\]|\\.){1,40})"\s*:/
        var keys: [String] = []
        for match in text.prefix(4000).matches(of: pattern) where !keys.contains(String(match.output.1)) {
            keys.append(name(match.output.1))
            if keys.count == 8 { break }
        }
        return keys
    }

    private static func name(_ text: some StringProtocol) -> String {
        PlainText.line(String(text).replacing("\"", with: ""))
    }

    /// Follows "It looks like" in a message: `an SQLite database with the tables a and b`.
    public var text: Message {
        switch self {
        case .empty: "an empty file"
        case .folder: "a folder without a file that can be imported"
        case .database(let tables):
            tables.isEmpty
                ? "an SQLite database without tables"
                : "an SQLite database with the tables \(FileAppearance.list(tables))"
        case .json(let keys): keys.isEmpty ? "JSON" : "JSON with the keys \(FileAppearance.list(keys))"
        case .csv(let columns): "CSV with the columns \(FileAppearance.list(columns))"
        case .opml: "a list of feeds (OPML)"
        case .feed: "a feed"
        case .html: "an HTML page"
        case .text: "plain text"
        case .wideText: "a text in UTF-16: save it as UTF-8"
        case .archive: "a ZIP archive without any file that is known"
        case .binary: "something that is neither text nor a database"
        }
    }

    private static func list(_ names: [String]) -> Message {
        let shown = names.prefix(8).map { PlainText.line(String($0.prefix(60))) }.joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : "\(shown)"
    }
}
