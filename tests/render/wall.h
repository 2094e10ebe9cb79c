/* wall.h - a scene with one wall at x = 64, seen from the origin, so that colors can be computed by hand. */
#ifndef BSPT_WALL_H
#define BSPT_WALL_H

#include <bspscene/render.h>

#define BSPT_WALL_STAGES 3
#define BSPT_WALL_IMAGES 8

typedef struct bspt_wall {
	bspscene_scene scene;
	bspscene_node nodes[2];
	bspscene_mesh mesh;
	bspscene_section section;
	bspscene_material material;
	bspscene_material_pass stages[BSPT_WALL_STAGES];
	bspscene_face face;
	const bspscene_node *node_table[2];
	const bspscene_mesh *mesh_table[1];
	const bspscene_section *section_table[1];
	const bspscene_material *material_table[1];
	const bspscene_material_pass *stage_table[BSPT_WALL_STAGES];
	const bspscene_image *image_table[BSPT_WALL_IMAGES];
	const bspscene_deform *deform_table[2];
	const bspscene_prop *prop_table[1];
	const bspscene_fog *fog_table[1];
	bspscene_counts counts;
	bspscene_light_grid light_grid;
	bspscene_map_fog map_fog;
	bspscene_tree tree;
	bspscene_vis vis;
	float positions[12], normals[12], uvs[8], lightmap_uvs[8], page_uvs[8], blend_alphas[4], blend_weights[16];
	uint8_t colors[16];
	uint32_t indices[6];
} bspt_wall;

/* Initializes an image of the scene from RGBA bytes, which must outlive it. */
#define BSPT_WALL_IMAGE(w, h, bytes) \
	{ .name = "", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = (w), .height = (h), \
	  .data = (bytes), .size = sizeof(bytes) }

/* Makes a wall without stages, with the first image, half lit by its vertices. The images must outlive it. */
void bspt_make_wall(bspt_wall *wall, const bspscene_image *images, uint32_t image_count);
/* Draws the wall in front of a blue background, and gets the color in the center. `options` may be NULL and need no
 * size. */
void bspt_draw_wall(const bspt_wall *wall, const bspscene_render_options *options, float pitch, uint8_t out[3]);
/* Fails the test if a channel differs by more than two. */
void bspt_expect_color(const char *what, const uint8_t got[3], const uint8_t want[3]);

#endif
