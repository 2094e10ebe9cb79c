"""Compares how we and srctools read material files. Files of every kind, including patches of patches, must give the
same keys and values.

The files avoid the deliberate differences. If a key is repeated, srctools takes the last one; the engine and we take
the first. srctools ignores conditions, so all conditions here are true. It reads a key at the end of a line as one
without a value, and removes keys that a patch sets to nothing. A material may have blocks of keys that apply only to
some graphics cards. The engine applies them, so this test does too; srctools only lists them.

Usage: test_materials.py READ_MATERIALS
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import peers

vmt = peers.load("srctools.vmt")
filesystem = peers.load("srctools.filesys")

chance = random.Random(12)
KEYS = ["$basetexture", "$BaseTexture2", "$bumpmap", "$detail", "$detailscale", "$color", "$alpha", "$translucent",
        "$alphatest", "$surfaceprop", "$basetexturetransform", "$envmap", "%keywords", "%compilewater", "$selfillum",
        "$nocull", "$seamless_scale"]
VALUES = ["concrete/wall01", "Concrete\\Wall_01", "materials/a/b.vtf", "1", "0", ".5", "-3.25e1", "[1 .5 0]",
          "{255 128 0}", "", "center .5 .5 scale 1 1 rotate 0 translate 0 0", "a b  c", "metal", "env_cubemap", "a//b",
          "x/*y*/z", "#1", "100%"]
# For each proxy, the key that names the variable that it changes, and a variable. read_materials.c has the same.
CHANGES = {"TextureScroll": ("texturescrollvar", "$basetexturetransform"), "Sine": ("resultVar", "$alpha")}
PROXIES = {"TextureScroll": ["texturescrollrate", "texturescrollangle"], "Sine": ["sineperiod"]}
BARE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")
FALLBACK = ">=DX90"


def word(text, bare=BARE):
    """Returns a word in quotes, or sometimes without them if every reader accepts that."""
    return text if text and set(text) <= bare and chance.random() < 0.5 else f'"{text}"'


def gap():
    return chance.choice([" ", "\t", "  \t "])


def comment():
    return chance.choice(["", "", "", " // a comment \"with quotes", "\n\t// { braces }", "\n"])


def pairs(keys, indent, values=VALUES):
    lines = []
    for key in keys:
        condition = chance.choice(["", "", "", " [!$X360]", " [$WIN32]"]) if indent == "\t" else ""
        key = chance.choice([key, key.upper(), key.lower()])
        lines.append(f"{indent}{word(key)}{gap()}{word(chance.choice(values))}{condition}{comment()}")
    return lines


def block(name, lines, indent):
    opening = chance.choice([" {", f"\n{indent}{{"])
    return [f"{indent}{word(name)}{opening}", *lines, f"{indent}}}"]


def some(items, most):
    return chance.sample(items, chance.randint(0, min(most, len(items))))


def proxies(indent):
    lines = []
    for name in some(sorted(PROXIES), 2):
        key, variable = CHANGES[name]
        inside = pairs([key], indent + "\t\t", [variable]) + pairs(some(PROXIES[name], 2), indent + "\t\t")
        lines += block(name, inside, indent + "\t")
    return block("Proxies", lines, indent)


def plain():
    lines = pairs(some(KEYS, 12), "\t")
    if chance.random() < 0.4:
        lines += block(FALLBACK, pairs(some(KEYS, 3), "\t\t"), "\t")
    if chance.random() < 0.4:
        lines += block("<DX90", pairs(some(KEYS, 3), "\t\t"), "\t")
    if chance.random() < 0.4:
        lines += proxies("\t")
    return block(chance.choice(["LightmappedGeneric", "WorldVertexTransition", "Water"]), lines, "")


def patch(included):
    lines = [f'\t"include"{gap()}"materials/{included}.vmt"']
    for way in chance.choice([["insert"], ["replace"], ["insert", "replace"], []]):
        lines += block(way, pairs(some([key for key in KEYS if way == "insert" or chance.random() < 0.7], 5), "\t\t",
                                  [value for value in VALUES if value]), "\t")
    return block(chance.choice(["patch", "Patch", "PATCH"]), lines, "")


def text_of(lines):
    start = chance.choice(["", "", "\ufeff", "// a comment first\n", "\n\n"])
    return chance.choice(["\n", "\r\n"]).join((start + "\n".join(lines) + "\n").split("\n"))


def write_corpus(folder, count):
    names = []
    for i in range(count):
        name = f"m{i:03}"
        lines = patch(chance.choice(names)) if names and chance.random() < 0.35 else plain()
        (folder / "materials").mkdir(exist_ok=True)
        (folder / "materials" / f"{name}.vmt").write_bytes(text_of(lines).encode())
        names.append(name)
    return names


def ours(program, folder, names, keys):
    """Returns {name: (shader, {key: value})} as we read it."""
    command = [program, folder, *names]
    done = subprocess.run(command, input="\n".join(keys), capture_output=True, text=True, check=True)
    found, values = {}, {}
    for line in done.stdout.split("\n")[:-1]:
        key, value = line.split("\t", 1)
        if key in names:
            values = {}
            found[key] = value, values
        else:
            values[key] = value
    return found


def theirs(files, name):
    """Returns what srctools reads, with the block for our graphics card applied."""
    with files[f"materials/{name}.vmt"].open_str(encoding="utf-8-sig") as file:
        material = vmt.Material.parse(file, name).apply_patches(files)
    values = {key.lower(): value for key, value in material.items()}
    for inside in material.blocks:
        if inside.real_name == FALLBACK:
            values.update({pair.real_name.lower(): pair.value for pair in inside})
    for proxy in material.proxies:
        values.update({f"{proxy.real_name}.{pair.real_name}".lower(): pair.value for pair in proxy})
    return material.shader, values


def main():
    program = sys.argv[1]
    keys = [key.lower() for key in KEYS] + [f"{proxy}.{key}" for proxy, names in PROXIES.items()
                                            for key in (CHANGES[proxy][0], *names)]
    compared = patched = problems = 0
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        names = write_corpus(folder, 400)
        found, files = ours(program, folder, names, keys), filesystem.RawFileSystem(folder)
        for name in names:
            text = (folder / "materials" / f"{name}.vmt").read_text(encoding="utf-8-sig")
            shader, wanted = theirs(files, name)
            patched += text.lstrip().lower().startswith(("patch", '"patch'))
            for key in keys:
                compared += key.lower() in wanted
                if found[name][1].get(key) != wanted.get(key.lower()) or found[name][0] != shader:
                    problems += 1
                    print(f"{name} {key}: {found[name][1].get(key)!r} instead of {wanted.get(key.lower())!r}\n{text}")
                    break
    print(f"{len(names)} materials, {patched} of them patches: {compared} values compared, {problems} materials differ")
    return bool(problems or compared < 2000 or patched < 50)


if __name__ == "__main__":
    sys.exit(main())
