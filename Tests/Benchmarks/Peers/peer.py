"""llama-cpp-python at the same work, for the benchmark: a process that answers one JSON line with another.

It is used as its README shows: one `Llama`, `create_chat_completion` for one prompt after another, greedy; or, where
the file is an encoder, `embed` for all texts at once.

A question: {"prompts": [{"system": …, "user": …}, …], "tokens": N}, or {"texts": [text, …]}.
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

    import llama_cpp

    encodes = sys.argv[4:] == ["embedding"]
    # Its default pooling is the file's own, which has none. Without flash attention it takes three times as long.
    kind = {"embedding": True, "pooling_type": llama_cpp.LLAMA_POOLING_TYPE_MEAN, "flash_attn": True} if encodes else {}
    model = llama_cpp.Llama(
        model_path=path, n_ctx=length, n_threads=threads, n_threads_batch=threads, verbose=False, **kind
    )

    def embed(texts: list) -> dict:
        vectors, tokens = model.embed(texts, normalize=True, return_count=True)
        return {"prompt_tokens": tokens, "vectors": vectors}

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
        if encodes:
            figures = embed(question["texts"])
        else:
            results = [answer(p, question["tokens"]) for p in question["prompts"]]
            figures = {
                "prompt_tokens": sum(r["usage"]["prompt_tokens"] for r in results),
                "output_tokens": sum(r["usage"]["completion_tokens"] for r in results),
            }
        seconds, cpu = time.monotonic() - start, time.process_time() - cpu
        tell({"seconds": seconds, "cpu": cpu} | figures)


if __name__ == "__main__":
    main()
