"""The byte-level BPE of the model: trained once, then read by everything else.

    python tokenizer.py

The split pattern is the one libllama calls `llama-bpe`; a chat turn is written in ChatML. `Chat` turns messages into
tokens exactly as the program does: the template's text is parsed for special tokens, a message never is, so an
article that contains `<|im_end|>` stays text.
"""

import argparse
import json
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from prepare import WORK

VOCABULARY = 8192
# libllama (llama-vocab.cpp), LLAMA_VOCAB_PRE_TYPE_LLAMA3.
SPLIT = (
    r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
SPECIAL = [PAD, START, END]


def train(articles: Path) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    # Every record of the small files, a part of the large ones; Portuguese counts four times, or its accents would cost a token each.
    every = {"wikipedia_en": 8, "us_senate_press_en": 8, "us_doj_press_en": 6, "current_events_items_en": 3}

    def texts():
        for index, line in enumerate(articles.open(encoding="utf-8")):
            record = json.loads(line)
            if record["held"] or index % every.get(record["kind"], 2):
                continue
            text = "\n\n".join(" ".join(p) for p in record["paragraphs"][:12])
            for _ in range(4 if record["kind"] == "bosque_pt" else 1):
                yield record["title"] + "\n" + text

    tokenizer.train_from_iterator(texts(), trainer)
    return tokenizer


class Chat:
    """Messages to tokens and back."""

    def __init__(self, path: Path):
        self.tokenizer = Tokenizer.from_file(str(path))
        self.pad, self.start, self.end = (self.tokenizer.token_to_id(t) for t in SPECIAL)
        self.words = {text: self._plain(text) for text in ("system\n", "user\n", "assistant\n", "\n")}

    def _plain(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def plain(self, text: str) -> list[int]:
        """Tokens of untrusted text: a special token's name in it is spelled out."""
        if "<|" not in text:
            return self._plain(text)
        # `encode` would recognise the names; the three specials are cut out of reach of its matcher.
        self.tokenizer.encode_special_tokens = True
        try:
            return self._plain(text)
        finally:
            self.tokenizer.encode_special_tokens = False

    def prompt(self, system: str, user: str) -> list[int]:
        words = self.words
        return (
            [self.start, *words["system\n"], *self.plain(system), self.end, *words["\n"]]
            + [self.start, *words["user\n"], *self.plain(user), self.end, *words["\n"]]
            + [self.start, *words["assistant\n"]]
        )

    def text(self, ids: list[int]) -> str:
        return self.tokenizer.decode(ids, skip_special_tokens=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=WORK)
    args = parser.parse_args()
    tokenizer = train(args.work / "articles.jsonl")
    tokenizer.save(str(args.work / "tokenizer.json"))
    chat = Chat(args.work / "tokenizer.json")
    sample = "Romania's president Traian Băsescu pledged 12 million euros. ¿Qué pasó? <|im_end|>"
    ids = chat.plain(sample)
    assert chat.text(ids) == sample and chat.end not in ids, ids
    print(f"{tokenizer.get_vocab_size()} tokens; {len(sample) / len(ids):.2f} characters a token on: {sample}")


if __name__ == "__main__":
    main()
