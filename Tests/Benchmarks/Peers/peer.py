"""llama-cpp-python at the same work, for the benchmark: a process that answers one JSON line with another.

It is used as its README shows: one `Llama`, `create_chat_completion` for one prompt after another, greedy. With
`lookup` it gets `LlamaPromptLookupDecoding`, with the number of guesses that its documentation advises for machines
without a GPU.

A question: {"prompts": [{"system": …, "user": …}, …], "tokens": N, "replay": [text, …] or null}. With `replay` the
sampler is made to choose the tokens of that text, as the other side's is, so that both write the same and guess right
or wrong at the same words.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    path, kind, threads, length = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    # The answers go where standard output was; what a library prints must not come between them.
    answers = sys.stdout
    sys.stdout = sys.stderr

    from llama_cpp import Llama, LogitsProcessorList

    options = {}
    if kind == "lookup":
        from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

        # "num_pred_tokens is the number of tokens to predict; 10 is the default and generally good for gpu, 2 performs
        # better for cpu-only machines." Without logits_all, prompts longer than n_batch fail in this version.
        options = {"draft_model": LlamaPromptLookupDecoding(num_pred_tokens=2), "logits_all": True}
    model = Llama(
        model_path=path, n_ctx=length, n_threads=threads, n_threads_batch=threads, verbose=False, **options
    )

    def answer(prompt: dict, tokens: int, replay: str | None) -> dict:
        processors = None
        if replay is not None:
            chosen = model.tokenize(replay.encode(), add_bos=False, special=False)
            tokens = len(chosen)
            written = iter(chosen)

            def choose(_, scores):
                token = next(written, None)
                if token is not None:
                    scores[token] = 1e9
                return scores

            processors = LogitsProcessorList([choose])
        return model.create_chat_completion(
            messages=[
                {"role": "system", "content": prompt["system"]},
                {"role": "user", "content": prompt["user"]},
            ],
            max_tokens=tokens,
            temperature=0,
            logits_processor=processors,
        )

    def tell(value: dict) -> None:
        print(json.dumps(value), file=answers, flush=True)

    tell({"ready": True})
    for line in sys.stdin:
        question = json.loads(line)
        replay = question.get("replay") or [None] * len(question["prompts"])
        # Nothing of the round before.
        model.reset()
        cpu, start = time.process_time(), time.monotonic()
        results = [answer(p, question["tokens"], r) for p, r in zip(question["prompts"], replay)]
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
