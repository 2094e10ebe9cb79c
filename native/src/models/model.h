/* model.h - the seam between formats of models and the neutral model: posed triangles in map axes, with materials.
 *
 * A format is one file in models/ with a bspi_model_format in it, and a row in formats.def. Its reader turns bytes into
 * vertices and clockwise triangles through the functions below; it proves what it needs to read them and nothing more.
 * bspi_read_model then checks the result, once for all formats: indices, numbers, normals, sections, skins. */
#ifndef BSPI_MODEL_H
#define BSPI_MODEL_H

#include "map/map.h"
#include "map/layout.h"

/* No real model comes near (formats' own limits are often broken); they bound the work of a hostile one. */
#define BSPI_MODEL_MAX_VERTICES 1048576u
#define BSPI_MODEL_MAX_TRIANGLES 2097152u
#define BSPI_MODEL_MAX_SECTIONS 4096u
#define BSPI_MODEL_MAX_MATERIALS 1024u
#define BSPI_MODEL_MAX_SKINS 1024u
#define BSPI_MODEL_MAX_BONES 256u
#define BSPI_MODEL_MAX_PICTURE 8192u

/* Most files of one model. */
#define BSPI_MODEL_MAX_FILES 4

/* How a material of a model is drawn where no shader of its name says so. */
typedef enum bspi_model_flag {
	BSPI_MODEL_FLAT = 0x1,             /* lit without regard to its shape */
	BSPI_MODEL_CHROME = 0x2,           /* reflects its picture instead of wearing it */
	BSPI_MODEL_BRIGHT = 0x4,           /* not lit at all */
	BSPI_MODEL_ADDITIVE = 0x8,
	BSPI_MODEL_MASKED = 0x10,          /* the last index of its palette is a hole */
	BSPI_MODEL_TWO_SIDED = 0x20,
	BSPI_MODEL_INDEX_ALPHA = 0x40,     /* an index is how opaque the last color is */
	BSPI_MODEL_GLOWING = 0x80,         /* indices from 224 on glow */
	BSPI_MODEL_BLENDED = 0x100,
	BSPI_MODEL_LIT = 0x200,            /* by its vertices, whatever its material says */
	BSPI_MODEL_CLAMPED = 0x400         /* its picture is there once */
} bspi_model_flag;

/* The texture of a model: a name for the map's material rules, or an image of its own. */
typedef struct bspi_model_material {
	const char *name;                  /* as the file says; "": none */
	bool picture_file;                 /* the name is a picture's and never a shader's */
	uint32_t flags;                    /* bspi_model_flag */
	bspi_bytes pixels;                 /* width * height indices, or RGBA pixels; empty: see name */
	uint32_t width, height;
	bool rgba;
	bspi_bytes palette;                /* of the indices; empty: the game's */
	const bspi_texture *texture;       /* of a map, made as the game's maps' are; else NULL */
} bspi_model_material;

typedef struct bspi_model_section {
	uint32_t slot;                     /* into a row of `skins` */
	uint32_t first_vertex, vertex_count;
	uint32_t first_index, index_count;
} bspi_model_section;

typedef struct bspi_model_vertex {
	float position[3], normal[3], uv[2]; /* a normal of length 0 is made from the triangles */
	uint8_t light[4];                  /* RGBA as maps store vertex light; counts in models that are `lit` */
	uint32_t number;                   /* below model.number_count, where that is not 0 */
} bspi_model_vertex;

typedef struct bspi_model_format bspi_model_format;
typedef struct bspi_rig bspi_rig;

/* A checked model. Its arrays of vertices are the scene's own, in the result arena; all else is in scratch. */
typedef struct bspi_prop_model {
	const bspi_model_format *format;
	uint32_t vertex_count, index_count;
	const float *positions, *normals, *uvs;
	const uint8_t *light;              /* of its own, RGBA; NULL: it takes that of its place */
	const uint32_t *indices;           /* counter-clockwise */
	const bspi_model_section *sections; uint32_t section_count;
	const bspi_model_material *materials; uint32_t material_count;
	const uint32_t *skins;             /* skin_count rows of slot_count materials */
	uint32_t skin_count, slot_count;   /* 1 or more each */
	bspscene_bounds bounds;            /* of the vertices */
	float light_point[3];              /* where light on all of it is measured */
	bool lit;                          /* its vertices have light of their own */
	/* Source's static props: what light that was stored for them goes by. A file of it has `number_count` colors. */
	uint32_t checksum, number_count;
	const uint32_t *numbers;           /* of each vertex, which of them is its own */
	bool turned_by_view;               /* a sprite that turns to whoever looks at it, and how */
	bspscene_deform_kind turn;
	bool glows;                        /* a sprite that is as large in the picture from everywhere, and fades */
	bool sized_by_picture;             /* a sprite of 1 x 1, to be as large as its material says */
	const bspscene_rig *rig;           /* NULL: none, or not wanted; what follows is as in bspscene_mesh */
	const uint8_t *joints;
	const float *weights, *frame_positions, *frame_normals;
} bspi_prop_model;

/* How it is shown. Zero is what a game shows when a map starts. */
typedef struct bspi_model_state {
	uint32_t body;                     /* packed number of its body groups */
	uint32_t frame;
	const char *sequence;              /* a number or a name; NULL: as the game begins */
	bool is_static;                    /* drawn without its bones, as compilers place it */
	bool rigged;                       /* it is to say how it moves */
	uint32_t sprite_mode;              /* 1 + the way an entity has its sprite drawn; 0: as the file says */
} bspi_model_state;

