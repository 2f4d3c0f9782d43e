/// A device other than the CPU that can compute layers: a GPU of this machine, or a device of an RPC server.
public struct ComputeDevice: Sendable, Hashable {
    /// The library's name for it, such as `Vulkan0`; the address of a server.
    public var name: String
    /// The library's description.
    public var description: String
    /// Free bytes of its memory. A server without a GPU reports all memory of its machine.
    public var free: UInt64
    public var server: ServerAddress?
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

    /// - Parameters:
    ///   - cache: bytes of the KV cache of all layers.
    ///   - buffers: bytes of the compute buffers.
    ///   - asked: the number of layers that the user wants to offload, whether they fit or not; nil: as many as fit.
    init(
        _ layers: LayerSizes, cache: UInt64, buffers: UInt64, on devices: [ComputeDevice], asked: Int?
    ) {
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
