/* lit_sample.h - a scene of four quads for tests of baked pictures, and checks of the picture. */
#ifndef BSPT_LIT_SAMPLE_H
#define BSPT_LIT_SAMPLE_H

#include <bspscene/material.h>
#include <bspscene/writer.h>

#include "base/owner.h"
#include "writers/lit/lit.h"

enum { BSPT_LIT_QUADS = 4, BSPT_LIT_VERTICES = 4 * BSPT_LIT_QUADS, BSPT_LIT_TEXTURE = 32, BSPT_LIT_PAGE = 4 };

/* Faces 0 and 1 share luxels, all corners of face 2 have one luxel, and face 3 is vertex-lit. */
typedef struct bspt_lit_sample {
	float positions[3 * BSPT_LIT_VERTICES], normals[3 * BSPT_LIT_VERTICES];
	float uvs[2 * BSPT_LIT_VERTICES], lightmap_uvs[2 * BSPT_LIT_VERTICES];
	uint8_t colors[4 * BSPT_LIT_VERTICES];
	uint8_t texels[4 * BSPT_LIT_TEXTURE * BSPT_LIT_TEXTURE], luxels[3 * BSPT_LIT_PAGE * BSPT_LIT_PAGE];
	uint32_t indices[6 * BSPT_LIT_QUADS];
	bspscene_face faces[BSPT_LIT_QUADS];
	bspscene_section sections[2];
	bspscene_mesh mesh;
	bspscene_image image;
	bspscene_material materials[2];
	bspscene_lightmap_page page;
	bspscene_lightmap_set set;
	bspscene_node node;
	const bspscene_section *section_table[2];
	const bspscene_mesh *mesh_table[1];
	const bspscene_image *image_table[1];
	const bspscene_material *material_table[2];
	const bspscene_node *node_table[1];
	bspi_scene_parts parts;
	bspscene_scene scene;
	bspi_writer writer;
	bspi_lit lit;
} bspt_lit_sample;

/* The color of the left half of the texture. */
extern const uint8_t bspt_lit_left_color[3];

void bspt_lit_sample_scene(bspt_lit_sample *s);
/* Makes four walls whose texture has more texels than a sheet of 256 can hold. */
void bspt_lit_sample_walls(bspt_lit_sample *s);
/* Bake the picture with at most `limit` bytes of memory (no limit if 0), on sheets of the usual size or of
 * `baked_size`. Return false if baking fails. */
bool bspt_lit_sample_make(bspt_lit_sample *s, uint64_t limit);
bool bspt_lit_sample_make_of_size(bspt_lit_sample *s, uint64_t limit, uint32_t baked_size, uint32_t threads);
/* Frees the sample, and checks that all memory was freed. */
void bspt_lit_sample_release(bspt_lit_sample *s);
/* Checks that both halves of the quads in the picture are texture times light. */
void bspt_lit_sample_expect_quads(const bspt_lit_sample *s);

#endif
