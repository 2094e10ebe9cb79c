"""The README's samples, so that they can be tried as they stand."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def code_blocks(language: str):
    """The fenced blocks of a language in README.md."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
