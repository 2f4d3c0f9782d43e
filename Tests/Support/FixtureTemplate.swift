/// What each chat template of the fixture model says, and the markers it needs as tokens of their own. The texts are
/// shortened to the marks by which `llama_chat_apply_template` tells templates apart (it runs no Jinja).
extension FixtureModel.Template {
    public var text: String? {
        switch self {
        case .chatML: "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        case .llama3: "{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{% endfor %}"
        case .gemma: "{{ bos_token }}{% for m in messages %}<start_of_turn>{{ m.role }}\n{% endfor %}"
        case .unknown: "{% for m in messages %}@@{{ m.role }}: {{ m.content }}{% endfor %}"
        case .none: nil
        }
    }

    var markers: [String] {
        switch self {
        case .chatML, .unknown, .none: ["<s>", "<|im_start|>", "<|im_end|>"]
        case .llama3: ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
        case .gemma: ["<bos>", "<start_of_turn>", "<end_of_turn>"]
        }
    }

    var beginningMarker: String { markers[0] }

    var endMarker: String {
        switch self {
        case .chatML, .unknown, .none: "<|im_end|>"
        case .llama3: "<|eot_id|>"
        case .gemma: "<end_of_turn>"
        }
    }
}
