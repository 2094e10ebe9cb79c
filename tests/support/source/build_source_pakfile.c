/* build_source_pakfile.c - the files inside the room of build_source.c: a material that includes another one, its
 * texture, and a material of four textures for the ground. */
#include <stdlib.h>
#include <string.h>

#include "support/make/build_archive.h"
#include "support/source/build_source.h"
#include "support/make/build_texture.h"

bspi_bytes bspt_source_pakfile(void)
{
	static const uint8_t pixels[16] = { 200, 100, 50, 255, 100, 50, 25, 255, 200, 100, 50, 0, 100, 50, 25, 0 };
	static const uint8_t grounds[4][4] = {
		{ 60, 140, 40, 255 }, { 200, 180, 120, 255 }, { 110, 110, 120, 255 }, { 230, 235, 240, 255 },
	};
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 2, .picture = pixels, .size = sizeof pixels };
	bspt_bytes texture = bspt_encode_vtf(&vtf), ground[4];
	for (int i = 0; i < 4; i++) {
		vtf = (bspt_vtf){ .minor = 2, .width = 1, .height = 1, .picture = grounds[i], .size = sizeof grounds[i] };
		ground[i] = bspt_encode_vtf(&vtf);
	}
	bspt_member members[] = {
		{ .name = "materials/test/wall.vmt", .text = "patch { include materials/test/base.vmt insert { $nocull 1 } }" },
		{ .name = "materials/test/base.vmt",
		  .text = "WorldVertexTransition { $basetexture test/wall $basetexture2 test/ground $selfillum 1 }" },
		{ .name = "Materials\\Test\\Wall.vtf", .packed = texture },
		{ .name = "materials/test/grass.vmt",
		  .text = "Lightmapped_4WayBlend { $basetexture test/grass $basetexture2 test/sand "
		          "$basetexture3 test/rock $basetexture4 test/snow $texture3_uvscale 2 "
		          "$texture3_blendstart .25 $texture3_blendend .75 $lumblendfactor4 .5 }" },
		{ .name = "materials/test/grass.vtf", .packed = ground[0] },
		{ .name = "materials/test/sand.vtf", .packed = ground[1] },
		{ .name = "materials/test/rock.vtf", .packed = ground[2] },
		{ .name = "materials/test/snow.vtf", .packed = ground[3] },
	};
	static uint8_t kept[4096];
	bspt_bytes zip = bspt_zip(members, sizeof members / sizeof *members);
	free(texture.data);
	for (int i = 0; i < 4; i++) free(ground[i].data);
	if (zip.size > sizeof kept) bspt_die("keep", "a pakfile");
	memcpy(kept, zip.data, zip.size);
	bspi_bytes view = bspi_bytes_of(kept, zip.size);
	free(zip.data);
	return view;
}
