extension Command {
    static let doctor = Command(
        "doctor", summary: "look whether everything is there that a digest needs",
        details: """
            No weights are read, and nothing is changed, but that the history of an earlier version is brought up to date,
            as by every command. The exit code is 0, or that of the first problem. --format json
            gives one object a finding.
            """,
        options: [.format([.text, .json]), .context, .threads]
    ) { context throws(Failure) in
        try await Doctor(context: context).run()
    }.workingWithFaultySettings()
}
