/* stages.h - the stages from the checked map to the public scene, in the order in which they run. A stage reads the map
 * and the results of earlier stages; it does not know the map's family.
 *
 *     entities  text -> entities, pairs                      entities/entity.c
 *     models    props, classes -> models read from files     models/find_models.c, wanted_models.c
 *     materials names, flags, scripts -> materials, images   material.c, models/model_materials.c
 *     light     where the light is: pages, files, blocks     light/light_source.c, atlas/extents.c
 *     terrain   displacements -> vertices, skybox, decals    skybox.c, geometry/displacement_grid.c,
 *                                                            displacement_seams.c, overlays/decals.c, decal_faces.c
 *     plan      faces -> surfaces: what is drawn, its size   plan.c, overlays/plan_overlays.c, overlay_layers.c,
 *                                                            geometry/patch_levels.c, light/luxels.c,
 *                                                            atlas/page_images.c
 *     lightmaps surfaces -> tiles -> pages                   light/lightmap.c, light_encoding.c, atlas/tiles.c, atlas.c
 *     meshes    surfaces -> vertices, triangles, sections    geometry/mesh.c, shapes.c, polygon.c, patch.c,
 *                                                            displacement.c, overlays/overlay.c
 *     light     where the pages' luxels are in the map       light/stored_light.c
 *     collision brushes, trees -> meshes of their own        collision/collision.c, brushes.c, hulls.c, convex.c,
 *                                                            collision_mesh.c
 *               models -> meshes that nodes share            models/model_meshes.c
 *     nodes     entities -> tree, lights, cameras, props     entities/nodes.c, node_values.c, lights.c,
 *                                                            light_values.c, attenuated_lights.c, world_lights.c,
 *                                                            cameras.c, placed.c, light/styles.c,
 *                                                            collision/collision_nodes.c
 *     world     tree, vis, light grid, fogs, counts          world.c, light/light_grid.c, entities/placed.c
 *     light     grid, leafs, floors -> colors of models     models/light_models.c, light/point_light.c */
#ifndef BSPI_STAGES_H
#define BSPI_STAGES_H

#include "base/owner.h"
#include "map/map.h"

/* A face, or part of one, that is drawn, with everything that later stages need to size and place it. */
typedef struct bspi_surface {
	uint32_t face;                     /* index in map->faces */
	uint32_t part;                     /* number of the part of the map that the face is in; see bspi_world_part */
	uint32_t overlay; /* index of the overlay if this is the part of the face that it covers; BSPSCENE_NO_INDEX: the
	                   * face itself */
	uint32_t material;
	uint32_t fog;                      /* index of the fog that the surface is in; BSPSCENE_NO_INDEX: none */
	bspscene_surface_kind kind;
	bspscene_lighting lighting;
	uint32_t vertex_count, index_count;
	uint16_t patch_columns, patch_rows;/* numbers of vertices of the tessellated patch */
	uint32_t first_band; /* patches: index of the first band in plan.band_levels; bands of columns come first, then
	                      * bands of rows */

	/* Rectangle of the surface's luxels, on a stored page or in the face's own block of light. Width 0: no luxels. */
	uint32_t source_page;              /* index of the stored page; BSPSCENE_NO_INDEX: own block */
	int32_t luxel_x, luxel_y;
	uint32_t luxel_width, luxel_height;

	/* Set by the lightmap stage: where the rectangle is on the pages of the scene. */
	uint32_t page, page_x, page_y;     /* page: BSPSCENE_NO_INDEX if the surface has no lightmap */
	uint32_t page_image; /* index of the image that becomes the section's map_page_image, or BSPSCENE_NO_INDEX */
} bspi_surface;

typedef struct bspi_plan {
	bspi_surface *surfaces;
	uint32_t surface_count;
	uint8_t *band_levels;              /* for each band of each patch, a level: the band is cut into 1 << level strips
	                                    * (stages/geometry/patch_levels.c) */
} bspi_plan;

/* An overlay that is drawn. */
typedef struct bspi_placed_overlay {
	const bspi_overlay *overlay;
	uint32_t source;                   /* index of the overlay in its lump; for a decal, its entity */
	uint32_t first_surface, surface_count;
	uint32_t layer;                    /* number of its layer; 0 is the lowest, see overlay_layers.c */
	bool water, in_skybox;
} bspi_placed_overlay;

/* The state that the stages share. The arrays of the scene are in the result arena. Stages do not change the checked
 * map. Facts that they add about records of the map are in tables here, with an element for each element of the map's
 * array. load_stages.c lists what each stage reads and makes. */
