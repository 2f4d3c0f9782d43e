import struct Foundation.Date

/// A time as the store keeps it: whole milliseconds since 1970-01-01T00:00Z, exact to compare and to read back.
enum Instant {
    /// Times beyond the years 1 and 9999, such as `Date.distantFuture` of a careless source, become those.
    static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds.isFinite else { return 0 }
        return Int64(min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999))
    }

    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
