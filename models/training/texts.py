"""Sentences, words and the choice of evidence, as Sources/PulseDigest/Check has them."""

import math
import re

WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,:]\d+)*")
ABBREVIATIONS = set(
    "mr mrs ms dr prof sen rep gov gen col lt sgt capt st jr sr vs inc corp co ltd no jan feb mar apr jun jul aug sep "
    "sept oct nov dec etc dept".split()
)
SMALL = set(
    "a an the this that these those it its he she they his her their is are was were be been has have had will would "
    "of in on at by for with from to and or but as who which also not".split()
)
MOST_SENTENCES, MOST_TOKENS, MOST_WORDS = 200, 100, 120


def sentences(text):
    out = []
    for paragraph in text.split("\n"):
        paragraph = " ".join(paragraph.split())
        start = 0
        for mark in re.finditer(r"[.!?…]+[\"”’')\]]*\s+", paragraph):
            word = paragraph[start : mark.start()].split(" ")[-1].lower().strip("(\"“'")
            following = paragraph[mark.end() : mark.end() + 1]
            if paragraph[mark.start()] == "." and (word in ABBREVIATIONS or re.fullmatch(r"[a-z]|([a-z]\.)+[a-z]", word)):
                continue
            if following.islower():
                continue
            out.append(paragraph[start : mark.end()].strip())
            start = mark.end()
        if paragraph[start:].strip():
            out.append(paragraph[start:].strip())
    return out[:MOST_SENTENCES]


def words(text):
    return WORD.findall(text.replace("’", "'"))[:MOST_WORDS]


def key(word):
    """Two words with the same beginning count as one: “elected” and “election”, too."""
    return word.lower()[:6]


class Said:
    def __init__(self, text):
        self.text = text
        self.order = [key(word) for word in words(text)]
        self.keys, self.pairs, self.count = set(self.order), set(zip(self.order, self.order[1:])), len(self.order)


def evidence(story, claim, most=4):
    """The sentences that cover the claim's words best, greedily, and the first; their places in order."""
    weight = {}
    for word in claim.keys:
        held = sum(word in said.keys for said in story)
        weight[word] = 1 + math.log(len(story) / held) if held else 0.0
    left, picked = dict(weight), []
    for _ in range(most):
        best, most_gained = None, 0.0
        for place, said in enumerate(story):
            if place in picked:
                continue
            shared = sorted(claim.keys & said.keys)  # the order of a sum is part of its result
            gained = sum(left[word] + 0.15 * weight[word] for word in shared)
            gained += 0.2 * len(claim.pairs & said.pairs) - 0.004 * said.count
            if gained > most_gained + 1e-9:
                best, most_gained = place, gained
        if best is None:
            break
        picked.append(best)
        for word in claim.keys & story[best].keys:
            left[word] *= 0.15
    return sorted(set(picked) | {0}) if story else []


NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split(),
        2,
    )
} | {word: str(10 * ten) for ten, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}


def number(word):
    """A number in one form, whether it is written in digits or as a word; None for other words."""
    return word.replace(",", "").rstrip(".") if word[0].isdigit() else NUMBERS.get(word.lower())


def numbers(text):
    return {number(word) for word in WORD.findall(text)} - {None}


def counts(story, claim_text):
    """The places of the evidence, and what words alone say.

    That is the share of the claim's words, and of its pairs of words, that the evidence has; the share of its words
    that the best sentence has; how many of its names and of its numbers the evidence has not.
    """
    claim = Said(claim_text)
    chosen = evidence(story, claim)
    said = [story[place] for place in chosen]
    keys, pairs = set().union(*[s.keys for s in said]), set().union(*[s.pairs for s in said])
    known = set().union(*[numbers(s.text) for s in said])
    own = claim.keys - SMALL
    in_row = list(zip(claim.order, claim.order[1:]))
    names, unheard = 0, 0
    for place, word in enumerate(words(claim_text)):
        if number(word):
            unheard += number(word) not in known
        elif place and word[0].isupper() and word.lower() not in SMALL:
            names += key(word) not in keys
    return chosen, [
        len(own & keys) / max(1, len(own)), sum(pair in pairs for pair in in_row) / max(1, len(in_row)),
        max((len(own & s.keys) for s in said), default=0) / max(1, len(own)), min(3, names), min(3, unheard),
    ]
