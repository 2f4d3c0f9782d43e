import CLlama

/// Converts text to tokens and back. It borrows from the model and must not outlive it; a `Session` owns both.
struct Vocabulary {
    private let pointer: OpaquePointer
    private let confinement = ThreadConfinement()

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    enum Reading {
        /// As plain text (llama.h, parse_special: "special and/or control tokens … treated as plaintext").
        case data
        /// As the template's markup, in which special tokens count.
        case markup
    }

    var count: Int { Int(llama_vocab_n_tokens(pointer)) }

    /// The BOS token; nil if the vocabulary adds none.
    var beginning: llama_token? {
        let token = llama_vocab_bos(pointer)
        return llama_vocab_get_add_bos(pointer) && token != LLAMA_TOKEN_NULL ? token : nil
    }

    /// The spelling of the BOS and EOS tokens for chat templates; empty: there is none.
    var spellings: (beginning: String, end: String) {
        func spelling(_ token: llama_token) -> String {
            token == LLAMA_TOKEN_NULL ? "" : String(decoding: piece(token, spellsMarkers: true), as: UTF8.self)
        }
        return (spelling(llama_vocab_bos(pointer)), spelling(llama_vocab_eos(pointer)))
    }

    /// Whether a token stands for text that the vocabulary does not have.
    func isUnknown(_ token: llama_token) -> Bool {
        llama_vocab_get_attr(pointer, token).rawValue & LLAMA_TOKEN_ATTR_UNKNOWN.rawValue != 0
    }

    /// The tokens around a sentence for an encoder.
    var frame: (opening: llama_token, closing: llama_token) { (llama_vocab_bos(pointer), llama_vocab_sep(pointer)) }

    /// The tokens of a text at the beginning of a prompt, without BOS and EOS.
    func tokens(of text: String, as reading: Reading) -> [llama_token] {
        confinement.check()
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                guard reading == .data, llama_vocab_type(pointer) == LLAMA_VOCAB_TYPE_BPE else {
                    return tokens(of: bytes, as: reading)
                }
                var all: [llama_token] = []
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = rest[..<Self.end(ofPieceIn: rest)]
                    all += tokens(of: UnsafeBufferPointer(rebasing: piece), as: reading)
                    rest = rest[piece.endIndex...]
                }
                return all
            }
        }
    }

    /// In bytes. libllama's `std::regex` recurses for each character (unicode.cpp): a word of 43,000 ended the process.
    private static let longestPiece = 1 << 14

    /// Where a long text is divided: before a single space, where words are divided anyway, or else between characters.
    private static func end(ofPieceIn text: Slice<UnsafeBufferPointer<CChar>>) -> Int {
        var end = text.startIndex + longestPiece
        guard end < text.endIndex else { return text.endIndex }
        func isSpace(_ byte: CChar) -> Bool { (0...0x20).contains(byte) }
        let space = (text.startIndex + longestPiece / 2..<end).last {
            text[$0] == 0x20 && !isSpace(text[$0 - 1]) && !isSpace(text[$0 + 1])
        }
        if let space { return space }
        while end > text.startIndex, UInt8(bitPattern: text[end]) & 0xc0 == 0x80 { end -= 1 }
        return end
    }

    private func tokens(of bytes: UnsafeBufferPointer<CChar>, as reading: Reading) -> [llama_token] {
        // A token stands for at least one byte; the library may add one space in front.
        var tokens = [llama_token](repeating: 0, count: bytes.count + 2)
        let count = tokenize(bytes, reading, into: &tokens)
        if count >= 0 { return Array(tokens.prefix(Int(count))) }
        // llama.h: "a negative number on failure - the number of tokens that would have been returned".
        tokens = [llama_token](repeating: 0, count: Int(count.magnitude))
        return Array(tokens.prefix(Int(max(0, tokenize(bytes, reading, into: &tokens)))))
    }

    /// The tokens of a text that follows another. SentencePiece prepends a space to every text, which is wrong here. So
    /// the text is tokenised after a line feed, which never merges with what follows, and the line feed's tokens are
    /// dropped.
    func tokens(following text: String, as reading: Reading) -> [llama_token] {
        guard llama_vocab_type(pointer) == LLAMA_VOCAB_TYPE_SPM else { return tokens(of: text, as: reading) }
        let anchor = tokens(of: "\n", as: .data)
        let both = tokens(of: "\n" + text, as: reading)
        return both.starts(with: anchor) ? Array(both.dropFirst(anchor.count)) : tokens(of: text, as: reading)
    }

    /// The bytes of a token; without `spellsMarkers` none for control tokens, which are never shown.
    func piece(_ token: llama_token, spellsMarkers: Bool = false) -> [UInt8] {
        confinement.check()
        var bytes = [CChar](repeating: 0, count: 64)
        var count = llama_token_to_piece(pointer, token, &bytes, Int32(bytes.count), 0, spellsMarkers)
        if count < 0 {
            bytes = [CChar](repeating: 0, count: Int(count.magnitude))
            count = llama_token_to_piece(pointer, token, &bytes, Int32(bytes.count), 0, spellsMarkers)
        }
        return bytes.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }
    }

    /// llama.h: "Check if the token is supposed to end generation (end-of-generation, eg. EOS, EOT, etc.)".
    func endsText(_ token: llama_token) -> Bool { llama_vocab_is_eog(pointer, token) }

    func isControl(_ token: llama_token) -> Bool { llama_vocab_is_control(pointer, token) }

    var ends: [llama_token] { (0..<llama_token(count)).filter(endsText) }

    private func tokenize(
        _ bytes: UnsafeBufferPointer<CChar>, _ reading: Reading, into tokens: inout [llama_token]
    ) -> Int32 {
        llama_tokenize(
            pointer, bytes.baseAddress, Int32(clamping: bytes.count), &tokens, Int32(clamping: tokens.count), false,
            reading == .markup)
    }
}
