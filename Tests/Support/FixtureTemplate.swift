/// What each chat template of the fixture model says, and the markers it needs as tokens of their own: the kinds that
/// models' makers write, without what is for tools.
extension FixtureModel.Template {
    public var text: String? {
        switch self {
        case .chatML:
            """
            {% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n' }}\
            {% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
            """
        case .llama3:
            """
            {% for m in messages %}{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\\n\\n' + m.content | trim + \
            '<|eot_id|>' }}{% endfor %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
            """
        case .gemma:
            """
            {{ bos_token }}{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}\
            {% endif %}{% for m in messages %}{{ '<start_of_turn>' + m.role + '\\n' + m.content | trim + \
            '<end_of_turn>\\n' }}{% endfor %}{{ '<start_of_turn>model\\n' }}
            """
        case .mistral:
            """
            {{- bos_token }}{%- for m in messages %}{%- if m.role == 'user' %}{{- '[INST]' + m.content + '[/INST]' }}\
            {%- elif m.role == 'system' %}{{- '[SYSTEM_PROMPT]' + m.content + '[/SYSTEM_PROMPT]' }}{%- else %}\
            {{- m.content + eos_token }}{%- endif %}{%- endfor %}
            """
        case .phi:
            """
            {% for m in messages %}{{ '<|' + m.role + '|>\\n' + m.content + '<|end|>\\n' }}{% endfor %}\
            {{ '<|assistant|>\\n' }}
            """
        case .commandR:
            """
            {{ bos_token }}{% for m in messages %}{{ '<|START_OF_TURN_TOKEN|>' }}{% if m.role == 'system' %}\
            {{ '<|SYSTEM_TOKEN|>' }}{% elif m.role == 'user' %}{{ '<|USER_TOKEN|>' }}{% else %}\
            {{ '<|CHATBOT_TOKEN|>' }}{% endif %}{{ m.content.strip() + '<|END_OF_TURN_TOKEN|>' }}{% endfor %}\
            {{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}
            """
        case .deepSeek:
            """
            {{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}{{ '<｜User｜>' + m.content }}\
            {% elif m.role == 'assistant' %}{{ '<｜Assistant｜>' + m.content + '<｜end▁of▁sentence｜>' }}{% else %}\
            {{ m.content }}{% endif %}{% endfor %}{{ '<｜Assistant｜>' }}
            """
        case .thinking:
            """
            {% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content.split('</think>')[-1] + '<|im_end|>\\n' }}\
            {% endfor %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking %}{{ '<think>\\n' }}{% endif %}
            """
        case .unknown: "{% include 'another' %}{% for m in messages %}{{ m.content }}{% endfor %}"
        case .none: nil
        }
    }

    var markers: [String] {
        switch self {
        case .chatML, .unknown, .none: ["<s>", "<|im_start|>", "<|im_end|>"]
        case .thinking: ["<s>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"]
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
        case .chatML, .thinking, .unknown, .none: "<|im_end|>"
        case .llama3: "<|eot_id|>"
        case .gemma: "<end_of_turn>"
        case .mistral: "</s>"
        case .phi: "<|end|>"
        case .commandR: "<|END_OF_TURN_TOKEN|>"
        case .deepSeek: "<｜end▁of▁sentence｜>"
        }
    }
}
