/// A time that clocks show once a day.
struct TimeOfDay: Sendable, Hashable {
    let hour: Int
    let minute: Int

    init(hour: Int, minute: Int) {
        self.hour = hour
        self.minute = minute
    }

    /// Reads `7:05`, `07:05` or `22:00`.
    init(_ text: String) throws(InvalidValue) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw InvalidValue("takes a time such as 22:00, not “\(text)”.") }
        self.init(hour: hour, minute: minute)
    }

    /// `07:05`
    var text: String { [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") }
}
