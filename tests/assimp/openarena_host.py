"""Reads every map of OpenArena in an unchanged program: `assimp info` with validation and all steps of MaxQuality, and
`assimp export` to four formats, through the launcher and from the game's archives.

    openarena_host.py --launcher PATH --assimp PATH [--maps N] [--sanitize LIST --compiler PATH]

Exit code 77: skipped, with the reason."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "openarena")]
import game_data  # noqa: E402
import stock_host  # noqa: E402

EXPORTS = [("glb", "glb2"), ("fbx", "fbxa"), ("obj", "obj"), ("dae", "collada")]


def check_output(path: pathlib.Path, format_name: str) -> str:
    """Returns what is wrong with an exported file, or ""."""
    magic = stock_host.FORMATS[{"glb2": "glb", "collada": "dae"}.get(format_name, format_name)]
    with path.open("rb") as file:
        begin = file.read(len(magic))
    return "" if begin == magic else f"begins with {begin!r}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--assimp", required=True)
    parser.add_argument("--sanitize", default="")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--maps", type=int, help="only the first N")
    arguments = parser.parse_args()
    game = game_data.find_game()
    if not game:
        game_data.skip("BSPSCENE_OPENARENA names no directory with pk3 files; scripts/test fetches the packages")
    env = stock_host.environment(arguments)
    names = list(game_data.find_maps(game).items())[:arguments.maps]
    problems: list[str] = []
    seconds: dict = {}
    sizes: dict = {}

    def run(what: str, name: str, command: list) -> bool:
        start = time.monotonic()
        words = [str(word) for word in command]
        done = subprocess.run(words, env=env, capture_output=True, text=True, errors="replace")
        seconds[what] = seconds.get(what, 0) + time.monotonic() - start
        if done.returncode:
            problems.append(f"{name} {what}: status {done.returncode}: {(done.stdout + done.stderr)[-300:]}")
        return done.returncode == 0

    with tempfile.TemporaryDirectory(prefix="bspscene-") as directory:
        for name, (archive, _) in names:
            host = [arguments.launcher, "--map", name, arguments.assimp]
            run("info", name, [*host, "info", archive, "-cfull", "-vds"])
            for ending, format_name in EXPORTS:
                output = pathlib.Path(directory) / f"out.{ending}"
                if not run(format_name, name, [*host, "export", archive, output, f"-f{format_name}"]):
                    continue
                wrong = check_output(output, format_name)
                if wrong:
                    problems.append(f"{name} {format_name}: {wrong}")
                sizes[format_name] = sizes.get(format_name, 0) + output.stat().st_size
            for path in pathlib.Path(directory).iterdir():
                path.unlink()
    for what in seconds:
        failed = sum(f" {what}: " in problem for problem in problems)
        size = sizes.get(what, 0) >> 20
        print(f"{what:8} {len(names) - failed} of {len(names)} maps, {seconds[what]:.0f} s, {size} MiB")
    print("\n".join(problems))
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
