import CCurl
import Foundation

/// One HTTP conversation at a time: the owner of libcurl's easy and multi handles.
///
/// The multi interface is driven by hand, with one transfer in it, because it returns every tenth of a second and so
/// can be stopped then; `curl_easy_perform` asks its callbacks only about once a second.
struct Transfer: ~Copyable {
    /// How a conversation ended.
    enum End {
        /// The server answered; the reception has its head, and the body if it was wanted.
        case answered
        /// The server points to another address.
        case redirected(to: String)
        /// The conversation broke. `isTransient`: it is worth trying again; `isUnreachable`: it never began.
        case broken(reason: String, isTransient: Bool, isUnreachable: Bool)
    }

    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    /// "The buffer must be at least CURL_ERROR_SIZE bytes big" and must outlive the handle (CURLOPT_ERRORBUFFER.3).
    private let reason: UnsafeMutablePointer<CChar>

    /// Once for the program, before any handle (curl_global_init.3).
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(userAgent: String, settings: DownloadSettings) throws(ModelError) {
        guard Self.isReady, let easy = curl_easy_init() else { throw Self.failure }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            throw Self.failure
        }
        self.easy = easy
        self.multi = multi
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        pulse_curl_set_web_only(easy)
        pulse_curl_set_quick_exit(easy)
        // No signal handlers of libcurl's; BlockingThread deals with SIGPIPE.
        pulse_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Redirects come back to us, which know when not to follow one. Proxies (from the environment) and certificates
        // stay at libcurl's defaults.
        pulse_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        pulse_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.milliseconds)
        pulse_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        pulse_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, settings.stallTimeout.milliseconds / 1000))
        pulse_curl_set_string(easy, CURLOPT_USERAGENT, userAgent)
        pulse_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
        pulse_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
                .receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        pulse_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let wanted = Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
                .receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
            // "If that amount differs from the amount passed to your callback function", the transfer ends
            // (CURLOPT_WRITEFUNCTION.3).
            return wanted ? size * count : 0
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        reason.deallocate()
    }

    /// Asks for the file at `address`, from the reception's offset on, and feeds the reception until the end.
    ///
    /// `tick` is called at least ten times a second. Throws `.cancelled`.
    func get(
        _ address: WebAddress, into reception: Reception, cancellation: Cancellation, tick: () -> Void
    ) throws(ModelError) -> End {
        let context = Unmanaged.passUnretained(reception).toOpaque()
        defer { withExtendedLifetime(reception) {} }
        pulse_curl_set_string(easy, CURLOPT_URL, address.text)
        pulse_curl_set_string(easy, CURLOPT_RANGE, reception.offset > 0 ? "\(reception.offset)-" : nil)
        pulse_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        pulse_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        reason.pointee = 0

        let code = try drive(cancellation, tick)
        if let refusal = reception.refusal { throw refusal }
        // CURLE_WRITE_ERROR without a refusal: an error page that was too long to be read to its end.
        guard code == CURLE_OK || (code == CURLE_WRITE_ERROR && reception.head.status > 0) else {
            return broken(code)
        }
        let next = String(cString: pulse_curl_redirect_url(easy))
        return next.isEmpty ? .answered : .redirected(to: next)
    }

    private func drive(_ cancellation: Cancellation, _ tick: () -> Void) throws(ModelError) -> CURLcode {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw Self.failure }
        defer { curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 1
        while true {
            try cancellation.check()
            guard curl_multi_perform(multi, &running) == CURLM_OK else { throw Self.failure }
            tick()
            if running == 0 { break }
            // Returns as soon as the socket has something, so this is no brake.
            curl_multi_poll(multi, nil, 0, 100, nil)
        }
        var queued: Int32 = 0
        guard let message = curl_multi_info_read(multi, &queued), message.pointee.msg == CURLMSG_DONE else {
            throw Self.failure
        }
        return message.pointee.data.result
    }

    private func broken(_ code: CURLcode) -> End {
        let detail = String(cString: reason)
        let words = printable(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR:
            return .broken(reason: words, isTransient: true, isUnreachable: true)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_OPERATION_TIMEDOUT,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .broken(reason: words, isTransient: true, isUnreachable: false)
        default:
            return .broken(reason: words, isTransient: false, isUnreachable: false)
        }
    }

    private static var failure: ModelError {
        ModelError(.network, "The system's libcurl could not be started, so nothing can be downloaded here.")
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
