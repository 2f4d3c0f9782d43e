import PulseCore
import PulsePlatform
import PulseRendering

/// The reader's browser.
///
/// The variable BROWSER (http://www.catb.org/~esr/BROWSER/): "a colon-separated series of browser command parts. These
/// should be tried in order until one succeeds. Each command part may optionally contain the string "%s"; if it does,
/// the URL to be viewed is substituted there." `%%` is a percent sign and `%c` a colon. Without it, the desktop's
/// browser is started by xdg-open, or by macOS's open. No shell reads any of it.
struct Browser {
    let environment: [String: String]

    /// - Returns: false where there is no display that a browser could open on.
    /// - Throws: Where there is one, and no program to open a page with; where the one there is has failed.
    func open(_ link: WebLink) async throws(PulseError) -> Bool {
        var failure: Message?
        for words in Browser.commands(environment["BROWSER"] ?? "", link.address) + system(link.address) {
            let name = words[0]
            let path = name.contains("/") ? name : ProgramSearch(environment: environment).find(name)
            guard let path, ProgramSearch.isProgram(path) else {
                failure = failure ?? "There is no program “\(name)” to open a web page with."
                continue
            }
            let program = ChildProcess(path: path, arguments: Array(words.dropFirst()), environment: environment)
            // In the foreground: a browser of the terminal needs it, and the others leave at once.
            if try await program.runOnOwnStreams() == .exited(0) { return true }
            failure = "“\(name)” could not open \(link.address)."
        }
        guard let failure else { return false }
        throw PulseError(
            .unavailable, failure,
            hint: "Name your browser's command in BROWSER, or install xdg-utils (Debian: apt-get install xdg-utils).")
    }

    /// The words of each command of the variable.
    static func commands(_ variable: String, _ address: String) -> [[String]] {
        variable.split(separator: ":").compactMap { part in
            let words = part.split(separator: " ").map { filled($0, address) }
            guard !words.isEmpty else { return nil }
            return part.replacing("%%", with: "").contains("%s") ? words : words + [address]
        }
    }

    private static func filled(_ word: Substring, _ address: String) -> String {
        var filled = ""
        // Written for a shell, it may be in quotation marks.
        var rest = ["'%s'", "\"%s\""].contains(word) ? "%s" : word
        while let character = rest.popFirst() {
            guard character == "%", let next = rest.first, let meant = ["s": address, "%": "%", "c": ":"][next] else {
                filled.append(character)
                continue
            }
            rest.removeFirst()
            filled += meant
        }
        return filled
    }

    /// The desktop's own opener, where there is a desktop.
    private func system(_ address: String) -> [[String]] {
        #if canImport(Darwin)
            [["/usr/bin/open", address]]
        #else
            ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
                ? [["xdg-open", address]] : []
        #endif
    }
}
