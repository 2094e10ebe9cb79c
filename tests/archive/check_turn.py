#!/usr/bin/env python3
"""Promise: a turning map is an animated WebP that other readers show. Its frames are what `render` draws from the
cameras in its XMP, with the same brightness. It loops forever, and the same map gives the same bytes."""
import hashlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from common import FIXTURES, arguments, run, skip

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from packages import need  # noqa: E402

Image, ImageSequence = need("PIL.Image", "PIL.ImageSequence")

MAP = FIXTURES / "atrium" / "quake3" / "maps" / "atrium.bsp"
FRAMES, WIDTH, HEIGHT, PER_SECOND = 6, 160, 120, 12
DRAWN = ["--size", f"{WIDTH}x{HEIGHT}", "--samples", "4", "--lightstyle", "0=0.3", "--quiet"]
BACKGROUND = (41, 43, 48)  # the color of pixels where a picture shows no part of the map
FACTS = {"Map": "atrium", "Format": "quake3, version 46"}
SPACES = {"rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "dc": "http://purl.org/dc/elements/1.1/",
          "xmp": "http://ns.adobe.com/xap/1.0/", "bspscene": "urn:bspscene:picture:"}


def xmp_of(picture) -> dict[str, str]:
    top = ElementTree.fromstring(picture.info["xmp"])
    description = top.find("rdf:RDF/rdf:Description", SPACES)
    assert description is not None
    return {element.tag.split("}")[1]: "".join(element.itertext()) for element in description}


def check_file(picture) -> list[str]:
    problems = []
    if (picture.format, picture.size, picture.n_frames) != ("WEBP", (WIDTH, HEIGHT), FRAMES):
        problems.append(f"is {picture.format} of {picture.n_frames} frames of {picture.size}")
    if picture.info["loop"] != 0:
        problems.append(f"ends after {picture.info['loop']} turns")
    times = []
    for frame in ImageSequence.Iterator(picture):
        frame.load()
        times.append(frame.info["duration"])
    if sum(times) != round(1000 * FRAMES / PER_SECOND) or max(times) - min(times) > 1:
        problems.append(f"frames are shown for {times} ms")
    return problems


def check_facts(facts: dict[str, str], identifier: str) -> list[str]:
    wanted = {**FACTS, "title": "<Atrium> & 'sample'", "description": "from above, without roofs, turning",
              "Identifier": identifier}
    problems = [f"XMP: {name} is {facts.get(name)!r}" for name, text in wanted.items() if facts.get(name) != text]
    if not facts["CreatorTool"].startswith("bspscene "):
        problems.append(f"XMP: made by {facts['CreatorTool']}")
    yaws = [re.split("[, ]", line)[4] for line in facts["Camera"].split("\n")]
    if yaws != ["60", "120", "180", "240", "300", "0"]:
        problems.append(f"XMP: looks in the directions {yaws}")
    if not 1 < float(facts["Exposure"]) <= 8:
        problems.append(f"XMP: a dark map has an exposure of {facts['Exposure']}")
    return problems


def difference(frame, picture) -> float:
    """Returns the mean difference, from 0 to 255, of those pixels that show the map. Pixels with the color of the
    background are left out."""
    pairs = [(a, b) for a, b in zip(frame.getdata(), picture.getdata())
             if max(abs(x - y) for x, y in zip(a, BACKGROUND)) > 12]
    if len(pairs) < WIDTH * HEIGHT / 10:
        return 255
    return sum(abs(x - y) for a, b in pairs for x, y in zip(a, b)) / (3 * len(pairs))


def check_frames(program: Path, source: Path, top: Path, picture, facts: dict[str, str]) -> list[str]:
    problems = []
    pictures = []
    for number, camera in enumerate(facts["Camera"].split("\n")):
        path = top / f"{number}.png"
        run(program, "render", source, path, *DRAWN, *camera.split(), "--exposure", facts["Exposure"])
        pictures.append(Image.open(path).convert("RGB"))
    for number, frame in enumerate(ImageSequence.Iterator(picture)):
        frame = frame.convert("RGB")
        away = [difference(frame, other) for other in pictures]
        if away[number] > 8:
            problems.append(f"frame {number} differs from its camera's picture by {away[number]:.1f} of 255")
        if min(away) < away[number]:
            problems.append(f"frame {number} is more like another camera's: {away}")
    return problems


def complaint(program: Path, output: Path, *words: str) -> str:
    done = subprocess.run([program, "render", MAP, output, "--turn", *words], capture_output=True, text=True)
    return done.stderr


def check_refused(program: Path, top: Path) -> list[str]:
    """Sizes beyond the limit of WebP or of memory are refused before anything is drawn."""
    problems = []
    for size, words in (("16384x10", "WebP has at most 16383 pixels a side"),
                        ("8000x8000", "72 pictures of 8000x8000 are too much")):
        said = complaint(program, top / "no.webp", "--size", size)
        if words not in said or said.count("\n") != 1 or (top / "no.webp").exists():
            problems.append(f"--size {size}: said {said!r}")
    return problems


def main() -> int:
    program = arguments(__doc__).program
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        if "this build of bspscene" in complaint(program, top / "one.webp", "--frames", "1", "--size", "8x6"):
            skip("this build has no renderer or no libwebpmux")
        source, first, again = top / "atrium.bsp", top / "first.webp", top / "again.webp"
        source.write_bytes(MAP.read_bytes().replace(b"Atrium sample (CC0)", b"<Atrium> & 'sample'"))
        for path in (first, again):
            run(program, "render", source, path, "--turn", "--frames", FRAMES, *DRAWN)
        problems = check_refused(program, top)
        if first.read_bytes() != again.read_bytes():
            problems.append("the same map gives other bytes")
        with Image.open(first) as picture:
            facts = xmp_of(picture)
            problems += check_file(picture) + check_facts(facts, hashlib.sha256(source.read_bytes()).hexdigest())
            problems += check_frames(program, source, top, picture, facts)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
