"""Makes the head of the check anew: models/pulse-check.head, from labelled sentences.

usage: train.py DATA [--encoder FOLDER] [--out FILE] [--without SET] [--scores FILE]

DATA holds sentences.jsonl.xz ({set, writer, sources, sentence, supported}) and sources.jsonl.xz ({id, text}). FOLDER is
sentence-transformers/all-MiniLM-L6-v2 as published (model.safetensors, tokenizer.json). Sets that may not be trained on
are only measured. It ends with a table by set.
"""

import argparse
import collections
import difflib
import hashlib
import json
import lzma
import pathlib
import random
import re
import struct
import time
import zlib

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

import texts
from encoder import Encoder

# Sets whose licence allows it; the others judge. Every weight is how much one of its sentences counts.
TRAINED = {"xsumfaith": 0.6, "wice": 0.6, "wice-sub": 0.4}
FEATURES, WIDTH, HEADS = 13, 96, 2
# What the counts of `texts.counts` weigh beside the heads, all standardised.
WEIGHTS = (0.5, 0.5, 0.5, -0.5, -0.5)
ROOT = pathlib.Path(__file__).resolve().parent


def weight_of(name):
    return TRAINED.get(name, 1.0 if name.startswith("summedits") else 0.0)


def part(text):
    return int(hashlib.sha1(text.encode()).hexdigest(), 16) % 100


def auc(labels, scores):
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        ranks[same] = ranks[same].mean()
    ones = int(labels.sum())
    zeros = len(labels) - ones
    return (ranks[labels == 1].sum() - ones * (ones + 1) / 2) / max(1, ones * zeros)


def changed(right, wrong):
    """The places of the second sentence that differ from the first."""
    a = right.split()
    b = [(m.start(), m.end(), m.group()) for m in re.finditer(r"\S+", wrong)]
    spans = []
    for tag, _, _, low, high in difflib.SequenceMatcher(None, a, [w[2] for w in b], autojunk=False).get_opcodes():
        if tag in ("replace", "insert"):
            spans.append((b[low][0], b[high - 1][1]))
        elif tag == "delete" and b:
            at = min(low, len(b) - 1)
            spans.append((b[max(0, at - 1)][0], b[at][1]))
    return spans


def load(folder):
    folder = pathlib.Path(folder)
    lines = lambda name: [json.loads(line) for line in lzma.open(folder / name, "rt")]
    sources = {line["id"]: line["text"] for line in lines("sources.jsonl.xz")}
    rows, stories = [], {}
    mates = collections.defaultdict(list)
    for line in lines("sentences.jsonl.xz"):
        line["doc"] = tuple(line["sources"])
        rows.append(line)
        if line["supported"] == 1:
            mates[line["doc"]].append(line["sentence"])
        if line["doc"] not in stories:
            said = [s for i in line["doc"] for s in texts.sentences(sources[i])]
            stories[line["doc"]] = [texts.Said(s) for s in said][: texts.MOST_SENTENCES]
    for row in rows:
        row["story"] = stories[row["doc"]]
        row["chosen"], row["counts"] = texts.counts(row["story"], row["sentence"])
        row["part"] = part(row["doc"][0])
        text = " ".join(sources[i] for i in row["doc"])
        row["number"] = bool(texts.numbers(row["sentence"]) - texts.numbers(text))
        row["copied"] = " ".join(row["sentence"].split()) in " ".join(text.split())
        row["spans"] = None
        if row["set"].startswith("summedits") and row["supported"] == 0:
            ratio = lambda other: difflib.SequenceMatcher(
                None, other.split(), row["sentence"].split(), autojunk=False
            ).ratio()
            best = max(mates[row["doc"]], key=ratio, default=None)
            if best and ratio(best) > 0.6:
                row["spans"] = changed(best, row["sentence"])
    return rows


