/* gltf.h - declarations that the parts of the glTF writer share.
 *
 *     gltf.c           the rows glb and gltf; the document and its bytes in order
 *     gltf_source.c    chooses the sections that are shown
 *     gltf_primitive.c makes primitives of triangles, without duplicate vertices
 *     gltf_vertex.c    the bytes of a vertex
 *     gltf_mesh.c      meshes, accessors, and the streams of vertices and indices
 *     gltf_compress.c  compresses the streams
 *     gltf_tangent.c   tangents for normal maps
 *     gltf_material.c  materials
 *     gltf_tone.c      converts the game's light to vertex colors with which viewers show the game's picture
 *     gltf_gain.c      makes brighter pictures where light is brighter than white
 *     gltf_texture.c   textures, samplers, encoded pictures
 *     gltf_node.c      nodes, cameras
 *     gltf_light.c     lamps
 *     gltf_lit.c       materials that show the baked picture of texture times light
 *     gltf_sky.c       the sky, on a cube around the map
 *     gltf_rig/        bones, morph targets and animation
 *
 * Facts that glTF cannot express are in extras (scene_facts.h). Axes are those of y_up.h. */
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

/* A stream has the elements of one kind in the binary part: all positions, all normals and so on. Each stream has one
 * buffer view. In a GLB, the pictures follow the streams. */
typedef enum bspi_gltf_stream {
	BSPI_GLTF_POSITION, BSPI_GLTF_NORMAL, BSPI_GLTF_TANGENT, BSPI_GLTF_TEXCOORD_0, BSPI_GLTF_TEXCOORD_1,
	BSPI_GLTF_COLOR, BSPI_GLTF_BLEND, BSPI_GLTF_BLEND_WEIGHTS, BSPI_GLTF_JOINTS, BSPI_GLTF_WEIGHTS,
	BSPI_GLTF_INDEX_16, BSPI_GLTF_INDEX_32,
	BSPI_GLTF_STREAM_COUNT
} bspi_gltf_stream;

/* In compressed files, vertex colors are multiples of 2 to the power of this. The error of linear light is then at most
 * 1.5/255. */
#define BSPI_GLTF_COLOR_EXPONENT (-10)
#define BSPI_GLTF_LARGEST_ELEMENT 16u  /* bytes of the largest element */

/* A brightened variant of a texture: for each channel, the index of a gain (bspi_tone_gain). Three zeros mean the
 * unchanged picture. Each material has its own list of variants. So for materials that share a picture, variants are
 * equal if these indices are equal. */
typedef struct bspi_tone_level {
	uint8_t gains[3];
} bspi_tone_level;

typedef struct bspi_gltf_tone bspi_gltf_tone;
typedef struct bspi_tone_known bspi_tone_known;

/* What the elements of a stream are. */
typedef struct bspi_gltf_stream_kind {
	const char *attribute;             /* attribute name; NULL: indices */
	const char *type;
	int component;                     /* glTF's componentType */
	uint32_t size;                     /* size of an element in bytes */
	bool normalized;
	const char *filter;                /* filter of EXT_meshopt_compression, or NULL */
} bspi_gltf_stream_kind;

/* A section of the scene that is shown. It may be merged into the world. The vertices of primitives come from
 * sources. */
typedef struct bspi_gltf_source {
	uint32_t mesh, section;            /* index of the mesh in the scene, and of the section in the mesh */
	bool flip;                         /* the drawn side of its triangles is the back */
	bool mirrored;                     /* `place` mirrors the section, so the winding of its triangles is reversed */
	bool glow;                         /* true: only the glow of the section, which is drawn over the section itself */
	const float *place;                /* transform to the world if the source is merged; NULL: its node has the
	                                    * transform */
	bspi_vertex_color color;
	int uv_exponent;                   /* texture coordinates are multiples of 2 to the power of this */
	const float *tangents;             /* x, y, z, w for each vertex of the section; NULL: there is no normal map */
} bspi_gltf_source;

