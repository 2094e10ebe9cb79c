"""Draws a map's sky, looking up from 100 units above its origin: sky_picture.py baseq3/maps/atrium.bsp atrium.png"""
import sys

import bspscene

scene = bspscene.load(sys.argv[1])
view = bspscene.View(origin=(0, 0, 100), pitch=-89, fov_degrees=90)
bspscene.write_png(bspscene.Renderer(scene).picture(view), sys.argv[2])
