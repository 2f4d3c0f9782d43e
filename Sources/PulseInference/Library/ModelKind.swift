import Foundation
import PulseCore

/// The kind of a GGUF file that is no text generator: such files are published beside models, with similar names.
enum ModelKind {
    case adapter, controlVector, projector, matrix, embedding, vocabulary
    case diffusion, images, sound
    /// A part of a split model, by its index.
    case part(Int, of: Int)

    /// As llama.cpp's converters write them: gguf-py/gguf/constants.py, `GGUFType` and `MODEL_ARCH`, and
    /// tools/imatrix/imatrix.cpp. Image models are named as in stable-diffusion.cpp and ComfyUI-GGUF.
    private static let architectures: [String: ModelKind] = [
        "clip": .projector, "controlvector": .controlVector,
        "bert": .embedding, "modern-bert": .embedding, "neo-bert": .embedding, "nomic-bert": .embedding,
        "nomic-bert-moe": .embedding, "jina-bert-v2": .embedding, "jina-bert-v3": .embedding, "eurobert": .embedding,
        "t5encoder": .embedding, "gemma-embedding": .embedding,
        "dream": .diffusion, "llada": .diffusion, "llada-moe": .diffusion, "rnd1": .diffusion,
        "flux": .images, "sd1": .images, "sd3": .images, "sdxl": .images, "wan": .images, "ltxv": .images,
        "hyvid": .images, "qwen_image": .images, "lumina2": .images, "hidream": .images, "aura": .images,
        "cosmos": .images,
        "whisper": .sound, "wavtokenizer-dec": .sound, "kokoro": .sound, "parler-tts": .sound, "dia": .sound,
    ]

    /// Nil if the file may be a text generator.
    init?(_ header: GGUFHeader) {
        if let count = header.integer("split.count"), count > 1 {
            self = .part(header.integer("split.no") ?? 0, of: count)
            return
        }
        switch header.metadata["general.type"] {
        case .text("adapter")?: self = .adapter
        case .text("mmproj")?, .text("clip-vision")?: self = .projector
        case .text("imatrix")?: self = .matrix
        default:
            let architecture = header.architecture ?? ""
            if let known = Self.architectures[architecture] {
                self = known
            } else if let pooling = header.integer("\(architecture).pooling_type"), pooling > 0 {
                // llama.h: LLAMA_POOLING_TYPE_NONE is 0.
                self = .embedding
            } else if header.tensorCount == 0, header.metadata["tokenizer.ggml.tokens"] != nil {
                self = .vocabulary
            } else {
                return nil
            }
        }
    }

    /// The error for opening it; nil for the first part of a split model, if the others are there.
    func refusal(of path: String) -> PulseError? {
        let message: Message
        switch self {
        case .adapter: message = "\(path) is an adapter (LoRA), which changes a model and writes nothing by itself."
        case .controlVector: message = "\(path) is a control vector, which steers a model and writes nothing by itself."
        case .projector:
            message = "\(path) is a projector (mmproj), with which a model sees or hears, and writes nothing by itself."
        case .matrix: message = "\(path) is an importance matrix (imatrix), with which models are quantized."
        case .embedding: message = "\(path) is an embedding model, which compares texts and writes none."
        case .vocabulary: message = "\(path) has the vocabulary of a model and nothing else."
        case .diffusion: message = "\(path) writes by diffusion, which pulse-digest does not support."
        case .images: message = "\(path) is a model that makes images or films, and no text."
        case .sound: message = "\(path) is a model for speech or sound, and writes no text."
        case .part(let number, let count): return Self.refusal(ofPart: number, of: count, path)
        }
        let hint: Message =
            switch self {
            case .adapter: "Name a model. llama.cpp's llama-export-lora makes one of an adapter and its model."
            case .projector: "Name the file of its model, which is published beside it."
            case .embedding, .diffusion, .images, .sound: "Choose an instruction-tuned model."
            case .controlVector, .matrix, .vocabulary, .part: "Name the file of a model."
            }
        return PulseError(.unavailable, message, hint: hint)
    }

    /// libllama opens the first part and finds the others by their names (llama.h, `llama_split_path`).
    private static func refusal(ofPart number: Int, of count: Int, _ path: String) -> PulseError? {
        guard let name = SplitName(path), name.number - 1 == number, name.parts.count == count else {
            return PulseError(
                .unavailable, "\(path) is a part of a split model, and does not have the name that its maker gave it.",
                hint: "Its name has to end like -00001-of-00003.gguf, with the number of this part and of all.")
        }
        if number > 0 {
            return PulseError(
                .unavailable, "\(path) is part \(number + 1) of \(count) of a split model.",
                hint: "Name the first one, with the others beside it: \(name.parts[0])")
        }
        for (index, part) in name.parts.enumerated() where !FileManager.default.fileExists(atPath: part) {
            return PulseError(
                .unavailable, "\(path) is a split model's first part, and part \(index + 1) of \(count) is missing.",
                hint: "Fetch it, too, and put it there: \(part)")
        }
        return nil
    }
}

/// Recognises files that are not GGUF by their first bytes.
enum ForeignFile {
    /// The error for opening it: it may be a failed download, or of another program's format.
    static func refusal(_ contents: Data, at path: String) -> PulseError {
        func begins(_ text: String) -> Bool { contents.starts(with: text.utf8) }
        let front = String(decoding: contents.prefix(512), as: UTF8.self).drop(while: \.isWhitespace).lowercased()
        func error(_ what: Message, _ hint: Message) -> PulseError {
            PulseError(.unavailable, "\(path) is not a model in GGUF format: it is \(what).", hint: hint)
        }
        let conversion: Message = "Choose a conversion of the model to GGUF."
        if front.hasPrefix("<!doctype") || front.hasPrefix("<html") || front.hasPrefix("<?xml") {
            return error("a web page", "Fetch the file itself, by the link with which its page downloads it.")
        }
        if begins("version https://git-lfs.github.com/") {
            return error(
                "Git's pointer to the file", "Fetch the file itself: git lfs pull, in the folder of the repository.")
        }
        // ggml, ggmf, ggjt and ggla, as little-endian numbers.
        if ["lmgg", "fmgg", "tjgg", "algg"].contains(where: begins) {
            return error("a file of llama.cpp's earlier formats (GGML)", conversion)
        }
        // safetensors: the length of a JSON object in eight bytes, and the object.
        if contents.count > 9, contents[8] == UInt8(ascii: "{"), contents[4..<8].allSatisfy({ $0 == 0 }) {
            return error("a safetensors file", conversion)
        }
        // PyTorch's files are ZIP archives, too.
        if begins("PK\u{3}\u{4}") { return error("a ZIP archive", "Unpack it, or choose a conversion to GGUF.") }
        if contents.starts(with: [0x1f, 0x8b]) || contents.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
            return error("a compressed file", "Unpack it.")
        }
        if contents.prefix(4096).allSatisfy({ $0 == 0 }) {
            return error("a download that was not finished", "Fetch it again.")
        }
        return PulseError(
            .unavailable, "\(path) is not a model in GGUF format.", hint: "Give the path of a .gguf file.")
    }
}
