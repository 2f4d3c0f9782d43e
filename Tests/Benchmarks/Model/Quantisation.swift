/// Quantises a model file as llama.cpp's own tool does, through the library.
import CLlama

enum Quantisation {
    static func q4KM(from source: String, to target: String, threads: Int) throws(BenchError) {
        llama_backend_init()
        // The library tells every tensor; nobody asked.
        llama_log_set({ _, _, _ in }, nil)
        var parameters = llama_model_quantize_default_params()
        parameters.ftype = LLAMA_FTYPE_MOSTLY_Q4_K_M
        parameters.nthread = Int32(threads)
        // Rows in memory at once, instead of 8 GiB of them.
        parameters.max_buf_size = 256 << 20
        let status = llama_model_quantize(source, target, &parameters)
        guard status == 0 else { throw BenchError("libllama could not quantise \(source) (\(status)).") }
    }
}