class Vectors:
    """The vectors of each text's tokens, computed once."""

    def __init__(self, folder, rows):
        tokenizer = Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.place = {}
        for row in rows:
            for text in [row["sentence"]] + [row["story"][j].text for j in row["chosen"]]:
                self.place.setdefault(text, len(self.place))
        self.encodings = tokenizer.encode_batch(list(self.place), add_special_tokens=False)
        self.ids = [np.array(e.ids[: texts.MOST_TOKENS] or [100], np.int64) for e in self.encodings]
        encoder = Encoder(folder).eval()
        self.vectors = [None] * len(self.ids)
        order = sorted(range(len(self.ids)), key=lambda k: len(self.ids[k]))
        start = time.time()
        with torch.no_grad():
            for at in range(0, len(order), 64):
                some = order[at : at + 64]
                length = max(len(self.ids[k]) for k in some) + 2
                tokens = torch.zeros(len(some), length, dtype=torch.long)
                mask = torch.zeros(len(some), length, dtype=torch.bool)
                for r, k in enumerate(some):
                    n = len(self.ids[k])
                    tokens[r, : n + 2] = torch.tensor([101, *self.ids[k], 102])
                    mask[r, : n + 2] = True
                out = F.normalize(encoder(tokens, mask), dim=-1).half().numpy()
                for r, k in enumerate(some):
                    self.vectors[k] = out[r, 1 : len(self.ids[k]) + 1]
                if at % 6400 == 0:
                    print(f"encoded {at} of {len(order)}, {time.time() - start:.0f} s", flush=True)


def inputs(row, vectors):
    """Vectors of the claim and of the evidence, what was counted of each token, and the tokens' labels."""
    at = vectors.place[row["sentence"]]
    claim, ids = vectors.vectors[at].astype(np.float32), vectors.ids[at]
    parts = [vectors.place[row["story"][j].text] for j in row["chosen"]]
    said = np.concatenate([vectors.vectors[k] for k in parts]).astype(np.float32) if parts else np.zeros((1, 384), np.float32)
    said_ids = np.concatenate([vectors.ids[k] for k in parts]) if parts else np.zeros(1, np.int64)
    number = np.concatenate([np.full(len(vectors.ids[k]), n) for n, k in enumerate(parts)]) if parts else np.zeros(1, int)
    likeness = claim @ said.T
    best = likeness.argmax(1)
    first = likeness.max(1)
    second = np.partition(likeness, -2, axis=1)[:, -2] if likeness.shape[1] > 1 else first
    pairs = {(a, b) for a, b, m, n in zip(said_ids, said_ids[1:], number, number[1:]) if m == n}
    step = np.diff(best, prepend=best[0])
    own = number[best]
    main = np.bincount(own).argmax()
    encoding = vectors.encodings[at]
    text = row["sentence"]
    capital, digit, small, sign = [], [], [], []
    for low, high in (encoding.offsets[: texts.MOST_TOKENS] or [(0, 1)])[: len(ids)]:
        start, end = low, high
        while start > 0 and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        word = text[start:end]
        capital.append(start > 0 and word[:1].isupper())
        digit.append(any(c.isdigit() for c in text[low:high]))
        small.append(word.lower() in texts.SMALL)
        sign.append(not any(c.isalnum() for c in text[low:high]))
    seen = set(said_ids.tolist())
    features = np.stack(
        [
            first, first - second, np.array([i in seen for i in ids.tolist()]),
            np.array([k > 0 and (ids[k - 1], ids[k]) in pairs for k in range(len(ids))]),
            np.append([False], (step == 1)[1:]), np.append([True], (np.abs(step) <= 5)[1:]),
            np.append([True], (own[1:] == own[:-1])), np.append([False], (step < 0)[1:]), own == main,
            np.array(capital), np.array(digit), np.array(small), np.array(sign),
        ],
        1,
    ).astype(np.float32)
    labels = np.full(len(ids), -1, np.float32)
    if row["supported"] == 1:
        labels[:] = 0
    elif row["spans"]:
        spans = row["spans"]
        labels[:] = [any(a < q and b > p for p, q in spans) for a, b in encoding.offsets[: len(ids)]]
    return claim.astype(np.float16), said.astype(np.float16), features, labels


