/* model.h - the interface between model formats and the neutral model: posed triangles in the map's axes, with
 * materials.
 *
 * A format is one file in models/ with a bspi_model_format, and a row in formats.def. Its reader turns bytes into
 * vertices and clockwise triangles by the functions below, and checks only what it needs for reading. bspi_read_model
 * then checks indices, numbers, normals, sections and skins of all formats. */
#ifndef BSPI_MODEL_H
#define BSPI_MODEL_H

#include "map/map.h"
#include "map/layout.h"

/* Limits for the work of hostile models. Real models are far below them, although these often exceed the limits of
 * their formats. */
#define BSPI_MODEL_MAX_VERTICES 1048576u
#define BSPI_MODEL_MAX_TRIANGLES 2097152u
#define BSPI_MODEL_MAX_SECTIONS 4096u
#define BSPI_MODEL_MAX_MATERIALS 1024u
#define BSPI_MODEL_MAX_SKINS 1024u
#define BSPI_MODEL_MAX_BONES 256u
#define BSPI_MODEL_MAX_PICTURE 8192u

/* Largest number of files of one model. */
#define BSPI_MODEL_MAX_FILES 4

/* How a material is drawn if no shader of its name exists. */
typedef enum bspi_model_flag {
	BSPI_MODEL_FLAT = 0x1,             /* lit evenly, independently of its normals */
	BSPI_MODEL_CHROME = 0x2,           /* the texture is an environment map */
	BSPI_MODEL_BRIGHT = 0x4,           /* unlit */
	BSPI_MODEL_ADDITIVE = 0x8,
	BSPI_MODEL_MASKED = 0x10,          /* the palette's last index is transparent */
	BSPI_MODEL_TWO_SIDED = 0x20,
	BSPI_MODEL_INDEX_ALPHA = 0x40,     /* an index is the opacity of the palette's last color */
	BSPI_MODEL_GLOWING = 0x80,         /* indices from 224 on glow */
	BSPI_MODEL_BLENDED = 0x100,
	BSPI_MODEL_LIT = 0x200,            /* lit by the model's vertices, even if its material is unlit */
	BSPI_MODEL_CLAMPED = 0x400         /* the texture does not repeat */
} bspi_model_flag;

/* A texture of a model: a name for the map's material rules, or pixels in the model. */
typedef struct bspi_model_material {
	const char *name;                  /* name in the file; "": none */
	bool picture_file;                 /* the name is an image's, never a shader's */
	uint32_t flags;                    /* bspi_model_flag */
	bspi_bytes pixels;                 /* width * height indices or RGBA pixels; empty: the name finds an image */
	uint32_t width, height;
	bool rgba;
	bspi_bytes palette;                /* palette of the indices; empty: the game's palette */
	const bspi_texture *texture;       /* a texture of a map, drawn by the map's rules; else NULL */
} bspi_model_material;

typedef struct bspi_model_section {
	uint32_t slot;                     /* column of `skins` */
	uint32_t first_vertex, vertex_count;
	uint32_t first_index, index_count;
} bspi_model_section;

typedef struct bspi_model_vertex {
	float position[3], normal[3], uv[2]; /* a normal of length 0 is computed from the triangles */
	uint8_t light[4];                  /* RGBA like maps store vertex light; used if the model is `lit` */
	uint32_t number;                   /* index of its color in stored light; less than number_count, unless that is
	                                    * 0 */
} bspi_model_vertex;

typedef struct bspi_model_format bspi_model_format;
typedef struct bspi_rig bspi_rig;

/* How a sprite turns to the viewer; the values are those of files. */
typedef enum bspi_sprite_turn {
	BSPI_SPRITE_UPRIGHT,               /* parallel to the screen, but upright */
	BSPI_SPRITE_FACING_UPRIGHT,        /* toward the eye, but upright */
	BSPI_SPRITE_PARALLEL,              /* parallel to the screen */
	BSPI_SPRITE_ORIENTED,              /* fixed, by the entity's angles */
	BSPI_SPRITE_PARALLEL_ORIENTED      /* parallel to the screen, rotated by the entity's roll */
} bspi_sprite_turn;

/* A checked model. Vertex arrays are shared with the scene, in the result arena; the rest is in scratch. */
typedef struct bspi_prop_model {
	const bspi_model_format *format;
	uint32_t vertex_count, index_count;
	const float *positions, *normals, *uvs;
	const uint8_t *light;              /* stored light, RGBA; NULL: lit by its surroundings */
	const uint32_t *indices;           /* counter-clockwise */
	const bspi_model_section *sections; uint32_t section_count;
	const bspi_model_material *materials; uint32_t material_count;
	const uint32_t *skins;             /* skin_count rows of slot_count material indices */
	uint32_t skin_count, slot_count;   /* both at least 1 */
	bspscene_bounds bounds;            /* bounds of the vertices */
	float light_point[3];              /* where the light of the whole model is sampled */
	bool lit;                          /* its vertices have stored light */
	/* Static props of Source: checksum and number of colors that a file with stored light for this model must have. */
	uint32_t checksum, number_count;
	const uint32_t *numbers;           /* for each vertex, the index of its color in stored light */
	bool turned_by_view;               /* the model is a sprite that turns to the viewer, and how it turns */
	bspi_sprite_turn turn;
	bool glows;                        /* a sprite with the same size on screen at any distance, which fades */
	bool sized_by_picture;             /* a sprite of 1 x 1 that gets the size of its texture */
	const bspscene_rig *rig;           /* animation; NULL: there is none, or it was not requested. The following arrays
	                                    * are as in bspscene_mesh */
	const uint8_t *joints;
	const float *weights, *frame_positions, *frame_normals;
} bspi_prop_model;

