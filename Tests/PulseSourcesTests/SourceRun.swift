import Foundation
import PulseCore
import PulseTestSupport

@testable import PulseSources

/// One import from a source, all batches in one.
struct SourceRun {
    /// 2026-03-01T12:00:00Z.
    static let now = Date(timeIntervalSince1970: 1_772_366_400)

    static func fixture(_ name: String) -> String { Repository.fixtures.appendingPathComponent(name).path }

    static func environment(
        now: Date = SourceRun.now, home: String = "/nowhere", variables: [String: String] = [:], hosts: [String] = [],
        columns: [String: String] = [:], timeZone: TimeZone = .gmt
    ) -> ImportEnvironment {
        ImportEnvironment(
            now: now, home: home, variables: variables, hosts: hosts, columns: columns, timeZone: timeZone)
    }

    static func read(
        _ kind: SourceKind, _ path: String, hosts: [String] = [], columns: [String: String] = [:],
        previousImport: Date? = nil
    ) async throws -> ImportBatch {
        try await kind.source(at: path, in: environment(hosts: hosts, columns: columns))
            .all(previousImport: previousImport)
    }

    /// The error of an import; nil where there was none.
    static func failure(_ kind: SourceKind, _ path: String, columns: [String: String] = [:]) async -> PulseError? {
        await PulseTestSupport.failure { try await read(kind, path, columns: columns) }
    }

    /// What the import of any path sees of a file.
    static func probe(_ path: String) -> SourceProbe {
        let data = FileManager.default.contents(atPath: path)
        return SourceProbe(path: path, isFolder: data == nil, head: data?.prefix(65_536) ?? Data(), tables: [:])
    }

    /// A ZIP archive of files, by their names, in the folder.
    static func archive(_ files: KeyValuePairs<String, Data>, in folder: TemporaryFolder) throws -> String {
        var zip = ZIPWriter()
        for (name, data) in files { zip.add(name, gzipped: try gzipped(data, in: folder)) }
        return try folder.write(zip.data, to: "\(UUID().uuidString).zip")
    }

    /// Packed by the program gzip.
    /// - Parameter isNamed: with the file's name in the header, which otherwise has ten bytes.
    static func gzipped(_ data: Data, in folder: TemporaryFolder, isNamed: Bool = false) throws -> Data {
        let path = try folder.write(data, to: UUID().uuidString)
        return try output(of: "/usr/bin/env", ["gzip", isNamed ? "-N" : "-n", "-c", path]).data
    }
}

/// A ZIP archive of deflated files, as APPNOTE.TXT says.
struct ZIPWriter {
    private var archive = Data()
    private var directory = Data()
    private var count = 0

    /// - Parameter gzipped: the file as gzip packs it: a header of 10 bytes, then what deflate made, then the checksum
    ///   and the length.
    mutating func add(_ name: String, gzipped: Data, crc: UInt32? = nil, flags: Int = 0) {
        let packed = gzipped.dropFirst(10).dropLast(8)
        let sum = crc.map { withUnsafeBytes(of: $0.littleEndian) { Data($0) } } ?? gzipped.suffix(8).prefix(4)
        let fields =
            number(flags, 2) + number(8, 2) + number(0, 4) + sum + number(packed.count, 4) + gzipped.suffix(4)
            + number(name.utf8.count, 2)
        directory +=
            number(0x0201_4b50, 4) + number(20, 2) + number(20, 2) + fields + number(0, 12)
            + number(archive.count, 4) + Data(name.utf8)
        archive += number(0x0403_4b50, 4) + number(20, 2) + fields + number(0, 2) + Data(name.utf8) + packed
        count += 1
    }

    var data: Data {
        archive + directory + number(0x0605_4b50, 4) + number(0, 4) + number(count, 2) + number(count, 2)
            + number(directory.count, 4) + number(archive.count, 4) + number(0, 2)
    }

    private func number(_ value: Int, _ size: Int) -> Data {
        Data((0..<size).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) })
    }
}