typedef struct bspi_build {
	bspi_ctx *ctx;
	const bspi_map *map;
	/* textures of the map and those that stages added; NULL: only those of the map */
	const bspi_texture *textures; uint32_t texture_count;
	const int32_t *face_textures;      /* per face: index of its texture; NULL: faces keep face->texture */
	const uint32_t *texture_materials, *fog_materials; /* per texture, per fog: index of its material;
	                                                    * BSPSCENE_NO_INDEX: not used */
	const struct bspi_shader_light *shader_light; /* light from shaders, see materials/materials.h; NULL: none */
	bspi_plan plan;
	bspscene_scene *scene;
	bspi_scene_parts *parts;           /* the arrays that the scene owns */
	struct bspi_light *light;          /* state of the light stages, see stages/light/light.h */
	int32_t skybox_area;               /* number of the area of the 3D skybox; 0: none */
	float (*disp_positions)[3], (*disp_normals)[3]; /* for each of map->disp_vertices, its position and its normal */
	bspi_overlay *decals; uint32_t decal_count; /* overlays that entities place */
	bspi_placed_overlay *overlays; uint32_t overlay_count;
	struct bspi_overlay_buffers *overlay_buffers; /* buffers for clipping: stages/overlays/overlay.c */
	const uint32_t *parents;           /* for each entity, its parent or BSPSCENE_NO_INDEX; NULL: the game has no
	                                    * parents */
	const uint32_t *mesh_of_part;      /* per part: index of its mesh in the scene, or BSPSCENE_NO_INDEX */
	struct bspi_models *models;        /* state of the model stages, see stages/models/models.h; NULL: models are not
	                                    * loaded */
	const uint32_t *cube_faces;        /* for each cube map of the map, the first_frame_image of its six sides; NULL:
	                                    * cube maps are not loaded */
	struct bspi_collision *collision;  /* meshes that are never drawn: stages/collision/collision.h */
} bspi_build;

/* Each part of the map becomes a mesh. There is one part for each model, one for the 3D skybox, and one for each
 * overlay. Faces of the world that are shown only at some detail levels have one part for each set of levels. */
#define BSPI_LEVEL_MASKS 256

static inline uint32_t bspi_skybox_part(const bspi_build *build) { return build->map->models_count; }

/* Returns the part with the faces of the world that are shown at these levels. 0 stands for all levels; that part is
 * model 0. */
static inline uint32_t bspi_world_part(const bspi_build *build, uint32_t levels)
{
	return levels ? build->map->models_count + levels : 0;
}

static inline uint32_t bspi_overlay_part(const bspi_build *build, uint32_t overlay)
{
	return build->map->models_count + BSPI_LEVEL_MASKS + overlay;
}

/* Returns the number of textures, including added ones. */
static inline uint32_t bspi_texture_total(const bspi_build *build)
{
	return build->textures ? build->texture_count : build->map->textures_count;
}

static inline const bspi_texture *bspi_texture_at(const bspi_build *build, uint32_t index)
{
	return build->textures ? &build->textures[index] : &build->map->textures[index];
}

/* These return the index of a face's texture in `textures`, and the index of its material in the scene. */
static inline uint32_t bspi_face_texture(const bspi_build *build, const bspi_face *face)
{
	return (uint32_t)(build->face_textures ? build->face_textures[face - build->map->faces] : face->texture);
}

static inline uint32_t bspi_face_material(const bspi_build *build, const bspi_face *face)
{
	return build->texture_materials[bspi_face_texture(build, face)];
}

/* Finds the rectangle of luxels that a surface covers, including luxels that only bilinear filtering reads. Fills in
 * the luxel members of the surface, and sets `lighting` from the map's data. Not for surfaces that the game never
 * lights (sky, Quake's liquids). If the light is outside of the map's data, a warning is counted, and the map's rules
 * decide how the surface is lit. stages/light/luxels.c, called by the plan. */
bool bspi_measure_luxels(bspi_build *build, bspi_surface *surface);
/* Where a surface's luxels are on its page, and how the luxel coordinates of a vertex are computed: as its stored
 * coordinates times `scale` minus `first`, or by projecting its position. */
typedef struct bspi_page_place {
	bool lit;                          /* false: the surface has no page */
	bool projected;                    /* true: by projection of the position; false: from stored coordinates */
	double vectors[2][4], texels_per_luxel;
	double scale[2], first[2];
	double sides[2], at[2], page_sides[2];
} bspi_page_place;

/* bspi_widen_vectors converts the vectors of a projection once for all corners of a face. bspi_project_texel projects
 * one corner. */
static inline void bspi_widen_vectors(const float in[2][4], double out[2][4])
{
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 4; k++) out[i][k] = (double)in[i][k];
	}
}

