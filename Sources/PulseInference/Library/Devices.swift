import CLlama
import PulseCore

/// The devices that layers may be offloaded to. A server serves one client at a time, so connections stay open.
struct Devices: ~Copyable {
    private let found: [(handle: OpaquePointer, device: ComputeDevice)]
    /// Backend handles whose connections stay open.
    private let connections: [OpaquePointer]
    private let confinement = ThreadConfinement()

    var all: [ComputeDevice] { found.map(\.device) }

    init() { (found, connections) = ([], []) }

    /// The library must be started.
    /// - Throws: `.unavailable` if this libllama has no RPC, `.tryAgain` if a server does not respond.
    init(_ options: EngineOptions, servers: RemoteServers?) throws {
        var found: [(handle: OpaquePointer, device: ComputeDevice)] = []
        var connections: [OpaquePointer] = []
        if options.gpuLayers != 0 {
            // Servers first, as in llama.cpp: a local GPU then computes the output, and no logits are sent.
            for (handle, server) in try servers?.connect() ?? [] {
                servers?.ask(server) {
                    if let connection = ggml_backend_dev_init(handle, nil) { connections.append(connection) }
                    found.append((handle, Self.describe(handle, server: server)))
                }
            }
            servers?.guardConnections()
            found += Self.ofThisMachine()
        }
        (self.found, self.connections) = (found, connections)
    }

    deinit {
        confinement.check()
        connections.forEach { ggml_backend_free($0) }
    }

    /// The handles of a plan's devices, with their numbers of layers.
    func handles(for placement: Placement?) -> [(handle: OpaquePointer, layers: Int)] {
        (placement?.shares ?? []).compactMap { share in
            found.first { $0.device == share.device }.map { ($0.handle, share.layers) }
        }
    }

    /// Each GPU once; integrated ones if there are no others, as in llama.cpp (`llama_prepare_model_devices`).
    private static func ofThisMachine() -> [(OpaquePointer, ComputeDevice)] {
        var ids: Set<String> = []
        func devices(_ type: ggml_backend_dev_type) -> [OpaquePointer] {
            (0..<ggml_backend_dev_count()).compactMap { ggml_backend_dev_get($0) }.filter { handle in
                guard ggml_backend_dev_type(handle) == type else { return false }
                var properties = ggml_backend_dev_props()
                ggml_backend_dev_get_props(handle, &properties)
                return properties.device_id.map { ids.insert(String(cString: $0)).inserted } ?? true
            }
        }
        let discrete = devices(GGML_BACKEND_DEVICE_TYPE_GPU)
        let handles = discrete.isEmpty ? devices(GGML_BACKEND_DEVICE_TYPE_IGPU) : discrete
        return handles.map { ($0, describe($0, server: nil)) }
    }

    private static func describe(_ handle: OpaquePointer, server: RPCAddress?) -> ComputeDevice {
        var (free, total) = (0, 0)
        ggml_backend_dev_memory(handle, &free, &total)
        // Some report no memory; llama.cpp then uses the CPU's figures.
        if total == 0 { ggml_backend_dev_memory(ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU), &free, &total) }
        var sharesMemory = ggml_backend_dev_type(handle) == GGML_BACKEND_DEVICE_TYPE_IGPU
        #if canImport(Darwin)
            sharesMemory = true
        #endif
        let name = ggml_backend_dev_name(handle).map { String(cString: $0) } ?? "device"
        let description = ggml_backend_dev_description(handle).map { String(cString: $0) } ?? ""
        return ComputeDevice(
            name: server?.description ?? name, description: server == nil ? description : name,
            // A server's figure may overflow a signed number.
            free: UInt64(max(0, free)), server: server, sharesMemory: server == nil && sharesMemory)
    }
}

extension LayerSizes {
    /// Reads the sizes from a model's file; nil if its tensors do not have llama.cpp's names (`blk.0.attn_q.weight`,
    /// `output.weight`, `token_embd.weight`).
    init?(path: String) {
        guard let file = gguf_init_from_file(path, gguf_init_params(no_alloc: true, ctx: nil)) else { return nil }
        defer { gguf_free(file) }
        var sizes: [Int: UInt64] = [:]
        var (own, embedding) = (UInt64(0), UInt64(0))
        for number in 0..<gguf_get_n_tensors(file) {
            guard let raw = gguf_get_tensor_name(file, number) else { continue }
            let (name, size) = (String(cString: raw), UInt64(gguf_get_tensor_size(file, number)))
            if name.hasPrefix("blk."), let block = name.split(separator: ".").dropFirst().first.flatMap({ Int($0) }) {
                sizes[block, default: 0] += size
            } else if name.hasPrefix("output") {
                own += size
            } else if name == "token_embd.weight" {
                embedding = size
            }
        }
        guard let last = sizes.keys.max(), last < 4096, sizes.keys.allSatisfy({ $0 >= 0 }) else { return nil }
        let sharesOutput = gguf_find_tensor(file, "output.weight") < 0
        self.init(
            blocks: (0...last).map { sizes[$0] ?? 0 }, output: sharesOutput ? own + embedding : own,
            sharesOutput: sharesOutput)
    }
}
