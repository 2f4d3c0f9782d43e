"""Training, stage by stage: copying first, then the program's two jobs on short contexts, then on long ones.

    python train.py                 starts, or goes on from the last checkpoint
    python train.py --minutes 10    stops by itself

Every step draws its rows from a random generator seeded by the step's number, so a run that was interrupted goes on
as if it had not been.
"""

import argparse
import functools
import math
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads starve each other on a shared machine

import torch
import torch.nn.functional as F

import tasks
from model import Llama, Shape
from prepare import WORK
from tokenizer import Chat

SEED = 20_261


@dataclass(frozen=True, eq=False)  # hashed by identity
class Stage:
    name: str
    steps: int
    rows: int  # rows a step
    tokens: int  # longest row
    rate: tuple[float, float]  # learning rate at the first and the last step, a straight line between
    jump: int  # the farthest leap in positions at the end of the stage; at its start there is none
    mixture: dict[str, float]  # task: share of the rows


STAGES = (
    Stage("copy", 1600, 12, 96, (2e-3, 2e-3), 0, {"copy": 1.0}),
    Stage("find", 500, 6, 224, (1.5e-3, 1.5e-3), 0, {"copy": 0.5, "pick": 0.5}),
    Stage("short", 1100, 5, 352, (1.5e-3, 1.2e-3), 0, {"copy": 0.2, "pick": 0.2, "summary": 0.3, "digest": 0.3}),
    Stage("prompts", 1700, 3, 768, (1.2e-3, 6e-4), 300, {"copy": 0.1, "pick": 0.05, "opening": 0.15, "summary": 0.35, "digest": 0.35}),
    Stage("long", 1300, 2, 2048, (6e-4, 1e-5), 600, {"copy": 0.05, "opening": 0.1, "summary": 0.43, "digest": 0.42}),
    Stage("choose", 650, 3, 1024, (5e-4, 1e-5), 300, {"copy": 0.05, "opening": 0.1, "summary": 0.5, "digest": 0.35}),
    Stage("settle", 1800, 3, 1152, (8e-4, 1e-5), 500, {"copy": 0.05, "pick": 0.08, "opening": 0.1, "summary": 0.45, "digest": 0.32}),
)
WARMUP = 100
BETAS = (0.9, 0.98)
TOGETHER = 8


def batch(step: int, start: int, stage: Stage, library: tasks.Library, chat: Chat):
    """Rows of a like length go together, so that little is spent on padding: eight steps draw at once and sort."""
    ordered = drawn(step // TOGETHER, start, stage, library, chat)[step % TOGETHER]
    longest = min(max(len(ids) for ids, _, _ in ordered), stage.tokens)
    ids = torch.full((len(ordered), longest), chat.pad)
    weights = torch.zeros(len(ordered), longest)
    positions = torch.zeros(len(ordered), longest, dtype=torch.long)
    for place, (row, weight, position) in enumerate(ordered):
        size = min(len(row), longest)
        ids[place, :size] = torch.tensor(row[:size])
        weights[place, :size] = torch.tensor(weight[:size])
        positions[place, :size] = torch.tensor(position[:size])
    return ids, weights, positions


@functools.lru_cache(maxsize=1)
def drawn(turn: int, start: int, stage: Stage, library: tasks.Library, chat: Chat) -> list[list[tasks.Row]]:
    rng = random.Random(SEED * 1_000_003 + turn)
    jump = int(stage.jump * max(0, turn * TOGETHER - start) / stage.steps)
    names, shares = zip(*stage.mixture.items())
    rows = [
        getattr(tasks, name)(rng, library, chat, stage.tokens, jump)
        for name in rng.choices(names, shares, k=stage.rows * TOGETHER)
    ]
    rows.sort(key=lambda row: len(row[0]))
    batches = [rows[start : start + stage.rows] for start in range(0, len(rows), stage.rows)]
    rng.shuffle(batches)
    return batches


def loss_of(model: Llama, ids, weights, positions):
    """The weighted loss, and the plain mean over the tokens of weight 1: the number to watch."""
    targets, weights = ids[:, 1:], weights[:, 1:]
    wanted = weights > 0
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model(ids[:, :-1], positions[:, :-1])
        logits = model.logits(hidden[wanted])  # only where the loss looks: the output matrix is a third of the work
    each = F.cross_entropy(logits.float(), targets[wanted], reduction="none")
    weight = weights[wanted]
    answer = weight >= 1
    return (each * weight).sum() / weight.sum(), each[answer].mean().item(), each[~answer].mean().item() if (~answer).any() else 0.0


def optimizer_of(model: Llama):
    matrices = [p for p in model.parameters() if p.dim() == 2]
    norms = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": 0.05}, {"params": norms, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-3, betas=BETAS, fused=True)


def save(path: Path, model: Llama, optimizer, step: int) -> None:
    part = path.with_suffix(".part")
    torch.save({"shape": model.shape.__dict__, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, part)
    part.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=WORK)
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so long")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(SEED)

    chat = Chat(args.work / "tokenizer.json")
    library = tasks.Library(args.work / "articles.jsonl")
    model = Llama(Shape())
    optimizer = optimizer_of(model)
    checkpoint, first = args.work / "checkpoint.pt", 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        for group in optimizer.param_groups:
            group["betas"] = BETAS
        first = state["step"]
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, from step {first}", flush=True)

    began = saved = time.monotonic()
    tokens, answers, prompts = 0, [], []
    step, start = first, 0
    for stage in STAGES:
        for step in range(max(first, start), start + stage.steps):
            share = (step - start) / stage.steps
            rate = (stage.rate[0] + (stage.rate[1] - stage.rate[0]) * share) * min(1, (step + 1) / WARMUP)
            for group in optimizer.param_groups:
                group["lr"] = rate
            ids, weights, positions = batch(step, start, stage, library, chat)
            loss, answer, prompt = loss_of(model, ids, weights, positions)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()

            tokens += ids.numel()
            answers.append(answer)
            prompts.append(prompt)
            now = time.monotonic()
            if (step + 1) % 50 == 0:
                mean = lambda values: sum(values) / len(values)
                print(
                    f"{time.strftime('%H:%M:%S')} {stage.name} step {step + 1} rate {rate:.1e} "
                    f"answer {mean(answers):.3f} prompt {mean(prompts):.3f} {tokens / (now - began):.0f} tokens/s",
                    flush=True,
                )
                answers, prompts = [], []
            if now - saved > 180 or now - began > args.minutes * 60:
                save(checkpoint, model, optimizer, step + 1)
                saved = now
            if now - began > args.minutes * 60:
                return
        start += stage.steps
        if first < start:
            save(checkpoint, model, optimizer, start)
            save(args.work / f"after-{stage.name}.pt", model, optimizer, start)


if __name__ == "__main__":
    main()
