import PulseCore

/// A load without weights, in which the library reports the memory that it would need.
///
/// llama.h, `no_alloc`: "only load metadata and simulate memory allocations". The C API does not return the sizes. The
/// library logs them, one line for each buffer, and they are parsed from the log. If a version logs them differently,
/// they are estimated from the model's dimensions.
struct DryRun: ~Copyable {
    private let model: Model
    /// The devices that layers may be offloaded to.
    private let devices: [ComputeDevice]
    /// Nil if there are no devices, or if the sizes are unknown.
    private let layers: LayerSizes?
    private let asked: Int?

    var trainedLength: Int { model.trainedContextLength }

    /// Why nothing can be offloaded, whatever the user asked for; nil: it can.
    var deviceFault: Message? {
        devices.isEmpty || layers != nil
            ? nil : "only a model in one file, with llama.cpp's names for its tensors, can give layers away"
    }

    init(_ file: ModelFile, devices: [ComputeDevice] = [], gpuLayers: Int? = nil) throws(PulseError) {
        LogCollector.shared.startCollecting()
        defer { _ = LogCollector.shared.stopCollecting() }
        model = try Model(path: file.path, reading: .simulated)
        self.devices = devices
        layers = devices.isEmpty || file.isSplit ? nil : LayerSizes(path: file.path)
        asked = gpuLayers
    }

    /// The memory for the model and a context of this shape; nil if the library cannot open one.
    func footprint(_ shape: ContextShape) -> Footprint? {
        guard let lines = shape.cells > Self.mostCells ? [] : logLines(opening: shape) else { return nil }
        let figures = BufferLines(lines)
        let cache = figures.cache ?? model.cacheSize(shape)
        let buffers = figures.buffers ?? model.bufferSize(shape)
        let placement = layers.map { Placement($0, cache: cache, buffers: buffers, on: devices, asked: asked) }
        return Footprint(
            weights: model.size - min(model.size, placement?.weightsElsewhere ?? 0),
            cache: cache - min(cache, placement?.cacheElsewhere ?? 0), buffers: buffers,
            isSimulated: figures.cache != nil && figures.buffers != nil, placement: placement)
    }

    /// The library allocates about 50 bytes of metadata for each cell, even in a dry run. For more cells than this,
    /// which no machine of today could hold, the sizes are estimated.
    private static let mostCells = 1 << 22

    /// Nil if no such context can be opened.
    private func logLines(opening shape: ContextShape) -> [String]? {
        LogCollector.shared.startCollecting()
        do throws(PulseError) {
            _ = try LlamaContext(of: model, shape: shape, threads: .fixed(1))
            return LogCollector.shared.stopCollecting()
        } catch {
            _ = LogCollector.shared.stopCollecting()
            return nil
        }
    }
}

/// Parses the sizes in the library's log. llama.cpp writes them with "%8.2f MiB":
///
///     llama_kv_cache: size =   32.00 MiB (  2048 cells,  16 layers,  1/1 seqs), K (f16):   16.00 MiB, V (f16): …
///     sched_reserve:        CPU compute buffer size =    34.01 MiB
///     llama_context:        CPU  output buffer size =     0.03 MiB
struct BufferLines {
    /// Bytes of all KV caches of the model; nil: not logged.
    private(set) var cache: UInt64?
    /// Bytes of the compute and output buffers; nil: not logged.
    private(set) var buffers: UInt64?

    init(_ lines: [String]) {
        for line in lines {
            if let size = Self.size(after: ": size = ", in: line) {
                cache = (cache ?? 0) + size
            } else if let size = Self.size(after: "compute buffer size = ", in: line) {
                buffers = (buffers ?? 0) + size
            } else if let size = Self.size(after: "output buffer size = ", in: line), size > 0 {
                results += size
            }
        }
        buffers = buffers.map { $0 + results }
    }

    private var results: UInt64 = 0

    private static func size(after mark: String, in line: String) -> UInt64? {
        guard let start = line.firstRange(of: mark)?.upperBound else { return nil }
        let words = line[start...].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[1].hasPrefix("MiB"), let size = Double(words[0]), size >= 0, size < 1e9 else {
            return nil
        }
        return UInt64((size * 1_048_576).rounded(.up))
    }
}
