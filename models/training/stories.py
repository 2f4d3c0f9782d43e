"""Makes pulse-story.map of labelled reports: stories.py OUT ENCODER.gguf REPORTS.jsonl=KNOWN.jsonl[*WEIGHT] …

REPORTS has lines of {"id", "event" or null, "continues", "lang", "published_at", …}; KNOWN is what `pulse-eval --reports`
prints of it. Reports of the kind "apart" share people, places or products, and are not of one event. The map is
within-class covariance normalisation: it shrinks the directions in which reports of one event differ from one another.
Those of the kind "single" are columns and the like, from which reports are told by a linear probe.
The weights are those of two logistic regressions over pairs: of one event, and of one course; there each report is
mapped by what was learned without its event."""

import collections
import datetime
import itertools
import json
import math
import struct
import sys
import zlib

import numpy as np

WIDTH, RIDGE, FOLDS, DAY = 384, 2.0, 5, 86400.0
LONGEST_EVENT, LONGEST_COURSE = 3.0, 7.0
# Reports "apart" have nothing to do with one another, unless their vectors are nearer than this.
ALIKE = 0.5
FEWEST_FOLLOWING = 10
MOST_OF_SOURCE = 1


# The words of the encoder's vocabulary.
COMMON = set()


def vocabulary(path):
    import gguf

    field = gguf.GGUFReader(path).fields["tokenizer.ggml.tokens"]
    tokens = [bytes(field.parts[i]).decode() for i in field.data]
    # llama.cpp marks the beginnings of words.
    return {token[1:] for token in tokens if token.startswith("\u2581") and token[1:].isalpha() and len(token) > 2}


def fnv(word):
    """FNV-1a of 64 bits, the lower half."""
    value = 0xCBF29CE484222325
    for byte in word.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value & 0xFFFFFFFF


class Report:
    def __init__(self, label, known, weight):
        self.weight = weight
        self.id, self.event, self.continues = label["id"], label["event"], label.get("continues")
        self.lookalike, self.kind, self.source = label.get("lookalike") or [], label["kind"], label["source"]
        self.time = datetime.datetime.fromisoformat(label["published_at"].replace("Z", "+00:00")).timestamp() / DAY
        self.vector = np.array(known["vector"])
        self.names, self.leads, self.language = set(known["names"]), set(known["leads"]), known.get("language")


def read(argument):
    pair, _, weight = argument.partition("*")
    reports, known = (map(json.loads, open(file, encoding="utf-8")) for file in pair.split("="))
    known = {line["id"]: line for line in known}
    reports = [Report(line, known[line["id"]], float(weight or 1)) for line in reports]
    # Whether it says of each report which event it is of, and what is none.
    tells = any(r.kind == "single" for r in reports)
    for r in reports:
        r.tells = tells and r.kind != "roundup"
    return reports


def kind(a, b):
    if "apart" in (a.kind, b.kind):
        return "unsure" if a.vector @ b.vector > ALIKE else "other"
    if a.event and a.event == b.event:
        return "same"
    if a.continues and a.continues in (b.event, b.continues) or b.continues and b.continues == a.event:
        return "course"
    if a.event in b.lookalike or b.event in a.lookalike:
        return "lookalike"
    return "round-up" if "roundup" in (a.kind, b.kind) else "other"


def are_several(vectors):
    """Whether an event's reports are in words of their own: copies say nothing of how reports differ."""
    return len(vectors) > 1 and np.linalg.norm(np.mean(vectors, 0)) < 0.95


def whiten(reports):
    """The map's mean and matrix."""
    mean = np.mean([r.vector for r in reports if r.kind != "apart"], 0)
    events = collections.defaultdict(list)
    for r in reports:
        if r.event:
            events[r.event].append(r.vector)
    spread = np.concatenate(
        [(np.array(v) - np.mean(v, 0)) * math.sqrt(len(v) / (len(v) - 1)) for v in events.values() if are_several(v)]
    )
    within = spread.T @ spread / len(spread)
    values, axes = np.linalg.eigh(within + RIDGE * np.trace(within) / WIDTH * np.eye(WIDTH))
    return mean, axes @ np.diag(values**-0.5) @ axes.T


def probe(reports, mean, matrix):
    """How much a mapped vector reads like a column, and not like a report: the weights, and what is added."""
    labelled = [r for r in reports if r.tells]
    points, is_column = mapped(labelled, mean, matrix), np.array([r.kind == "single" for r in labelled], float)
    centre = points.mean(0)
    spread = (points - centre).T @ (points - centre) + np.eye(WIDTH)
    weights = np.linalg.solve(spread, (points - centre).T @ (is_column - is_column.mean()))
    return weights, is_column.mean() - centre @ weights


def mapped(reports, mean, matrix):
    points = np.array([matrix @ (r.vector - mean) for r in reports])
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def fit(reports):
    mean, matrix = whiten(reports)
    return mean, matrix, *probe(reports, mean, matrix)


