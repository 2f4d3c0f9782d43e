"""The checkpoint as a GGUF file that the unmodified libllama loads: matrices in Q8_0, norms in F32.

    python export.py --out ../pulse-nano.gguf
"""

import argparse
import hashlib
import json
from pathlib import Path

import gguf
import numpy as np
import torch

from model import Shape
from prepare import ROOT, WORK
from tokenizer import END, PAD, SPECIAL

CHATML = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
DESCRIPTION = "Selects and copies the telling sentences of news articles; made for grounded decoding in pulse-digest."
DATA = "Wikinews; Wikipedia; Wikipedia Current Events portal; US DOJ and Senate press releases; digital.gov; openSUSE news; Bosque (pt)"


def matrices(state: dict[str, torch.Tensor], shape: Shape):
    """The tensors under libllama's names."""
    yield "token_embd.weight", state["token_embd.weight"]
    yield "output_norm.weight", state["output_norm.weight"]
    key_value = shape.kv_heads * shape.head
    for index in range(shape.layers):
        ours, theirs = f"blocks.{index}.", f"blk.{index}."
        q, k, v = state[ours + "qkv.weight"].split([shape.width, key_value, key_value])
        gate, up = state[ours + "gate_up.weight"].chunk(2)
        yield from ((f"{theirs}attn_{name}.weight", part) for name, part in (("q", q), ("k", k), ("v", v)))
        yield from ((f"{theirs}ffn_{name}.weight", part) for name, part in (("gate", gate), ("up", up)))
        for name in ("attn_norm", "attn_output", "ffn_norm", "ffn_down"):
            yield f"{theirs}{name}.weight", state[f"{ours}{name}.weight"]


def write(state: dict, shape: Shape, tokenizer: dict, out: Path) -> None:
    writer = gguf.GGUFWriter(str(out), "llama")
    writer.add_type("model")
    writer.add_name("Pulse Nano")
    writer.add_basename("pulse-nano")
    writer.add_size_label("6M")
    writer.add_author("The pulse-digest authors")
    writer.add_description(DESCRIPTION)
    writer.add_license("cc-by-sa-4.0")
    writer.add_license_name("Creative Commons Attribution-ShareAlike 4.0 International")
    writer.add_license_link("https://creativecommons.org/licenses/by-sa/4.0/")
    writer.add_string("general.attribution", DATA)
    writer.add_languages(["en", "pt"])
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)

    writer.add_vocab_size(shape.vocabulary)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.hidden)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_dimension_count(shape.head)
    writer.add_rope_freq_base(shape.rope_base)
    writer.add_layer_norm_rms_eps(shape.epsilon)

    ids = {token: index for token, index in tokenizer["model"]["vocab"].items()}
    names = sorted(ids, key=ids.get)
    kinds = [gguf.TokenType.CONTROL if name in SPECIAL else gguf.TokenType.NORMAL for name in names]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list(names)
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(pair) if isinstance(pair, list) else pair for pair in tokenizer["model"]["merges"]])
    writer.add_bos_token_id(ids[PAD])
    writer.add_eos_token_id(ids[END])
    writer.add_eot_token_id(ids[END])
    writer.add_pad_token_id(ids[PAD])
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
    writer.add_chat_template(CHATML)

    for name, tensor in matrices(state, shape):
        values = tensor.float().numpy()
        if values.ndim == 1:
            writer.add_tensor(name, values)
        else:
            packed = gguf.quants.quantize(np.ascontiguousarray(values), gguf.GGMLQuantizationType.Q8_0)
            writer.add_tensor(name, packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=WORK)
    parser.add_argument("--out", type=Path, default=ROOT / "models" / "pulse-nano.gguf")
    args = parser.parse_args()
    checkpoint = torch.load(args.work / "checkpoint.pt")
    tokenizer = json.loads((args.work / "tokenizer.json").read_text(encoding="utf-8"))
    part = args.out.with_name(args.out.name + ".part")
    write(checkpoint["model"], Shape(**checkpoint["shape"]), tokenizer, part)
    part.replace(args.out)
    data = args.out.read_bytes()
    print(f"{args.out.name}: step {checkpoint['step']}, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
