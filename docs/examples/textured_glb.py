"""Converts a map with its textures to glTF: textured_glb.py baseq3/maps/atrium.bsp atrium.glb"""
import sys

import bspscene

bspscene.convert(bspscene.load(sys.argv[1]), sys.argv[2])
