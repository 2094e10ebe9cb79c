"""An independent reader of Source maps: the world's faces and displacements as triangles with texture and lightmap
coordinates, and the triangle that each pixel of a picture shows (2D homogeneous rasterization, Olano and Greer
1997)."""

import math
import re
import struct

import numpy as np
import source_forms as s

FACE_SIZE, BUMPED, UNLIT = 56, 0x800, 0x404
DISP_VERTICES, VERTEX_NORMALS, NORMAL_INDICES, OFF = 33, 30, 31, 255


class Camera:
    def __init__(self, numbers, width, height, fov):
        x, y, z, pitch, yaw = numbers
        p, w = math.radians(pitch), math.radians(yaw)
        self.eye, self.width, self.height = np.array([x, y, z], float), width, height
        self.forward = np.array([math.cos(p) * math.cos(w), math.cos(p) * math.sin(w), -math.sin(p)])
        right = np.array([math.sin(w), -math.cos(w), 0])
        reach = math.tan(math.radians(fov) / 2)
        step = 2 * reach / width
        self.right, self.down = right * step, -np.cross(right, self.forward) * step
        self.corner = self.forward - self.right * (width - 1) / 2 - self.down * (height - 1) / 2

    def directions(self, columns, rows):
        return self.corner + self.right * columns[:, None] + self.down * rows[:, None]


