public import Foundation

extension Calendar {
    /// The one that all dates here are told in, whatever the system's is.
    public static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
