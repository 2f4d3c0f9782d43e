import Foundation
import PulseCore

/// A date as a header tells it: RFC 5322, section 3.3. Its names are English in every language.
struct MailDate {
    private let parts: DateComponents
    private let offset: Int

    init(_ date: Date, in zone: TimeZone) {
        let calendar = Calendar.gregorian(in: zone)
        parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
        offset = zone.secondsFromGMT(for: date) / 60
    }

    /// `Sat, 21 Nov 2026 02:46:40 +0000`
    var text: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(weekdays[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \(months[(parts.month ?? 1) - 1])"
        let time = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        let zone = (offset < 0 ? "-" : "+") + two(abs(offset) / 60) + two(abs(offset) % 60)
        return "\(date) \(year) \(time) \(zone)"
    }

    /// Four digits at least.
    private var year: String { padded(parts.year, to: 4) }

    private func two(_ number: Int?) -> String { padded(number, to: 2) }

    private func padded(_ number: Int?, to digits: Int) -> String {
        let text = "\(number ?? 0)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
