/* model.h - the interface between model formats and the rest of the library. A reader of a format gives posed triangles
 * in the map's axes, with materials.
 *
 * A format is one file in models/ with a bspi_model_format, and a row in formats.def. Its reader makes vertices and
 * clockwise triangles from bytes, with the functions below. It checks only what it needs for reading. Then
 * bspi_read_model checks indices, numbers, normals, sections and skins. It does so for all formats. */
#ifndef BSPI_MODEL_H
#define BSPI_MODEL_H

#include "map/map.h"
#include "map/layout.h"

/* Limits for the work that a hostile model can cause. Real models stay far below them, but many exceed the official
 * limits of their formats. */
#define BSPI_MODEL_MAX_VERTICES 1048576u
#define BSPI_MODEL_MAX_TRIANGLES 2097152u
#define BSPI_MODEL_MAX_SECTIONS 4096u
#define BSPI_MODEL_MAX_MATERIALS 1024u
#define BSPI_MODEL_MAX_SKINS 1024u
#define BSPI_MODEL_MAX_BONES 256u
#define BSPI_MODEL_MAX_PICTURE 8192u

/* Largest number of files that one model consists of. */
#define BSPI_MODEL_MAX_FILES 4

/* How a material of a model is drawn if there is no shader with its name. */
typedef enum bspi_model_flag {
	BSPI_MODEL_FLAT = 0x1,             /* lit by the same light from all sides, whatever its normals are */
	BSPI_MODEL_CHROME = 0x2,           /* the texture is an environment map */
	BSPI_MODEL_BRIGHT = 0x4,           /* unlit */
	BSPI_MODEL_ADDITIVE = 0x8,
	BSPI_MODEL_MASKED = 0x10,          /* palette index 255 is transparent */
	BSPI_MODEL_TWO_SIDED = 0x20,
	BSPI_MODEL_INDEX_ALPHA = 0x40,     /* an index is the opacity, and the color is always the palette's last */
	BSPI_MODEL_GLOWING = 0x80,         /* texels with palette indices from 224 on glow */
	BSPI_MODEL_BLENDED = 0x100,
	BSPI_MODEL_LIT = 0x200,            /* lit by the light of the model's vertices, even if the material is unlit */
	BSPI_MODEL_CLAMPED = 0x400         /* the texture does not repeat */
} bspi_model_flag;

/* A texture of a model. Either the map's material rules find an image by its name, or the model contains its pixels. */
typedef struct bspi_model_material {
	const char *name;                  /* name of the texture in the file; "": none */
	bool picture_file;                 /* `name` is always an image, never a shader */
	uint32_t flags;                    /* bits of bspi_model_flag */
	bspi_bytes pixels;                 /* width * height palette indices or RGBA pixels; empty: `name` is used to find
	                                    * an image */
	uint32_t width, height;
	bool rgba;
	bspi_bytes palette;                /* colors of the palette indices; empty: the game's palette is used */
	const bspi_texture *texture;       /* a texture of the map that is used as a model, drawn by the rules for maps;
	                                    * NULL: none */
} bspi_model_material;

typedef struct bspi_model_section {
	uint32_t slot;                     /* column of the table `skins` with the section's materials */
	uint32_t first_vertex, vertex_count;
	uint32_t first_index, index_count;
} bspi_model_section;

typedef struct bspi_model_vertex {
	float position[3], normal[3], uv[2]; /* if the normal has length 0, it is computed from the triangles */
	uint8_t light[4];                  /* light of the vertex, as RGBA; used if the model is `lit` */
	uint32_t number;                   /* index of the vertex's color in a file of stored light; less than number_count,
	                                    * unless that is 0 */
} bspi_model_vertex;

typedef struct bspi_model_format bspi_model_format;
typedef struct bspi_rig bspi_rig;

/* How a sprite turns to the viewer. Files use the same values. */
typedef enum bspi_sprite_turn {
	BSPI_SPRITE_UPRIGHT,               /* stays upright, and turns about the vertical to be parallel to the screen */
	BSPI_SPRITE_FACING_UPRIGHT,        /* stays upright, and turns about the vertical to face the viewer's eye */
	BSPI_SPRITE_PARALLEL,              /* parallel to the screen */
	BSPI_SPRITE_ORIENTED,              /* does not turn; the entity's angles rotate it */
	BSPI_SPRITE_PARALLEL_ORIENTED      /* parallel to the screen, and rotated in its plane by the entity's roll */
} bspi_sprite_turn;

