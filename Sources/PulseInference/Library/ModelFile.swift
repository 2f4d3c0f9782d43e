import Foundation
import PulseCore

/// A GGUF file whose header was read and checked before libllama opens it: it exists and is readable, complete, valid.
/// libllama reports most faults as "failed to load model", and aborts for some; users need to know the reason.
public struct ModelFile: Sendable {
    let path: String
    let size: UInt64
    let header: GGUFHeader
    /// Nil if the file may be a text generator.
    private let kind: ModelKind?

    /// Throws `.unavailable` if the file is not a valid GGUF file.
    public init(path: String) throws {
        self.path = path
        let contents = try Self.contents(of: path)
        size = UInt64(contents.count)
        if contents.isEmpty {
            throw PulseError(.unavailable, "The model file \(path) is empty.", hint: "Fetch it again.")
        }
        guard contents.starts(with: Array("GGUF".utf8)) else { throw ForeignFile.refusal(contents, at: path) }
        do throws(GGUFHeader.Fault) {
            header = try GGUFHeader(contents)
        } catch {
            switch error {
            case .truncated:
                throw PulseError(
                    .unavailable,
                    "The model file \(path) is incomplete: it ends before its content does, after \(size) bytes.",
                    hint: "Fetch it again.")
            case .contradiction(let what): throw Self.corrupted(path, what)
            case .version(let version):
                let isSwapped = version.byteSwapped < 1 << 16 && version >= 1 << 16
                throw PulseError(
                    .unavailable,
                    isSwapped
                        ? "\(path) was made for processors with the other order of bytes (endianness)."
                        : "\(path) is of version \(version) of GGUF; versions 2 and 3 can be read.",
                    hint: "Choose another conversion of the model.")
            case .excess(let what):
                throw PulseError(
                    .unavailable, "The model file \(path) has an implausibly large header: \(what).",
                    hint: "It is damaged, or made to do harm. Choose another model, or fetch it again.")
            }
        }
        kind = ModelKind(header)
        // Only files that libllama may open must be valid; an importance matrix names no architecture.
        if kind == nil || header.architecture != nil, let fault = header.fault { throw Self.corrupted(path, fault) }
    }

    /// Throws `.unavailable` if the file is not a text generator, or if a part of it is missing.
    func requireWriter() throws { if let refusal = kind?.refusal(of: path) { throw refusal } }

    init(adapter path: String) throws {
        try self.init(path: path)
        // libllama asserts that these values have these types.
        guard case .real? = header.metadata["adapter.lora.alpha"], header.text("general.type") == "adapter",
            header.text("adapter.type") == "lora"
        else { throw Self.corrupted(path, "it is not an adapter") }
    }

    /// The number of weights in this file, which may be a part of a split model.
    public var parameters: Int64 { header.parameters }

    var chatTemplate: String? { header.text("tokenizer.chat_template") }

    /// Whether it is a chat model: it has a chat template, and is of no other kind.
    public var isForChat: Bool { chatTemplate != nil && kind?.refusal(of: path) == nil }

    /// The number in the metadata with the key `<architecture>.<name>`; nil if it is missing or implausible.
    func number(_ name: String) -> Int? {
        guard let number = header.architecture.flatMap({ header.integer("\($0).\(name)") }) else { return nil }
        return (1...1 << 30).contains(number) ? number : nil
    }

    /// An upper bound of the memory, estimated from the metadata; nil: the metadata does not suffice.
    func footprint(_ shape: ContextShape) -> Footprint? {
        guard !isSplit, let layers = number("block_count"), let width = number("embedding_length"),
            let heads = number("attention.head_count"),
            case .array(_, let tokens)? = header.metadata["tokenizer.ggml.tokens"]
        else { return nil }
        // Some architectures have fewer KV heads in some layers, in an array.
        let keyHeads = number("attention.head_count_kv") ?? heads
        let key = max(number("attention.key_length") ?? 0, number("attention.value_length") ?? 0, width / heads)
        let values = Double(2 * layers) * Double(keyHeads * key) * Double(shape.cells)
        // More than any machine has: the numbers are wrong.
        guard values < 0x1p50 else { return nil }
        return Footprint(
            weights: size, cache: UInt64(values) / 32 * shape.cacheType.bytesFor32,
            buffers: UInt64(4 * shape.batch) * UInt64(tokens + 8 * width), isSimulated: false)
    }

    /// Whether it is the first part of a split model. libllama finds the others by its name.
    var isSplit: Bool { header.integer("split.count") ?? 0 > 1 }

    static func corrupted(_ path: String, _ cause: String?) -> PulseError {
        PulseError(.unavailable, "The model file \(path) is damaged.", hint: "Fetch it again.", cause: cause)
    }

    private static func contents(of path: String) throws -> Data {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw PulseError(
                .unavailable, "There is no model at \(path).", hint: "Check the path, or fetch the model first.")
        }
        if isFolder.boolValue {
            throw PulseError(.unavailable, "\(path) is a folder.", hint: "Give the path of a .gguf file.")
        }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw PulseError(
                .unavailable, "The model file \(path) cannot be read.", hint: "Check its permissions.",
                cause: "\(error)")
        }
    }
}
