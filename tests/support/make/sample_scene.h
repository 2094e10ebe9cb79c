/* sample_scene.h - a scene made by hand, for tests of writers: every kind of light, blending, node and image once. Its
 * numbers are simple, so that expected results can be computed by hand. */
#ifndef BSPT_SAMPLE_SCENE_H
#define BSPT_SAMPLE_SCENE_H

#include <bspscene/material.h>

#include "support/bspt.h"

/* Sections of mesh 0, each one square of 64 units at x = 64 * section, z = 8 * section, seen from above. */
enum {
	BSPT_SAMPLE_BRICK,                 /* lit by lightmap page 0 */
	BSPT_SAMPLE_BRICK_2,               /* the same material, lit by page 1 */
	BSPT_SAMPLE_LAMP,                  /* lit by page 0, emissive */
	BSPT_SAMPLE_GRATE,                 /* lit by its vertices, alpha tested */
	BSPT_SAMPLE_SKY,                   /* sky, which is only in a scene on request; its image is missing */
	BSPT_SAMPLE_SHADOW,                /* unlit and black */
	BSPT_SAMPLE_GLOW,                  /* added to the background */
	BSPT_SAMPLE_FILTER,                /* multiplied with the background */
	BSPT_SAMPLE_TERRAIN,               /* lit by page 0, blended by vertex alpha */
	/* Lit by page 1, seen from below, half transparent, with a scaled and shifted texture. */
	BSPT_SAMPLE_INSIDE,
	BSPT_SAMPLE_SECTIONS
};

enum {
	BSPT_SAMPLE_NODE_ROOT, BSPT_SAMPLE_NODE_WORLD, BSPT_SAMPLE_NODE_DOOR, BSPT_SAMPLE_NODE_LAMP, BSPT_SAMPLE_NODE_SPOT,
	BSPT_SAMPLE_NODE_SUN, BSPT_SAMPLE_NODE_SURFACE, BSPT_SAMPLE_NODE_CAMERA, BSPT_SAMPLE_NODE_PROP,
	BSPT_SAMPLE_NODE_FLARE, BSPT_SAMPLE_NODE_CHILD, BSPT_SAMPLE_NODE_EMPTY,
	BSPT_SAMPLE_NODES
};

enum {
	BSPT_SAMPLE_IMAGE_PNG, BSPT_SAMPLE_IMAGE_JPEG, BSPT_SAMPLE_IMAGE_MISSING, BSPT_SAMPLE_IMAGE_RGBA,
	BSPT_SAMPLE_IMAGE_MISSING_2, BSPT_SAMPLE_IMAGE_UNUSED, BSPT_SAMPLE_IMAGE_CMYK, BSPT_SAMPLE_IMAGES
};

#define BSPT_SAMPLE_MATERIALS 9
#define BSPT_SAMPLE_MESHES 4
#define BSPT_SAMPLE_VERTICES (4 * BSPT_SAMPLE_SECTIONS)
#define BSPT_SAMPLE_PAGES 2

/* The scene's arrays of pointers, which point to the sample's records. */
typedef struct bspt_sample_tables {
	const bspscene_node *nodes[BSPT_SAMPLE_NODES];
	const bspscene_entity *entities[5];
	const bspscene_mesh *meshes[BSPT_SAMPLE_MESHES];
	const bspscene_section *sections[BSPT_SAMPLE_SECTIONS + 2];
	const bspscene_material *materials[BSPT_SAMPLE_MATERIALS];
	const bspscene_material_pass *stages[2];
	const bspscene_image *images[BSPT_SAMPLE_IMAGES];
	const bspscene_light_style *styles[1];
	const bspscene_light *lights[4];
	const bspscene_camera *cameras[1];
	const bspscene_prop *props[1];
	const bspscene_fog *fogs[1];
	const bspscene_warning *warnings[1];
} bspt_sample_tables;

/* A scene and all of its records. Everything is writable, so that tests can change it. */
typedef struct bspt_sample {
	bspscene_scene scene;
	bspt_sample_tables tables;
	bspscene_counts counts;
	bspscene_light_grid light_grid;
	bspscene_map_fog map_fog;
	bspscene_tree tree;
	bspscene_vis vis;
	bspscene_node nodes[BSPT_SAMPLE_NODES];
	bspscene_entity entities[5];
	bspscene_pair pairs[12];
	bspscene_mesh meshes[BSPT_SAMPLE_MESHES];
	bspscene_section sections[BSPT_SAMPLE_SECTIONS + 2];
	float positions[3 * BSPT_SAMPLE_VERTICES], normals[3 * BSPT_SAMPLE_VERTICES];
	float uvs[2 * BSPT_SAMPLE_VERTICES], lightmap_uvs[2 * BSPT_SAMPLE_VERTICES];
	uint8_t colors[4 * BSPT_SAMPLE_VERTICES];
	uint32_t indices[6 * BSPT_SAMPLE_SECTIONS], door_indices[9];
	bspscene_face faces[BSPT_SAMPLE_SECTIONS];
	bspscene_material materials[BSPT_SAMPLE_MATERIALS];
	bspscene_material_pass stages[2];
	uint32_t frames[3];
	bspscene_image images[BSPT_SAMPLE_IMAGES];
	uint8_t pixels[16];
	bspscene_lightmap_set page_sets[1];
	bspscene_lightmap_page pages[BSPT_SAMPLE_PAGES];
	uint8_t luxels[BSPT_SAMPLE_PAGES][4 * 4 * 3];
	bspscene_light_style styles[1];
	bspscene_light lights[4];
	bspscene_camera cameras[1];
	bspscene_prop props[1];
	bspscene_fog fogs[1];
	bspscene_warning warnings[1];
	bspt_bytes png;
} bspt_sample;

/* Makes the sample on the heap, because it points into itself. */
bspt_sample *bspt_sample_make(void);
void bspt_sample_free(bspt_sample *sample);

#endif