typedef struct bspi_gltf_vertex {
	uint32_t source, vertex;           /* index in `sources`; index of the vertex in that source's scene mesh */
} bspi_gltf_vertex;

/* The triangles of one draw call. */
typedef struct bspi_gltf_primitive {
	uint32_t group, next;              /* index of its group; index of the next primitive with the same material, or
	                                    * NO_INDEX */
	uint32_t material;                 /* index of the material in the document */
	bspi_tone_level level;             /* the brightened picture that the material uses, see gltf_gain.c */
	const bspscene_section *section;   /* the first section that was merged into it; the facts of this one are
	                                    * written */
	bool uses[BSPI_GLTF_STREAM_COUNT];
	bspi_gltf_vertex *vertices; uint32_t vertex_count, vertex_limit;
	size_t first_slot;                 /* index of its first slot in the hash table that finds equal vertices */
	uint8_t *streams[BSPI_GLTF_STREAM_COUNT]; /* encoded vertices, before they are reordered */
	uint32_t *indices; uint32_t index_count, index_limit; /* indices into `vertices` */
} bspi_gltf_primitive;

/* A mesh of the document. */
typedef struct bspi_gltf_group {
	const char *name;
	uint32_t node;                     /* node of the scene that gets a child for this mesh; NO_INDEX: the scene's own
	                                    * nodes show the mesh */
	json_t *primitives;                /* array in the document, not owned */
} bspi_gltf_group;

/* A scene material can become several materials of the document. A look is what distinguishes them. */
typedef struct bspi_gltf_look {
	uint32_t material;                 /* index of the scene material */
	bspscene_lighting lighting;
	uint32_t page;
	bspi_tone_level level;             /* the brightened picture that it uses, see gltf_gain.c */
	bool glow;                         /* only the glow of the surface is shown */
	bspi_lit_section lit;              /* its part of the baked picture, if light is baked */
	bool uses_uv, uses_lightmap_uv, uses_normals, unlit;
	uint32_t next;                     /* index of the next look of the same scene material */
	uint32_t number;                   /* index of the material in the document; looks may share one */
	uint32_t alike;                    /* index of the first look with the same `number` */
	uint32_t first_primitive;          /* index of the primitive that begins the list of those with this material
	                                    * (bspi_gltf_primitive.next), or NO_INDEX; only used in the first look with
	                                    * this `number` */
} bspi_gltf_look;

typedef enum bspi_gltf_sampler {
	BSPI_GLTF_REPEAT, BSPI_GLTF_CLAMP,
	BSPI_GLTF_LIGHTMAP,                /* clamped, without mipmaps */
	BSPI_GLTF_SAMPLER_COUNT
} bspi_gltf_sampler;

typedef struct bspi_gltf_image {
	uint32_t image, page;              /* what the picture is made from: an image or a page of the scene; both NO_INDEX:
	                                    * bytes that the caller gave */
	bspi_picture_use use;
	bool changed;                      /* true: the gains change at least one texel */
	bspi_picture picture;              /* has no bytes until bspi_gltf_place_pictures */
	const char *file_name;             /* if the document is a .gltf: name of the picture's own file */
	uint32_t textures[BSPI_GLTF_SAMPLER_COUNT];
	float peak;                        /* for a page, the light that white stands for; see bspi_picture_of_page */
	float gains[3];                    /* factors for the red, green and blue display values */
	uint32_t next;                     /* index of the next variant of the same image and use, or NO_INDEX */
} bspi_gltf_image;

typedef enum bspi_gltf_extension {
	BSPI_GLTF_UNLIT = 1, BSPI_GLTF_EMISSIVE_STRENGTH = 2, BSPI_GLTF_LIGHTS = 4, BSPI_GLTF_TEXTURE_TRANSFORM = 8,
	BSPI_GLTF_MOZ_LIGHTMAP = 16, BSPI_GLTF_MESHOPT = 32, BSPI_GLTF_QUANTIZATION = 64, BSPI_GLTF_WEBP = 128
} bspi_gltf_extension;

