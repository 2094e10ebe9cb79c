#!/usr/bin/env python3
"""Compares manual pages and completions with --help. Each manual page lists every option of its command and passes the
checkers for manuals. In real shells, the completions offer exactly these options, their values, and the maps of an
archive.

    check_documents.py KIND BSPSCENE DOCUMENTS

KIND is man, bash, zsh or fish. If this program is not installed, the exit code is 77.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
from pathlib import Path

GAME = Path(__file__).resolve().parents[1] / "fixtures/atrium/quake3"
SKIPPED = 77
PROGRAM, DOCUMENTS = Path(), Path()


def ask(*words: object, **options) -> str:
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        fail(f"`{' '.join(map(str, words))}` ended with {done.returncode} and said\n{done.stdout}")
    return done.stdout


def fail(message: str) -> None:
    raise AssertionError(message)


def same(what: str, found: set[str], where: str, wanted: set[str], advice: str) -> None:
    """Fails unless both sets have the same words. The message has the difference and says how to correct it."""
    if found != wanted:
        differs = [f"{label} {' '.join(sorted(words))}"
                   for label, words in (("lacks", wanted - found), ("has beyond them", found - wanted)) if words]
        fail(f"{what} should be those of {where}, but {' and '.join(differs)}; {advice}")


def commands() -> list[str]:
    return re.findall(r"^  ([a-z]+)  +[a-z]", ask(PROGRAM, "--help"), re.MULTILINE)


def options_of(command: str) -> set[str]:
    return set(re.findall(r"^  (--[a-z-]+)", ask(PROGRAM, command, "--help"), re.MULTILINE))


def headings_of(command: str) -> set[str]:
    """Returns the headings of the groups of options in a command's help. A command with few options has no groups."""
    return set(re.findall(r"^(.*):\n  --", ask(PROGRAM, command, "--help"), re.MULTILINE)) - {"Options"}


class Manuals(unittest.TestCase):
    def test_name_every_option_and_no_other(self) -> None:
        self.assertIn("convert", commands())
        for command in commands():
            page = DOCUMENTS / f"bspscene-{command}.1"
            if not page.exists():
                fail(f"{page} does not exist; build the target bspscene_manual, and configure again if there is none "
                     f"for {command}: native/cmake/bspscene_documents.cmake reads the rows of commands.def")
            text = page.read_text(encoding="utf-8").replace("\\-", "-")
            same(f"the options in {page.name}", set(re.findall(r"^\\fB(--[a-z-]+)", text, re.MULTILINE)),
                 f"`bspscene {command} --help`", options_of(command),
                 "native/cli/documents/man_pages.c writes the page from the same rows: build bspscene_manual")
            sections = set(re.findall(r'^\.SS "(.*)"', text, re.MULTILINE))
            same(f"the headings in {page.name}", sections, f"`bspscene {command} --help`", headings_of(command),
                 "both are made by cli_next_in_group: build bspscene_manual")
            if f"bspscene-{command}" not in (DOCUMENTS / "bspscene.1").read_text().replace("\\-", "-"):
                fail(f"bspscene.1 does not name bspscene-{command}; native/cli/documents/man_pages.c writes its list "
                     "of commands: build bspscene_manual")

    def test_please_groff_and_mandoc(self) -> None:
        pages = sorted(DOCUMENTS.glob("*.1"))
        self.assertGreater(len(pages), 5)
        if shutil.which("groff"):
            self.assertEqual(ask("groff", "-man", "-Tutf8", "-ww", "-z", *pages), "")
        if shutil.which("mandoc"):
            self.assertEqual(ask("mandoc", "-Tlint", "-W", "warning", *pages), "")