/* A model after it was checked. The scene shares the vertex arrays, which are in the result arena. Everything else is
 * in the scratch arena. */
typedef struct bspi_prop_model {
	const bspi_model_format *format;
	uint32_t vertex_count, index_count;
	const float *positions, *normals, *uvs;
	const uint8_t *light;              /* light of each vertex as stored in the model, RGBA; NULL: the model is lit by
	                                    * its surroundings */
	const uint32_t *indices;           /* corners of each triangle, counter-clockwise */
	const bspi_model_section *sections; uint32_t section_count;
	const bspi_model_material *materials; uint32_t material_count;
	const uint32_t *skins;             /* a table of material indices: one row for each skin, one column for each
	                                    * slot */
	uint32_t skin_count, slot_count;   /* both at least 1 */
	bspscene_bounds bounds;            /* bounds of the vertices */
	float light_point[3];              /* the place at which light is sampled for the whole model */
	bool lit;                          /* the file stores the light of the vertices */
	/* For static props of Source. A file with stored light belongs to this model if it has this checksum and this
	 * number of colors. */
	uint32_t checksum, number_count;
	const uint32_t *numbers;           /* for each vertex, the index of its color in stored light */
	bool turned_by_view;               /* the model is a sprite that turns to the viewer; `turn` says how */
	bspi_sprite_turn turn;
	bool glows;                        /* a sprite that has the same size on the screen at any distance and fades */
	bool sized_by_picture;             /* a sprite of 1 x 1 game unit, which later gets the size of its texture */
	const bspscene_rig *rig;           /* animation; NULL: the model has none, or it was not requested. The members
	                                    * after this one are as in bspscene_mesh */
	const uint8_t *joints;
	const float *weights, *frame_positions, *frame_normals;
} bspi_prop_model;

/* How a model is to be shown. If all members are zero, it is shown as the game shows it when a map starts. */
typedef struct bspi_model_state {
	uint32_t body;                     /* number that encodes which model of each body group is shown */
	uint32_t frame;
	const char *sequence;              /* index or name of the sequence; NULL: the one that is shown first */
	bool is_static;                    /* the model is a static prop, which is drawn in the compiled pose */
	bool rigged;                       /* the animation is to be read too */
	uint32_t sprite_mode;              /* 1 + the entity's render mode; 0: the sprite's file decides */
} bspi_model_state;

/* What a reader gets, and where it stores its result. */
typedef struct bspi_model_reader {
	bspi_ctx *ctx;
	const char *path;                  /* folded game path of the model; names of its other files are made from it */
	bspi_model_state state;
	bspi_bytes file;
	bspi_model_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity; /* clockwise; each index counts from the first vertex of
	                                                          * the section */
	bspi_model_section *sections; uint32_t section_count, section_capacity;
	bspi_prop_model model;                  /* where the reader stores materials, skins and other properties */
	bspi_rig *rig;                     /* where the reader stores animation, see rig/model_rig.h; NULL: it was not
	                                    * requested */
	char why[200];                     /* the reason for which the reader refuses the file */
} bspi_model_reader;

struct bspi_model_format {
	const char *id, *title;            /* short and full name, such as "md3" and "MD3 15 (Quake III)" */
	bool (*bid)(bspi_bytes file);      /* true if the content of the file is of this format, whatever its name is */
	/* Reads the model. Returns false if the file is refused (reader->why) or the load failed (ctx->error). */
	bool (*read)(bspi_model_reader *reader);
	/* The layouts of all records, with a list for each file of the model. Each list ends with NULL. For tests of all
	 * layouts. */
	const bspi_layout *const *layouts[BSPI_MODEL_MAX_FILES];
	const char *endings;               /* extensions in entities' paths to such models: ".mdl .md2" */
};

/* All formats, in the order of formats.def. */
extern const bspi_model_format *const bspi_model_formats[];
extern const uint32_t bspi_model_format_count;

