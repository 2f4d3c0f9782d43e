import PulseCore

/// The memory of a model and a context, in bytes.
public struct Footprint: Sendable, Hashable {
    /// The weights. Mapped pages count too: dropped, they would be read from the disk again for every token.
    public var weights: UInt64
    /// The KV cache.
    public var cache: UInt64
    /// The compute and output buffers.
    public var buffers: UInt64
    /// The weights and buffers of the `Encoder`; 0: there is none.
    public var encoder: UInt64 = 0
    /// Whether a dry run gave `cache` and `buffers`. Otherwise they are estimates from the model's dimensions.
    public var isSimulated = true
    /// The layers on other devices, which are not counted above if they are in a device's own memory. Nil: no device.
    public var placement: Placement?

    /// For the rest of the program (heap, vocabulary, prompts, store), and some free memory for other programs.
    public static let reserve: UInt64 = 64 << 20

    public var memory: UInt64 { weights + cache + buffers + encoder + Self.reserve }
}

/// Missing memory, in bytes.
struct Shortage: Sendable, Hashable {
    /// Whether the control group is the limit, not the machine.
    var isOfGroup: Bool
    var needed: UInt64
    var available: UInt64

    var missing: UInt64 { needed - available }
}

extension MemoryBudget {
    /// The largest shortage of a footprint; nil: it fits.
    func shortage(of footprint: Footprint) -> Shortage? {
        guard let least, footprint.memory > least else { return nil }
        return Shortage(isOfGroup: machine != least, needed: footprint.memory, available: least)
    }
}

extension PulseError {
    /// `length` is that of the context that comes nearest to fitting. `fittingLength` is suggested; nil unless the user
    /// chose the length and a shorter one fits.
    static func tooLittleMemory(
        length: Int, footprint: Footprint, shortage: Shortage, fittingLength: Int?
    ) -> PulseError {
        let parts: Message =
            "the weights \(mebibytes(footprint.weights))\(elsewhere(footprint.placement)), a context of \(length) "
            + "tokens \(mebibytes(footprint.cache)), computing \(mebibytes(footprint.buffers)), the rest for the "
            + "program"
        let holder: Message = shortage.isOfGroup ? "the limit of the control group leaves" : "the machine has"
        let more = "\(mebibytes(shortage.missing)) MiB"
        let hint: Message =
            switch (fittingLength, shortage.isOfGroup) {
            case (let length?, _): "A context of \(length) tokens would fit; or make room for \(more) more."
            case (nil, false): "Close something that takes \(more), or choose a smaller model."
            case (nil, true): "Raise the limit by \(more), or choose a smaller model."
            }
        return PulseError(
            .tryAgain,
            "There is too little memory for this model: it takes \(mebibytes(shortage.needed)) MiB (\(parts)), and "
                + "\(holder) \(shortage.available >> 20) MiB.", hint: hint)
    }

    private static func elsewhere(_ placement: Placement?) -> Message {
        let shares: [Message] = (placement?.shares ?? []).map { "\(mebibytes($0.bytes)) MiB on \($0.device.name)" }
        return shares.isEmpty ? "" : " besides \(shares.joined(separator: " and "))"
    }

    /// Rounded up, so that the amount suffices.
    private static func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes + (1 << 20) - 1) >> 20 }
}

/// A device other than the CPU that can compute layers: a GPU of this machine, or a device of an RPC server.
public struct ComputeDevice: Sendable, Hashable {
    /// The library's name for it, such as `Vulkan0`; the address of a server.
    public var name: String
    /// The library's description.
    public var description: String
    /// Free bytes of its memory. A server without a GPU reports all memory of its machine.
    public var free: UInt64
    public var server: RPCAddress?
    /// Whether its memory is this machine's, so that its buffers count here too.
    public var sharesMemory: Bool
}

/// The assignment of layers to devices. A pure function of its arguments.
public struct Placement: Sendable, Hashable {
    public struct Share: Sendable, Hashable {
        public var device: ComputeDevice
        public var layers: Int
        /// Bytes of the layers' weights and KV cache.
        public var bytes: UInt64
    }

    /// The devices with at least one layer, in the order of the layers. The CPU computes the layers before them.
    public let shares: [Share]
    /// The number of layers of the model, with its output as one.
    public let allLayers: Int
    /// Bytes of weights and of KV cache that are not in this machine's memory.
    let weightsElsewhere: UInt64
    let cacheElsewhere: UInt64

