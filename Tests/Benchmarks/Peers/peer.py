"""llama-cpp-python at the same work, for the benchmark: a process that answers one JSON line with another.

It is used as its README shows: one `Llama`, `create_chat_completion` for one prompt after another, greedy.

A question: {"prompts": [{"system": …, "user": …}, …], "tokens": N}.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    path, threads, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    # The answers go where standard output was; what a library prints must not come between them.
    answers = sys.stdout
    sys.stdout = sys.stderr

    from llama_cpp import Llama

    model = Llama(model_path=path, n_ctx=length, n_threads=threads, n_threads_batch=threads, verbose=False)

    def answer(prompt: dict, tokens: int) -> dict:
        return model.create_chat_completion(
            messages=[
                {"role": "system", "content": prompt["system"]},
                {"role": "user", "content": prompt["user"]},
            ],
            max_tokens=tokens,
            temperature=0,
        )

    def tell(value: dict) -> None:
        print(json.dumps(value), file=answers, flush=True)

    tell({"ready": True})
    for line in sys.stdin:
        question = json.loads(line)
        # Nothing of the round before.
        model.reset()
        cpu, start = time.process_time(), time.monotonic()
        results = [answer(p, question["tokens"]) for p in question["prompts"]]
        seconds, cpu = time.monotonic() - start, time.process_time() - cpu
        tell(
            {
                "seconds": seconds,
                "cpu": cpu,
                "prompt_tokens": sum(r["usage"]["prompt_tokens"] for r in results),
                "output_tokens": sum(r["usage"]["completion_tokens"] for r in results),
                "texts": [r["choices"][0]["message"]["content"] for r in results],
            }
        )


if __name__ == "__main__":
    main()
