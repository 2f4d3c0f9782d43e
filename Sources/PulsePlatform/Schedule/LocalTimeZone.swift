public import Foundation
public import PulseCore

/// The time zone that `TZ` names in any of the forms of tzset(3).
///
/// Foundation knows zones by name only, so the C library's offsets for a rule are compared with those of Foundation's
/// zones.
public struct LocalTimeZone: Sendable {
    public let zone: TimeZone
    /// A warning, such as that `TZ` is mistyped; else nil.
    public private(set) var fault: Message?

    /// `variable` is the value of `TZ`, nil if it is not set. Unless it is a zone's name, it must be the `TZ` of this
    /// process, which the C library reads. `folder` is where the C library finds zones by name.
    public init(_ variable: String?, folder: String = "/usr/share/zoneinfo", now: Date = .now) {
        guard let variable else {
            // tzset(3): "If the TZ variable does not appear in the environment, the system timezone is used."
            zone = MachineTimeZone.named() ?? Self.nearest(to: nil, now).zone
            return
        }
        // "If the value is empty or cannot be interpreted, UTC is used"; a colon may stand before a name.
        let rule = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        let path = rule.hasPrefix("/") ? rule : folder + "/" + rule
        let file = rule.isEmpty ? nil : FileManager.default.contents(atPath: path)
        let isFile = file?.starts(with: Data("TZif".utf8)) == true
        // Without that folder, only Foundation knows names.
        let isName = isFile || !rule.hasPrefix("/") && !FileManager.default.fileExists(atPath: folder)
        if isName, let named = Self.named(path, below: folder) {
            zone = named
        } else if isFile || rule.prefixMatch(of: /(<[A-Za-z0-9+\-]{3,}>|[A-Za-z]{3,})[+\-]?[0-9]/) != nil {
            let (found, isExact) = Self.nearest(to: rule.split(separator: ",").first.map(String.init), now)
            zone = found
            if !isExact {
                fault = "no time zone matches TZ=\(variable); the nearest, \(found.identifier), is used"
            }
        } else {
            zone = .gmt
            if !rule.isEmpty {
                fault = "TZ=\(variable) is not a time zone, so UTC is used. For example: TZ=Europe/Lisbon"
            }
        }
    }

    /// The zone of a file of the C library's folder, or of a copy of that folder.
    private static func named(_ path: String, below folder: String) -> TimeZone? {
        let name =
            path.hasPrefix(folder + "/")
            ? String(path.dropFirst(folder.count + 1))
            : path.firstRange(of: "zoneinfo/").map { String(path[$0.upperBound...]) } ?? ""
        // Debian has two more copies of each zone, without and with leap seconds.
        return TimeZone(identifier: name.replacing(/^(posix|right)\//, with: ""))
    }

    /// The zone with the C library's offsets from three years ago to two years ahead, else the one that differs least.
    /// Of several, the one named is preferred.
    private static func nearest(to name: String?, _ now: Date) -> (zone: TimeZone, isExact: Bool) {
        tzset()
        func offset(_ date: Date) -> Int {
            var time = time_t(date.timeIntervalSince1970)
            var parts = tm()
            localtime_r(&time, &parts)
            return parts.tm_gmtoff
        }
        // Clocks change at different hours; steps of less than a day reach each of them.
        let around = (-1200...800).map { now.addingTimeInterval(Double($0) * 86_400 * 0.9) }
        let offsets = around.map(offset)
        if let first = offsets.first, offsets.allSatisfy({ $0 == first }) {
            let hours = first / 3600
            let isWhole = first % 3600 == 0 && (-14...12).contains(-hours)
            if first == 0 { return (.gmt, true) }
            // The signs of these names are those of POSIX: west of Greenwich is positive.
            let whole = isWhole ? TimeZone(identifier: "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))") : nil
            return (whole ?? TimeZone(secondsFromGMT: first) ?? .gmt, true)
        }
        // Of several that match, the named one comes first, and little-known ones come last.
        let rare = ["Africa/", "Antarctica/", "Arctic/", "Atlantic/"]
        let known = Dictionary(grouping: TimeZone.knownTimeZoneIdentifiers.sorted()) { zone in
            rare.contains(where: zone.hasPrefix)
        }
        var best: (zone: TimeZone, agreement: Int) = (.gmt, -1)
        for identifier in [name].compactMap(\.self) + (known[false] ?? []) + (known[true] ?? []) {
            guard let zone = TimeZone(identifier: identifier) else { continue }
            // A quick test, which rules out most zones.
            let isFar = [now, now.addingTimeInterval(182 * 86_400)]
                .contains { zone.secondsFromGMT(for: $0) != offset($0) }
            if isFar { continue }
            let agreement = zip(around, offsets).count { zone.secondsFromGMT(for: $0) == $1 }
            if agreement > best.agreement { best = (zone, agreement) }
        }
        guard best.agreement >= 0 else { return (TimeZone(secondsFromGMT: offset(now)) ?? .gmt, false) }
        return (best.zone, best.agreement == around.count)
    }
}
