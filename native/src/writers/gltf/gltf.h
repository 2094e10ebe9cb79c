/* gltf.h - what the parts of the glTF writer share.
 *
 *     gltf.c           the rows glb and gltf: the document, and its bytes in order
 *     gltf_source.c    the sections that are shown
 *     gltf_primitive.c triangles -> primitives, whose vertices are stored once
 *     gltf_vertex.c    the bytes of a vertex
 *     gltf_mesh.c      primitives -> meshes, accessors, and the streams of vertices and indices
 *     gltf_compress.c  the streams, compressed
 *     gltf_tangent.c   how normal maps lie on a section
 *     gltf_material.c  section looks -> materials
 *     gltf_tone.c      the game's light -> colors with which viewers show the same
 *     gltf_gain.c      pictures that are brighter, where light is brighter than white
 *     gltf_texture.c   images and pages -> textures, samplers, encoded pictures
 *     gltf_node.c      nodes -> nodes, cameras
 *     gltf_light.c     lamps
 *     gltf_lit.c       the picture of all surfaces in their light
 *     gltf_sky.c       the sky, on a cube around the map
 *     gltf_rig/        how meshes move
 *
 * What glTF has no words for is in extras: scene_facts.h. Space is as y_up.h has it. */
#ifndef BSPI_GLTF_H
#define BSPI_GLTF_H

#include <bspscene/scene.h>

#include "writers/scene_facts.h"
#include "writers/sky/written_sky.h"
#include "writers/light/vertex_color.h"
#include "writers/lit/lit.h"
#include "writers/web_picture.h"
#include "writers/writer_costs.h"
#include "writers/y_up.h"

/* The binary part: one run of equal elements each, and one buffer view. Pictures follow in a GLB. */
typedef enum bspi_gltf_stream {
	BSPI_GLTF_POSITION, BSPI_GLTF_NORMAL, BSPI_GLTF_TANGENT, BSPI_GLTF_TEXCOORD_0, BSPI_GLTF_TEXCOORD_1,
	BSPI_GLTF_COLOR, BSPI_GLTF_BLEND, BSPI_GLTF_BLEND_WEIGHTS, BSPI_GLTF_JOINTS, BSPI_GLTF_WEIGHTS,
	BSPI_GLTF_INDEX_16, BSPI_GLTF_INDEX_32,
	BSPI_GLTF_STREAM_COUNT
} bspi_gltf_stream;

/* Of colors, when they are compressed: with 1024 values, linear light is off by no more than one and a half steps of
 * 255, in the dark and on white. */
#define BSPI_GLTF_COLOR_EXPONENT (-10)
#define BSPI_GLTF_LARGEST_ELEMENT 16u  /* bytes */

/* One of the pictures of a texture: for each channel a number of bspi_tone_gain. All zero: the picture as it is. It is
 * told by its gains and not by a number, because numbers would differ between materials that share the picture. */
typedef struct bspi_tone_level {
	uint8_t gains[3];
} bspi_tone_level;

typedef struct bspi_gltf_tone bspi_gltf_tone;
typedef struct bspi_tone_known bspi_tone_known;

/* How the elements of a stream are stored. */
typedef struct bspi_gltf_stream_kind {
	const char *attribute;             /* NULL: indices */
	const char *type;
	int component;                     /* glTF's componentType */
	uint32_t size;                     /* bytes per element */
	bool normalized;
	const char *filter;                /* of EXT_meshopt_compression, or NULL */
} bspi_gltf_stream_kind;

/* Where vertices of primitives come from: a section, shown once. */
typedef struct bspi_gltf_source {
	uint32_t mesh, section;            /* of the scene */
	bool flip;                         /* the game draws its back */
	bool mirrored;                     /* by `place` */
	bool glow;                         /* what shines by itself: in front of the section */
	const float *place;                /* transform of what is merged into the map; NULL: its node's */
	bspi_vertex_color color;
	int uv_exponent;                   /* what texture coordinates are rounded to, as a power of two */
	const float *tangents;             /* xyzw per vertex of the section; NULL without a normal map */
} bspi_gltf_source;

typedef struct bspi_gltf_vertex {
	uint32_t source, vertex;           /* vertex of the source's mesh */
} bspi_gltf_vertex;

