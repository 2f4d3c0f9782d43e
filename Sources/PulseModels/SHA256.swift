import CCrypto
import PulseText

/// A SHA-256 in the making (FIPS 180-4): the owner of one of libcrypto's digest contexts.
struct SHA256: ~Copyable {
    private let context: OpaquePointer

    init() throws(ModelError) {
        guard let context = EVP_MD_CTX_new() else { throw Self.failure }
        // EVP_DigestInit(3): "Returns 1 for success and 0 for failure", as all of them do.
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw Self.failure
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws(ModelError) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw Self.failure }
    }

    /// The digest of everything that was given, as 64 lower-case hexadecimal digits.
    consuming func finish() throws(ModelError) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        // "After calling EVP_DigestFinal_ex() no additional calls to EVP_DigestUpdate() can be made": hence consuming.
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw Self.failure }
        return Hexadecimal.text(of: digest)
    }

    static func hash(_ text: String) throws(ModelError) -> String {
        let hash = try SHA256()
        try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(ModelError) in
            try hash.update(UnsafeRawBufferPointer(bytes))
        }
        return try hash.finish()
    }

    private static var failure: ModelError {
        ModelError(
            .cannotRead, "The system's libcrypto cannot compute SHA-256, so no model can be verified here.",
            cause: "EVP_sha256")
    }
}
