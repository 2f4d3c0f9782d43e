/// The folder where the states of prompts' fronts are kept from one run to the next, so that what every digest begins
/// with is computed once. Whatever is wrong with it, the front is computed again and nothing is said.
import CLlama
import Foundation
import PulseText

struct PrefixFolder {
    let path: String
    /// What a state depends on beside its tokens: model, library, form of the cache.
    let identity: String
    /// Bytes of all files together.
    var limit = Self.usualLimit

    /// Some dozens of fronts of a small model, a few of a large one.
    static let usualLimit = 256 << 20
    /// A shorter front is computed as fast as it is read.
    static let shortest = 32

    private static let ending = ".prefix"
    private static let partEnding = ".part"

    init(path: String, identity: String) {
        self.path = path
        self.identity = identity
    }

    /// The state behind these tokens, as the library gave it.
    func load(_ tokens: [llama_token]) -> Data? {
        let key = key(of: tokens)
        let file = file(of: key)
        // A link or a pipe is none of ours; a pipe would never end.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int,
            size <= limit, let content = try? Data(contentsOf: URL(fileURLWithPath: file)),
            let state = PrefixFile.decode(content, key: key)
        else { return nil }
        // What is used is young.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file)
        return state
    }

    /// Keeps a state, and lets the oldest others go where there are too many. The file appears whole or not at all.
    func save(_ state: Data, of tokens: [llama_token]) {
        let key = key(of: tokens)
        let content = PrefixFile.encode(key: key, state: state)
        guard content.count <= limit else { return }
        let files = FileManager.default
        try? files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        makeRoom(for: content.count)
        let part = "\(path)/\(UUID().uuidString)\(Self.partEnding)"
        let isWritten = files.createFile(atPath: part, contents: content, attributes: [.posixPermissions: 0o600])
        // rename(2) replaces a file that is there in one step.
        if !isWritten || rename(part, file(of: key)) != 0 { try? files.removeItem(atPath: part) }
    }

    func remove(_ tokens: [llama_token]) {
        try? FileManager.default.removeItem(atPath: file(of: key(of: tokens)))
    }

    private func key(of tokens: [llama_token]) -> Data {
        var key = Data(identity.utf8)
        key.append(0)
        for token in tokens { key.append(number: UInt64(bitPattern: Int64(token))) }
        return key
    }

    private func file(of key: Data) -> String {
        let name = [UInt64(0), 1].map { seed in
            Hexadecimal.text(of: PrefixFile.checksum(key, seed: seed))
        }
        return "\(path)/\(name.joined())\(Self.ending)"
    }

    /// Removes the oldest files until so many bytes more are within the limit; and parts that were left behind.
    private func makeRoom(for bytes: Int) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
        var kept: [(path: String, size: Int, date: Date)] = []
        for name in names where name.hasSuffix(Self.ending) || name.hasSuffix(Self.partEnding) {
            let file = "\(path)/\(name)"
            guard let attributes = try? files.attributesOfItem(atPath: file),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            let date = attributes[.modificationDate] as? Date ?? .distantPast
            // Another run may be writing one now.
            if name.hasSuffix(Self.partEnding), -date.timeIntervalSinceNow > 3600 {
                try? files.removeItem(atPath: file)
            } else {
                kept.append((file, attributes[.size] as? Int ?? 0, date))
            }
        }
        var sum = kept.reduce(bytes) { $0 + $1.size }
        for file in kept.sorted(by: { $0.date < $1.date }) where sum > limit {
            try? files.removeItem(atPath: file.path)
            sum -= file.size
        }
    }
}

extension PrefixFolder {
    /// The folder for one model, in one form of the cache, with the library as it is. Nil where the options name none.
    init?(_ options: EngineOptions, cacheType: CacheType) {
        guard let path = options.prefixFolder else { return nil }
        let attributes = ModelFile.attributes(of: options.modelPath)
        let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let size = attributes[.size] as? Int ?? 0
        let library = [llama_version(), ggml_version(), ggml_commit(), llama_print_system_info()].map { text in
            text.map { String(cString: $0) } ?? ""
        }
        self.init(
            path: path,
            identity: (["\(options.modelPath)", "\(size)", "\(date)", cacheType.rawValue] + library)
                .joined(separator: "\n"))
    }
}