static inline double bspi_project_texel(const double vector[4], const float p[3])
{
	return (double)p[0] * vector[0] + (double)p[1] * vector[1] + (double)p[2] * vector[2] + vector[3];
}

/* Finds the place of a surface that the lightmap stage has placed on a page. stages/light/luxels.c */
bspi_page_place bspi_find_page_place(const bspi_build *build, const bspi_surface *surface);
/* Computes the page uv of a vertex; it is 0,0 if the surface has no page. In formats that store whole pages, `stored`
 * is the lightmap uv of the vertex. For displacements, `stored` has the luxel coordinates in the face's own block.
 * For other faces, `stored` is not used, and `position` is projected. stages/light/luxels.c */
void bspi_page_uv(const bspi_page_place *place, const float position[3], const float stored[2], float out[2]);

/* These encode vertex light and grid light in the encoding of the pages: as display light, or as the bytes of the file.
 * Vertex light keeps its alpha, and may be encoded in place. stages/light/light_encoding.c */
void bspi_encode_light(const bspi_build *build, const uint8_t *in, uint32_t count, uint8_t *out);
void bspi_encode_vertex_light(const bspi_build *build, const uint8_t in[4], uint8_t out[4]);

/* Returns the value of an entity's key, or NULL. If the key is repeated, the value is the one that the game uses.
 * stages/entities/entity.c */
const char *bspi_entity_value(const bspi_build *build, uint32_t entity, const char *key);
/* Reads a value as up to `count` numbers. Numbers that are missing become 0. Returns how many numbers the game would
 * read. stages/entities/entity.c */
uint32_t bspi_entity_numbers(const bspi_build *build, uint32_t entity, const char *key, float *out, uint32_t count);
/* Returns the entity's spawnflags, or 0. stages/entities/entity.c */
uint32_t bspi_spawnflags(const bspi_build *build, uint32_t entity);
/* True if the entity's class, spawnflags or targetname say that the game does not draw it when the map starts.
 * stages/entities/nodes.c */
bool bspi_is_hidden(const bspi_build *build, uint32_t entity);
/* Returns the name of the part of the world that is shown at these levels. Returns NULL if memory is out.
 * stages/entities/nodes.c */
const char *bspi_levels_name(bspi_ctx *ctx, uint32_t levels);
/* Computes the transform that an entity's brush model has when the map starts. It includes the entity's origin and
 * rotation, and the movement of movers and of parents at that time. */
void bspi_place_brush(const bspi_build *build, uint32_t entity, float out[12]);
/* Returns the value of worldspawn's key, or NULL (also if there is no worldspawn). */
const char *bspi_world_value(const bspi_build *build, const char *key);

/* True if the face would be lit by a lightmap. It may be called once bspi_prepare_lighting is done.
 * stages/light/luxels.c */
bool bspi_face_has_luxels(const bspi_build *build, const bspi_face *face);

/* bspi_make_page_images sets page_image of surfaces whose materials sample their page at other places than their own
 * luxels (tcGen, tcMod), and adds images of these pages. bspi_moves_page is true if a stage of the material moves the
 * coordinates of luxels (tcMod). stages/atlas/page_images.c */
bool bspi_make_page_images(bspi_build *build);
bool bspi_moves_page(const bspscene_scene *scene, uint32_t material);

/* Builds the light grid, a part of the world. stages/light/light_grid.c */
bool bspi_build_light_grid(bspi_build *build);

/* Returns how many textures can be loaded in the time that reading all scripts of a game takes. Returns 0 if no
 * scripts are read. */
uint32_t bspi_scripts_as_textures(const bspi_build *build);
bool bspi_build_entities(bspi_build *build);
bool bspi_find_models(bspi_build *build);
bool bspi_prepare_lighting(bspi_build *build);
bool bspi_apply_render_modes(bspi_build *build);
bool bspi_add_decals(bspi_build *build);
bool bspi_build_materials(bspi_build *build);
bool bspi_build_displacements(bspi_build *build);
bool bspi_find_skybox(bspi_build *build);
bool bspi_place_decals(bspi_build *build);
bool bspi_build_plan(bspi_build *build);
bool bspi_build_lightmaps(bspi_build *build);
bool bspi_build_meshes(bspi_build *build);
bool bspi_describe_stored_light(bspi_build *build);
bool bspi_build_collision(bspi_build *build);
bool bspi_build_model_meshes(bspi_build *build);
bool bspi_build_nodes(bspi_build *build);
bool bspi_build_world(bspi_build *build);
bool bspi_build_placed(bspi_build *build);
bool bspi_light_models(bspi_build *build);
bool bspi_shade_fallbacks(bspi_build *build);

#endif
