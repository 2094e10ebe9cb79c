"""Extracts the samples of README.md and other documents, so that they can be tested unchanged."""
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def code_blocks(language: str, readme: str = "README.md"):
    """Returns the fenced code blocks of a language in a document, also those in lists."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, block in found]