class Completion(unittest.TestCase):
    """The same completions are tested in each shell."""

    def complete(self, line: str) -> set[str]:
        raise unittest.SkipTest("of each shell")

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bspscene").symlink_to(PROGRAM)
        (self.folder / "two words").mkdir()
        self.environment = dict(os.environ, PATH=f"{self.folder}{os.pathsep}{os.environ['PATH']}", HOME=folder.name,
                                TERM="dumb", LC_ALL="C.UTF-8")

    def test_of_commands_and_options(self) -> None:
        advice = "native/cli/documents/completions.c writes the script from the program's rows: build bspscene_manual"
        same("the commands after `bspscene `", self.complete("bspscene "), "`bspscene --help`", set(commands()), advice)
        self.assertEqual(self.complete("bspscene en"), {"entities"})
        self.assertEqual(self.complete("bspscene help con"), {"convert"})
        for command in commands():
            same(f"the options after `bspscene {command} --`", self.complete(f"bspscene {command} --"),
                 f"`bspscene {command} --help`", options_of(command), advice)

    def test_of_words(self) -> None:
        self.assertEqual(self.complete("bspscene convert a.bsp b.glb --lighting "),
                         {"lightmap", "vertex", "baked", "none"})
        self.assertEqual(self.complete("bspscene convert a.bsp b.glb --lights a"), {"all"})
        self.assertEqual(self.complete("bspscene bake a.bsp b --lightmap-encoding h"), {"hdr"})
        listed = {found.rstrip(",") for found in self.complete("bspscene convert a.bsp b.glb --include sky,cl")}
        # zsh offers only the word after the comma; other shells offer both words.
        self.assertTrue({"sky,clip", "clip"} & listed, listed)
        self.assertEqual(self.complete("bspscene convert a.bsp b.glb --light-error "), set())

    def test_of_options_of_one_name(self) -> None:
        """Commands may have different options of the same name: --entities is a file for `rewrite`, a word for
        others."""
        self.assertEqual(self.complete("bspscene entities a.bsp --entities b"), {"beside"})
        self.assertEqual({found.rstrip("/") for found in self.complete("bspscene rewrite a.bsp b.bsp --entities two")},
                         {"two words"})
        self.assertEqual(self.complete("bspscene rewrite a.bsp b.bsp --entities b") & {"beside"}, set())
        self.assertIn("atrium_deluxe", self.complete(f"bspscene diff {GAME} {GAME} --map "))

    def test_of_maps_and_files(self) -> None:
        maps = self.complete(f"bspscene convert {GAME} --map ")
        self.assertIn("atrium_deluxe", maps)
        self.assertEqual(self.complete(f"bspscene convert {GAME} a.glb --map atrium_d"), {"atrium_deluxe"})
        self.assertEqual(self.complete("bspscene convert 'two $(touch x)' --map "), set())
        self.assertEqual({found.rstrip("/") for found in self.complete("bspscene info two")}, {"two words"})
        (self.folder / "hostile/maps").mkdir(parents=True)
        for name in ("$(touch x).bsp", "`touch x`.bsp", "a b.bsp"):
            shutil.copy(GAME / "maps/atrium.bsp", self.folder / "hostile/maps" / name)
        self.assertEqual(self.complete("bspscene info hostile --map a"), {"a b"})
        self.complete("bspscene info hostile --map ")
        self.assertFalse((self.folder / "x").exists(), "words of the line or names of maps were evaluated")


class Bash(Completion):
    def complete(self, line: str) -> set[str]:
        """Calls the function that `complete` names, as bash does."""
        script = """
            . "$1"; line=$2; set -f
            [[ $(complete -p bspscene) =~ -F\\ ([^ ]+) ]]
            read -r -a COMP_WORDS <<<"$line"; [[ $line == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
            set +f; "${BASH_REMATCH[1]}" bspscene "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}" """
        return set(ask("bash", "--norc", "-c", script, "-", DOCUMENTS / "bspscene", line, env=self.environment,
                       cwd=str(self.folder)).splitlines()) - {""}

    def test_is_read_without_complaint(self) -> None:
        self.assertEqual(ask("bash", "-n", DOCUMENTS / "bspscene"), "")
        patterns = re.findall(r"(\S*--[a-z-]+)(?= \||\))", (DOCUMENTS / "bspscene").read_text().split("}", 1)[1])
        self.assertEqual(sorted(set(patterns)), sorted(patterns), "a pattern of `case` is there twice")
        if shutil.which("shellcheck"):
            self.assertEqual(ask("shellcheck", "--shell=bash", DOCUMENTS / "bspscene"), "")

    def test_of_values_behind_an_equals_sign(self) -> None:
        """When Bash completes, it passes the equals sign as a separate word."""
        self.assertEqual(self.complete("bspscene convert a.bsp b.glb --merge = mo"), {"model"})
        self.assertEqual(self.complete("bspscene convert a.bsp b.glb --merge ="), {"model", "material", "none"})


