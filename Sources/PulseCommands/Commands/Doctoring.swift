extension Command {
    static let doctor = Command(
        "doctor", summary: "look whether everything is there that a digest needs",
        details: """
            Nothing is changed, and no weights are read. The exit code is 0, or that of the first problem. --format json
            gives one object a finding.
            """,
        options: [.format([.text, .json]), .context, .threads]
    ) { context throws(Failure) in
        try await Doctor(context: context).run()
    }.workingWithFaultySettings()
}
