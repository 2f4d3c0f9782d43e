import Foundation
import PulseCore
package import PulseInference
package import PulseModels
import PulsePlatform
import PulseText

/// The form of a model's weights that is the fastest on this machine. It is measured after a download and by `bench`,
/// and used until the file, the library or the processor changes.
package struct WeightsChoice {
    package struct Measured: Codable, Hashable {
        package let form: WeightsForm
        /// Seconds that a story of a digest takes.
        package let seconds: [WeightsForm: Double]
        /// Bytes of memory that this process had for itself with each form, if the system tells.
        package let memory: [WeightsForm: UInt64]
        /// Identifies the file, the library and the processor.
        let key: String
        /// The size of the rewritten file in bytes, if that is used.
        let copySize: Int?
    }

    package let model: ResolvedModel
    private let settings: ModelSettings
    /// Where the measurement is kept, and the rewritten file beside it.
    private let place: String
    private let key: String
    private let size: Int
    private let features: String

    package init(for model: ResolvedModel, settings: ModelSettings = ModelSettings(), cache: String) async {
        self.model = model
        self.settings = settings
        let library = await Engine.library()
        let path = URL(fileURLWithPath: model.path).resolvingSymlinksInPath().path
        let file = try? FileManager.default.attributesOfItem(atPath: path)
        size = file?[.size] as? Int ?? 0
        let changed = (file?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        features = library.features
        key = "\(path) \(size) \(changed) \(library.version) \(features) \(MachineSummary.processor)"
        place = "\(cache)/weights/\(ShortHash.of(path))"
    }

    private var note: String { place + ".json" }
    private var copy: String { place + ".gguf" }

    /// Nil: it was not measured, or the rewritten file is gone.
    package var measured: Measured? {
        guard let bytes = try? AtomicFile.read(note),
            let measured = try? JSONDecoder().decode(Measured.self, from: bytes), measured.key == key,
            measured.form != .rewritten || measured.copySize == FileSizes.size(ofFile: copy).map({ Int($0) })
        else { return nil }
        return measured
    }

    /// Seconds that a story of a digest takes here with the form of the weights that is used; nil: not measured.
    package var secondsOfStory: Double? { measured.flatMap { $0.seconds[$0.form] } }

    package var options: EngineOptions {
        let asked = settings.engine(of: model)
        // Layers on other machines were not measured.
        guard asked.servers.isEmpty else { return asked }
        return options(measured?.form ?? .usual(with: features), asked)
    }

    private func options(_ form: WeightsForm, _ asked: EngineOptions) -> EngineOptions {
        var options = asked
        options.repacksWeights = form == .rearranged
        if form == .rewritten { options.modelPath = copy }
        return options
    }

    // MARK: - Measuring

    /// Measures the forms in turns, with default options, and stores the result.
    package func measure(reporter: Reporter) async throws -> Measured {
        defer { reporter.clear() }
        reporter.show("Measuring in which form \(model.name) is fastest on this machine…")
        try AtomicFile.makeFolder((place as NSString).deletingLastPathComponent)
        return try await FileLock(waitingFor: place + ".lock").hold {
            // Also removes the files of a run that was killed.
            for path in [note, copy, new] { try AtomicFile.remove(path) }
            let measured: Measured
            do {
                measured = try await compare()
            } catch {
                unlink(copy)
                throw error
            }
            if measured.form != .rewritten { try AtomicFile.remove(copy) }
            if let bytes = try? JSONEncoder().encode(measured) { try AtomicFile.write(bytes, to: note, mode: 0o600) }
            return measured
        }
    }

    private func compare() async throws -> Measured {
        let plain = EngineOptions(modelPath: model.path)
        var file = plain
        file.vocabularyOnly = true
        let type = try await Engine.load(file).model.fileType
        var forms: [WeightsForm] = [.rearranged, .mapped]
        if let type, WeightsForm.slowFileTypes.contains(type), await rewrite() { forms.append(.rewritten) }
        var (seconds, memory): ([WeightsForm: Double], [WeightsForm: UInt64]) = ([:], [:])
        var faults: [WeightsForm: PulseError] = [:]
        // In turns, since a machine's speed varies.
        for form in forms + forms where faults[form] == nil {
            do {
                let engine = try await Engine.load(options(form, plain))
                seconds[form] = min(seconds[form] ?? .infinity, try await engine.measureSpeed().story)
                memory[form] = PrivateMemory.bytes
            } catch let error as PulseError where error.code != .interrupted {
                // A form for which there is too little memory now cannot be relied on at night.
                faults[form] = error
                seconds[form] = nil
            }
        }
        if seconds.isEmpty, let fault = faults.values.first { throw fault }
        return Measured(
            form: Self.best(seconds), seconds: seconds, memory: memory, key: key,
            copySize: FileSizes.size(ofFile: copy).map { Int($0) })
    }

    /// A form that takes memory or a file of its own has to be faster by a margin.
    static func best(_ seconds: [WeightsForm: Double]) -> WeightsForm {
        let costs: [WeightsForm: Double] = [.rearranged: 1.05, .mapped: 1, .rewritten: 1.25]
        return seconds.min { $0.value * (costs[$0.key] ?? 1) < $1.value * (costs[$1.key] ?? 1) }?.key ?? .rearranged
    }

    /// Deletes the measurement and the rewritten file. Returns the bytes that are free again.
    package func discard() throws -> Int64 {
        let files = [note, copy, new, place + ".lock"]
        let sizes = files.compactMap { FileSizes.size(ofFile: $0) }
        for file in files where FileSizes.size(ofFile: file) != nil { try AtomicFile.remove(file) }
        return sizes.reduce(0, +)
    }

    // MARK: - Rewriting

    private var new: String { place + ".new" }

    /// Makes the rewritten file if there is room for it on the disk and in memory. Returns whether it was made.
    private func rewrite() async -> Bool {
        let memory = MemoryBudget.current().least ?? .max
        let disk = Disk.freeSpace(in: (place as NSString).deletingLastPathComponent) ?? 0
        // The file grows to less than twice its size, and the memory holds its largest table as 32-bit numbers.
        let needed = 2 * size + 256 << 20
        guard memory > UInt64(needed), disk > needed,
            await Engine.rewrite(model.path, to: new), let file = FileHandle(forUpdatingAtPath: new)
        else {
            unlink(new)
            return false
        }
        defer { try? file.close() }
        return fsync(file.fileDescriptor) == 0 && rename(new, copy) == 0
    }
}

/// How much of a disk files take, in bytes.
package enum FileSizes {
    /// Follows links; nil if there is no regular file.
    package static func size(ofFile path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Of all files below a folder; 0 where there is none.
    package static func size(ofFolder path: String) -> Int64 {
        guard let files = FileManager.default.enumerator(atPath: path) else { return 0 }
        return files.reduce(into: Int64(0)) { sum, name in
            if let name = name as? String { sum += size(ofFile: "\(path)/\(name)") ?? 0 }
        }
    }
}

/// The memory that this process has for itself, without mapped files.
enum PrivateMemory {
    /// Nil where the system does not tell. proc(5), status: "RssAnon: Size of resident anonymous memory", in kB.
    static var bytes: UInt64? {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
    }
}
