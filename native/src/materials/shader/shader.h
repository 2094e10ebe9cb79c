/* shader.h - one Quake III shader as its text says it, before images are found and flags are read. */
#ifndef BSPI_SHADER_H
#define BSPI_SHADER_H

#include "materials/materials.h"
#include "materials/shader/script.h"

#define BSPI_MAX_DEFORMS 3             /* tr_local.h MAX_SHADER_DEFORMS */

/* What `surfaceparm` lines say, as far as a picture depends on it. */
typedef enum bspi_surface_parm {
	BSPI_PARM_SKY = 0x1, BSPI_PARM_NODRAW = 0x2, BSPI_PARM_HINT = 0x4, BSPI_PARM_SKIP = 0x8, BSPI_PARM_FOG = 0x10,
	BSPI_PARM_WATER = 0x20, BSPI_PARM_SLIME = 0x40, BSPI_PARM_LAVA = 0x80, BSPI_PARM_CLIP = 0x100,
	BSPI_PARM_TRIGGER = 0x200, BSPI_PARM_TOOL = 0x400, BSPI_PARM_TRANS = 0x800
} bspi_surface_parm;

/* Enemy Territory's short forms: the engine makes the stages itself, from one image. */
typedef enum bspi_implicit {
	BSPI_IMPLICIT_NONE,
	BSPI_IMPLICIT_MAP,                 /* opaque */
	BSPI_IMPLICIT_MASK,                /* alpha test, two-sided */
	BSPI_IMPLICIT_BLEND                /* alpha blending, two-sided */
} bspi_implicit;

typedef struct bspi_shader_stage {
	bspscene_material_pass stage;      /* all but its frames */
	const char *images[BSPI_MAX_FRAMES]; uint32_t image_count;
	bool lit;                          /* the engine multiplies its light in (QFusion's `material`, XreaL's
	                                    * diffuseMap) */
	bspscene_tc_gen cube;              /* images[0] is a cube map that is looked up so; 0: it is none */
	bool left_out;                     /* shows what no picture here has: portals, light directions */
	bool color_gen_set, alpha_gen_set, tc_gen_set;
	bool glows;                        /* a picture NAME_glow beside its own is added without light (DarkPlaces) */
	bool depth_write_set;
	bool is_normal_map;
} bspi_shader_stage;

typedef struct bspi_shader {
	bspscene_material material;        /* the members that come from keywords; the rest is 0 */
	bspscene_sky sky;                  /* the same, of sky and sun */
	bspscene_fog_parms fog;            /* depth 0: none */
	bspscene_deform deforms[BSPI_MAX_DEFORMS]; uint32_t deform_count;
	uint32_t parms;
	bool cull_set, is_sky;
	bspi_implicit implicit;
	const char *implicit_image;        /* "-": the shader's own name */
	const char *sky_box;               /* the names of its sides without their ends; NULL: none */
	const char *sky_sides[6];          /* the names of all sides, in a sky's order; NULL: none */
	const char *editor_image, *light_image, *normal_image; /* NULL: none */
	bspi_shader_stage stages[BSPI_MAX_STAGES]; uint32_t stage_count;
	uint32_t unknown_count, unknown_line; /* keywords nobody knows: their lines were skipped */
	char unknown[64];                  /* the first of them */
	uint32_t unshown_line;             /* of the first keyword whose stage is left out for it; 0: there is none */
	char unshown[64];
	bool too_many_stages;
} bspi_shader;

/* Parses the text behind the opening brace into a zeroed `out`. False: memory is out. No text is an error. */
bool bspi_parse_shader(bspi_ctx *ctx, bspi_script *script, bspi_shader *out);

/* Puts what DarkPlaces draws in place of what the text says. darkplaces_shader.c */
void bspi_settle_for_darkplaces(bspi_shader *shader);

/* Adds what one stage of a shader becomes: itself, its light, its glow. shader_building.c */
bool bspi_build_shader_stage(bspi_materials *materials, const bspi_shader *shader, const bspi_shader_stage *stage);
/* Adds the stages that the engine makes itself: light times the image, or, for cut and blended images, the image times
 * light. */
bool bspi_build_implicit_passes(bspi_materials *materials, bspi_implicit kind, uint32_t image);
/* The six images of a box, `stem`rt and so on; NULL: none. shader_sky.c */
bool bspi_build_shader_sky(bspi_materials *materials, const char *stem, bspscene_sky *sky);
/* The same of the names of all six. */
bool bspi_build_shader_sky_sides(bspi_materials *materials, const char *const names[6], bspscene_sky *sky);
/* The sides of a box, in a sky's order, of the pictures `stem`px, py and so on. Unless there are all, box[0] is
 * NO_INDEX. cube_sides.c */
bool bspi_find_cube_faces(bspi_materials *materials, const char *stem, uint32_t box[6]);
/* The same of what a cubemap stage names; all are one image that is MISSING where there is no such thing. */
bool bspi_find_cube_map(bspi_materials *materials, const char *name, uint32_t box[6]);
/* The stem of the box that worldspawn's `sky` names, looked for where DarkPlaces does; NULL: there is none. */
bool bspi_find_worldspawn_sky(bspi_materials *materials, const char **stem);

/* The state of a parse, for shader.c and shader_stage.c. */
typedef struct bspi_shader_parser {
	bspi_ctx *ctx;
	bspi_script *script;
	bspi_shader *shader;
	bspi_shader_stage *stage;          /* NULL outside of stages */
	bspi_shader_stage *first_texture;  /* of the stage, when it has more than one: what is its alone */
	bool adds_texture;                 /* and the next one is added, else multiplied */
	bool failed;                       /* memory is out */
} bspi_shader_parser;

typedef struct bspi_shader_keyword {
	const char *name;                  /* NULL ends a table */
	void (*read)(bspi_shader_parser *parser); /* NULL: known, means nothing here */
} bspi_shader_keyword;

/* Reads the line of the keyword that is the script's word. A name ending in '*' is a prefix. shader_keywords.c */
void bspi_read_keyword(bspi_shader_parser *parser, const bspi_shader_keyword *keywords);
/* Reads what stands behind an "if", to the end of its line: does it hold? Nonsense does not. shader_condition.c */
bool bspi_read_condition(bspi_script *script);
/* A copy of the word, or NULL after setting `failed`. shader_keywords.c */
const char *bspi_keep_word(bspi_shader_parser *parser);
/* "sin base amplitude phase frequency". shader_keywords.c */
bspscene_wave bspi_read_wave(bspi_shader_parser *parser);
/* What stands behind deformVertexes. shader_deform.c */
void bspi_read_deform(bspi_shader_parser *parser);
/* The whole stage behind its opening brace, closing brace included. */
void bspi_read_shader_stage(bspi_shader_parser *parser);

#endif