class Head(nn.Module):
    """A logit for each token of a claim: above 0, the evidence does not bear it out. And one for the sentence."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(384, WIDTH, bias=False)
        self.compare = nn.Linear(3 * WIDTH, WIDTH)
        self.first = nn.Conv1d(WIDTH + FEATURES, WIDTH, 3, padding=1)
        self.second = nn.Conv1d(WIDTH, 64, 3, padding=1)
        self.token = nn.Linear(64 + WIDTH, 1)
        self.sharpness = nn.Parameter(torch.tensor(12.0))
        self.sentence = nn.Linear(3, 1)
        nn.init.zeros_(self.sentence.weight)
        nn.init.zeros_(self.sentence.bias)
        self.sentence.weight.data[0, 0] = 1.0
        self.drop = nn.Dropout(0.15)

    def forward(self, claim, said, said_mask, features, mask):
        likeness = (claim @ said.transpose(1, 2)).masked_fill(~said_mask[:, None], -1.0)
        aligned = torch.softmax(self.sharpness * likeness, -1) @ said
        x, y = self.project(claim), self.project(aligned)
        h = torch.relu(self.compare(self.drop(torch.cat([x * y, (x - y).abs(), x], -1)))) * mask[..., None]
        z = torch.cat([h, features], -1).transpose(1, 2)
        z = torch.relu(self.first(self.drop(z))) * mask[:, None]
        z = torch.relu(self.second(z)).transpose(1, 2)
        logit = self.token(torch.cat([z, h], -1))[..., 0]
        masked = logit.masked_fill(~mask, -1e4)
        n = mask.sum(1).clamp(min=1)
        pooled = [
            torch.logsumexp(masked, 1),
            (torch.relu(logit) * mask).sum(1).clamp(max=20),
            (torch.sigmoid(logit) * mask).sum(1) / n,
        ]
        return logit, -self.sentence(torch.stack(pooled, 1))[:, 0]


def collate(some):
    length, width = max(len(x[0]) for x in some), max(len(x[1]) for x in some)
    n = len(some)
    claim, said = np.zeros((n, length, 384), np.float32), np.zeros((n, width, 384), np.float32)
    mask, said_mask = np.zeros((n, length), bool), np.zeros((n, width), bool)
    features, labels = np.zeros((n, length, FEATURES), np.float32), np.full((n, length), -1, np.float32)
    for r, (c, s, f, t) in enumerate(some):
        claim[r, : len(c)], said[r, : len(s)], features[r, : len(c)], labels[r, : len(c)] = c, s, f, t
        mask[r, : len(c)], said_mask[r, : len(s)] = True, True
    return [torch.from_numpy(x) for x in (claim, said, said_mask, features, mask, labels)]


def scores(head, items):
    head.eval()
    out = np.zeros(len(items))
    order = sorted(range(len(items)), key=lambda k: len(items[k][0]))
    with torch.no_grad():
        for at in range(0, len(order), 64):
            some = order[at : at + 64]
            *arrays, _ = collate([items[k] for k in some])
            out[some] = head(*arrays)[1].numpy()
    head.train()
    return out


def train(items, labels, weights, seed, epochs=5):
    torch.manual_seed(seed)
    rnd = random.Random(seed)
    head = Head()
    optimizer = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.01)
    order = list(range(len(items)))
    steps, step = epochs * (len(items) // 48 + 1), 0
    for epoch in range(epochs):
        rnd.shuffle(order)
        for low in range(0, len(order), 48 * 30):
            chunk = sorted(order[low : low + 48 * 30], key=lambda k: len(items[k][0]))
            batches = [chunk[k : k + 48] for k in range(0, len(chunk), 48)]
            rnd.shuffle(batches)
            for some in batches:
                for group in optimizer.param_groups:
                    group["lr"] = 2e-3 * min(1, step / 100 + 0.05) * max(0.02, 1 - step / steps)
                *arrays, known = collate([items[k] for k in some])
                logit, score = head(*arrays)
                y = torch.tensor(labels[some], dtype=torch.float)
                w = torch.tensor(weights[some], dtype=torch.float) * (1 + 0.5 * y)
                loss = (F.binary_cross_entropy_with_logits(score, y * 0.96 + 0.02, reduction="none") * w).mean()
                if (known >= 0).any():
                    loss = loss + 0.5 * F.binary_cross_entropy_with_logits(
                        logit[known >= 0], known[known >= 0], pos_weight=torch.tensor(2.5)
                    )
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(head.parameters(), 1.0)
                optimizer.step()
                step += 1
        print(f"head {seed}, epoch {epoch}: loss {loss.item():.3f}", flush=True)
    return head


def write(path, heads, scale):
    """Magic, version, sizes, the fixed sum, then each head's numbers; a CRC of all that at the end."""
    body = struct.pack("<8sIIIIII", b"PULSEHD\0", 2, 384, WIDTH, FEATURES, 64, len(heads))
    body += struct.pack(f"<{len(scale) + len(WEIGHTS)}f", *scale, *WEIGHTS)
    for head in heads:
        state = head.state_dict()
        for name in (
            "sharpness", "project.weight", "compare.weight", "compare.bias", "first.weight", "first.bias",
            "second.weight", "second.bias", "token.weight", "token.bias", "sentence.weight", "sentence.bias",
        ):
            body += state[name].numpy().astype("<f4").tobytes()
    pathlib.Path(path).write_bytes(body + struct.pack("<I", zlib.crc32(body)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--encoder", default=str(ROOT / ".work" / "all-MiniLM-L6-v2"))
    parser.add_argument("--out", default=str(ROOT.parent / "pulse-check.head"))
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--scores")
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    torch.use_deterministic_algorithms(True)
    start = time.time()
    rows = [row for row in load(arguments.data) if row["supported"] is not None]
    print(f"{len(rows)} sentences, {time.time() - start:.0f} s", flush=True)
    vectors = Vectors(arguments.encoder, rows)
    items = [inputs(row, vectors) for row in rows]
    labels = np.array([row["supported"] for row in rows])
    sets = np.array([row["set"] for row in rows])
    parts = np.array([row["part"] for row in rows])
    weights = np.array([0.0 if row["set"] in arguments.without else weight_of(row["set"]) for row in rows])
    # An eighth of the documents that may be trained on judges too.
    trained = np.where((weights > 0) & (parts % 8 != 0))[0]
    heads = [train([items[k] for k in trained], labels[trained], weights[trained], seed) for seed in range(1, HEADS + 1)]
    raw = [scores(head, items) for head in heads]
    calibration = (sets == "faithbench") & (parts < 50)
    counts = np.array([row["counts"] for row in rows], float)
    summands = [*raw, *counts.T]
    scale = [float(v) for x in summands for v in (x[calibration].mean(), x[calibration].std() or 1.0)]
    z = [(x - scale[2 * k]) / scale[2 * k + 1] for k, x in enumerate(summands)]
    head_score = np.mean(z[: len(heads)], 0)
    words_score = sum(weight * x for weight, x in zip(WEIGHTS, z[len(heads) :]))
    total = head_score + words_score
    write(arguments.out, heads, scale)
    held = parts % 8 == 0
    for name in sorted(set(sets)):
        here = (sets == name) & (held if weight_of(name) > 0 else True)
        for half in ((here & (parts < 50), "a"), (here & (parts >= 50), "b")) if name == "faithbench" else ((here, ""),):
            y = labels[half[0]]
            values = " ".join(f"{auc(y, x[half[0]]):.3f}" for x in (head_score, words_score, total))
            print(f"{name:22} {half[1]:1} true {int(y.sum()):4} not {int((1 - y).sum()):4}  heads, words, sum: {values}")
    test = (sets == "faithbench") & (parts >= 50)
    allowed = ~np.array([row["number"] for row in rows]) | np.array([row["copied"] for row in rows])
    for share in (0.187, 0.044):
        wrong = np.sort(total[calibration & (labels == 0) & allowed])[::-1]
        threshold = float(wrong[int(share * (calibration & (labels == 0)).sum())]) + 1e-6
        passes = (total >= threshold) & allowed
        rate = lambda q: f"{passes[q].mean():.1%} of {int(q.sum())}"
        print(f"threshold {threshold:.2f}: calibration {rate(calibration & (labels == 1))} true, {rate(calibration & (labels == 0))} not; test {rate(test & (labels == 1))} true, {rate(test & (labels == 0))} not")
    if arguments.scores:
        np.savez(arguments.scores, total=total, raw=raw, counts=counts, number=~allowed)
    print(f"{time.time() - start:.0f} s, {sum(p.numel() for p in heads[0].parameters())} numbers a head")


if __name__ == "__main__":
    main()
