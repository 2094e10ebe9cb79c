#!/usr/bin/env python3
"""Compares animated models in glTF with the same models that bspscene poses in one frame.

    rigged.py BSPSCENE DIRECTORY MODEL...
    rigged.py BSPSCENE DIRECTORY --assimp     compares the models in the folder $BSPSCENE_ASSIMP_MODELS

Each model is written with --animate. This script evaluates skins, morph targets and animations as the glTF
specification says, in up to five frames of up to twelve sequences. Every triangle must be where `bspscene convert
--sequence --frame` has it. Triangles that only the animated file has must have no area in that frame.
"""
import json
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
LETTERS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
MOST_SEQUENCES, MOST_FRAMES = 12, 5
IDENTITY = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)


def multiply(a, b):
    """Returns the product of two transforms, each of 3 rows and 4 columns."""
    return tuple(sum(a[4 * r + k] * b[4 * k + c] for k in range(3)) + (a[4 * r + 3] if c == 3 else 0)
                 for r in range(3) for c in range(4))


def transform(node):
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    s, t = node.get("scale", (1, 1, 1)), node.get("translation", (0, 0, 0))
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    return tuple(v for r in range(3) for v in (*(rows[r][c] * s[c] for c in range(3)), t[r]))


def point(m, p):
    return tuple(m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3] for r in range(3))