/* What one draw call shows. */
typedef struct bspi_gltf_primitive {
	uint32_t group, next;              /* mesh of the document; the next primitive of the same look */
	uint32_t material;                 /* of the document */
	bspi_tone_level level;             /* see gltf_gain.c */
	const bspscene_section *section;   /* the first of those it holds: its facts are those of all */
	bool uses[BSPI_GLTF_STREAM_COUNT];
	bspi_gltf_vertex *vertices; uint32_t vertex_count, vertex_limit;
	size_t first_slot;                 /* of those by which they are found again */
	uint8_t *streams[BSPI_GLTF_STREAM_COUNT]; /* what is stored of them, until they are put into another order */
	uint32_t *indices; uint32_t index_count, index_limit; /* into `vertices` */
} bspi_gltf_primitive;

/* A mesh of the document. */
typedef struct bspi_gltf_group {
	const char *name;
	uint32_t node;                     /* below which it has a node of its own; NO_INDEX: nodes of the scene show it */
	json_t *primitives;                /* borrowed from the document */
} bspi_gltf_group;

/* What makes the document's materials of one scene material different from each other. */
typedef struct bspi_gltf_look {
	uint32_t material;                 /* of the scene */
	bspscene_lighting lighting;
	uint32_t page;
	bspi_tone_level level;             /* see gltf_gain.c */
	bool glow;                         /* shows what shines by itself, over the surface */
	bspi_lit_section lit;              /* when light is baked */
	bool uses_uv, uses_lightmap_uv, uses_normals, unlit;
	uint32_t next;                     /* look of the same scene material */
	uint32_t number;                   /* of the document's material, which other looks may have too */
	uint32_t alike;                    /* the first look of this number */
	uint32_t first_primitive;          /* of the first look: the last primitive of this number, or NO_INDEX */
} bspi_gltf_look;

typedef enum bspi_gltf_sampler {
	BSPI_GLTF_REPEAT, BSPI_GLTF_CLAMP,
	BSPI_GLTF_LIGHTMAP,                /* clamped, and without mipmaps */
	BSPI_GLTF_SAMPLER_COUNT
} bspi_gltf_sampler;

typedef struct bspi_gltf_image {
	uint32_t image, page;              /* what it is made of: one of them, NO_INDEX the other, or, made already, both */
	bspi_picture_use use;
	bool changed;                      /* by the gains */
	bspi_picture picture;              /* empty until bspi_gltf_place_pictures */
	const char *file_name;             /* gltf: the sibling */
	uint32_t textures[BSPI_GLTF_SAMPLER_COUNT];
	float peak;                        /* of a page: see bspi_picture_of_page */
	float gains[3];                    /* of its channels, as they are displayed */
	uint32_t next;                     /* the same image for the same use with other gains, or NO_INDEX */
} bspi_gltf_image;

typedef enum bspi_gltf_extension {
	BSPI_GLTF_UNLIT = 1, BSPI_GLTF_EMISSIVE_STRENGTH = 2, BSPI_GLTF_LIGHTS = 4, BSPI_GLTF_TEXTURE_TRANSFORM = 8,
	BSPI_GLTF_MOZ_LIGHTMAP = 16, BSPI_GLTF_MESHOPT = 32, BSPI_GLTF_QUANTIZATION = 64, BSPI_GLTF_WEBP = 128
} bspi_gltf_extension;

typedef struct bspi_gltf {
	bspi_writer *writer;
	const bspscene_scene *scene;
	bool binary;                       /* all in one GLB */
	bool meshopt;                      /* the streams are compressed, */
	const struct bspi_gltf_codec *codec; /* by this: see gltf_meshopt.h */
	json_t *document;
	json_t *accessors, *buffer_views, *images, *textures, *samplers, *materials, *meshes, *nodes, *lights, *cameras,
		*skins;
	uint32_t extensions;               /* used ones */
	bool *lamps;                       /* per light of the scene: is written */
	uint32_t *node_numbers;            /* of the document, per node of the scene; NO_INDEX: left out */
	bspi_gltf_tone **tones;            /* per material of the scene; NULL: its light is as it is */
	bspi_tone_known *known_steps;
	bspi_lit lit;                      /* when light is baked */
	uint32_t lit_textures[BSPI_LIT_MOST_SHEETS]; /* of the document, per sheet of it */

	bspi_gltf_source *sources; uint32_t source_count;
	bspi_gltf_primitive *primitives; uint32_t primitive_count, primitive_capacity;
	uint64_t triangle_count;           /* of all primitives */
	bspi_gltf_group *groups; uint32_t group_count, group_capacity;
	uint32_t *mesh_numbers;            /* groups, per scene mesh; NO_INDEX: its nodes show nothing */
	uint64_t stream_counts[BSPI_GLTF_STREAM_COUNT];
	bspi_sky_cube sky;                 /* half 0: none */
	uint32_t sky_mesh;                 /* of the document */
	uint64_t binary_size;
	uint64_t unpacked_size;            /* of the streams, when they are compressed */
	bspi_buffer packed[BSPI_GLTF_STREAM_COUNT];
	bool stepped;                      /* positions are rounded: the exponents are known */
	int position_exponent;             /* what positions are rounded to, as a power of two */

	bspi_gltf_look *looks; uint32_t look_count, look_capacity;
	uint32_t *first_looks;             /* per scene material */
	json_t *looks_by_text;             /* the first look of each material, by the material's text */
	bspi_gltf_image *pictures; uint32_t picture_count;
	uint32_t *image_numbers;           /* pictures per scene image and use, then per page, then the checkerboard */
	uint32_t sampler_numbers[BSPI_GLTF_SAMPLER_COUNT];

	/* How meshes move: see gltf_rig/. */
	const uint64_t **movements;        /* per scene mesh, per vertex: what tells where it is in each frame; or NULL */
	bspi_buffer motion;                /* bytes behind the pictures */
	json_t *motion_view;               /* the buffer view that is open, borrowed; NULL: none */
	size_t motion_begin;               /* where in the bytes it begins */
	int motion_use;
	uint32_t *skinned, skinned_count;  /* nodes of the document that are roots */
} bspi_gltf;

