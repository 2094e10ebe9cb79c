"""The lightmaps of a map as pictures, page by page: atlas_pngs.py baseq3/maps/atrium.bsp"""
import sys
from pathlib import Path

import bspscene

for number, page in enumerate(bspscene.load(sys.argv[1]).pages()):
    content, ending = page.encoded()
    Path(f"page{number}.{ending}").write_bytes(content)
    print(f"page{number}.{ending}: {page.width} x {page.height}")
