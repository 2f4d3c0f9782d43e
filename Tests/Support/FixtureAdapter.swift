/// A LoRA adapter of a fixture model: pairs of small matrices, whose product is added to weights of its layers.
public import Foundation

public struct FixtureAdapter: Sendable {
    public var model = FixtureModel()
    /// 0: it changes nothing.
    public var strength: Float = 0
    private static let rank = 2

    public init() {}

    /// The whole GGUF file. `damage` may change what is written before it is.
    public func data(damage: (inout GGUFWriter) -> Void = { _ in }) -> Data {
        var writer = GGUFWriter()
        writer.metadata = [
            ("general.type", .string("adapter")), ("general.architecture", .string("llama")),
            ("adapter.type", .string("lora")), ("adapter.lora.alpha", .float(Float(Self.rank))),
        ]
        for layer in 0..<model.layers {
            let name = "blk.\(layer).attn_output.weight"
            writer.tensors.append(tensor(name + ".lora_a", [model.width, Self.rank], 1))
            writer.tensors.append(tensor(name + ".lora_b", [Self.rank, model.width], strength))
        }
        damage(&writer)
        return writer.data()
    }

    private func tensor(_ name: String, _ dimensions: [Int], _ scale: Float) -> GGUFWriter.Tensor {
        var random = SplitMix(seed: model.seed)
        let count = dimensions.reduce(1, *)
        return .init(
            name: name, dimensions: dimensions,
            values: (0..<count).map { _ in scale * Float.random(in: -1...1, using: &random) })
    }
}