class Fish(Completion):
    def complete(self, line: str) -> set[str]:
        found = ask("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                    DOCUMENTS / "bspscene.fish", line, env=self.environment, cwd=str(self.folder))
        return {row.split("\t")[0].replace("\\ ", " ") for row in found.splitlines()}

    def test_is_read_without_complaint(self) -> None:
        self.assertEqual(ask("fish", "-n", DOCUMENTS / "bspscene.fish"), "")


class Zsh(Completion):
    """Runs the shell in a pseudo-terminal. The shell writes its matches to a file."""

    def setUp(self) -> None:
        super().setUp()
        (self.folder / "setup").write_text(f"""fpath=({DOCUMENTS} $fpath); autoload -Uz compinit; compinit -D -u; PS1=''
            zstyle ':completion:*' insert-tab false
            compadd() {{ local -a kept; builtin compadd -A kept "$@"
                local p; zparseopts -E -a p - P:=p; print -rl -- MATCH:"${{^kept[@]}}" >> {self.folder}/matches
                builtin compadd "$@"; }}
            show() {{ zle complete-word; print DONE >> {self.folder}/matches; zle .kill-whole-line; }}
            zle -N show; bindkey '^X' show; print READY""", encoding="utf-8")
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.environment)
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.close, self.terminal)
        os.write(self.terminal, b"source ./setup\n")
        self.wait(self.terminal, lambda seen: b"\nREADY" in seen.replace(b"\r", b""))

    def complete(self, line: str) -> set[str]:
        os.write(self.terminal, line.encode() + b"\x18")
        matches = self.folder / "matches"
        self.wait(self.terminal, lambda _: matches.exists() and "DONE" in matches.read_text())
        found = matches.read_text().splitlines()
        matches.unlink()
        return {row[6:].replace("\\ ", " ") for row in found if row.startswith("MATCH:") and row[6:]}

    def wait(self, terminal: int, until) -> None:
        seen, last = b"", time.monotonic() + 600
        while not until(seen):
            if time.monotonic() > last:
                raise AssertionError(f"zsh does not answer: {seen!r}")
            if select.select([terminal], [], [], 0.05)[0]:
                seen += os.read(terminal, 65536)

    def test_is_read_without_complaint(self) -> None:
        self.assertEqual(ask("zsh", "-n", DOCUMENTS / "_bspscene"), "")


class Plain(unittest.TextTestResult):
    """Prints a failure without the file's path and without the traceback."""

    def _exc_info_to_string(self, err, test) -> str:
        kind, error, trace = err
        if not issubclass(kind, (AssertionError, OSError)):
            return super()._exc_info_to_string(err, test)   # type: ignore[misc]
        own = [frame.lineno for frame in traceback.extract_tb(trace)
               if frame.filename == __file__ and frame.name not in ("ask", "fail", "same")]
        return f"tests/cli/check_documents.py:{own[-1] if own else 0}: {error}\n"


def main() -> int:
    global PROGRAM, DOCUMENTS
    kind, PROGRAM, DOCUMENTS = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    if kind == "man":
        cases: type[unittest.TestCase] = Manuals
    elif shutil.which(kind):
        cases = {"bash": Bash, "zsh": Zsh, "fish": Fish}[kind]
    else:
        print(f"skipped: {kind} is not installed")
        return SKIPPED
    if not any(DOCUMENTS.glob("*bspscene*")):
        print(f"{DOCUMENTS} has no manuals and completions; build the target bspscene_manual")
        return 1
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(cases)
    runner = unittest.TextTestRunner(resultclass=Plain)   # type: ignore[arg-type]
    return 0 if runner.run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