class Map:
    def __init__(self, path):
        self.lumps = s.read(path)
        raw = path.read_bytes()

        def plain(number):
            offset, size = struct.unpack_from("<2i", raw, 8 + 16 * number)
            return raw[offset:offset + size]
        dark = not self.lumps[s.LIGHTING].data
        light = np.frombuffer(plain(s.LIGHTING_HDR) if dark else self.lumps[s.LIGHTING].data, np.uint8)
        light = light[:len(light) // 4 * 4].reshape(-1, 4)
        # Without a list of lights the engine draws the map as with mat_fullbright.
        self.bright = not plain(s.WORLD_LIGHTS) and not plain(s.WORLD_LIGHTS_HDR)
        self.light = light[:, :3] * np.exp2(light[:, 3:].view(np.int8).astype(float)) / 255
        self.planes = self.records(s.PLANES, "4f4x")
        self.vertices = np.frombuffer(self.lumps[s.VERTICES].data, "<f4").reshape(-1, 3).astype(float)
        self.infos = self.records(s.TEXINFO, "16f2i")
        self.datas, offsets = self.records(s.TEXDATA, "3f5i"), [row[0] for row in self.records(s.NAME_OFFSETS, "i")]
        names = self.lumps[s.NAMES].data
        self.names = [names[at:].split(b"\0")[0].decode("latin-1").lower().replace("\\", "/") for at in offsets]
        self.styles = self.start_styles()
        self.build(plain(s.FACES_HDR) if dark and plain(s.FACES_HDR) else self.lumps[s.FACES].data)

    def records(self, number, shape):
        size = struct.calcsize("<" + shape)
        data = self.lumps[number].data
        return list(struct.iter_unpack("<" + shape, data[:len(data) // size * size]))

    def start_styles(self):
        """Returns the brightness of light styles when the map starts. It is 0 for styles of lights that begin switched
        off."""
        out = np.ones(256)
        for entity in self.lumps[s.ENTITIES].data.decode("latin-1").split("}"):
            pairs = dict(re.findall(r'"([^"]*)"\s+"([^"]*)"', entity))
            style = int(pairs.get("style", "0") or 0)
            if pairs.get("classname", "").startswith("light") and style >= 32 and int(pairs.get("spawnflags", "0")) & 1:
                out[style % 256] = 0
        return out

    def build(self, data):
        edges, surfedges = self.records(s.EDGES, "2H"), [edge[0] for edge in self.records(s.SURFEDGES, "i")]
        displacements = self.records(s.DISPINFO, "3f4if144x")
        first, count = struct.unpack_from("<2i", self.lumps[s.MODELS].data, 40)
        self.faces, corners, values, owners, bent = [], [], [], [], []
        self.normals = np.array(self.records(VERTEX_NORMALS, "3f"), float).reshape(-1, 3)
        indices = [index[0] for index in self.records(NORMAL_INDICES, "H")]
        walk = 0
        for number, face in enumerate(struct.iter_unpack("<" + s.FACE, data)):
            plane, _, _, edge, size, info, displacement, _, styles, offset = face[:10]
            own, walk = indices[walk:walk + size], walk + size
            if not first <= number < first + count or info < 0:
                continue
            loop = np.array([self.vertices[edges[abs(e)][0 if e >= 0 else 1]] for e in surfedges[edge:edge + size]])
            vectors = np.array(self.infos[info][:16]).reshape(4, 4)
            known = dict(info=info, normal=np.array(self.planes[plane][:3]), styles=list(styles), offset=offset // 4,
                         lit=offset >= 0 and not self.infos[info][16] & UNLIT, vectors=vectors,
                         mins=np.array(face[11:13]), size=np.array(face[13:15]) + 1,
                         bumped=bool(self.infos[info][16] & BUMPED), smooth=self.is_smooth(own, plane))
            self.faces.append(known)
            parts = self.displaced(displacements[displacement], loop, known) if displacement >= 0 else \
                [(loop[[0, i, i + 1]], None) for i in range(1, size - 1)]
            for part, given in parts:
                corners.append(part)
                values.append(self.coordinates(part, known) if given is None else given)
                owners.append(len(self.faces) - 1)
                bent.append(given is not None)
        self.corners, self.values = np.array(corners), np.array(values)
        self.owners, self.bent = np.array(owners), np.array(bent)

    def is_smooth(self, own, plane):
        normals = self.normals[[i for i in own if i < len(self.normals)]]
        return len(normals) > 0 and bool((normals @ np.array(self.planes[plane][:3]) < 0.999).any())

    def coordinates(self, points, face):
        """Returns u and v in texels, luxel coordinates, and the weight of the second texture."""
        at = points @ face["vectors"][:, :3].T + face["vectors"][:, 3]
        at[:, 2:] -= face["mins"]
        return np.hstack([at, np.zeros((len(points), 1))])

    def displaced(self, record, loop, face):
        start, first, power = np.array(record[:3]), record[3], record[5]
        side = (1 << power) + 1
        begin = int(np.linalg.norm(loop - start, axis=1).argmin())
        loop = np.roll(loop, -begin, 0)
        base = self.coordinates(loop, face)
        last = face["size"] - 1
        base[:, 2:4] = np.array([(0, 0), (0, 1), (1, 1), (1, 0)]) * last
        rows = np.array(self.records(DISP_VERTICES, "5f")[first:first + side**2])
        face["smooth"] = bool((rows[:, 3] != 0).any())
        places, values = np.zeros((side, side, 3)), np.zeros((side, side, 5))
        for i in range(side):
            for k in range(side):
                a, b = i / (side - 1), k / (side - 1)
                row, weights = rows[i * side + k], np.array([(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b])
                places[i, k] = weights @ loop + row[:3] * row[3]
                values[i, k] = weights @ base
                values[i, k, 4] = np.clip(row[4] / 255, 0, 1)
        for i in range(side - 1):
            for k in range(side - 1):
                a, b, c, d = (i, k), (i + 1, k), (i + 1, k + 1), (i, k + 1)
                halves = ((a, b, c), (a, c, d)) if (i + k) % 2 == 0 else ((a, b, d), (b, c, d))
                for half in halves:
                    yield np.array([places[at] for at in half]), np.array([values[at] for at in half])

    def show(self, camera):
        """Returns for each pixel the number of the visible triangle, or -1. Also returns the weights of each triangle's
        corners at the picture's first pixel, and their changes for a pixel to the right and a pixel down. The weights
        are not yet divided by their sum."""
        width, height = camera.width, camera.height
        nearest, found = np.zeros((height, width)), np.full((height, width), -1)
        relative = self.corners - camera.eye
        depths = relative @ camera.forward
        across = np.cross(self.corners[:, 1] - self.corners[:, 0], self.corners[:, 2] - self.corners[:, 0])
        wide = np.linalg.norm(across, axis=1) > 1e-3
        fronts = np.array([face["normal"] for face in self.faces])[self.owners]
        facing = np.where(self.bent, -(across * relative[:, 0]).sum(1), (fronts * relative[:, 0]).sum(1)) < 0
        seen = wide & facing & (depths > 0.1).any(1) & (np.abs((across * relative[:, 0]).sum(1)) > 1e-3)
        systems = {}
        for number in np.flatnonzero(seen):
            inverse = np.linalg.inv(relative[number].T)
            base, right, down = inverse @ camera.corner, inverse @ camera.right, inverse @ camera.down
            box = self.box(relative[number], depths[number], camera)
            if box is None:
                continue
            left, stop, top, bottom = box
            columns, rows = np.meshgrid(np.arange(left, stop), np.arange(top, bottom))
            m = base[:, None, None] + right[:, None, None] * columns + down[:, None, None] * rows
            total = m.sum(0)
            before = (m >= -1e-6 * np.abs(total)).all(0) & (total > nearest[top:bottom, left:stop])
            nearest[top:bottom, left:stop][before] = total[before]
            found[top:bottom, left:stop][before] = number
            systems[number] = (base, right, down)
        return found, systems

    @staticmethod
    def box(relative, depths, camera):
        if (depths <= 0.1).any():
            return 0, camera.width, 0, camera.height
        step = np.linalg.norm(camera.right)
        unit_right, unit_down = camera.right / step, camera.down / step
        columns = relative @ unit_right / depths / step + (camera.width - 1) / 2
        rows = relative @ unit_down / depths / step + (camera.height - 1) / 2
        left, right = max(math.floor(columns.min()), 0), min(math.ceil(columns.max()) + 1, camera.width)
        top, bottom = max(math.floor(rows.min()), 0), min(math.ceil(rows.max()) + 1, camera.height)
        return (left, right, top, bottom) if left < right and top < bottom else None

    def points(self, number, system, columns, rows):
        """Returns two arrays with a row for each pixel that shows the triangle. The first has the interpolated texture
        and luxel coordinates and weight of the second texture. The second has the position."""
        base, right, down = system
        m = base[:, None] + right[:, None] * columns + down[:, None] * rows
        weights = (m / m.sum(0)).T
        return weights @ self.values[number], weights @ self.corners[number]

    def luxels(self, face, at, kind):
        """Returns the light of a kind (0, or 1 to 3 for the bump directions) at luxel coordinates."""
        if self.bright:
            return np.ones((len(at), 3))
        if "grids" not in face:
            face["grids"] = self.grids(face)
        grid = face["grids"][kind]
        at = np.clip(at, 0, face["size"] - 1)
        low = np.floor(at).astype(int)
        high, share = np.minimum(low + 1, face["size"] - 1), at - low
        across, down = share[:, :1], share[:, 1:]
        top = grid[low[:, 1], low[:, 0]] * (1 - across) + grid[low[:, 1], high[:, 0]] * across
        bottom = grid[high[:, 1], low[:, 0]] * (1 - across) + grid[high[:, 1], high[:, 0]] * across
        return top * (1 - down) + bottom * down

    def grids(self, face):
        """Returns the face's light of each kind: flat and, if it is bumped, along the three bump directions. Light
        styles are added. The latter three are scaled so that their mean is the flat light (colorspace.h,
        LinearToBumpedLightmap)."""
        (width, height), kinds = face["size"], 4 if face["bumped"] else 1
        size, out = width * height, np.zeros((kinds, height, width, 3))
        for slot, style in enumerate(face["styles"]):
            if style == OFF:
                break
            first = face["offset"] + slot * kinds * size
            out += self.styles[style] * self.light[first:first + kinds * size].reshape(out.shape)
        if kinds > 1:
            mean = out[1:].mean(0)
            out[1:] *= np.where(mean > 0, out[0] / np.where(mean > 0, mean, 1), 0)
        return out
