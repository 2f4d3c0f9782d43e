import CLlama
import Foundation
public import PulseCore

/// The options of an engine.
public struct EngineOptions: Sendable, Hashable {
    /// The GGUF file.
    public var modelPath: String
    /// The GGUF file of a LoRA adapter that is put on the model; nil: none.
    public var adapterPath: String?
    /// The longest prompt and answer together, in tokens, up to the trained length; nil: the trained length, but at
    /// most `contextLimit`.
    public var contextLength: Int?
    /// The longest context if `contextLength` is nil.
    public var contextLimit = Self.defaultContextLimit
    /// The most concurrent requests.
    public var sequences: Int
    /// The cells of the KV cache for all sequences; nil: enough for usual requests, and for one of the greatest length.
    public var cells: Int?
    /// The form of the KV cache; nil: 16-bit floats, or eight bits if memory is short.
    public var cacheType: CacheType?
    /// The number of compute threads; nil: one for each physical core that the process may use, fewer while other
    /// programs need the cores, and one for very small models.
    public var threads: Int?
    /// RPC servers of ggml that layers are offloaded to, as many as fit there.
    public var servers: [RPCAddress]
    /// The number of layers to offload, with the output as one; nil: as many as fit.
    public var gpuLayers: Int?
    /// Whether ggml may repack weights into memory for the CPU. Otherwise the mapped file is used.
    public var repacksWeights: Bool
    /// Reads the vocabulary and the metadata only: enough to count tokens, not to generate.
    public var vocabularyOnly: Bool
    /// Whether the library's own log lines go to standard error. Otherwise it is silent.
    public var logsToStandardError: Bool
    /// Replaces the file's chat template; nil: the file's is used. A base model has none.
    package var chatTemplate: String?

    /// No digest needs more, and the KV cache grows with it.
    public static let defaultContextLimit = 8192

    /// ggml's repacked kernels multiply 4 rows at a time and its tiled ones 16: 16 sequences use both fully. On two Zen
    /// 5 cores, a model of a billion weights writes 137 tokens a second in 16 sequences, 80 in 8 and 45 in one.
    public static let defaultSequences = 16

    public init(
        modelPath: String, contextLength: Int? = nil, sequences: Int = Self.defaultSequences, cells: Int? = nil,
        cacheType: CacheType? = nil, threads: Int? = nil, servers: [RPCAddress] = [], gpuLayers: Int? = nil,
        repacksWeights: Bool = true, vocabularyOnly: Bool = false, logsToStandardError: Bool = false
    ) {
        self.modelPath = modelPath
        self.contextLength = contextLength
        self.sequences = sequences
        self.cells = cells
        self.cacheType = cacheType
        self.threads = threads
        self.servers = servers
        self.gpuLayers = gpuLayers
        self.repacksWeights = repacksWeights
        self.vocabularyOnly = vocabularyOnly
        self.logsToStandardError = logsToStandardError
    }
}

/// The type of the keys and values in the KV cache.
public enum CacheType: String, Sendable, Hashable, CaseIterable {
    /// 16-bit floats: two bytes a value.
    case f16
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Eight bits a value and a scale for every 32 values.
    case q8_0
}

/// The form of a model's weights in memory. The fastest depends on CPU and file: measured by `Engine.measureSpeed`.
public enum WeightsForm: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// Repacked into memory for the CPU, if ggml has such a form for it.
    case rearranged
    /// Mapped from the file.
    case mapped
    /// Requantized to 8 bits (`Q8_0`) in another file, and mapped.
    case rewritten

    /// The form if nothing was measured, by `LlamaDescription.features`. On x86 without AMX, mapped weights are fastest
    /// (docs/performance.md).
    public static func usual(with features: String) -> WeightsForm {
        features.contains("SSE3 = 1") && !features.contains("AMX_INT8 = 1") ? .mapped : .rearranged
    }

    /// File types (`llama_ftype`) without fast kernels on most CPUs: `Q4_1`, `Q5_0` and `Q5_1`.
    public static let slowFileTypes: Set<Int> = [
        Int(LLAMA_FTYPE_MOSTLY_Q4_1.rawValue), Int(LLAMA_FTYPE_MOSTLY_Q5_0.rawValue),
        Int(LLAMA_FTYPE_MOSTLY_Q5_1.rawValue),
    ]
}

/// The measured speed of a model.
public struct EngineSpeed: Sendable, Hashable {
    /// Seconds per token of prefill.
    public var reading: Double
    /// Seconds per decode step of all sequences.
    public var step: Double
    /// The number of sequences of a step.
    public var sequences: Int

    /// The usual tokens of a story's prompt after the shared prefix, and of its answer.
    private static let usual = (read: 150.0, written: 40.0)

    /// An estimate of the seconds per story of a digest.
    public var story: Double { Self.usual.read * reading + Self.usual.written * step / Double(sequences) }
}

/// The address of a ggml RPC server, as the user gave it: `192.168.1.20:50052` or `tower.local:50052`.
public struct RPCAddress: Sendable, Hashable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    /// ggml-rpc.h: GGML_RPC_MAX_SERVERS.
    public static let most = 16

    /// Why a text is not such an address, as the end of a sentence.
    public struct Fault: Error, Hashable { public let words: Message }

    public init(_ text: String) throws(Fault) {
        // ggml-rpc.cpp splits at the first colon and asks for IPv4 addresses only.
        guard !text.hasPrefix("["), text.count(where: { $0 == ":" }) <= 1 else {
            throw Fault(words: "speaks IPv4 only: name the host, or its IPv4 address, not “\(text)”.")
        }
        let sides = text.split(separator: ":", omittingEmptySubsequences: false)
        guard sides.count == 2, let port = UInt16(sides[1]), port > 0, sides[1].allSatisfy(\.isNumber) else {
            throw Fault(words: "takes HOST:PORT, with a port from 1 to 65535, not “\(text)”.")
        }
        let host = sides[0]
        guard (1...253).contains(host.count), let first = host.first, first != "-", first != ".",
            host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) })
        else { throw Fault(words: "takes HOST:PORT, and “\(host)” is not the name of a host.") }
        self.host = String(host).lowercased()
        self.port = port
    }

    public var description: String { "\(host):\(port)" }
}
