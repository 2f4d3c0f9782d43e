"""all-MiniLM-L6-v2: its first layers, in PyTorch and as the file that libllama reads: encoder.py FOLDER OUT.gguf"""

import json
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file
from torch import nn

LAYERS, WIDTH, INNER, ATTENTION = 4, 384, 1536, 12
# What the file has: the check reads the vectors after the last layer.
POSITIONS = 256
PARTS = (
    ("attn_q", "attention.self.query", True), ("attn_k", "attention.self.key", True),
    ("attn_v", "attention.self.value", True), ("attn_output", "attention.output.dense", True),
    ("ffn_up", "intermediate.dense", True), ("ffn_down", "output.dense", True),
    ("attn_output_norm", "attention.output.LayerNorm", False), ("layer_output_norm", "output.LayerNorm", False),
)


class Encoder(nn.Module):
    def __init__(self, folder):
        super().__init__()
        self.weights = {k: torch.from_numpy(v).float() for k, v in load_file(f"{folder}/model.safetensors").items()}

    def norm(self, x, name):
        return F.layer_norm(x, (WIDTH,), self.weights[name + ".weight"], self.weights[name + ".bias"], 1e-12)

    def forward(self, tokens, mask):
        w, e = self.weights, "embeddings."
        x = w[e + "word_embeddings.weight"][tokens] + w[e + "position_embeddings.weight"][: tokens.shape[1]]
        x = self.norm(x + w[e + "token_type_embeddings.weight"][0], e + "LayerNorm")
        rows, length, _ = x.shape
        for layer in range(LAYERS):
            linear = lambda y, name: F.linear(
                y, w[f"encoder.layer.{layer}.{name}.weight"], w[f"encoder.layer.{layer}.{name}.bias"]
            )
            split = lambda y: y.view(rows, length, ATTENTION, -1).transpose(1, 2)
            q, k, v = (split(linear(x, f"attention.self.{n}")) for n in ("query", "key", "value"))
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
            a = linear(a.transpose(1, 2).reshape(rows, length, WIDTH), "attention.output.dense")
            x = self.norm(x + a, f"encoder.layer.{layer}.attention.output.LayerNorm")
            h = linear(F.gelu(linear(x, "intermediate.dense")), "output.dense")
            x = self.norm(x + h, f"encoder.layer.{layer}.output.LayerNorm")
        return x


def write(folder, out):
    import gguf

    folder = pathlib.Path(folder)
    tensors = load_file(folder / "model.safetensors")
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    writer = gguf.GGUFWriter(out, "bert")
    writer.add_name("pulse-check")
    writer.add_license("Apache-2.0")
    writer.add_block_count(LAYERS)
    writer.add_context_length(POSITIONS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(ATTENTION)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.NONE)
    writer.add_vocab_size(len(vocabulary))
    writer.add_token_type_count(2)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    tokens, kinds = [], []
    for token in sorted(vocabulary, key=vocabulary.get):
        is_special = token.startswith("[") and token.endswith("]") and len(token) > 2
        # libllama marks the beginning of a word, not its continuation.
        tokens.append(token if is_special else token[2:] if token.startswith("##") else "\u2581" + token)
        kinds.append(gguf.TokenType.CONTROL if is_special else gguf.TokenType.NORMAL)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_bos_token_id(101)
    writer.add_eos_token_id(102)
    writer.add_unk_token_id(100)
    writer.add_sep_token_id(102)
    writer.add_pad_token_id(0)
    writer.add_mask_token_id(103)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)

    def put(name, tensor, is_matrix=False):
        values = np.ascontiguousarray(tensor.astype(np.float32))
        kind = gguf.GGMLQuantizationType.Q8_0
        if is_matrix:
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, values)

    put("token_embd.weight", tensors["embeddings.word_embeddings.weight"], True)
    put("position_embd.weight", tensors["embeddings.position_embeddings.weight"][:POSITIONS])
    put("token_types.weight", tensors["embeddings.token_type_embeddings.weight"])
    put("token_embd_norm.weight", tensors["embeddings.LayerNorm.weight"])
    put("token_embd_norm.bias", tensors["embeddings.LayerNorm.bias"])
    for layer in range(LAYERS):
        for name, origin, is_matrix in PARTS:
            put(f"blk.{layer}.{name}.weight", tensors[f"encoder.layer.{layer}.{origin}.weight"], is_matrix)
            put(f"blk.{layer}.{name}.bias", tensors[f"encoder.layer.{layer}.{origin}.bias"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
