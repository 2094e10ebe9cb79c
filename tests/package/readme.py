"""The README's samples, so that they can be tried as they stand."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def code_blocks(language: str, readme: str = "README.md"):
    """The fenced blocks of a language in a README."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
