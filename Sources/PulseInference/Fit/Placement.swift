/// A device beside the processor that computes layers: a graphics processor of this machine, or what an RPC server has.
public struct ComputeDevice: Sendable, Hashable {
    /// The library's name for it, such as `Vulkan0`; of a server its address.
    public var name: String
    /// What it is, in the library's words.
    public var description: String
    /// Bytes that are free there. A server that computes with its processor reports all of its machine's memory.
    public var free: UInt64
    public var server: ServerAddress?
    /// Whether its memory is this machine's: what lies there counts here too.
    public var sharesMemory: Bool
}

/// Which layers are computed by which device. A pure value of the figures it was given.
public struct Placement: Sendable, Hashable {
    public struct Share: Sendable, Hashable {
        public var device: ComputeDevice
        public var layers: Int
        /// Bytes of the layers' weights, keys and values.
        public var bytes: UInt64
    }

    /// Devices with at least one layer, in the order of the layers. What comes before them is the processor's.
    public let shares: [Share]
    /// The model's layers, its output counted as one.
    public let allLayers: Int
    /// Bytes of weights and of keys and values that lie in no memory of this machine.
    let weightsElsewhere: UInt64
    let cacheElsewhere: UInt64

    /// Left free on a device, beside the buffers of a computation: for its kernels, and for whoever else uses it.
    private static let spare: UInt64 = 256 << 20

    /// - Parameters:
    ///   - cache: Bytes of the keys and values of all layers.
    ///   - buffers: Bytes of the buffers of a computation.
    ///   - asked: The number of layers that the user asked for, whether they fit or not; nil: as many as fit.
    init(
        _ layers: LayerSizes, cache: UInt64, buffers: UInt64, on devices: [ComputeDevice], asked: Int?
    ) {
        let all = layers.blocks + [layers.output]
        let perBlock = cache / UInt64(max(1, layers.blocks.count))
        // As the library orders them: the last layers, in turn, by the memory that is free (llama-model.cpp, `splits`).
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
                // An output that is the embedding's table stays here too.
                if layer < layers.blocks.count || !layers.sharesOutput { weights += all[layer] }
            }
        }
        weightsElsewhere = weights
        cacheElsewhere = blocks * perBlock
    }

    /// Layers that are not the processor's.
    public var layers: Int { shares.reduce(0) { $0 + $1.layers } }
    var usesServers: Bool { shares.contains { $0.device.server != nil } }
}

/// Bytes of a model's weights, layer by layer.
struct LayerSizes: Sendable, Hashable {
    var blocks: [UInt64]
    var output: UInt64
    /// Whether the output has no weights of its own but the embedding's table.
    var sharesOutput = false
}
