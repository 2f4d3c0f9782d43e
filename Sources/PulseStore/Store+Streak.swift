import PulseSQL

public import struct Foundation.Calendar
public import struct Foundation.Date
public import struct Foundation.TimeZone

extension Store {
    /// How many days without a gap have a reading, up to the day of the date. That day may be young: while nothing was
    /// read on it, the days before it still count. At most one look into the index a day.
    public func daysInARow(endingAt date: Date, in zone: TimeZone) throws(StoreError) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return try attempt { () throws(SQLError) in
            let latest = try connection.prepare(Queries.latestReadBefore)
            guard var day = calendar.dateInterval(of: .day, for: date) else { return 0 }
            var days = 0
            var isFirst = true
            while true {
                latest.reset()
                try latest.bind([.integer(Instant.milliseconds(day.end))])
                let read = try latest.step() ? latest.integer(0) : nil
                guard let read else { return days }
                if read >= Instant.milliseconds(day.start) {
                    days += 1
                } else if !isFirst {
                    return days
                }
                isFirst = false
                // The instant before a day's first lies in the day before, however long either is.
                guard let before = calendar.dateInterval(of: .day, for: day.start.addingTimeInterval(-0.001)),
                    before.start < day.start
                else { return days }
                day = before
            }
        }
    }
}
