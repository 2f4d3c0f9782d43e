import Foundation
import PulseRendering

/// Who mail from this machine is from where nobody else is named: the user it runs as.
enum Sender {
    static func address(environment: [String: String]) -> MailAddress {
        // cron sets LOGNAME, a shell sets both, and an empty environment sets neither.
        let named = environment["LOGNAME"] ?? environment["USER"] ?? ""
        return MailAddress(user: named.isEmpty ? NSUserName() : named, host: host)
    }

    /// The machine's own name for itself. Foundation's `hostName` may ask a name server for one.
    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero: a name that is too long need not end in one.
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
