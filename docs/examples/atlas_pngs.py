"""Writes the lightmap pages of a map as pictures, and prints where each face is on them: atlas_pngs.py
baseq3/maps/atrium.bsp"""
import sys

import bspscene

scene = bspscene.load(sys.argv[1])
for number, page in enumerate(scene.pages()):
    page.write_file(f"page{number}.png")
for face in scene.items("faces"):
    if face.lightmap_page != bspscene.abi.NO_INDEX:
        print(f"face {face.record}: page {face.lightmap_page} at {face.lightmap_x} {face.lightmap_y}, "
              f"{face.lightmap_width} x {face.lightmap_height}")
