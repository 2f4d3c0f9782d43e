"""Trains pulse-writer: a low-rank adapter with which SmolLM2-135M tells a story in one sentence of its articles.

Of each story of made-up days it learns the sentence that the program would quote, as it stands in the article, whole or
up to a comma, in at most thirty words, if the program's check for small models lets it through. What a model is asked,
and what is let through, `pulse-eval --stories` says, so that nothing of the program is copied here.
"""

import argparse
import json
import lzma
import math
import random
import re
import subprocess
from pathlib import Path

import gguf
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from tokenizers import Tokenizer, models, pre_tokenizers

# What is read of DATA, and how many articles of it at most.
CORPORA = {
    "wikinews_en": 10_000, "us_doj_press_en": 200, "us_senate_press_en": 200, "digitalgov_en": 200,
    "opensuse_news_en": 100}
DAY, SECTION = 60, 6
# What is learned: words, and the least share of the title's words.
SHORTEST, LONGEST, SHARE = 8, 30, 0.3
PUBLICATIONS = ["Global Wire", "The Meridian Post", "Daily Courier", "The Provincial", "Newsline 24"]

LAYERS, WIDTH, HEADS, SHARED, HEAD = 30, 576, 9, 3, 64
MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
RANK, ALPHA = 8, 16
# The layers below stay as they are, which saves a third of the way back.
FIRST_LAYER = 10
# Tokens of a pack of stories that share the system prompt, packs of a step, and the learning rate.
PACK, PACKS, RATE, WARM_UP = 620, 2, 1e-3, 12


# MARK: - Days

def plain(text):
    return re.sub(r"\W+", " ", text.lower()).strip()