/* How a model is shown. All zero: as the game shows it when a map starts. */
typedef struct bspi_model_state {
	uint32_t body;                     /* packed choice of its body groups */
	uint32_t frame;
	const char *sequence;              /* index or name; NULL: the initial one */
	bool is_static;                    /* a static prop: drawn in the compiled pose */
	bool rigged;                       /* read the animation */
	uint32_t sprite_mode;              /* 1 + the entity's render mode; 0: as the file says */
} bspi_model_state;

/* Input and result of a reader. */
typedef struct bspi_model_reader {
	bspi_ctx *ctx;
	const char *path;                  /* folded game path; names of further files derive from it */
	bspi_model_state state;
	bspi_bytes file;
	bspi_model_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity; /* clockwise, relative to the section's vertices */
	bspi_model_section *sections; uint32_t section_count, section_capacity;
	bspi_prop_model model;                  /* the reader sets materials, skins and other properties */
	bspi_rig *rig;                     /* animation, see rig/model_rig.h; NULL: not requested */
	char why[200];                     /* reason why the file is refused */
} bspi_model_reader;

struct bspi_model_format {
	const char *id, *title;            /* short and full name, such as "md3" and "MD3 15 (Quake III)" */
	bool (*bid)(bspi_bytes file);      /* true if the content is of this format; the name does not count */
	/* False: Reads the model. False if the file is refused (reader->why) or the load failed (ctx->error). */
	bool (*read)(bspi_model_reader *reader);
	/* layouts of all records, by file; each list ends with NULL; for tests of all tables */
	const bspi_layout *const *layouts[BSPI_MODEL_MAX_FILES];
	const char *endings;               /* ".mdl .md2": extensions of paths that entities use for such models */
};

/* All rows of formats.def, in order. */
extern const bspi_model_format *const bspi_model_formats[];
extern const uint32_t bspi_model_format_count;

#define BSPI_MODEL_FORMAT(name) extern const bspi_model_format bspi_model_format_##name;
#include "models/formats.def"
#undef BSPI_MODEL_FORMAT

/* True if an entity's path names a model: of a format above, a material used as a sprite, or a known unsupported
 * format, which is reported. read_model.c */
bool bspi_is_model_path(const char *path);

/* Reads `file`, which was found at `path`. False if it is refused (*why says why, and *out is invalid) or the load
 * failed (ctx->error is set). Repairs are counted. read_model.c */
bool bspi_read_model(bspi_ctx *ctx, const char *path, bspi_bytes file, const bspi_model_state *state,
                     bspi_prop_model *out, const char **why);
/* Reads the sprite that a Source material stands for: "sprites/glow01.vmt", or the same with .spr. *found is false if
 * there is no such material. False: the load failed. sprite_material.c */
bool bspi_read_sprite_material(bspi_ctx *ctx, const char *path, const bspi_model_state *state, bspi_prop_model *out,
                               bool *found);

/* ---- For readers: model_reader.c ---- */

/* Sets the reason for refusing the file. Returns false. */
bool bspi_refuse_model(bspi_model_reader *reader, const char *format, ...) BSPI_PRINTF(2, 3);
/* Decodes `count` records of a layout from `offset` of `file` into scratch. NULL if they exceed the file or `most`
 * (refused), or the load failed. */
void *bspi_take_records(bspi_model_reader *reader, bspi_bytes file, const bspi_layout *layout, int64_t offset,
                        int64_t count, uint32_t most);
/* Returns the part of `file` from `offset` to its end. */
bool bspi_take_rest(bspi_model_reader *reader, bspi_bytes file, int64_t offset, const char *what, bspi_bytes *out);
/* Returns `size` bytes of the file. */
bool bspi_take_bytes(bspi_model_reader *reader, bspi_bytes file, int64_t offset, uint64_t size, const char *what,
                     bspi_bytes *out);
/* Returns the string at `offset` up to its NUL or the file's end, in UTF-8; "" outside of the file. NULL if memory is
 * out. */
const char *bspi_take_text(bspi_model_reader *reader, bspi_bytes file, int64_t offset);
/* Reads a file that the model names, by game path, into scratch. *found is false if there is none. */
bool bspi_open_part(bspi_model_reader *reader, const char *path, bspi_bytes *out, bool *found);
/* Reads the file with `path` and another extension ("models/a.mdl", ".vvd") into scratch. *found is false if there is
 * none. */
bool bspi_open_model_sibling(bspi_model_reader *reader, const char *ending, bspi_bytes *out, bool *found);

/* Begins the next range of vertices and triangles, which has one material. */
bool bspi_begin_section(bspi_model_reader *reader, uint32_t slot);
bool bspi_add_vertex(bspi_model_reader *reader, const bspi_model_vertex *vertex);
/* Adds a clockwise triangle of vertices of the section. The check drops invalid ones. */
bool bspi_add_triangle(bspi_model_reader *reader, uint32_t a, uint32_t b, uint32_t c);
/* Sets materials, which must live as long as the load, and one skin that uses them in order, like most formats have. */
bool bspi_set_materials(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count);
/* Sets materials as skins of a single slot. */
bool bspi_set_skins(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count);
/* Computes smooth normals (not of unit length) for positions shared by several corners. `corners` has 3 for each
 * clockwise triangle, all below `count`. NULL if memory is out. */
float *bspi_smooth_normals(bspi_model_reader *reader, const float *positions, uint32_t count,
                           const uint32_t *corners, uint32_t triangle_count);

/* Checks what a reader found, and makes the model. check_model.c */
bool bspi_check_model(bspi_model_reader *reader, bspi_prop_model *out);

#endif