/* gltf.c: false when a GLB of this size cannot be. */
bool bspi_gltf_check_size(bspi_gltf *gltf, uint64_t size);
/* Room for one more element of a growing array in the writer's arena. */
void *bspi_gltf_grow(bspi_gltf *gltf, void *array, uint32_t count, uint32_t *capacity, size_t size);

static inline const bspscene_section *bspi_gltf_section_of(const bspi_gltf *gltf, uint32_t source)
{
	const bspi_gltf_source *from = &gltf->sources[source];
	return gltf->scene->meshes[from->mesh]->sections[from->section];
}

/* gltf_source.c: fills gltf->sources. The outputs are limits for arrays. */
bool bspi_gltf_choose_sources(bspi_gltf *gltf, size_t *triangle_count, uint32_t *most_vertices);

/* gltf_primitive.c: chooses sources, groups and primitives, with their materials. */
bool bspi_gltf_choose_primitives(bspi_gltf *gltf);

/* gltf_vertex.c: what a vertex of a primitive has in a stream: size bytes of its kind. */
const bspi_gltf_stream_kind *bspi_gltf_stream_kind_of(const bspi_gltf *gltf, int stream);
void bspi_gltf_store_vertex(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream,
                            bspi_gltf_vertex vertex, uint8_t *out);
/* As it is written. */
void bspi_gltf_position_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[3]);
/* Of the texture, before it is rounded. */
void bspi_gltf_uv_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[2]);
static inline bool bspi_gltf_is_index(int stream) { return stream >= BSPI_GLTF_INDEX_16; }

/* gltf_mesh.c: puts meshes, accessors and the streams' buffer views. */
bool bspi_gltf_build_meshes(bspi_gltf *gltf);
/* The streams' bytes: exactly what the buffer views say. */
bool bspi_gltf_put_streams(bspi_gltf *gltf);

/* gltf_compress.c: false when the build cannot do what is asked for. */
bool bspi_gltf_can_compress(bspi_gltf *gltf);
/* What positions and texture coordinates are rounded to. */
void bspi_gltf_choose_steps(bspi_gltf *gltf);
/* Puts the primitives' triangles and vertices into an order that packs well, without vertices that none names. */
bool bspi_gltf_order_primitives(bspi_gltf *gltf);
/* Packs the streams. */
bool bspi_gltf_compress(bspi_gltf *gltf);
/* The extensions object of a stream's buffer view; its bytes are to be at binary_size. */
json_t *bspi_gltf_compressed_view(bspi_gltf *gltf, int stream);
void bspi_gltf_free_compressed(bspi_gltf *gltf);

/* gltf_tangent.c: the source's tangents. */
bool bspi_gltf_make_tangents(bspi_gltf *gltf, bspi_gltf_source *source);

/* gltf_material.c: the look of a section, and its material. */
bool bspi_gltf_find_look(bspi_gltf *gltf, uint32_t source, bspi_tone_level level, uint32_t *out);

/* gltf_gain.c, gltf_tone.c: what light becomes on each material. */
static inline bool bspi_tone_is_same(bspi_tone_level a, bspi_tone_level b)
{
	return a.gains[0] == b.gains[0] && a.gains[1] == b.gains[1] && a.gains[2] == b.gains[2];
}