    /// Bytes to leave free on a device, besides compute buffers: for its kernels and other programs.
    private static let spare: UInt64 = 256 << 20

    /// `cache` and `buffers` are bytes of all layers. `asked` layers are offloaded whether they fit or not; nil: as
    /// many as fit.
    init(_ layers: LayerSizes, cache: UInt64, buffers: UInt64, on devices: [ComputeDevice], asked: Int?) {
        let all = layers.blocks + [layers.output]
        let perBlock = cache / UInt64(max(1, layers.blocks.count))
        // As in the library: the last layers, split in proportion to free memory (llama-model.cpp, `splits`).
        let room = devices.map { $0.free - min($0.free, buffers + Self.spare) }
        let weight = room.map { Double(max(1, $0)) }
        func shares(of count: Int) -> [Share] {
            var (start, sum) = (0, 0.0)
            return zip(devices, weight).map { device, part in
                sum += part
                let end = Int((Double(count) * sum / weight.reduce(0, +)).rounded())
                defer { start = end }
                let run = (start..<end).map { all.count - count + $0 }
                let bytes = run.reduce(UInt64(0)) { $0 + all[$1] + ($1 < layers.blocks.count ? perBlock : 0) }
                return Share(device: device, layers: run.count, bytes: bytes)
            }
        }
        var count = devices.isEmpty ? 0 : min(asked ?? all.count, all.count)
        while asked == nil, count > 0, !zip(shares(of: count), room).allSatisfy({ $0.bytes <= $1 }) { count -= 1 }
        let given = shares(of: count)
        self.shares = given.filter { $0.layers > 0 }
        allLayers = all.count
        var (start, weights, blocks) = (all.count - count, UInt64(0), UInt64(0))
        for share in given {
            let run = start..<start + share.layers
            start = run.upperBound
            if share.device.sharesMemory { continue }
            for layer in run {
                if layer < layers.blocks.count { blocks += 1 }
                // An output that shares the token embeddings also stays on the CPU.
                if layer < layers.blocks.count || !layers.sharesOutput { weights += all[layer] }
            }
        }
        weightsElsewhere = weights
        cacheElsewhere = blocks * perBlock
    }

    /// The number of layers that are not on the CPU.
    public var layers: Int { shares.reduce(0) { $0 + $1.layers } }
    var usesServers: Bool { shares.contains { $0.device.server != nil } }
}

/// Bytes of a model's weights, by layer.
struct LayerSizes: Sendable, Hashable {
    var blocks: [UInt64]
    var output: UInt64
    /// Whether the output shares the token embeddings (tied weights).
    var sharesOutput = false
}

/// A load without weights, in which the library reports the memory that it would need.
///
/// llama.h, `no_alloc`: "only load metadata and simulate memory allocations". The C API does not return the sizes; they
/// are parsed from the log, or estimated from the model's dimensions if a version logs them differently.
struct DryRun: ~Copyable {
    private let model: Model
    private let devices: [ComputeDevice]
    /// Nil if there are no devices, or if the sizes are unknown.
    private let layers: LayerSizes?
    private let asked: Int?

    var trainedLength: Int { model.trainedContextLength }

    /// Why nothing can be offloaded, whatever the user asked for; nil: it can.
    var deviceFault: Message? {
        devices.isEmpty || layers != nil
            ? nil : "only a model in one file, with llama.cpp's names for its tensors, can offload layers"
    }

    init(_ file: ModelFile, devices: [ComputeDevice], gpuLayers: Int?) throws {
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

    /// The library allocates some 50 bytes for each cell, even in a dry run: the sizes of more cells are estimated.
    private static let mostCells = 1 << 22

    private func logLines(opening shape: ContextShape) -> [String]? {
        LogCollector.shared.startCollecting()
        do {
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
                outputs += size
            }
        }
        buffers = buffers.map { $0 + outputs }
    }

    private var outputs: UInt64 = 0

    private static func size(after mark: String, in line: String) -> UInt64? {
        guard let start = line.firstRange(of: mark)?.upperBound else { return nil }
        let words = line[start...].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[1].hasPrefix("MiB"), let size = Double(words[0]), size >= 0, size < 1e9 else {
            return nil
        }
        return UInt64((size * 1_048_576).rounded(.up))
    }
}
