"""The program's prompt files and the chat format around them, read as the program reads them."""

import re
from dataclasses import dataclass
from pathlib import Path

from prepare import ROOT

# ChatML around a system text, a user text and the answer. Only these are parsed for special tokens.
CHAT = (
    "<|im_start|>system\n",
    "<|im_end|>\n<|im_start|>user\n",
    "<|im_end|>\n<|im_start|>assistant\n",
)


@dataclass
class Template:
    """A prompt file's sections: `# system`, `# user` and, for the digest, `# article`."""

    system: str
    user: str
    article: str

    @staticmethod
    def read(path: Path) -> "Template":
        text = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.S)
        parts = re.split(r"^# (\w+)$", text, flags=re.M)
        named = {name: body.strip() for name, body in zip(parts[1::2], parts[2::2])}
        return Template(named["system"], named["user"], named.get("article", ""))


def fill(template: str, values: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template).strip()


PROMPTS = ROOT / "prompts"
REAL = {"summary": Template.read(PROMPTS / "summary.en.md"), "digest": Template.read(PROMPTS / "digest.en.md")}
