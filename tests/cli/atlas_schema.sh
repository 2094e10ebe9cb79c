# Every atlas.json satisfies docs/atlas.schema.json, and identifies its map and light.
python3 - <<'PYTHON' || exit $?
import json, os, subprocess, sys
from pathlib import Path
try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing", file=sys.stderr)
    sys.exit(77)
fixtures = Path(os.environ["FIXTURES"])
validator = jsonschema.Draft202012Validator(json.loads((fixtures.parent.parent / "docs/atlas.schema.json").read_text()))
hashes, lights = set(), {}
MAPS = ["quake3/maps/atrium", "quake3/maps/atrium_styles", "quake/maps/atrium", "goldsrc/maps/atrium_wad"]
for name in MAPS:
    path = fixtures / "atrium" / (name + ".bsp")
    for options in (["--lightmap-encoding", "raw"], ["--include", "all"], ["--every-style", "--light-probes"]):
        subprocess.check_call(["bspscene", "bake", "--quiet", *options, str(path), "out"])
        atlas = json.loads(Path("out/atlas.json").read_text())
        validator.validate(atlas)
        lights[name] = atlas["light"]
        hashes.add((atlas["source"]["light_hash"], atlas["source"]["layout_hash"]))
# The options of `bake` do not change the light hash and the layout hash of a map. Different maps have different hashes.
assert len({h[0] for h in hashes}) == len({h[1] for h in hashes}) == len(hashes) == len(MAPS)
assert list(lights.values()) == ["pages", "pages", "lit", "rgb"], lights
PYTHON
expect 1 bspscene bake --light hdr "$FIXTURES/atrium/goldsrc/maps/atrium_wad.bsp" out