/* The input of a reader, and its result. */
typedef struct bspi_model_reader {
	bspi_ctx *ctx;
	const char *path;                  /* folded game path, which the names of further files are made of */
	bspi_model_state state;
	bspi_bytes file;
	bspi_model_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity; /* clockwise, into their section's vertices */
	bspi_model_section *sections; uint32_t section_count, section_capacity;
	bspi_prop_model model;                  /* the reader fills materials, skins and what else it knows */
	bspi_rig *rig;                     /* how it moves, see rig/model_rig.h; NULL: not wanted */
	char why[200];                     /* why it was refused */
} bspi_model_reader;

struct bspi_model_format {
	const char *id, *title;            /* "md3", "MD3 15 (Quake III)" */
	bool (*bid)(bspi_bytes file);      /* is it mine? Goes by the content, never by the name */
	/* False: refused (reader->why says why) or the load failed (ctx->error is set). */
	bool (*read)(bspi_model_reader *reader);
	const bspi_layout *const *layouts[BSPI_MODEL_MAX_FILES]; /* of all its records, by file; each ends with NULL: for
	                                    * tests that hold for every table */
	const char *endings;               /* ".mdl .md2": of paths in entities that are taken for models */
};

/* Every row of formats.def, in order. */
extern const bspi_model_format *const bspi_model_formats[];
extern const uint32_t bspi_model_format_count;

#define BSPI_MODEL_FORMAT(name) extern const bspi_model_format bspi_model_format_##name;
#include "models/formats.def"
#undef BSPI_MODEL_FORMAT

/* True if an entity's path names a model: of a format above, a sprite that is a material, or a known format that is not
 * supported, which is reported. read_model.c */
bool bspi_is_model_path(const char *path);

/* Reads `file`, which was found as `path`. False: refused, *why says why and *out is not to be used; or the load failed
 * (ctx->error is set). What was repaired is counted. read_model.c */
bool bspi_read_model(bspi_ctx *ctx, const char *path, bspi_bytes file, const bspi_model_state *state,
                     bspi_prop_model *out, const char **why);
/* The sprite that a material stands for (Source): "sprites/glow01.vmt", or the same with .spr. *found false: there is
 * no such material. False: the load failed. sprite_material.c */
bool bspi_read_sprite_material(bspi_ctx *ctx, const char *path, const bspi_model_state *state, bspi_prop_model *out,
                               bool *found);

/* ---- For readers: model_reader.c ---- */

/* Says why the file is refused. Always false. */
bool bspi_refuse_model(bspi_model_reader *reader, const char *format, ...) BSPI_PRINTF(2, 3);
/* `count` records of the table, from `offset` of `file`, decoded into scratch. NULL: they are not all in the file, or
 * more than `most` (refused), or the load failed. */
void *bspi_take_records(bspi_model_reader *reader, bspi_bytes file, const bspi_layout *layout, int64_t offset,
                        int64_t count, uint32_t most);
/* The part of `file` from `offset` to its end. */
bool bspi_take_rest(bspi_model_reader *reader, bspi_bytes file, int64_t offset, const char *what, bspi_bytes *out);
/* `size` bytes of it. */
bool bspi_take_bytes(bspi_model_reader *reader, bspi_bytes file, int64_t offset, uint64_t size, const char *what,
                     bspi_bytes *out);
/* The text at `offset` up to its NUL or the file's end, as UTF-8; "" outside of the file. NULL: memory is out. */
const char *bspi_take_text(bspi_model_reader *reader, bspi_bytes file, int64_t offset);
/* Opens a file that the model names, by its game path, into scratch. *found false: there is none. */
bool bspi_open_part(bspi_model_reader *reader, const char *path, bspi_bytes *out, bool *found);
/* Opens `path` with its ending replaced ("models/a.mdl", ".vvd") into scratch. *found false: there is none. */
bool bspi_open_model_sibling(bspi_model_reader *reader, const char *ending, bspi_bytes *out, bool *found);

/* Begins the next run of vertices and triangles, which one material covers. */
bool bspi_begin_section(bspi_model_reader *reader, uint32_t slot);
bool bspi_add_vertex(bspi_model_reader *reader, const bspi_model_vertex *vertex);
/* Clockwise, numbers of the section's vertices. What is out of range is dropped by the check. */
bool bspi_add_triangle(bspi_model_reader *reader, uint32_t a, uint32_t b, uint32_t c);
/* Materials, which live as long as the load, and one skin that uses them in their order: what most formats have. */
bool bspi_set_materials(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count);
/* Each material is a skin of the model's only slot. */
bool bspi_set_skins(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count);
/* Smooth normals (not of unit length) for positions that several corners share; `corners` are 3 for each clockwise
 * triangle, all below `count`. NULL: memory is out. */
float *bspi_smooth_normals(bspi_model_reader *reader, const float *positions, uint32_t count,
                           const uint32_t *corners, uint32_t triangle_count);

/* The one check of all formats: reader -> model. check_model.c */
bool bspi_check_model(bspi_model_reader *reader, bspi_prop_model *out);

#endif