class Document:
    def __init__(self, path):
        data = path.read_bytes()
        size, = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20:20 + size])
        self.binary = data[28 + size:]
        self.read = {}

    def accessor(self, number):
        if number not in self.read:
            a = self.json["accessors"][number]
            view = self.json["bufferViews"][a["bufferView"]]
            shape = f"<{WIDTHS[a['type']]}{LETTERS[a['componentType']]}"
            step, at = view.get("byteStride", struct.calcsize(shape)), view["byteOffset"] + a["byteOffset"]
            self.read[number] = [struct.unpack_from(shape, self.binary, at + i * step) for i in range(a["count"])]
        return self.read[number]

    def pose(self, animation, frame):
        """Returns the nodes with their transforms, and the weights, in a frame of an animation. If `animation` is None,
        returns the transforms that the file stores outside animations."""
        nodes, weights = [dict(node) for node in self.json["nodes"]], {}
        for channel in animation["channels"] if animation else ():
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            times, values = self.accessor(sampler["input"]), self.accessor(sampler["output"])
            at = min(frame, len(times) - 1)
            if target["path"] == "weights":
                count = len(values) // len(times)
                weights[target["node"]] = [v[0] for v in values[at * count:(at + 1) * count]]
            else:
                nodes[target["node"]][target["path"]] = values[at]
        return nodes, weights

    def triangles(self, animation=None, frame=0):
        """Yields the three corners of each triangle, in the world."""
        nodes, weights = self.pose(animation, frame)
        parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", ())}
        places = {}

        def place(i):
            if i not in places:
                own = transform(nodes[i])
                places[i] = multiply(place(parents[i]), own) if i in parents else own
            return places[i]

        out = []
        for i, node in enumerate(nodes):
            for primitive in self.json["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
                points = self.morphed(primitive, weights.get(i))
                if "skin" in node:
                    points = self.skinned(self.json["skins"][node["skin"]], primitive, points, place)
                else:
                    points = [point(place(i), p) for p in points]
                indices = [index[0] for index in self.accessor(primitive["indices"])]
                out += [[points[k] for k in indices[j:j + 3]] for j in range(0, len(indices), 3)]
        return out

    def morphed(self, primitive, weights):
        points = self.accessor(primitive["attributes"]["POSITION"])
        for target, weight in zip(primitive.get("targets", ()), weights or ()):
            if weight:
                moved = self.accessor(target["POSITION"])
                points = [tuple(a + weight * b for a, b in zip(p, m)) for p, m in zip(points, moved)]
        return points

    def skinned(self, skin, primitive, points, place):
        matrices = []
        for joint, columns in zip(skin["joints"], self.accessor(skin["inverseBindMatrices"])):
            matrices.append(multiply(place(joint), tuple(columns[4 * c + r] for r in range(3) for c in range(4))))
        out = []
        joints, weights = (self.accessor(primitive["attributes"][name]) for name in ("JOINTS_0", "WEIGHTS_0"))
        for p, numbers, shares in zip(points, joints, weights):
            assert abs(sum(shares) - 1) < 1e-5
            parts = [(share, point(matrices[n], p)) for n, share in zip(numbers, shares) if share]
            out.append(tuple(sum(share * at[k] for share, at in parts) for k in range(3)))
        return out


def apart(a, b):
    return max(math.dist(p, q) for p, q in zip(a, b))


def has_area(corners):
    a, b = ([q - p for p, q in zip(corners[0], c)] for c in corners[1:])
    cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return math.hypot(*cross) > 1e-5 * max(math.hypot(*a), math.hypot(*b), 1e-9)**2


def compare(moved, still, tolerance):
    """Returns the largest distance between corners of the moved and the still model, or a string that says what is
    wrong."""
    left, largest = iter(moved), 0.0
    for corners in still:
        for found in left:
            distance = apart(found, corners)
            if distance <= tolerance:
                largest = max(largest, distance)
                break
            if has_area(found):
                return f"a triangle is {distance:.4f} m from where it stands"
        else:
            return "a triangle is missing"
    return next((f"a triangle is there at {corners}" for corners in left if has_area(corners)), largest)


def spread(count, most):
    """Returns at most `most` numbers below `count`, evenly spread, with the first and the last."""
    return sorted({round(i * (count - 1) / max(most - 1, 1)) for i in range(most)}) if count > most else range(count)


def convert(program, model, out, *options):
    run = subprocess.run([program, "convert", model, out, "--quiet", *options], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{model}: {run.stderr}")
    return Document(out)


def frames_before(document, number):
    return sum(len(document.accessor(animation["samplers"][0]["input"]))
               for animation in document.json["animations"][:number])


def check_names_of_targets(model, document):
    """Checks that a morph target is named by its animation and its frame in it, from 0."""
    animations = document.json.get("animations", [])
    wanted = [f"{animation['name']}.{frame}" for animation in animations
              for frame in range(len(document.accessor(animation["samplers"][0]["input"])))]
    for mesh in document.json["meshes"]:
        if "targets" in mesh["primitives"][0] and mesh["extras"]["targetNames"] != wanted:
            sys.exit(f"{model}: targets are named {mesh['extras']['targetNames']} instead of {wanted}")


def check(program, folder, model):
    moving = convert(program, model, folder / (model.stem + model.suffix + ".glb"), "--animate")
    animations, largest, frames = moving.json.get("animations", []), 0.0, 0
    extent = [c for t in moving.triangles() for p in t for c in p]
    tolerance = 1e-4 * max(max(map(abs, extent), default=0), 0.1)
    # --lighting vertex divides meshes into smaller triangles. It once divided animated models too, which then lost
    # their animations.
    other = convert(program, model, folder / "vertex.glb", "--animate", "--lighting", "vertex")
    for kind in ("animations", "skins"):
        if len(other.json.get(kind, ())) != len(moving.json.get(kind, ())):
            sys.exit(f"{model}: {kind} are lost with --lighting vertex")
    skinned = "skins" in moving.json
    check_names_of_targets(model, moving)
    for number in spread(len(animations), MOST_SEQUENCES):
        animation = animations[number]
        inputs = [moving.accessor(sampler["input"]) for sampler in animation["samplers"]]
        # A group of frames in Quake's models plays by itself. `--frame` can show only the first frame of the group.
        shown = 1 if "extras" in animation and not skinned else max(map(len, inputs))
        for frame in spread(shown, MOST_FRAMES):
            options = ["--sequence", str(number)]
            number_in_file = frame
            if not skinned:
                weights, = list(moving.pose(animation, frame)[1].values()) or [[1.0]]
                options, number_in_file = [], weights.index(1.0)
                assert sum(weights) == 1
                # If a model consists of frames, the file stores the frames of all its sequences one after the other.
                if len(weights) > 1 and number_in_file != frames_before(moving, number) + frame:
                    sys.exit(f"{model}: {animation['name']}, frame {frame}: shows frame {number_in_file} of the file")
            options += ["--frame", str(number_in_file)] if number_in_file else []
            still = convert(program, model, folder / "still.glb", *options)
            result = compare(moving.triangles(animation, frame), still.triangles(), tolerance)
            if isinstance(result, str):
                sys.exit(f"{model}: {animation['name']}, frame {frame}: {result}")
            largest, frames = max(largest, result), frames + 1
    print(f"{model.name}: {len(animations)} animations, {len(moving.json.get('skins', []))} skins, {frames} frames "
          f"compared, {1000 * largest:.4f} mm apart at most")
    return frames


def assimp_models():
    folder = os.environ.get("BSPSCENE_ASSIMP_MODELS")
    if not folder:
        print("skipped: BSPSCENE_ASSIMP_MODELS names no folder")
        sys.exit(77)
    kinds = "MDL/MDL (HL1)/*.mdl", "MD2/*.md2", "IQM/*.iqm"
    found = [path for kind in kinds for path in sorted(Path(folder).glob(kind))]
    return [path for path in found if path.name not in ("manT.mdl", "man01.mdl")]


def main():
    program, folder, models = sys.argv[1], Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]]
    if sys.argv[3:] == ["--assimp"]:
        models = assimp_models()
    folder.mkdir(parents=True, exist_ok=True)
    compared = sum(check(program, folder, model) for model in models)
    if not compared:
        sys.exit("nothing moves")


if __name__ == "__main__":
    main()
