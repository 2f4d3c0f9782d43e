"""The model's figures on held-out text, beside two baselines: the first two sentences of the text, and a random two.

    python evaluate.py --program PATH/TO/pulse-digest --model ../pulse-nano.gguf --corpus ../shared/corpus

`grounded` is the built program with grounded decoding, driven through its own commands; `free` is the bare model, greedy,
through llama-cpp-python. Either is left out where it is not there. Prints a Markdown table; with `--show N`, the first N
summaries and the sentences that do not stand in their source as they are, for a person to read.
"""

import argparse
import contextlib
import datetime
import json
import random
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer

from prepare import ROOT, records, sentences
from prompts import CHAT, REAL, fill

WORDS = 1_200  # of an article
LIMIT = 256  # tokens of an answer, the program's own default
STOP_WORDS = set(
    "a about after all also an and any are as at be been before but by can could did do does during for from had has have he her "
    "his how i if in into is it its may more most no not of on or other our out over said she so some such than that the their "
    "them then there they this to up was we were what when where which while who will with would you your o os as um uma de da "
    "do das dos em no na nos nas e que para por com se ao à".split()
)


@dataclass
class Article:
    title: str
    text: str
    summary: str = ""

    @property
    def sentences(self) -> list[str]:
        return [s for line in self.text.split("\n") for s in sentences(line.strip())]


@dataclass
class Output:
    text: str
    ended: bool = True
    prompt_tokens: int = 0
    prompt_ms: float = 0
    tokens: int = 0
    ms: float = 0


@dataclass
class Sample:
    """One paragraph to write: from one article, or from a category of a day."""

    articles: list[Article]
    category: str = ""
    outputs: dict[str, Output] = field(default_factory=dict)

    @property
    def source(self) -> str:
        return "\n".join(a.title + "\n" + a.text for a in self.articles)


# --- what is measured on -------------------------------------------------------------------------------------------


def clip(paragraphs: list[list[str]]) -> str:
    kept, words = [], 0
    for paragraph in paragraphs:
        words += sum(len(s.split()) for s in paragraph)
        if words > WORDS and kept:
            break
        kept.append(" ".join(paragraph))
    return "\n\n".join(kept)