def folds(reports):
    """A fold for each report; events that are like one another, or go on from one another, share one."""
    parent = {}

    def root(event):
        while parent.setdefault(event, event) != event:
            event = parent[event]
        return event

    keys = [r.event or r.id for r in reports]
    for r, key in zip(reports, keys):
        for other in [r.continues, *r.lookalike] if r.event else []:
            if other:
                parent[root(key)] = root(other)
    return [zlib.crc32(root(key).encode()) % FOLDS for key in keys]


def features(reports, maps, of):
    """Pairs at most a course apart, and their `StoryMap.Likeness`, with 1 in front.

    - maps: The map of each fold; `of`: the fold of each report."""
    cosines, columns = np.zeros((len(reports), len(reports))), np.zeros(len(reports))
    for fold, (mean, matrix, weights, more) in enumerate(maps):
        points, rows = mapped(reports, mean, matrix), np.array(of) == fold
        cosines[rows] = (points @ points.T)[rows]
        columns[rows] = (points @ weights + more)[rows]
    common = COMMON | local(reports, cosines)
    # As in StoryMap.Likeness.
    cosines = np.clip(cosines, 0, 0.7)
    foreign = [r.language not in (None, "en") for r in reports]
    pairs, rows = [], []
    for i, j in itertools.combinations(range(len(reports)), 2):
        a, b = reports[i], reports[j]
        gap = abs(a.time - b.time)
        if gap > LONGEST_COURSE:
            continue
        both = a.names & b.names
        count = sum(name not in common for name in both)
        rare = math.log(1 + count)
        shares = [worth(x.leads & y.names, common) / (0.5 + worth(x.leads, common)) for x, y in ((a, b), (b, a))]
        rows.append([
            1, cosines[i, j], gap, None not in (a.language, b.language) and a.language != b.language, foreign[i] and foreign[j],
            rare, math.log(1 + len(both) - count), min(shares), max(shares),
            cosines[i, j] * rare, cosines[i, j] ** 2, max(0, gap - 1), a.source == b.source,
            columns[i] + columns[j],
        ])
        pairs.append((i, j))
    return pairs, np.array(rows, float)


def worth(names, common):
    return sum(0.4 if name in common else 1 for name in names)


def local(reports, cosines):
    """As in Nearness: names of four articles or more that are about different things, two of a publication at most."""
    holders, owned = collections.defaultdict(list), collections.Counter()
    for place, r in enumerate(reports):
        for name in r.names:
            owned[name, r.source] += 1
            if owned[name, r.source] <= MOST_OF_SOURCE:
                holders[name].append(place)
    names = set()
    for name, places in holders.items():
        some = cosines[np.ix_(places[:24], places[:24])]
        if len(places) >= 4 and (some.sum() - np.trace(some)) / (len(some) * (len(some) - 1)) < 0.2:
            names.add(name)
    return names


def regress(x, y, weights):
    """Newton's method, with a small penalty on all but the first."""
    scale = x.std(0)
    scale[0] = 1
    scale[scale == 0] = 1
    x, w = x / scale, np.zeros(x.shape[1])
    penalty = np.diag([0] + [1.0] * (len(w) - 1))
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        spread = (x * (weights * p * (1 - p))[:, None]).T @ x
        step = np.linalg.solve(spread + penalty, x.T @ (weights * (y - p)) - penalty @ w)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    return w / scale


def weigh(sets):
    xs, kinds, weights, of = [], [], [], [folds(reports) for reports in sets]
    # A set with hardly any follow-ups says little of them.
    follows = []
    kept = lambda fold: [r for reports, own in zip(sets, of) for r, at in zip(reports, own) if at != fold]
    maps = [fit(kept(fold)) for fold in range(FOLDS)]
    for reports, own in zip(sets, of):
        pairs, x = features(reports, maps, own)
        xs.append(x)
        kinds += [kind(reports[i], reports[j]) for i, j in pairs]
        weights += [reports[0].weight] * len(pairs)
        follows += [not reports[0].tells or sum(r.continues is not None for r in reports) >= FEWEST_FOLLOWING] * len(pairs)
    x, kinds, weights = np.concatenate(xs), np.array(kinds), np.array(weights)
    sure = kinds != "unsure"
    near = (x[:, 2] <= LONGEST_EVENT) & (kinds != "course") & sure
    same = regress(x[near], kinds[near] == "same", weights[near])
    known = sure & np.array(follows)
    course = regress(x[known], np.isin(kinds[known], ["same", "course"]), weights[known])
    return same, course


def write(out, mean, matrix, columns, more, same, course):
    floats = np.concatenate([mean, matrix.ravel(), columns, [more], same, course]).astype("<f4").tobytes()
    common = np.unique(np.array([fnv(word) for word in COMMON], dtype="<u4"))
    data = b"PULSEMAP" + struct.pack("<II", WIDTH, len(matrix)) + floats
    data += struct.pack("<I", len(common)) + common.tobytes()
    open(out, "wb").write(data + struct.pack("<I", zlib.crc32(data)))


def main():
    out, sets = sys.argv[1], [read(pair) for pair in sys.argv[3:]]
    COMMON.update(vocabulary(sys.argv[2]))
    same, course = weigh(sets)
    write(out, *fit([r for reports in sets for r in reports]), same, course)
    print("one event:", np.round(same, 2), "course:", np.round(course, 2))


if __name__ == "__main__":
    main()
