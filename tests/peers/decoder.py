"""Runs the program decode_textures for tests."""
import math
import struct
import subprocess


class Ours:
    """Runs decode_textures, which decodes one file after another."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def decode(self, path, side):
        self.process.stdin.write(b"%d %s\n" % (side, str(path).encode()))
        self.process.stdin.flush()
        width, height = struct.unpack("<2I", self.read(8))
        if not width:
            return None, self.read(height).decode()
        return (width, height), self.read(4 * width * height)

    def read(self, size):
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise SystemExit("decode_textures ended")
        return data

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def upright(x, y):
    """Returns the third component of a unit normal from the first two."""
    x, y = x / 127.5 - 1, y / 127.5 - 1
    return int((math.sqrt(max(0, 1 - x * x - y * y)) / 2 + 0.5) * 255 + 0.5)
