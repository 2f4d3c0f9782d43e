/// An agent of launchd as its property list (launchd.plist(5)).
struct LaunchAgent: Sendable, Hashable {
    static let label = "pulse-digest"
    let propertyList: String

    init(_ command: ScheduledCommand, at time: TimeOfDay) {
        let words = ([command.program] + command.arguments).map { "        <string>\(Self.escaped($0))</string>\n" }
        let variables = command.environment.map {
            "        <key>\(Self.escaped($0.name))</key><string>\(Self.escaped($0.value))</string>\n"
        }
        // A time that was slept through is made up for on waking: launchd.plist(5), StartCalendarInterval.
        propertyList = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>Label</key><string>\(Self.label)</string>
                <key>ProgramArguments</key>
                <array>
            \(words.joined())    </array>
                <key>EnvironmentVariables</key>
                <dict>
            \(variables.joined())    </dict>
                <key>StartCalendarInterval</key>
                <dict>
                    <key>Hour</key><integer>\(time.hour)</integer>
                    <key>Minute</key><integer>\(time.minute)</integer>
                </dict>
                <key>ProcessType</key><string>Background</string>
            </dict>
            </plist>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// When an agent runs; nil where someone has made it run otherwise.
    static func time(of propertyList: String) -> TimeOfDay? {
        func number(_ key: String) -> Int? {
            guard let start = propertyList.firstRange(of: "<key>\(key)</key><integer>")?.upperBound else { return nil }
            return Int(propertyList[start...].prefix { $0.isNumber })
        }
        guard let hour = number("Hour"), let minute = number("Minute"), hour < 24, minute < 60 else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }
}
