import Foundation
import PulseTestSupport
import Testing

/// `TZ` in every form of tzset(3).
@Suite(.timeLimit(.minutes(20))) struct TimeZoneTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-11-26T00:00:00Z"
        let lines = ["07-15", "11-25"].map {
            "{\"id\":\"\($0)\",\"title\":\"A bridge\",\"content\":\"It was opened.\",\"read_at\":\"2026-\($0)T20:00:00Z\"}\n"
        }
        _ = try sandbox.run("import", "jsonl", "--store", sandbox.store, input: Data(lines.joined().utf8))
    }

    /// What clocks show at 20:00 UTC on 25 November and on 15 July.
    private static let clocks = [
        ("Europe/Lisbon", "20:00", "21:00"), (":America/New_York", "15:00", "16:00"),
        ("EST5EDT,M3.2.0,M11.1.0", "15:00", "16:00"), ("EST5EDT", "15:00", "16:00"), ("JST-9", "05:00", "05:00"),
        (":JST-9", "05:00", "05:00"), ("<+0330>-3:30", "23:30", "23:30"), ("<-0545>5:45", "14:15", "14:15"),
        ("UTC0", "20:00", "20:00"), ("XYZ+3", "17:00", "17:00"), ("", "20:00", "20:00"),
        (":/usr/share/zoneinfo/Europe/Lisbon", "20:00", "21:00"), ("/usr/share/zoneinfo/Asia/Tokyo", "05:00", "05:00"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "21:00", "22:00"), ("AEST-10AEDT,M10.1.0,M4.1.0/3", "07:00", "06:00"),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "20:00", "21:00"),
        // No zone has this rule; the nearest is right but for some weeks.
        ("CET-1CEST", "21:00", "22:00"), ("EST5EDT,J60/2,J300/2", "15:00", "16:00"),
        // The C library takes these for UTC, too.
        ("Nonsense/Zone", "20:00", "20:00"), ("europe/lisbon", "20:00", "20:00"), ("JST", "20:00", "20:00"),
    ]

    @Test func clocksShow() throws {
        for (zone, november, july) in Self.clocks {
            sandbox.environment["TZ"] = zone
            let list = try sandbox.run("history", "list", "--store", sandbox.store).output
            let lines = list.split(separator: "\n")
            try #require(lines.count == 2, "\(zone): \(list)")
            #expect(lines[0].contains(" \(november)") && lines[1].contains(" \(july)"), "\(zone): \(list)")
            // The C library is asked about the same moment.
            let date = try sandbox.shell("date -d 2026-11-25T20:00:00Z +%H:%M").output
            #expect(date == november + "\n", "\(zone)")
        }
    }

    @Test func whatIsMistypedIsSaid() throws {
        for (zone, word) in [("Nonsense/Zone", "so UTC is used"), ("EST5EDT,J60/2,J300/2", "the nearest")] {
            sandbox.environment["TZ"] = zone
            #expect(try sandbox.run("doctor", "--store", sandbox.store).output.contains(word))
        }
    }

    /// The variable as it is, and a time that the timer understands.
    @Test func aScheduleGoesByIt() throws {
        let install = [
            "schedule", "install", "--to", "ana@example.org", "--at", "22:00", "--dry-run", "--store", sandbox.store,
        ]
        for (zone, calendar) in [
            ("JST-9", "22:00:00 Etc/GMT-9"), ("EST5EDT,M3.2.0,M11.1.0", "22:00:00 EST5EDT"),
            ("<-0545>5:45", "03:45:00 UTC"), (":Asia/Tokyo", "22:00:00 Asia/Tokyo"),
        ] {
            sandbox.environment["TZ"] = zone
            let units = try sandbox.run(install + ["--systemd"]).output
            #expect(units.contains("OnCalendar=*-*-* \(calendar)"), "\(units)")
            #expect(units.contains("TZ=\(zone)"), "\(units)")
        }
    }
}
