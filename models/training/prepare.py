"""The corpus made ready: one cleaned record a line, cut into paragraphs and sentences, and split into train and held-out.

    python prepare.py --corpus ../shared/corpus

A record of `articles.jsonl` in the work folder is
    {"kind": file stem, "held": bool, "title": str, "category": str, "date": str,
     "paragraphs": [[sentence, ...], ...], "summary": str (only where a person wrote one)}

The held-out split is decided by a hash of the title (of the date for the Current Events portal, whose items and days
repeat each other), so that the same story in two files always falls on the same side.
"""

import argparse
import hashlib
import json
import lzma
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("NANO_WORK", Path(__file__).resolve().parent / ".work"))

# Part of each file that is never trained on, in percent. Summaries written by people are few, and are what is measured.
HELD = {"wikinews_summary_pairs_en": 20}
HELD_ELSEWHERE = 4
WEAK = 0.4  # a summary pair that scores less teaches nothing
UNUSED = {"current_events_digests_en"}  # the days are rebuilt from their items
LONGEST = 9_000  # characters of an article kept: the declared context holds about 8,000

ABBREVIATIONS = set(
    "mr mrs ms dr st sen rep gov gen lt col sgt capt rev hon prof jr sr inc corp co ltd llc vs etc no vol fig jan feb mar apr "
    "jun jul aug sep sept oct nov dec approx dept univ assn bros est ave blvd rd ft mt u.s u.k u.n e.g i.e a.m p.m d.c "
    "d-r r-r supt messrs cf al art av sra exa eng dra".split()
)
END = re.compile(r"""([.!?…]+["'”’»)\]]*)(\s+)(?=["'“‘«(\[¿¡]*[A-Z0-9À-ÖØ-ÞŠŽČ])""")


def sentences(paragraph: str) -> list[str]:
    """Cut a paragraph into sentences; an initial, a title or an abbreviation does not end one."""
    found, start = [], 0
    for match in END.finditer(paragraph):
        if match.group(1)[0] == "." and not match.group(1).startswith(".."):
            word = paragraph[start : match.start()].rsplit(None, 1)[-1:] or [""]
            word = word[0].strip("\"'“”‘’«»()[]").lower()
            if word in ABBREVIATIONS or (len(word) == 1 and word.isalpha()) or re.fullmatch(r"(\w\.)+\w", word):
                continue
        found.append(paragraph[start : match.end(1)].strip())
        start = match.end()
    tail = paragraph[start:].strip()
    return found + [tail] if tail else found


def clean(text: str) -> str:
    text = text.replace("\r", "").replace("\u00a0", " ").replace("\u200b", "")
    text = re.sub(r"[ \t]+", " ", text)
    return re.sub(r"\s+([,.;:!?])(?=\s|$)", r"\1", text).strip()


def paragraphs(text: str) -> list[list[str]]:
    kept, size = [], 0
    for line in clean(text).split("\n"):
        line = re.sub(r"^(?:[-*•]|#+)\s+", "", line.strip())
        if not line:
            continue
        size += len(line)
        if size > LONGEST and kept:
            break
        kept.append(sentences(line))
    return kept


def key(kind: str, record: dict) -> str:
    if kind.startswith("current_events") and record.get("date"):
        return record["date"][:10]
    name = record.get("title") or record["text"][:80]
    return re.sub(r"\W+", "", name.lower())


def bucket(name: str) -> int:
    """0–99, the same on every machine and in every run."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % 100


def read(path: Path):
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record.get("text", "").strip():
                yield record


def corpus_files(corpus: Path) -> list[Path]:
    files = sorted(corpus.glob("*.jsonl.xz"))
    if not files:
        sys.exit(f"No .jsonl.xz files in {corpus}. Name the corpus folder with --corpus.")
    return files


def records(corpus: Path, kinds: set[str] | None = None):
    """Every record of the corpus, or of some of its files, cleaned and marked as held out or not."""
    files = {path.name.split(".")[0]: path for path in corpus_files(corpus)}
    held = {
        key(kind, record)
        for kind, percent in HELD.items()
        if kind in files
        for record in read(files[kind])
        if bucket(key(kind, record)) < percent
    }
    for kind, path in files.items():
        if kind in UNUSED or (kinds and kind not in kinds):
            continue
        for record in read(path):
            if record.get("score", 1) < WEAK:
                continue
            name = key(kind, record)
            row = {
                "kind": kind,
                "held": name in held or bucket(name) < HELD_ELSEWHERE,
                "title": clean(record.get("title") or ""),
                "category": record.get("category") or "",
                "date": (record.get("date") or "")[:10],
                "paragraphs": paragraphs(record["text"]),
            }
            if record.get("summary"):
                row["summary"] = clean(record["summary"])
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--work", type=Path, default=WORK)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    part, counts = args.work / "articles.jsonl.part", {}
    with part.open("w", encoding="utf-8") as out:
        for row in records(args.corpus):
            counts.setdefault(row["kind"], [0, 0])[row["held"]] += 1
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    part.replace(args.work / "articles.jsonl")
    for kind, (train, held) in counts.items():
        print(f"{kind}: {train} to train on, {held} held out")


if __name__ == "__main__":
    main()