static inline bool bspi_tone_has_gain(bspi_tone_level level)
{
	return level.gains[0] || level.gains[1] || level.gains[2];
}

bool bspi_gltf_find_tones(bspi_gltf *gltf);
/* Factors of the picture's display values. */
void bspi_tone_gains(bspi_tone_level level, float out[3]);
/* The best of the material's levels where corners have these lights (linear). */
bspi_tone_level bspi_gltf_choose_level(const bspi_gltf *gltf, uint32_t material, const float *const corners[3]);
/* Linear light -> the color that the picture of this level is to be multiplied with. The level is one of this
 * material's, or of a material that is written as the same one. */
void bspi_gltf_tone_color(const bspi_gltf *gltf, uint32_t material, bspi_tone_level level, float color[3]);

/* gltf_texture.c: the texture's number; NO_INDEX when the image has no bytes. Gains as of bspi_picture_of_image. */
bool bspi_gltf_image_texture(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, const float gains[3], bool clamp,
                             uint32_t *out);
bool bspi_gltf_page_texture(bspi_gltf *gltf, uint32_t page, uint32_t *out, float *peak);
/* The same of a picture that is made already, which is taken over: a side of the sky, or surfaces in their light. */
bool bspi_gltf_made_texture(bspi_gltf *gltf, const char *name, const bspi_picture *picture, bspi_gltf_sampler sampler,
                            uint32_t *out);
/* Gives the pictures their place: behind the streams, or in files of their own. */
bool bspi_gltf_place_pictures(bspi_gltf *gltf);
bool bspi_gltf_put_pictures(bspi_gltf *gltf);
void bspi_gltf_free_pictures(bspi_gltf *gltf);
json_t *bspi_gltf_uri(bspi_gltf *gltf, const char *file_name);

/* gltf_node.c */
bool bspi_gltf_build_nodes(bspi_gltf *gltf);
void bspi_gltf_set_transform(bspi_gltf *gltf, json_t *object, const bspi_trs *t);
void bspi_gltf_add_child(bspi_gltf *gltf, json_t *parent, uint32_t number);

/* gltf_rig/gltf_rig.c: bones, skins, targets and animations of meshes that move; nothing where none does. */
bool bspi_gltf_build_motion(bspi_gltf *gltf);
void bspi_gltf_add_skinned_roots(bspi_gltf *gltf, json_t *roots);
/* gltf_rig/gltf_floats.c: the bytes of these. */
bool bspi_gltf_put_motion(bspi_gltf *gltf);
/* gltf_rig/gltf_morph.c: vertices that are alike in the mesh and apart in a frame are not one. */
bool bspi_gltf_find_movements(bspi_gltf *gltf);

/* gltf_lit.c: the picture of all lit surfaces, where light is baked. */
bool bspi_gltf_make_lit(bspi_gltf *gltf);
/* What it has of a section; as it is where light is not baked. */
bspi_lit_section bspi_gltf_lit_section(const bspi_gltf *gltf, const bspi_gltf_source *source);
/* Places in it per vertex of the source's mesh; NULL: the source is not in it. */
const float *bspi_gltf_lit_uvs(const bspi_gltf *gltf, const bspi_gltf_source *source);
/* Gives a material its colors, by the picture or by texture and factor. */
void bspi_gltf_set_lit(bspi_gltf *gltf, json_t *pbr, bspi_gltf_look *look);

/* gltf_sky.c: the cube's textures, materials, mesh and node, with its bytes behind the streams; nothing where it is not
 * asked for. */
bool bspi_gltf_build_sky(bspi_gltf *gltf);
bool bspi_gltf_put_sky(bspi_gltf *gltf);
/* Adds it to the document's roots. */
void bspi_gltf_add_sky_root(bspi_gltf *gltf, json_t *roots);

/* gltf_light.c: puts the lamp of a node into the document; returns its number. */
uint32_t bspi_gltf_add_lamp(bspi_gltf *gltf, const bspscene_node *node);

static inline uint64_t bspi_gltf_align(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

static inline bool bspi_gltf_put_padding(bspi_gltf *gltf, uint64_t size)
{
	return bspi_put(gltf->writer, "\0\0\0", (size_t)(bspi_gltf_align(size) - size));
}

/* Shorthands that keep the building code readable. */
static inline void bspi_gltf_set(bspi_gltf *gltf, json_t *object, const char *key, json_t *value)
{
	bspi_json_set(gltf->writer, object, key, value);
}

static inline void bspi_gltf_append(bspi_gltf *gltf, json_t *array, json_t *value)
{
	bspi_json_append(gltf->writer, array, value);
}

#endif
