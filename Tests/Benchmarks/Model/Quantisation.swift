/// Quantises a model file as llama.cpp's own tool does, through the library.
import CLlama
import PulseInference

enum Quantisation {
    static func q4KM(from source: String, to target: String, threads: Int) throws(BenchError) {
        LlamaLibrary.start(logsToStandardError: false)
        var parameters = llama_model_quantize_default_params()
        parameters.ftype = LLAMA_FTYPE_MOSTLY_Q4_K_M
        parameters.nthread = Int32(threads)
        // Rows in memory at once, instead of 8 GiB of them.
        parameters.max_buf_size = 256 << 20
        let status = llama_model_quantize(source, target, &parameters)
        guard status == 0 else { throw BenchError("libllama could not quantise \(source) (\(status)).") }
    }
}