typedef struct bspi_gltf {
	bspi_writer *writer;
	const bspscene_scene *scene;
	bool binary;                       /* the document is a .glb, a file that contains everything */
	bool meshopt;                      /* streams are compressed by EXT_meshopt_compression */
	const struct bspi_gltf_codec *codec; /* functions of the encoder, see gltf_meshopt.h */
	json_t *document;
	json_t *accessors, *buffer_views, *images, *textures, *samplers, *materials, *meshes, *nodes, *lights, *cameras,
		*skins;
	uint32_t extensions;               /* bits (bspi_gltf_extension) of the extensions that the document uses */
	bool *lamps;                       /* for each light of the scene, true if it is written as a lamp */
	uint32_t *node_numbers;            /* for each node of the scene, its index in the document; NO_INDEX: it is left
	                                    * out */
	bspi_gltf_tone **tones;            /* for each material of the scene, tables that convert its light; NULL: the light
	                                    * is written unchanged */
	bspi_tone_known *known_steps;
	bspi_lit lit;                      /* the baked picture, if light is baked */
	uint32_t lit_textures[BSPI_LIT_MOST_SHEETS]; /* for each sheet of the baked picture, the index of its texture */

	bspi_gltf_source *sources; uint32_t source_count;
	bspi_gltf_primitive *primitives; uint32_t primitive_count, primitive_capacity;
	uint64_t triangle_count;           /* number of triangles of all primitives */
	bspi_gltf_group *groups; uint32_t group_count, group_capacity;
	uint32_t *mesh_numbers;            /* for each scene mesh, the index of its group; NO_INDEX: nodes with this mesh
	                                    * show nothing */
	uint64_t stream_counts[BSPI_GLTF_STREAM_COUNT];
	bspi_sky_cube sky;                 /* the cube that shows the sky; its `half` is 0 if there is none */
	uint32_t sky_mesh;                 /* index of the sky's mesh in the document */
	uint64_t binary_size;
	uint64_t unpacked_size;            /* number of bytes of all streams before compression */
	bspi_buffer packed[BSPI_GLTF_STREAM_COUNT];
	bool stepped;                      /* true when bspi_gltf_choose_steps has chosen the steps to which numbers are
	                                    * rounded */
	int position_exponent;             /* positions are multiples of 2 to the power of this */

	bspi_gltf_look *looks; uint32_t look_count, look_capacity;
	uint32_t *first_looks;             /* for each scene material, the index of its first look, or NO_INDEX */
	json_t *looks_by_text;             /* finds equal materials: for each JSON text of a material, the index of the
	                                    * first look that has it */
	bspi_gltf_image *pictures; uint32_t picture_count;
	uint32_t *image_numbers;           /* index in `pictures` for each scene image and use, then for each page, then for
	                                    * the checkerboard */
	uint32_t sampler_numbers[BSPI_GLTF_SAMPLER_COUNT];

	/* Animation, see gltf_rig/. */
	const uint64_t **movements;        /* for each scene mesh and vertex, a hash that is the same for vertices that move
	                                    * alike; NULL: no mesh moves */
	bspi_buffer motion;                /* bytes of animation, which follow the pictures */
	json_t *motion_view;               /* the buffer view to which bytes are being added, not owned; NULL: none */
	size_t motion_begin;               /* offset in `motion` where motion_view begins */
	int motion_use;
	uint32_t *skinned, skinned_count;  /* indices of nodes with a skin; they are roots of the document */
} bspi_gltf;

/* Returns false if a GLB cannot be as large as this. gltf_mesh.c */
bool bspi_gltf_check_size(bspi_gltf *gltf, uint64_t size);

static inline const bspscene_section *bspi_gltf_section_of(const bspi_gltf *gltf, uint32_t source)
{
	const bspi_gltf_source *from = &gltf->sources[source];
	return gltf->scene->meshes[from->mesh]->sections[from->section];
}

/* Fills gltf->sources. Returns upper bounds for the number of triangles, and for the number of vertices in a mesh.
 * gltf_source.c */
