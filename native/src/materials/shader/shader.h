/* shader.h - a Quake III shader as its script defines it, before images are searched and flags applied. */
#ifndef BSPI_SHADER_H
#define BSPI_SHADER_H

#include "materials/materials.h"
#include "materials/shader/script.h"
#include "materials/shader/script_index.h"

#define BSPI_MAX_DEFORMS 3             /* tr_local.h MAX_SHADER_DEFORMS */

/* Flags of `surfaceparm` lines that affect pictures. */
typedef enum bspi_surface_parm {
	BSPI_PARM_SKY = 0x1, BSPI_PARM_NODRAW = 0x2, BSPI_PARM_HINT = 0x4, BSPI_PARM_SKIP = 0x8, BSPI_PARM_FOG = 0x10,
	BSPI_PARM_WATER = 0x20, BSPI_PARM_SLIME = 0x40, BSPI_PARM_LAVA = 0x80, BSPI_PARM_CLIP = 0x100,
	BSPI_PARM_TRIGGER = 0x200, BSPI_PARM_TOOL = 0x400, BSPI_PARM_TRANS = 0x800
} bspi_surface_parm;

/* Short forms of Enemy Territory, for which the engine generates the stages from one image. */
typedef enum bspi_implicit {
	BSPI_IMPLICIT_NONE,
	BSPI_IMPLICIT_MAP,                 /* opaque */
	BSPI_IMPLICIT_MASK,                /* alpha test, two-sided */
	BSPI_IMPLICIT_BLEND                /* alpha blending, two-sided */
} bspi_implicit;

typedef struct bspi_shader_stage {
	bspscene_material_pass stage;      /* all except its frames */
	const char *images[BSPI_MAX_FRAMES]; uint32_t image_count;
	bool lit; /* multiplied by light in the same pass (QFusion's `material`, XreaL's diffuseMap) */
	bspscene_tc_gen cube;              /* images[0] is a cube map with this lookup; 0: no cube map */
	bool left_out;                     /* cannot be shown: portals, light directions */
	bool color_gen_set, alpha_gen_set, tc_gen_set;
	bool glows;                        /* an image NAME_glow next to its own is added unlit (DarkPlaces) */
	bool depth_write_set;
	bool is_normal_map;
} bspi_shader_stage;

typedef struct bspi_shader {
	const struct bspi_script_index *templates; /* definitions that `template` finds, set by the caller; NULL: none */
	bspscene_material material;        /* members set by keywords; others are 0 */
	bspscene_sky sky;                  /* members for sky and sun that keywords set; others are 0 */
	bspscene_fog_parms fog;            /* depth 0: none */
	bspscene_deform deforms[BSPI_MAX_DEFORMS]; uint32_t deform_count;
	uint32_t parms;
	bool cull_set, is_sky;
	bspi_implicit implicit;
	const char *implicit_image;        /* "-": the image with the shader's name */
	const char *sky_box;               /* name without the sides' suffixes; NULL: none */
	const char *sky_sides[6];          /* names of all sides in a sky's order; NULL: none */
	const char *editor_image, *light_image, *normal_image; /* NULL: none */
	bspi_shader_stage stages[BSPI_MAX_STAGES]; uint32_t stage_count;
	uint32_t unknown_count, unknown_line; /* unknown keywords, whose lines were skipped */
	char unknown[64];                  /* the first one */
	uint32_t unshown_line;             /* line of the first keyword that hides its stage; 0: none */
	char unshown[64];
	bool too_many_stages;
} bspi_shader;

/* Parses the text after the opening brace into `out`, zeroed but for `templates`. False only if memory is out: no text
 * is an error. */
bool bspi_parse_shader(bspi_ctx *ctx, bspi_script *script, bspi_shader *out);

/* Changes a shader so that it describes what DarkPlaces draws. darkplaces_shader.c */
void bspi_settle_for_darkplaces(bspi_shader *shader);

/* Adds the scene's stages for one stage of a shader: itself, its light, its glow. shader_building.c */
bool bspi_build_shader_stage(bspi_materials *materials, const bspi_shader *shader, const bspi_shader_stage *stage);
/* Adds the stages that the engine generates: light times image or, for cut-out and blended images, image times
 * light. */
bool bspi_build_implicit_passes(bspi_materials *materials, bspi_implicit kind, uint32_t image);
/* Notes the light styles of all faces in the definitions of their shaders. `definitions` has one for each texture, or
 * NULL. styled_light.c */
bool bspi_collect_styles(bspi_materials *materials, bspi_definition *const *definitions);
/* Adds the passes by which further styles shine over textures. NULL: there are no such styles. */
bool bspi_add_styled_passes(bspi_materials *materials, const bspi_style_set *styles, bspscene_material *material);
/* Finds the six images of a box, `stem`rt and so on. NULL: no box. shader_sky.c */
bool bspi_build_shader_sky(bspi_materials *materials, const char *stem, bspscene_sky *sky);
/* Finds the six images of a box by their names. */
bool bspi_build_shader_sky_sides(bspi_materials *materials, const char *const names[6], bspscene_sky *sky);
/* Finds the sides of a box in a sky's order from the images `stem`px, py and so on. Unless all exist, box[0] is
 * NO_INDEX. cube_sides.c */
bool bspi_find_cube_faces(bspi_materials *materials, const char *stem, uint32_t box[6]);
/* Finds the sides of a stage's cubemap. If there is none, all sides are one MISSING image. */
bool bspi_find_cube_map(bspi_materials *materials, const char *name, uint32_t box[6]);
/* Finds the box of worldspawn's `sky` in the folders that DarkPlaces searches; NULL if there is none. */
bool bspi_find_worldspawn_sky(bspi_materials *materials, const char **stem);

/* The state of a parse, for shader.c and shader_stage.c. */
typedef struct bspi_shader_parser {
	bspi_ctx *ctx;
	bspi_script *script;
	bspi_shader *shader;
	bspi_shader_stage *stage;          /* NULL outside of stages */
	bspi_shader_stage *first_texture;  /* the first texture of a stage with several, with its own properties */
	bool adds_texture;                 /* the next one is added, else multiplied */
	uint32_t template_count;           /* templates that replaced the script */
	bool failed;                       /* memory is out */
} bspi_shader_parser;

typedef struct bspi_shader_keyword {
	const char *name;                  /* NULL ends the table */
	void (*read)(bspi_shader_parser *parser); /* NULL: known, but ignored */
} bspi_shader_keyword;

/* Reads the line of the script's current keyword. A table name that ends in '*' is a prefix. shader_keywords.c */
void bspi_read_keyword(bspi_shader_parser *parser, const bspi_shader_keyword *keywords);
/* Counts the script's word as an unknown keyword. shader_keywords.c */
void bspi_note_unknown(bspi_shader_parser *parser);
/* Evaluates the condition after "if", to the end of its line. Nonsense is false. shader_condition.c */
bool bspi_read_condition(bspi_script *script);
/* Returns a copy of the word, or NULL after setting `failed`. shader_keywords.c */
const char *bspi_keep_word(bspi_shader_parser *parser);
/* Reads "sin base amplitude phase frequency". shader_keywords.c */
bspscene_wave bspi_read_wave(bspi_shader_parser *parser);
/* Replaces the rest of the script by a template. Without one the keyword counts as unknown. shader_template.c */
void bspi_read_template(bspi_shader_parser *parser);
/* Reads the rest of a deformVertexes line. shader_deform.c */
void bspi_read_deform(bspi_shader_parser *parser);
/* Reads a stage after its opening brace, including the closing brace. */
void bspi_read_shader_stage(bspi_shader_parser *parser);

#endif
