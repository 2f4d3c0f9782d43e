"""Renders chat templates with Jinja2, as Hugging Face's transformers do (utils/chat_template_utils.py).

    render.py FILE…    prints JSON: for each file the prompt, or nothing where the template refuses
    render.py          writes the expected prompts of this folder anew
"""

import json
import pathlib
import sys
from datetime import datetime

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
)
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = datetime(2026, 11, 23, 12).strftime

SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "Hello"}
MERGED = {"role": "user", "content": "Be brief.\n\nHello"}


def render(source, messages):
    return environment.from_string(source).render(
        messages=messages,
        add_generation_prompt=True,
        bos_token="<s>",
        eos_token="</s>",
        enable_thinking=False,
        thinking=False,
        reasoning=False,
        thinking_budget=0,
        thinking_mode="disabled",
    )


def prompt(source):
    for messages in ([SYSTEM, USER], [MERGED]):
        try:
            return render(source, messages)
        except Exception:
            continue
    return None


if sys.argv[1:]:
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    json.dump({file.name: prompt(file.read_text("utf-8")) for file in files}, sys.stdout)
else:
    folder = pathlib.Path(__file__).parent
    for file in folder.glob("*.jinja"):
        file.with_suffix(".txt").write_text(prompt(file.read_text("utf-8")), "utf-8")
    features = json.loads((folder / "features.json").read_text("utf-8"))
    for feature in features:
        feature["prompt"] = render(feature["template"], [SYSTEM, USER])
    (folder / "features.json").write_text(json.dumps(features, ensure_ascii=False, indent=1) + "\n", "utf-8")