def days(data, kept_aside, chance):
    """Days of articles in the order of their dates, so that stories meet and go on. Titles kept aside are left out."""
    seen, dated, others = set(kept_aside), [], []
    for name, most in CORPORA.items():
        with lzma.open(Path(data) / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        chance.shuffle(records)
        taken = 0
        for record in records:
            title = plain(record.get("title") or "")
            if not title or title in seen or len(record["text"].split()) < 60 or taken == most:
                continue
            seen.add(title)
            taken += 1
            (dated if "date_est" in record else others).append(record)
    dated.sort(key=lambda record: record["date_est"] or "")
    found = [dated[at:at + DAY] for at in range(0, len(dated), DAY)]
    for at, record in enumerate(others):
        found[at % len(found)].append(record)
    return [
        {
            "day": f"{number}", "title": record["title"], "text": record["text"].strip().replace("\n", "\n\n")[:2500],
            "source": chance.choice(PUBLICATIONS), "category": f"part {at // SECTION}"}
        for number, day in enumerate(found) for at, record in enumerate(day)]


def write(path, records):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


# MARK: - The sentence that is learned

DATELINE = re.compile(
    r"^[A-Z][\w.’' -]{2,30}(?:, [A-Z][\w.’' -]{2,20})?\s?(?:\([\w ./]+\)\s?)?[–—-]\s(?=[A-Z])")
BORDER = re.compile(r",(?= [^\d])|;| [–—-] | \((?=[^)]*\)\.?$)")
DAY_AT_END = re.compile(r" (?:on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|yesterday)\b(?![’'])(?=.{0,25}$)")
FINITE = (
    r"(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|said|says|did|does|[a-z]{2,}ed|won|took|made|"
    r"began|became|struck|hit|beat|led|left|lost|sold|set|put|got|gave|went|came|found|held|met|told|saw|rose|fell)\b")
BEGINS_WITH_VERB = re.compile("^" + FINITE)
HAS_VERB = re.compile(r"\b" + FINITE)
PREPOSITION = re.compile(
    r"^(?:After|Before|When|While|As|In|On|At|Following|Since|With|During|Although|According|Despite|Amid|By|For|From|"
    r"If|Under|Speaking|Having)\b")
APPOSITION = re.compile(r", (?:who|which|whose|where|a|an|the)\b[^,]*(?:,|\.$)")
SMALL = set(
    "a an the of in on at to for from by with as is are was were be been has have had and or but after over into its "
    "his her new says said".split())


def candidates(story):
    """The publication's sentence as the digest shows it, as it stands in the text, and up to its commas."""
    own = story["own"]
    opening = re.escape(" ".join(own.replace(" …", "").split()[:4]))
    found = re.search(opening + r".*?[.!?][\"”’')\]]*(?=\s+[\"“'‘(]?[A-Z0-9]|$)", story["user"], re.M)
    whole = DATELINE.sub("", found[0]) if found else own
    borders = [at.start() for way in (BORDER, DAY_AT_END) for at in way.finditer(whole)]
    fronts = [whole[:border].strip().rstrip(".") + "." for border in borders]
    return [own, whole] + [front for front in fronts if front.count('"') % 2 == 0 and stands(front, whole)]


def stands(front, sentence):
    """Whether the front of a sentence is one by itself, and no subject without its verb."""
    rest = sentence[len(front) - 1:].lstrip(" ,;–—-(")
    leads_in = PREPOSITION.match(front)
    if BEGINS_WITH_VERB.match(rest) or leads_in and ", " not in front:
        return False
    body = APPOSITION.sub(" ", front.split(", ", 1)[1] if leads_in else front)
    return bool(HAS_VERB.search(body.split(" ", 1)[-1]))


def terms(text):
    return {word.lower()[:6] for word in re.findall(r"[A-Za-z0-9]+", text) if word.lower() not in SMALL}


def target(story):
    """The longest of the candidates that are let through, in at most thirty words; None where none is news."""
    title = terms(story["titles"][0])
    good = [
        shown for shown in story["shown"]
        if shown and "…" not in shown and SHORTEST <= len(shown.split()) <= LONGEST
        and len(title & terms(shown)) >= SHARE * len(title)]
    return max(good, key=len, default=None)


def stories(options, chance):
    """What the model is asked about each story, and what it is to answer."""
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    kept_aside = {
        plain(title) for path in options.aside for title in Path(path).read_text(encoding="utf-8").splitlines()}
    write(work / "days.jsonl", days(options.data, kept_aside, chance))

    def told(*more):
        command = [options.eval, "--stories", work / "days.jsonl", "--tokens", options.base, *more]
        output = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
        return [json.loads(line) for line in output.splitlines()]

    answers = [candidates(story) for story in told()]
    write(work / "answers.jsonl", [{"answers": each} for each in answers])
    judged = told("--answers", work / "answers.jsonl")
    found = [(story, sentence) for story in judged if (sentence := target(story))]
    chance.shuffle(found)
    # With few examples of cuts, the model copies the first sentence, however long it is; with too many, it cuts all.
    cuts = [each for each in found if len(each[0]["own"].split()) > LONGEST]
    whole = [each for each in found if len(each[0]["own"].split()) <= LONGEST]
    print(f"{len(judged)} stories; to learn: {len(whole)} whole sentences, {len(cuts)} fronts of longer ones")
    found = cuts + whole[:2 * len(cuts)]
    chance.shuffle(found)
    return found


# MARK: - The model

class Tokens:
    """The tokens of the GGUF, piece by piece as the program puts a prompt together."""

    def __init__(self, reader):
        tokens = reader.fields["tokenizer.ggml.tokens"].contents()
        merges = [tuple(merge.split(" ")) for merge in reader.fields["tokenizer.ggml.merges"].contents()]
        self.tokenizer = Tokenizer(models.BPE({token: at for at, token in enumerate(tokens)}, merges))
        self.tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
        self.start, self.end = tokens.index("<|im_start|>"), tokens.index("<|im_end|>")

    def of(self, text):
        return self.tokenizer.encode(text).ids

    def turn(self, role, text):
        return [self.start] + self.of(role + "\n") + self.of(text) + [self.end] + self.of("\n")


class Writer(nn.Module):
    """SmolLM2 over the weights of its GGUF, with the adapter that is trained. As in libllama, RoPE turns neighbours."""

    def __init__(self, reader):
        super().__init__()
        self.weights = {
            tensor.name: torch.from_numpy(
                np.array(gguf.quants.dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
                .reshape(tuple(reversed(tensor.shape.tolist())))).bfloat16()
            for tensor in reader.tensors}
        base = float(reader.fields["llama.rope.freq_base"].contents())
        self.epsilon = float(reader.fields["llama.attention.layer_norm_rms_epsilon"].contents())
        self.turns = base ** (-torch.arange(0, HEAD, 2).float() / HEAD)
        self.down, self.up = nn.ParameterDict(), nn.ParameterDict()
        chance = torch.Generator().manual_seed(1)
        for layer in range(FIRST_LAYER, LAYERS):
            for name in MATRICES:
                outputs, inputs = self.weights[f"blk.{layer}.{name}.weight"].shape
                self.down[f"{layer}_{name}"] = nn.Parameter(
                    torch.randn(RANK, inputs, generator=chance) / math.sqrt(inputs))
                self.up[f"{layer}_{name}"] = nn.Parameter(torch.zeros(outputs, RANK))

    def product(self, x, layer, name):
        y = F.linear(x, self.weights[f"blk.{layer}.{name}.weight"])
        if layer < FIRST_LAYER:
            return y
        key = f"{layer}_{name}"
        return y + F.linear(F.linear(x, self.down[key].bfloat16()), (self.up[key] * (ALPHA / RANK)).bfloat16())

    def norm(self, x, name):
        x = x.float()
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon)
        return x.bfloat16() * self.weights[name]

    def forward(self, tokens, places, mask, wanted):
        x = F.embedding(tokens, self.weights["token_embd.weight"])
        angles = places[:, None].float() * self.turns
        cos, sin = angles.cos().bfloat16(), angles.sin().bfloat16()

        def heads(x, count):
            return x.view(len(tokens), count, HEAD).transpose(0, 1)

        def turned(x):
            even, odd = x[..., 0::2], x[..., 1::2]
            return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)

        for layer in range(LAYERS):
            y = self.norm(x, f"blk.{layer}.attn_norm.weight")
            query = turned(heads(self.product(y, layer, "attn_q"), HEADS))
            key = turned(heads(self.product(y, layer, "attn_k"), SHARED)).repeat_interleave(HEADS // SHARED, 0)
            value = heads(self.product(y, layer, "attn_v"), SHARED).repeat_interleave(HEADS // SHARED, 0)
            seen = F.scaled_dot_product_attention(query[None], key[None], value[None], attn_mask=mask)[0]
            x = x + self.product(seen.transpose(0, 1).reshape(-1, WIDTH), layer, "attn_output")
            y = self.norm(x, f"blk.{layer}.ffn_norm.weight")
            y = F.silu(self.product(y, layer, "ffn_gate")) * self.product(y, layer, "ffn_up")
            x = x + self.product(y, layer, "ffn_down")
        return F.linear(self.norm(x[wanted], "output_norm.weight"), self.weights["token_embd.weight"]).float()

    def save(self, path):
        file = gguf.GGUFWriter(path, "llama")
        file.add_type(gguf.GGUFType.ADAPTER)
        file.add_name("pulse-writer")
        file.add_license("cc-by-sa-4.0")
        file.add_string("adapter.type", "lora")
        file.add_float32("adapter.lora.alpha", float(ALPHA))
        for key in self.down:
            layer, name = key.split("_", 1)
            for ending, values in (("lora_a", self.down[key]), ("lora_b", self.up[key])):
                file.add_tensor(f"blk.{layer}.{name}.weight.{ending}", values.detach().numpy().astype(np.float16))
        file.write_header_to_file()
        file.write_kv_data_to_file()
        file.write_tensors_to_file()
        file.close()


# MARK: - Training

def packs(examples, system):
    """Examples side by side behind one system prompt, so that it is read once."""
    pack, size = [], len(system)
    for example in examples:
        length = sum(map(len, example))
        if pack and size + length > PACK:
            yield pack
            pack, size = [], len(system)
        pack.append(example)
        size += length
    if pack:
        yield pack


def loss(model, pack, system):
    """Over the answers' tokens alone. Output: the sum, and how many they are."""
    tokens, places, owners = list(system), list(range(len(system))), [0] * len(system)
    wanted, targets = [], []
    for owner, (question, answer) in enumerate(pack, 1):
        wanted += range(len(tokens) + len(question) - 1, len(tokens) + len(question) + len(answer) - 1)
        targets += answer
        places += range(len(system), len(system) + len(question) + len(answer))
        owners += [owner] * (len(question) + len(answer))
        tokens += question + answer
    owners = torch.tensor(owners)
    visible = ((owners[:, None] == owners) | (owners == 0)) & torch.ones(len(tokens), len(tokens)).tril().bool()
    mask = torch.zeros(visible.shape, dtype=torch.bfloat16).masked_fill(~visible, -math.inf)
    found = model(torch.tensor(tokens), torch.tensor(places), mask, torch.tensor(wanted))
    return F.cross_entropy(found, torch.tensor(targets), reduction="sum"), len(targets)


def train(options, found, chance):
    reader = gguf.GGUFReader(options.base)
    tokens, model = Tokens(reader), Writer(reader)
    system = tokens.turn("system", found[0][0]["system"])
    opening = [tokens.start] + tokens.of("assistant\n")
    examples = [
        (tokens.turn("user", story["user"]) + opening, tokens.of(sentence) + [tokens.end]) for story, sentence in found]
    chance.shuffle(examples)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    groups = list(packs(examples[:options.examples], system))
    steps = [groups[at:at + PACKS] for at in range(0, len(groups), PACKS)]
    for number, step in enumerate(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (number + 1) / WARM_UP) * max(0.03, 1 - number / len(steps))
        total = count = 0
        for pack in step:
            value, length = loss(model, pack, system)
            (value / 80).backward()
            total, count = total + value.item(), count + length
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        optimizer.zero_grad()
        print(f"step {number + 1} of {len(steps)}: {total / count:.3f}", flush=True)
    model.save(options.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="the folder with the corpora, *.jsonl.xz")
    parser.add_argument("--base", required=True, help="SmolLM2-135M-Instruct.Q4_1.gguf")
    parser.add_argument("--eval", required=True, help="pulse-eval, as built")
    parser.add_argument("--aside", nargs="*", default=[], help="files of titles that are not to be learned, one a line")
    parser.add_argument("--examples", type=int, default=2000, help="how many stories to learn (%(default)s)")
    parser.add_argument("--work", required=True, help="a folder for what is made on the way")
    parser.add_argument("--out", required=True, help="the adapter")
    options = parser.parse_args()
    torch.manual_seed(1)
    chance = random.Random(1)
    train(options, stories(options, chance), chance)


if __name__ == "__main__":
    main()
