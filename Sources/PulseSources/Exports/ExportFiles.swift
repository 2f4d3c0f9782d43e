import Foundation
import PulseCore

/// The files of an export: one file, or those of a folder or a ZIP archive.
struct ExportFiles {
    let path: String
    /// The files' names inside, such as `content/bridge.html`, in alphabetical order.
    let names: [String]
    private let files: [String: File]

    /// A file that is not open yet.
    enum File {
        case path(String)
        case descriptor(Int32)
        case member(ZIPArchive.Member)

        func open() throws(PulseError) -> ByteStream {
            switch self {
            case .path(let path): try ByteStream(path: path)
            case .descriptor(let descriptor): ByteStream(descriptor: descriptor, name: "standard input")
            case .member(let member): try member.open()
            }
        }
    }

    /// More files than any export has, so that a wrong folder is not walked for long.
    private static let most = 100_000

    /// - Parameter path: `-` is the standard input.
    init(path: String, in environment: ImportEnvironment) throws(PulseError) {
        self.path = path
        var files: [String: File] = [:]
        if path == "-" {
            files["-"] = .descriptor(environment.standardInput)
        } else if try Self.isFolder(path) {
            // The enumerator does not follow symbolic links.
            let inside = FileManager.default.enumerator(atPath: path)
            while let name = inside?.nextObject() as? String {
                guard inside?.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
                files[name] = .path(path + "/" + name)
                guard files.count <= Self.most else {
                    throw PulseError(.badData, "\(path) holds too many files for an export.", hint: "Check the path.")
                }
            }
        } else if try ByteStream(path: path, length: 4, packing: .none).rest(limit: 4) == [0x50, 0x4b, 3, 4] {
            for member in try ZIPArchive(path: path).members { files[member.name] = .member(member) }
        } else {
            files[URL(fileURLWithPath: path).lastPathComponent] = .path(path)
        }
        self.files = files
        names = files.keys.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }

    /// The name in messages.
    var name: String { path == "-" ? "standard input" : path }

    /// The file with a name, which may be inside a single top-level folder, as in many archives.
    func member(_ name: String) -> File? {
        files[name] ?? top.flatMap { files[$0 + "/" + name] }
    }

    /// The top-level folder, if it is the only one.
    private var top: String? {
        let tops = Set(names.map { $0.prefix { $0 != "/" } })
        return tops.count == 1 ? tops.first.map(String.init) : nil
    }

    /// The files whose names, without their folders, pass a test. A single file always passes.
    func all(_ isWanted: (String) -> Bool) -> [File] {
        names.filter { names.count == 1 || isWanted(String($0.split(separator: "/").last ?? "")) }
            .compactMap { files[$0] }
    }

    /// The same. Throws `.badData` if there are none.
    /// - Parameter program: the expected contents, for the error.
    func all(of program: Message, _ isWanted: (String) -> Bool) throws(PulseError) -> [File] {
        let wanted = all(isWanted)
        guard !wanted.isEmpty else {
            throw PulseError(.badData, "\(name) holds no \(program).", hint: "Check the path.")
        }
        return wanted
    }

    private static func isFolder(_ path: String) throws(PulseError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw PulseError(reading: path, errno: errno) }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