#define BSPI_MODEL_FORMAT(name) extern const bspi_model_format bspi_model_format_##name;
#include "models/formats.def"
#undef BSPI_MODEL_FORMAT

/* True if a path in an entity names a model. That is a model of one of these formats, or a material used as a sprite.
 * Known formats that are not supported count too, and are reported. read_model.c */
bool bspi_is_model_path(const char *path);

/* Reads `file`, which was found at `path`. Returns false if the file is refused or the load failed. If it is refused,
 * *why is the reason and *out is invalid; otherwise ctx->error is set. Repairs are counted as warnings. read_model.c */
bool bspi_read_model(bspi_ctx *ctx, const char *path, bspi_bytes file, const bspi_model_state *state,
                     bspi_prop_model *out, const char **why);
/* Reads the sprite that a Source material describes. Entities name it "sprites/glow01.vmt", or with the extension .spr.
 * *found is false if there is no such material. Returns false if the load failed. sprite_material.c */
bool bspi_read_sprite_material(bspi_ctx *ctx, const char *path, const bspi_model_state *state, bspi_prop_model *out,
                               bool *found);

/* ---- For readers: model_reader.c ---- */

/* Sets the reason for refusing the file. Returns false. */
bool bspi_refuse_model(bspi_model_reader *reader, const char *format, ...) BSPI_PRINTF(2, 3);
/* Decodes `count` records of a layout, from `offset` of `file` on, into scratch. Returns NULL if the load failed. Also
 * returns NULL, and refuses the file, if there are more than `most` or they reach beyond its end. */
void *bspi_take_records(bspi_model_reader *reader, bspi_bytes file, const bspi_layout *layout, int64_t offset,
                        int64_t count, uint32_t most);
/* Sets *out to the bytes of `file` from `offset` to its end. If `offset` is outside of the file, refuses the file,
 * with `what` in the message, and returns false. */
bool bspi_take_rest(bspi_model_reader *reader, bspi_bytes file, int64_t offset, const char *what, bspi_bytes *out);
/* Sets *out to `size` bytes of `file` from `offset` on. If they reach beyond its end, refuses the file, with `what` in
 * the message, and returns false. */
bool bspi_take_bytes(bspi_model_reader *reader, bspi_bytes file, int64_t offset, uint64_t size, const char *what,
                     bspi_bytes *out);
/* Returns the string at `offset` up to its NUL or the file's end, in UTF-8; "" outside of the file. NULL if memory is
 * out. */
const char *bspi_take_text(bspi_model_reader *reader, bspi_bytes file, int64_t offset);
/* Reads another file of the model, by its game path, into scratch. *found is false if there is none. */
bool bspi_open_part(bspi_model_reader *reader, const char *path, bspi_bytes *out, bool *found);
/* Reads the file whose path is `path` with another extension (`ending`, such as ".vvd") into scratch. *found is false
 * if there is none. */
bool bspi_open_model_sibling(bspi_model_reader *reader, const char *ending, bspi_bytes *out, bool *found);

/* Begins the next section, a range of vertices and triangles with the same material. */
bool bspi_begin_section(bspi_model_reader *reader, uint32_t slot);
bool bspi_add_vertex(bspi_model_reader *reader, const bspi_model_vertex *vertex);
/* Adds a clockwise triangle. The indices count from the first vertex of the section. Invalid triangles are dropped
 * later, by bspi_check_model. */
bool bspi_add_triangle(bspi_model_reader *reader, uint32_t a, uint32_t b, uint32_t c);
/* Sets the materials, which must live until the load ends. Also sets one skin that uses the materials in order, as in
 * most formats. */
bool bspi_set_materials(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count);
/* Sets the materials, each as one skin of a model with a single slot. */
bool bspi_set_skins(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count);
/* Computes normals (not of unit length) from triangles that share positions. `corners` has three indices of positions
 * for each clockwise triangle, all below `count`. Returns NULL if memory is out. */
float *bspi_smooth_normals(bspi_model_reader *reader, const float *positions, uint32_t count,
                           const uint32_t *corners, uint32_t triangle_count);

/* Checks what a reader found, and makes the model. check_model.c */
bool bspi_check_model(bspi_model_reader *reader, bspi_prop_model *out);

#endif