def held_out(corpus: Path, rng: random.Random, articles: int, days: int) -> tuple[list[Sample], list[Sample], list[list[Sample]]]:
    """Articles with a person's summary; other articles, some Portuguese; days of up to four categories."""
    kinds = {"wikinews_summary_pairs_en", "wikinews_en", "bosque_pt", "current_events_items_en"}
    found: dict[str, list[dict]] = {kind: [] for kind in kinds}
    for record in records(corpus, kinds):
        if record["held"]:
            found[record["kind"]].append(record)

    def sample(record: dict) -> Sample:
        return Sample([Article(record["title"], clip(record["paragraphs"]), record.get("summary", ""))])

    judged = [sample(r) for r in found["wikinews_summary_pairs_en"]]
    titles = {s.articles[0].title for s in judged}
    english = [r for r in found["wikinews_en"] if r["title"] not in titles and len(r["paragraphs"]) > 1]
    others = [sample(r) for r in rng.sample(english, min(articles, len(english)))]
    portuguese = found["bosque_pt"]
    others += [sample(r) for r in rng.sample(portuguese, min(articles // 4, len(portuguese)))]

    by_date: dict[str, dict[str, list[Article]]] = {}
    for record in found["current_events_items_en"]:
        text = clip(record["paragraphs"])
        if record["category"] and text.endswith((".", "!", "?")):
            by_date.setdefault(record["date"], {}).setdefault(record["category"], []).append(Article(" ".join(text.split()[:6]), text))
    full = sorted(day for day, sections in by_date.items() if sum(len(a) > 1 for a in sections.values()) > 1)
    chosen = [
        [Sample(found[:8], name) for name, found in list(by_date[day].items())[:4]]
        for day in rng.sample(full, min(days, len(full)))
    ]
    return judged, others, chosen


# --- who writes ----------------------------------------------------------------------------------------------------


def first_two(sample: Sample) -> Output:
    return Output(" ".join([s for a in sample.articles for s in a.sentences][:2]))


def random_two(sample: Sample) -> Output:
    every = [s for a in sample.articles for s in a.sentences]
    rng = random.Random(sample.source)
    return Output(" ".join(every[i] for i in sorted(rng.sample(range(len(every)), min(2, len(every))))))


class Free:
    """The bare model, greedy, with the program's prompts."""

    def __init__(self, model: Path, threads: int):
        import llama_cpp

        self.llm = llama_cpp.Llama(str(model), n_ctx=2048, n_threads=threads, n_threads_batch=threads, verbose=False)

    def ids(self, text: str, special: bool) -> list[int]:
        return self.llm.tokenize(text.encode(), add_bos=False, special=special) if text else []

    def prompt(self, sample: Sample, cut: int) -> list[int]:
        job = REAL["digest" if sample.category else "summary"]
        texts = [" ".join(a.sentences[: max(1, len(a.sentences) - cut)]) if cut else a.text for a in sample.articles]
        named = [
            {"title": a.title, "source": "", "text": text, "number": str(n + 1), "category": sample.category}
            for n, (a, text) in enumerate(zip(sample.articles, texts))
        ]
        listed = "\n\n".join(fill(job.article, values) for values in named)
        user = fill(job.user, {**named[0], "articles": listed, "count": str(len(named))})
        parts = [self.ids(CHAT[0], True), self.ids(job.system, False), self.ids(CHAT[1], True), self.ids(user, False), self.ids(CHAT[2], True)]
        return [token for part in parts for token in part]

    def __call__(self, sample: Sample) -> Output:
        cut = 0
        while len(prompt := self.prompt(sample, cut)) > 2048 - LIMIT and cut < 60:
            cut += 1
        prompt = prompt[: 2048 - LIMIT]
        written, ended, began, first = [], False, time.monotonic(), 0.0
        self.llm.reset()
        for token in self.llm.generate(prompt, top_k=1, temp=0.0, repeat_penalty=1.0):
            first = first or time.monotonic() - began
            if token == self.llm.token_eos():
                ended = True
                break
            written.append(token)
            if len(written) == LIMIT:
                break
        text = self.llm.detokenize(written).decode(errors="replace").strip()
        return Output(text, ended, len(prompt), first * 1000, len(written), (time.monotonic() - began - first) * 1000)


class Program:
    """The built program."""

    def __init__(self, program: Path, model: Path, threads: int):
        self.command = [str(program.resolve())]
        self.options = ["--model", str(model.resolve()), "--grounded", "strict", "--threads", str(threads), "--format", "json"]

    def run(self, *arguments: str, text: str = "") -> str:
        done = subprocess.run([*self.command, *arguments], input=text, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    @staticmethod
    def output(answer: dict, text: str) -> Output:
        timing = answer["timing"]
        return Output(
            text, timing["output_tokens"] < LIMIT and bool(text), timing["prompt_tokens"], timing["prompt_ms"], timing["output_tokens"],
            timing["output_ms"],
        )

    def summaries(self, samples: list[Sample]) -> list[Output]:
        """Articles through `import` and `summarize`."""
        lines = [
            {"id": f"sample-{n:04}", "title": s.articles[0].title, "content": s.articles[0].text, "read_at": "2026-01-01T12:00:00Z"}
            for n, s in enumerate(samples)
        ]
        with self.store(lines) as store:
            answers = [json.loads(self.run("summarize", line["id"], *self.options, "--store", store)) for line in lines]
        return [self.output(answer, answer["text"]) for answer in answers]

    def day(self, samples: list[Sample]) -> tuple[list[Output], Output]:
        """A day through `import` and `today`: a paragraph for each category, and the figures of the whole."""
        now = datetime.datetime.now(datetime.timezone.utc)
        articles = [(sample.category, article) for sample in samples for article in sample.articles]
        lines = [
            {"id": f"{category}/{n}", "title": article.title, "content": article.text, "category": category, "read_at": read}
            for n, (category, article) in enumerate(articles)
            for read in [(now - datetime.timedelta(minutes=n + 1)).strftime("%Y-%m-%dT%H:%M:%SZ")]
        ]
        with self.store(lines) as store:
            answer = json.loads(self.run("today", *self.options, "--store", store, "--max-articles", "100"))
        whole = self.output(answer, "digest")
        texts = {section["category"].lower(): section["text"] for section in answer["sections"]}
        return [Output(texts.get(s.category.lower(), ""), bool(texts.get(s.category.lower()))) for s in samples], whole

    @contextlib.contextmanager
    def store(self, lines: list[dict]):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/history.sqlite"
            text = "".join(json.dumps(line) + "\n" for line in lines)
            self.run("import", "jsonl", "-", "--quiet", "--store", path, text=text)
            yield path


# --- figures -------------------------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def content(text: str) -> list[str]:
    return [w for w in words(text) if w not in STOP_WORDS]


def invented(text: str, source: str) -> list[str]:
    """Numbers, and capitalised words inside sentences, that the source does not hold."""
    have = set(re.findall(r"\d+|[^\W\d_]+", source))
    found = re.findall(r"\d+", text)
    for sentence in sentences(text):
        found += [w for w in re.findall(r"[^\W\d_]+", sentence)[1:] if w[0].isupper()]
    return [w for w in found if w not in have]


def flat(text: str) -> str:
    return " ".join(text.split())


def changed(output: Output, source: str) -> list[str]:
    """Sentences that do not stand in the source as they are: shortened, joined, or made up."""
    return [s for s in sentences(flat(output.text)) if s not in flat(source)]


def share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"


def rouge(scorer: RougeScorer, samples: list[Sample], name: str) -> list[float]:
    sums = [0.0, 0.0, 0.0]
    for sample in samples:
        scores = scorer.score(sample.articles[0].summary, sample.outputs[name].text)
        sums = [total + scores[key].fmeasure for total, key in zip(sums, ("rouge1", "rouge2", "rougeL"))]
    return [total / len(samples) for total in sums]


def well_formed(sample: Sample, name: str) -> bool:
    """A paragraph of whole sentences, all of whose content words the category's own articles hold."""
    output = sample.outputs.get(name)
    return bool(output and output.text.strip()) and output.ended and set(content(output.text)) <= set(words(sample.source))


def column(name: str, judged: list[Sample], others: list[Sample], days: list[list[Sample]], day_outputs: list[Output]) -> dict[str, str]:
    single = [*judged, *others]
    sections = [s for day in days for s in day]
    everything = [s for s in [*single, *sections] if name in s.outputs]
    scores = rouge(RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True), judged, name)
    written = [(w, s) for s in everything for w in content(s.outputs[name].text)]
    holding = {id(s): set(words(s.source)) for s in everything}
    all_sentences = sum(len(sentences(flat(s.outputs[name].text))) for s in everything)
    timed = [s.outputs[name] for s in single if s.outputs[name].tokens] + day_outputs
    column = {
        "ROUGE-1 / 2 / L against people's summaries": " / ".join(f"{100 * x:.1f}" for x in scores),
        "content words that the source holds": share(sum(w in holding[id(s)] for w, s in written), len(written)),
        "numbers and names that it does not": str(sum(len(invented(s.outputs[name].text, s.source)) for s in everything)),
        "ends by itself": share(sum(s.outputs[name].ended for s in everything), len(everything)),
        "sentences that are the source's, whole": share(
            all_sentences - sum(len(changed(s.outputs[name], s.source)) for s in everything), all_sentences
        ),
        "sentences an output": f"{all_sentences / max(1, len(everything)):.1f}",
        "well-formed digest paragraphs": share(sum(well_formed(s, name) for s in sections), len(sections)),
    }
    if timed:
        column["reading, tokens a second"] = f"{1000 * sum(o.prompt_tokens for o in timed) / max(1, sum(o.prompt_ms for o in timed)):.0f}"
        column["writing, tokens a second"] = f"{1000 * sum(o.tokens for o in timed) / max(1, sum(o.ms for o in timed)):.0f}"
    return column


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, help="the built pulse-digest")
    parser.add_argument("--model", type=Path, default=ROOT / "models" / "pulse-nano.gguf")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--articles", type=int, default=60, help="articles beside those that have a person's summary")
    parser.add_argument("--days", type=int, default=20)
    parser.add_argument("--judged", type=int, default=1_000, help="at most so many articles with a person's summary")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="print so many outputs to read")
    args = parser.parse_args()

    judged, others, days = held_out(args.corpus, random.Random(1), args.articles, args.days)
    judged = judged[: args.judged]
    sections = [s for day in days for s in day]
    writers: dict[str, Callable[[Sample], Output]] = {}
    day_outputs: list[Output] = []
    if args.program:
        program = Program(args.program, args.model, args.threads)
        for sample, output in zip([*judged, *others], program.summaries([*judged, *others])):
            sample.outputs["grounded"] = output
        for day in days:
            outputs, whole = program.day(day)
            day_outputs.append(whole)
            for sample, output in zip(day, outputs):
                sample.outputs["grounded"] = output
    try:
        writers["free"] = Free(args.model, args.threads)
    except ImportError:
        print("llama-cpp-python is not installed: no figures for free decoding.\n")
    writers |= {"first two": first_two, "random two": random_two}
    for name, writer in writers.items():
        for sample in [*judged, *others, *sections]:
            sample.outputs[name] = writer(sample)

    names = (["grounded"] if args.program else []) + list(writers)
    columns = {name: column(name, judged, others, days, day_outputs if name == "grounded" else []) for name in names}
    options = f"--articles {args.articles} --days {args.days}"
    print(f"{datetime.date.today()}, `python models/training/evaluate.py --program … --model {args.model.name} {options}`: {len(judged)} articles")
    print(f"with a person's summary, {len(others)} others, {len(sections)} digest paragraphs; {args.threads} threads.\n")
    print("| | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for figure in columns[names[0]]:
        print(f"| {figure} | " + " | ".join(columns[name].get(figure, "–") for name in names) + " |")

    best = names[0]
    for sample in [*judged[: args.show], *sections[: args.show]]:
        print(f"\n### {sample.category or sample.articles[0].title}\n\n{sample.outputs[best].text}")
    if args.show:
        print("\n### Sentences that are not the source's, whole\n")
        for sample in [*judged, *others, *sections]:
            for sentence in changed(sample.outputs[best], sample.source):
                print(f"- {sample.articles[0].title or sample.category}: {sentence}")


if __name__ == "__main__":
    main()
