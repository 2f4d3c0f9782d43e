import PulseText

public import struct Foundation.Date
public import struct Foundation.TimeZone

/// Points in time as sources and users write them.
///
/// - ISO 8601 in the profiles of RFC 3339 and the W3C: `2026-03-01`, `2026-03-01T12:00Z`,
///   `2026-03-01T12:00:00.250+01:00`. A date alone is its midnight. Without an offset, the caller's zone is used.
/// - A negative ISO 8601 duration, such as `-PT3H`, `-P1DT2H30M` or `-P2W`: that long before now. Years and months have
///   no fixed length and are refused.
public enum Timestamp {
    /// - Parameters:
    ///   - now: The time that a duration is relative to.
    ///   - zone: The zone of a date, or of a time without an offset.
    ///   - dayZone: The zone of a date, if not `zone`.
    /// - Returns: nil for any other text.
    public static func parse(_ text: String, now: Date, zone: TimeZone = .gmt, dayZone: TimeZone? = nil) -> Date? {
        var scanner = TimestampScanner(text)
        if scanner.skip("-") {
            guard let seconds = duration(&scanner), scanner.isAtEnd else { return nil }
            return now.addingTimeInterval(-seconds)
        }
        guard let date = instant(&scanner, zone, dayZone ?? zone), scanner.isAtEnd else { return nil }
        return date
    }

    /// The midnight that begins a day of the Gregorian calendar; nil if there is no such day.
    public static func midnight(year: Int, month: Int, day: Int, zone: TimeZone = .gmt) -> Date? {
        daysSince1970(year: year, month: month, day: day).map { Date(wall: Double($0) * 86_400, in: zone) }
    }

    /// A time in UTC, to the millisecond: `2026-03-01T12:00:00.250Z`. `parse` reads it back exactly. Foundation's
    /// format uses the Julian calendar before 1582, and truncates milliseconds that a Double is just below.
    ///
    /// - Parameter date: In the years 1 to 9999.
    public static func text(_ date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let (days, time) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // Rounded down, also before 1970.
        let (day, rest) = time < 0 ? (days - 1, time + 86_400_000) : (days, time)
        // Hinnant's civil_from_days, the inverse of `daysSince1970`.
        let shifted = day + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { $0.padded(2) }
        return "\(year.padded(4))-\(month.padded(2))-\(dayOfMonth.padded(2))"
            + "T\(clock.joined(separator: ":")).\((rest % 1000).padded(3))Z"
    }

    private static func instant(_ scanner: inout TimestampScanner, _ zone: TimeZone, _ dayZone: TimeZone) -> Date? {
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), let days = daysSince1970(year: year, month: month, day: day)
        else { return nil }
        var seconds = Double(days) * 86_400
        if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
            guard let time = timeOfDay(&scanner) else { return nil }
            seconds += time
            switch offset(&scanner) {
            case .seconds(let east): return Date(timeIntervalSince1970: seconds - east)
            case .unnamed: return Date(wall: seconds, in: zone)
            case nil: return nil
            }
        }
        return Date(wall: seconds, in: dayZone)
    }

    private static func timeOfDay(_ scanner: inout TimestampScanner) -> Double? {
        guard let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2), hour < 24, minute < 60
        else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        if scanner.skip(":") {
            // 60 is a leap second (RFC 3339, section 5.7).
            guard let second = scanner.digits(2), second <= 60 else { return nil }
            seconds += Double(second)
            if scanner.skip(".") || scanner.skip(",") {
                guard let fraction = scanner.fraction() else { return nil }
                seconds += fraction
            }
        }
        return seconds
    }

    private enum Offset {
        /// East of UTC.
        case seconds(Double)
        case unnamed
    }

    /// Nil if it is malformed.
    private static func offset(_ scanner: inout TimestampScanner) -> Offset? {
        if scanner.skip("Z") || scanner.skip("z") { return .seconds(0) }
        let sign: Double
        if scanner.skip("+") { sign = 1 } else if scanner.skip("-") { sign = -1 } else { return .unnamed }
        guard let hours = scanner.digits(2), hours < 24 else { return nil }
        let hasColon = scanner.skip(":")
        guard let minutes = scanner.digits(2) else { return hasColon ? nil : .seconds(sign * Double(hours) * 3600) }
        return minutes < 60 ? .seconds(sign * Double(hours * 3600 + minutes * 60)) : nil
    }

    /// Seconds.
    private static func duration(_ scanner: inout TimestampScanner) -> Double? {
        guard scanner.skip("P") else { return nil }
        var units: [(mark: Character, seconds: Double)] = [("W", 604_800), ("D", 86_400)]
        var total = 0.0
        var isEmpty = true
        var isTime = false
        while !scanner.isAtEnd {
            if !isTime, scanner.skip("T") {
                isTime = true
                units = [("H", 3600), ("M", 60), ("S", 1)]
                isEmpty = true
                continue
            }
            guard let number = scanner.number(), let unit = units.firstIndex(where: { scanner.skip($0.mark) }) else {
                return nil
            }
            total += number * units[unit].seconds
            // Each unit at most once, larger units first.
            units.removeFirst(unit + 1)
            isEmpty = false
        }
        return isEmpty ? nil : total
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar; nil if there is no such day.
    ///
    /// Howard Hinnant's days_from_civil, http://howardhinnant.github.io/date_algorithms.html: years that begin in
    /// March put the leap day last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year >= 1, (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Date {
    /// The instant of a zone's local time, given as seconds from its 1970-01-01 00:00. A time that DST repeats is its
    /// first occurrence; one that DST skips is read with the offset before the change.
    package init(wall seconds: Double, in zone: TimeZone) {
        // Until DST begins or ends, the offset is that of the day before; from then on, that of the day after.
        let before = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds - 86_400)))
        let after = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds + 86_400)))
        let early = Date(timeIntervalSince1970: seconds - before)
        let isEarly = Double(zone.secondsFromGMT(for: early)) == before
        let late = Date(timeIntervalSince1970: seconds - after)
        self = isEarly || Double(zone.secondsFromGMT(for: late)) != after ? early : late
    }
}

/// Reads a time stamp from left to right.
struct TimestampScanner {
    private var rest: Substring.UTF8View

    /// White space around the text is ignored.
    init(_ text: String) {
        let front = text.drop(while: \.isWhitespace)
        let end = front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex
        rest = front[..<end].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips an ASCII character if it comes next.
    mutating func skip(_ character: Character) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    /// Exactly `count` digits, as a number.
    mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The digits after a decimal mark, as a fraction of one; at least one digit.
    mutating func fraction() -> Double? {
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        // A Double cannot distinguish more digits.
        return Double("0." + String(Substring(digits.prefix(17))))
    }

    /// A decimal number of at most nine digits before its mark.
    mutating func number() -> Double? {
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard (1...9).contains(digits.count), let whole = Double(String(Substring(digits))) else { return nil }
        rest.removeFirst(digits.count)
        guard skip(".") || skip(",") else { return whole }
        return fraction().map { whole + $0 }
    }
}
