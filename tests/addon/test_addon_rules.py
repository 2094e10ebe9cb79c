"""Tests the rules of the extensions platform (docs/blender-platform.md), as far as the add-on's source shows them:
nothing that reviewers refuse, one version, and a manifest that names the wheels of scripts/package. Also tests
the contents of the zips."""
import ast
import struct
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import addon_files  # noqa: E402
import release  # noqa: E402
import wheel  # noqa: E402

REFUSED_MODULES = {"threading", "_thread", "multiprocessing", "concurrent", "asyncio", "subprocess", "socket", "urllib",
                   "http", "requests", "pip"}
REFUSED_NAMES = {"__file__", "eval", "exec", "compile", "__import__"}
REFUSED_ATTRIBUTES = {"sys.path", "sys.modules", "os.system", "os.popen"}
MANIFEST = addon_files.read_manifest()


def sources() -> list[Path]:
    return sorted((ROOT / "addon").rglob("*.py"))


def refused(tree: ast.AST):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (item.name for item in node.names if item.name.split(".")[0] in REFUSED_MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            if node.module.split(".")[0] in REFUSED_MODULES:
                yield node.module
        elif isinstance(node, ast.Name) and node.id in REFUSED_NAMES:
            yield node.id
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in REFUSED_ATTRIBUTES:
            yield ast.unparse(node)


class Source(unittest.TestCase):
    def test_has_nothing_that_reviewers_refuse(self) -> None:
        self.assertGreater(len(sources()), 50)
        for file in sources():
            self.assertEqual(list(refused(ast.parse(file.read_text(encoding="utf-8")))), [], file)

    def test_a_refused_word_is_seen(self) -> None:
        told = list(refused(ast.parse("import threading, os\nfrom urllib.request import urlopen\n"
                                      "sys.path.append(os.path.dirname(__file__))\neval('1')")))
        self.assertEqual(sorted(told), ["__file__", "eval", "sys.path", "threading", "urllib.request"])

    def test_has_no_libraries(self) -> None:
        for file in (ROOT / "addon").rglob("*"):
            self.assertNotIn(file.suffix, {".so", ".dll", ".dylib", ".pyd"}, file)

    def test_words_of_the_store_follow_its_rules(self) -> None:
        for words in (MANIFEST["tagline"], *MANIFEST["permissions"].values()):
            self.assertLessEqual(len(words), 64, words)
            self.assertTrue(words[-1].isalnum(), words)
        self.assertNotIn("blender", MANIFEST["name"].lower())
        self.assertTrue(MANIFEST["website"].startswith("https://"))


class Versions(unittest.TestCase):
    def test_are_one(self) -> None:
        self.assertEqual(MANIFEST["version"], release.version())
        tree = ast.parse((ROOT / "addon/__init__.py").read_text(encoding="utf-8"))
        info = next(ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)
                    and ast.unparse(node.targets[0]) == "bl_info")
        self.assertEqual(".".join(map(str, info["version"])), release.version())
        self.assertEqual(info["name"], MANIFEST["name"])
        self.assertTrue(info["doc_url"] and info["tracker_url"])

    def test_wheels_are_those_of_the_release(self) -> None:
        names = [wheel.file_name(release.version(), tag) for tag in wheel.TAGS.values()]
        self.assertEqual(MANIFEST["wheels"], [f"./wheels/{name}" for name in names])
        self.assertEqual(MANIFEST["platforms"], list(wheel.TAGS))


class Packing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.wheel = wheel.pack("0.9.0", "win_amd64", {"bspscene.dll": b"MZ"}, {"LICENSE": b"MIT"}, Path(folder.name))

    def test_an_extension_has_its_wheels_and_no_others(self) -> None:
        files = addon_files.extension(["windows-x64"], [self.wheel])
        manifest = files["blender_manifest.toml"].decode()
        self.assertIn(f'wheels = [\n    "./wheels/{self.wheel.name}",\n]', manifest)
        self.assertIn('platforms = [\n    "windows-x64",\n]', manifest)
        self.assertNotIn("manylinux", manifest)
        self.assertEqual(files[f"wheels/{self.wheel.name}"], self.wheel.read_bytes())
        self.assertIn("__init__.py", files)

    def test_an_older_blender_gets_the_package_inside(self) -> None:
        files = addon_files.legacy({"windows-x64": self.wheel})
        self.assertEqual(files["io_scene_bspscene/bspscene/windows-x64/bspscene.dll"], b"MZ")
        self.assertIn("io_scene_bspscene/bspscene/abi.py", files)
        self.assertIn("io_scene_bspscene/bspscene/licenses/LICENSE", files)
        self.assertNotIn("io_scene_bspscene/blender_manifest.toml", files)
        for name, content in files.items():
            for node in ast.walk(ast.parse(content)) if name.endswith(".py") else ():
                module = node.module if isinstance(node, ast.ImportFrom) and not node.level else ""
                self.assertFalse((module or "").startswith("bspscene"), name)

    def test_imports_become_relative_by_depth(self) -> None:
        for name, line in (("a.py", b"from .bspscene import abi\n"), ("b/a.py", b"from ..bspscene import abi\n"),
                           ("b/c/a.py", b"from ...bspscene import abi\n"), ("LICENSE", b"from bspscene import abi\n")):
            self.assertEqual(addon_files.relative(name, b"from bspscene import abi\n"), line)
        self.assertEqual(addon_files.relative("b/a.py", b"    from bspscene.scene import text\n"),
                         b"    from ..bspscene.scene import text\n")

    def test_a_universal_library_is_taken_apart(self) -> None:
        head = struct.pack(">2I", 0xcafebabe, 2)
        parts = struct.pack(">5I", 0x01000007, 3, 48, 3, 0) + struct.pack(">5I", 0x0100000c, 0, 51, 4, 0)
        whole = head + parts + b"x64arm6"
        self.assertEqual(wheel.part_for("macosx_11_0_x86_64", whole), b"x64")
        self.assertEqual(wheel.part_for("macosx_11_0_arm64", whole), b"arm6")
        self.assertEqual(wheel.part_for("macosx_11_0_universal2", whole), whole)
        self.assertEqual(wheel.part_for("manylinux_2_17_x86_64", b"\x7fELF"), b"\x7fELF")
        with self.assertRaises(SystemExit):
            wheel.part_for("macosx_11_0_arm64", struct.pack(">7I", 0xcafebabe, 1, 0x01000007, 3, 28, 0, 0))


if __name__ == "__main__":
    unittest.main()
