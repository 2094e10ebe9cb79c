"""Prints the face nearest to a point, its luxel and the light there: face_at.py baseq3/maps/atrium.bsp 0 0 64"""
import sys

import bspscene

scene = bspscene.load(sys.argv[1])
at = scene.face_at([float(word) for word in sys.argv[2:5]], 1024)
if at:
    light = " ".join(f"{value:.3f}" for value in at.light)
    print(f"face {scene.items('faces')[at.face].record}, page {at.lightmap_page}, luxel {at.luxel_x} {at.luxel_y}, "
          f"light {light}")
else:
    print("no face is near")
