#!/usr/bin/env python3
"""Promise: the output of `info --json` for any map satisfies docs/info.schema.json. The schema is strict: required
members cannot be missing, and unknown ones are refused."""
import copy
import json
import sys

from common import FIXTURES, SOURCE, arguments, fixture_maps, run, skip

try:
    import jsonschema
except ImportError:
    skip("python3-jsonschema is not installed")


def main() -> int:
    program = arguments(__doc__).program
    schema = json.loads((SOURCE / "docs" / "info.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    problems = []
    maps = fixture_maps() + sorted((FIXTURES / "rejected").glob("bad-data_*.bsp"))[::4]
    kinds = set()
    for path in maps:
        info = json.loads(run(program, "info", path, "--json", "--quiet"))
        kinds |= {need["kind"] for need in info["needs"]}
        for error in validator.iter_errors(info):
            problems.append(f"{path.name}: {error.json_path}: {error.message}")
        for warning in info["warnings"]:
            if warning["count"] != len(warning["occurrences"]):
                problems.append(f"{path.name}: {warning['count']} warnings, {len(warning['occurrences'])} messages")
    if not {"texture", "sky", "model"} <= kinds:
        problems.append(f"the fixtures need nothing but {kinds}")
    spoiled = copy.deepcopy(info)
    del spoiled["hashes"]["geometry"]
    spoiled["more"] = 1
    if len(list(validator.iter_errors(spoiled))) != 2:
        problems.append("the schema allows what it should not")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
