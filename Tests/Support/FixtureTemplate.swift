/// What each chat template of the fixture model says, and the markers it needs as tokens of their own. The texts are
/// shortened to the marks by which `llama_chat_apply_template` tells templates apart (it runs no Jinja).
extension FixtureModel.Template {
    public var text: String? {
        switch self {
        case .chatML: "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        case .llama3: "{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{% endfor %}"
        case .gemma: "{{ bos_token }}{% for m in messages %}<start_of_turn>{{ m.role }}\n{% endfor %}"
        case .mistral:
            "{{ bos_token }}{% for m in messages %}{{ '[INST] ' + m.content + '[/INST]' }}{{ '[SYSTEM_PROMPT]' }}{% endfor %}"
        case .phi: "{% for m in messages %}<|user|>{{ m.content }}<|end|><|assistant|>{% endfor %}"
        case .commandR:
            "{% for m in messages %}<|START_OF_TURN_TOKEN|><|USER_TOKEN|>{{ m.content }}<|END_OF_TURN_TOKEN|>{% endfor %}"
        case .deepSeek: "{% for m in messages %}<｜User｜>{{ m.content }}<｜Assistant｜><｜end▁of▁sentence｜>{% endfor %}"
        case .unknown: "{% for m in messages %}@@{{ m.role }}: {{ m.content }}{% endfor %}"
        case .none: nil
        }
    }

    var markers: [String] {
        switch self {
        case .chatML, .unknown, .none: ["<s>", "<|im_start|>", "<|im_end|>"]
        case .llama3: ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
        case .gemma: ["<bos>", "<start_of_turn>", "<end_of_turn>"]
        case .mistral: ["<s>", "</s>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"]
        case .phi: ["<s>", "<|user|>", "<|assistant|>", "<|system|>", "<|end|>"]
        case .commandR:
            [
                "<BOS_TOKEN>", "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|USER_TOKEN|>",
                "<|CHATBOT_TOKEN|>",
                "<|SYSTEM_TOKEN|>",
            ]
        case .deepSeek: ["<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>", "<｜end▁of▁sentence｜>"]
        }
    }

    var beginningMarker: String { markers[0] }

    var endMarker: String {
        switch self {
        case .chatML, .unknown, .none: "<|im_end|>"
        case .llama3: "<|eot_id|>"
        case .gemma: "<end_of_turn>"
        case .mistral: "</s>"
        case .phi: "<|end|>"
        case .commandR: "<|END_OF_TURN_TOKEN|>"
        case .deepSeek: "<｜end▁of▁sentence｜>"
        }
    }
}
