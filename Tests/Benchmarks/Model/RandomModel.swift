/// Writes a model of a given shape with random weights as a GGUF file: the metadata through ggml's own writer, the
/// weights as a stream, so that a file of gigabytes takes megabytes of memory.
///
/// Speed does not depend on the weights' values. Two things are not random: the rows of the embedding that belong to
/// markers and to the tokens that fill the vocabulary up are zero. Their logits are 0 then, the largest of the others
/// is above, and a greedy answer never ends early and consists of the tokenizer's real pieces.
import CLlama
import Foundation
import PulseTestSupport

struct RandomModel {
    let shape: ModelShape
    var seed: UInt64 = 20_261_121

    /// Weights lie evenly between minus this and this.
    private static let scale: Float = 0.05
    /// Values made and written at once.
    private static let chunk = 1 << 21

    /// - Parameter progress: Is told the share that is written, 0...1.
    func write(to path: String, tokenizer: TokenizerSource, progress: (Double) -> Void = { _ in }) throws(BenchError) {
        guard let metadata = gguf_init_empty() else { throw BenchError("There is no memory for the model's metadata.") }
        defer { gguf_free(metadata) }
        try describe(metadata, tokenizer)
        let tensors = shape.tensors
        try declare(tensors, in: metadata)
        guard gguf_write_to_file(metadata, path, true), let file = fopen(path, "ab") else {
            throw BenchError.unwritable(path)
        }
        defer { fclose(file) }
        let usable = tokenizer.types.map { $0 == Self.normalToken }
        let total = Double(shape.parameters)
        var done = 0
        for (number, tensor) in tensors.enumerated() {
            var random = SplitMix(seed: seed &+ UInt64(number) << 32)
            try write(tensor, usable: usable, random: &random, to: file, path: path) { values in
                done += values
                progress(Double(done) / total)
            }
        }
        guard fflush(file) == 0 else { throw BenchError.unwritable(path) }
    }

    /// `LLAMA_TOKEN_TYPE_NORMAL`.
    private static let normalToken: Int32 = 1

    // MARK: - Metadata

    private func describe(_ metadata: OpaquePointer, _ tokenizer: TokenizerSource) throws(BenchError) {
        guard shape.vocabulary >= tokenizer.tokens.count else {
            throw BenchError("The tokenizer has more tokens than the shape: \(tokenizer.tokens.count).")
        }
        // Everything of the tokenizer's file, its chat template too; then what differs.
        gguf_set_kv(metadata, tokenizer.metadata)
        let numbers: [(String, Int)] = [
            ("llama.vocab_size", shape.vocabulary), ("llama.context_length", shape.context),
            ("llama.embedding_length", shape.width), ("llama.block_count", shape.layers),
            ("llama.feed_forward_length", shape.feedForward), ("llama.attention.head_count", shape.heads),
            ("llama.attention.head_count_kv", shape.keyHeads),
            ("llama.rope.dimension_count", shape.width / shape.heads),
            ("general.file_type", Int(LLAMA_FTYPE_MOSTLY_BF16.rawValue)),
        ]
        for (key, number) in numbers { gguf_set_val_u32(metadata, key, UInt32(number)) }
        gguf_set_val_f32(metadata, "llama.rope.freq_base", shape.ropeBase)
        gguf_set_val_f32(metadata, "llama.attention.layer_norm_rms_epsilon", 1e-5)
        gguf_set_val_str(metadata, "general.architecture", "llama")
        gguf_set_val_str(metadata, "general.name", shape.name)
        gguf_set_val_str(metadata, "general.description", "Random weights, for measuring speed. It writes nonsense.")
        for key in ["general.basename", "general.size_label", "general.author", "general.attribution"] {
            _ = gguf_remove_key(metadata, key)
        }
        let filling = (tokenizer.tokens.count..<shape.vocabulary).map { "Ġunused\($0)" }
        let texts = (tokenizer.tokens + filling).map { strdup($0) }
        defer { texts.forEach { free($0) } }
        var pointers = texts.map { UnsafePointer($0) }
        gguf_set_arr_str(metadata, "tokenizer.ggml.tokens", &pointers, pointers.count)
        let types = tokenizer.types + filling.map { _ in Self.normalToken }
        gguf_set_arr_data(metadata, "tokenizer.ggml.token_type", GGUF_TYPE_INT32, types, types.count)
    }

    private func declare(_ tensors: [ModelShape.Tensor], in metadata: OpaquePointer) throws(BenchError) {
        let parameters = ggml_init_params(
            mem_size: (tensors.count + 1) * ggml_tensor_overhead(), mem_buffer: nil, no_alloc: true)
        guard let context = ggml_init(parameters) else {
            throw BenchError("There is no memory for the model's description.")
        }
        defer { ggml_free(context) }
        for tensor in tensors {
            let isNorm = tensor.filling == .ones
            let pointer =
                isNorm
                ? ggml_new_tensor_1d(context, GGML_TYPE_F32, Int64(tensor.columns))
                : ggml_new_tensor_2d(context, GGML_TYPE_BF16, Int64(tensor.columns), Int64(tensor.rows))
            ggml_set_name(pointer, tensor.name)
            gguf_add_tensor(metadata, pointer)
        }
    }

    // MARK: - Weights

    private func write(
        _ tensor: ModelShape.Tensor, usable: [Bool], random: inout SplitMix, to file: UnsafeMutablePointer<FILE>,
        path: String, progress: (Int) -> Void
    ) throws(BenchError) {
        if tensor.filling == .ones {
            try write([Float](repeating: 1, count: tensor.columns), to: file, path: path)
            return progress(tensor.columns)
        }
        let rowsAtOnce = max(1, Self.chunk / tensor.columns)
        var row = 0
        while row < tensor.rows {
            let rows = row..<min(row + rowsAtOnce, tensor.rows)
            var values = [UInt16](repeating: 0, count: rows.count * tensor.columns)
            if tensor.filling == .random {
                Self.fill(&values, 0..<values.count, &random)
            } else {
                for (place, row) in rows.enumerated() where row < usable.count && usable[row] {
                    Self.fill(&values, place * tensor.columns..<(place + 1) * tensor.columns, &random)
                }
            }
            try write(values, to: file, path: path)
            row = rows.upperBound
            progress(values.count)
        }
    }

    /// Fills with bfloat16: the upper half of a 32-bit float. Four values come of one random number.
    private static func fill(_ values: inout [UInt16], _ range: Range<Int>, _ random: inout SplitMix) {
        values.withUnsafeMutableBufferPointer { values in
            var bits: UInt64 = 0
            for (count, index) in range.enumerated() {
                if count % 4 == 0 { bits = random.next() } else { bits >>= 16 }
                let value = Float(Int16(truncatingIfNeeded: bits)) * (scale / 32768)
                values[index] = UInt16(truncatingIfNeeded: value.bitPattern >> 16)
            }
        }
    }

    /// Every tensor's size is a multiple of GGUF's alignment of 32 bytes, as every width is one of 32.
    private func write<Value: BitwiseCopyable>(
        _ values: [Value], to file: UnsafeMutablePointer<FILE>, path: String
    ) throws(BenchError) {
        let written = values.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard written == values.count * MemoryLayout<Value>.stride else { throw BenchError.unwritable(path) }
    }
}