bool bspi_gltf_choose_sources(bspi_gltf *gltf, size_t *triangle_count, uint32_t *most_vertices);

/* Makes sources, groups, looks and primitives. gltf_primitive.c */
bool bspi_gltf_choose_primitives(bspi_gltf *gltf);

/* bspi_gltf_stream_kind_of returns what the elements of a stream are. bspi_gltf_store_vertex writes one such element
 * for a vertex. gltf_vertex.c */
const bspi_gltf_stream_kind *bspi_gltf_stream_kind_of(const bspi_gltf *gltf, int stream);
void bspi_gltf_store_vertex(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream,
                            bspi_gltf_vertex vertex, uint8_t *out);
/* Returns the position of a vertex as it is written: with Y up, in meters, and rounded if the file is compressed. */
void bspi_gltf_position_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[3]);
/* Returns the texture coordinates before rounding. */
void bspi_gltf_uv_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[2]);
static inline bool bspi_gltf_is_index(int stream) { return stream >= BSPI_GLTF_INDEX_16; }

/* Adds the meshes, their accessors and the buffer views of the streams to the document. gltf_mesh.c */
bool bspi_gltf_build_meshes(bspi_gltf *gltf);
/* Writes the bytes of all streams, in the order of their buffer views. */
bool bspi_gltf_put_streams(bspi_gltf *gltf);

/* Returns false, with the failure set, if the build lacks a library for the requested compression. gltf_compress.c */
bool bspi_gltf_can_compress(bspi_gltf *gltf);
/* Chooses the steps to which positions and texture coordinates are rounded. */
void bspi_gltf_choose_steps(bspi_gltf *gltf);
/* Reorders the triangles and vertices of primitives so that they compress well. Drops unused vertices. */
bool bspi_gltf_order_primitives(bspi_gltf *gltf);
/* Compresses the streams. */
bool bspi_gltf_compress(bspi_gltf *gltf);
/* Returns the extensions object for the buffer view of a compressed stream, and adds its size to binary_size. */
json_t *bspi_gltf_compressed_view(bspi_gltf *gltf, int stream);
void bspi_gltf_free_compressed(bspi_gltf *gltf);

/* Computes the tangents of a source (source->tangents). gltf_tangent.c */
bool bspi_gltf_make_tangents(bspi_gltf *gltf, bspi_gltf_source *source);

/* Finds the look of a source and its material, or adds them. gltf_material.c */
bool bspi_gltf_find_look(bspi_gltf *gltf, uint32_t source, bspi_tone_level level, uint32_t *out);

/* The functions down to bspi_gltf_tone_color choose variants of pictures, and vertex colors with which viewers show
 * the game's picture. gltf_gain.c, gltf_tone.c */
static inline bool bspi_tone_is_same(bspi_tone_level a, bspi_tone_level b)
{
	return a.gains[0] == b.gains[0] && a.gains[1] == b.gains[1] && a.gains[2] == b.gains[2];
}

static inline bool bspi_tone_has_gain(bspi_tone_level level)
{
	return level.gains[0] || level.gains[1] || level.gains[2];
}

bool bspi_gltf_find_tones(bspi_gltf *gltf);
/* Returns the factors of a variant for the display values of the picture. */
void bspi_tone_gains(bspi_tone_level level, float out[3]);
/* Returns the variant of the material's picture that fits light best. The light is linear RGB at the three corners of a
 * triangle. */
bspi_tone_level bspi_gltf_choose_level(const bspi_gltf *gltf, uint32_t material, const float *const corners[3]);
/* Converts `color` from linear light to the vertex color that goes with a variant of the picture. `level` must belong
 * to this material, or to a material with the same look. */
void bspi_gltf_tone_color(const bspi_gltf *gltf, uint32_t material, bspi_tone_level level, float color[3]);

/* These store in *out the index of the texture of an image or of a page. It is NO_INDEX if the image has no bytes.
 * `gains` are those of bspi_picture_of_image. gltf_texture.c */
