"""The face next to a point, its luxel and the light there: face_at.py baseq3/maps/atrium.bsp 0 0 64"""
import sys

import bspscene

scene = bspscene.load(sys.argv[1])
at = scene.face_at([float(word) for word in sys.argv[2:5]], 1024)
if at:
    print("face %u, page %u, luxel %u %u, light %.3f %.3f %.3f" % (
        scene.items("faces")[at.face].record, at.lightmap_page, at.luxel_x, at.luxel_y, *at.light))
else:
    print("no face is near")
