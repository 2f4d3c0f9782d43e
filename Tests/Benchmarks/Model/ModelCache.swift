/// The benchmark's model in the cache folder: made once, whole or not there at all.
import Foundation

struct ModelCache {
    let folder: String
    let shape: ModelShape

    /// The file, made now where it is not there yet.
    ///
    /// Both steps write to a `.part` that is renamed when it is whole, so what an interruption leaves is either used or
    /// written anew. A lock keeps two runs from making it at once.
    func model(tokenizerFrom source: String, threads: Int, say: (String) -> Void) throws -> String {
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lock = open(folder + "/model.lock", O_CREAT | O_RDWR, 0o600)
        guard lock >= 0 else { throw BenchError.unwritable(folder) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 && errno == EINTR {}

        let tokenizer = try TokenizerSource(path: source)
        let stem = "\(folder)/\(shape.name)-v1-\(tokenizer.fingerprint)"
        let (plain, finished) = (stem + "-BF16.gguf", stem + "-Q4_K_M.gguf")
        if files.fileExists(atPath: finished) { return finished }
        try removeOlder(than: stem)
        if !files.fileExists(atPath: plain) {
            try requireSpace(2 * shape.parameters + shape.parameters * 7 / 10)
            say("Making a random model of the shape of \(shape.name), \(shape.parameters / 1_000_000) million weights.")
            let start = ContinuousClock.now
            var told = 0
            try RandomModel(shape: shape).write(to: plain + ".part", tokenizer: tokenizer) { share in
                guard Int(share * 4) > told else { return }
                told = Int(share * 4)
                say("  \(told * 25) % written")
            }
            try rename(plain + ".part", plain)
            let seconds = Int((ContinuousClock.now - start).seconds)
            say("  in \(seconds) s; quantising it to Q4_K_M, which takes a minute or two")
        }
        try requireSpace(shape.parameters * 7 / 10)
        try Quantisation.q4KM(from: plain, to: finished + ".part", threads: threads)
        try rename(finished + ".part", finished)
        try? files.removeItem(atPath: plain)
        say("The model is made, and kept: \(finished)")
        return finished
    }

    private func rename(_ from: String, _ to: String) throws {
        guard Foundation.rename(from, to) == 0 else { throw BenchError.unwritable(to) }
    }

    /// Files of a tokenizer that is no longer the program's.
    private func removeOlder(than stem: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix(shape.name) && !"\(folder)/\(name)".hasPrefix(stem) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private func requireSpace(_ bytes: Int) throws {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = (attributes[.systemFreeSize] as? NSNumber)?.intValue, free < bytes else { return }
        throw BenchError(
            "Making the model needs \(bytes >> 20) MiB in \(folder), and \(free >> 20) MiB are free. "
                + "Free some, or set XDG_CACHE_HOME to a folder on a larger disk.")
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