bool bspi_gltf_image_texture(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, const float gains[3], bool clamp,
                             uint32_t *out);
bool bspi_gltf_page_texture(bspi_gltf *gltf, uint32_t page, uint32_t *out, float *peak);
/* Adds a picture that the caller encoded, such as a side of the sky or a baked picture. The document then owns the
 * picture. *out is the index of its texture. */
bool bspi_gltf_made_texture(bspi_gltf *gltf, const char *name, const bspi_picture *picture, bspi_gltf_sampler sampler,
                            uint32_t *out);
/* Places the pictures after the streams (.glb), or in files of their own (.gltf). */
bool bspi_gltf_place_pictures(bspi_gltf *gltf);
bool bspi_gltf_put_pictures(bspi_gltf *gltf);
void bspi_gltf_free_pictures(bspi_gltf *gltf);
json_t *bspi_gltf_uri(bspi_gltf *gltf, const char *file_name);

/* Adds the nodes and cameras to the document. gltf_node.c */
bool bspi_gltf_build_nodes(bspi_gltf *gltf);
void bspi_gltf_set_transform(bspi_gltf *gltf, json_t *object, const bspi_trs *t);
void bspi_gltf_add_child(bspi_gltf *gltf, json_t *parent, uint32_t number);

/* Writes the bones, skins, morph targets and animations of meshes with rigs. gltf_rig/gltf_rig.c */
bool bspi_gltf_build_motion(bspi_gltf *gltf);
void bspi_gltf_add_skinned_roots(bspi_gltf *gltf, json_t *roots);
/* Writes the bytes of animation. gltf_rig/gltf_floats.c */
bool bspi_gltf_put_motion(bspi_gltf *gltf);
/* Fills gltf->movements, so that vertices that are equal at rest but differ in some frame are not merged.
 * gltf_rig/gltf_morph.c */
bool bspi_gltf_find_movements(bspi_gltf *gltf);

/* Makes the picture of all lit surfaces, if light is baked. gltf_lit.c */
bool bspi_gltf_make_lit(bspi_gltf *gltf);
/* Returns a source's part of the baked picture; an empty one if light is not baked. */
bspi_lit_section bspi_gltf_lit_section(const bspi_gltf *gltf, const bspi_gltf_source *source);
/* Returns the positions of a mesh's vertices in the baked picture. NULL: the source is not in the picture. */
const float *bspi_gltf_lit_uvs(const bspi_gltf *gltf, const bspi_gltf_source *source);
/* Sets the base color of a material with baked light: the baked picture, or the texture with a factor. */
void bspi_gltf_set_lit(bspi_gltf *gltf, json_t *pbr, bspi_gltf_look *look);

/* Adds textures, materials, mesh and node of the sky cube, if requested. gltf_sky.c */
bool bspi_gltf_build_sky(bspi_gltf *gltf);
bool bspi_gltf_put_sky(bspi_gltf *gltf);
/* Adds the node of the sky to the document's root nodes. */
void bspi_gltf_add_sky_root(bspi_gltf *gltf, json_t *roots);

/* Adds the lamp of a node and returns its index. gltf_light.c */
uint32_t bspi_gltf_add_lamp(bspi_gltf *gltf, const bspscene_node *node);

static inline uint64_t bspi_gltf_align(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

static inline bool bspi_gltf_put_padding(bspi_gltf *gltf, uint64_t size)
{
	return bspi_put(gltf->writer, "\0\0\0", (size_t)(bspi_gltf_align(size) - size));
}

/* Sets a member of a JSON object. If that fails, the writer's failure is set. */
static inline void bspi_gltf_set(bspi_gltf *gltf, json_t *object, const char *key, json_t *value)
{
	bspi_json_set(gltf->writer, object, key, value);
}

static inline void bspi_gltf_append(bspi_gltf *gltf, json_t *array, json_t *value)
{
	bspi_json_append(gltf->writer, array, value);
}

#endif
