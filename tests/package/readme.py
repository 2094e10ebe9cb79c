"""Extracts the samples of README.md and other documents, so that they can be tried unchanged."""
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def code_blocks(language: str, readme: str = "README.md"):
    """The fenced blocks of a language in a document, those within lists too."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, block in found]
