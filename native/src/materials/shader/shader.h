/* shader.h - a Quake III shader as its script defines it, before its images are searched and the flags of its textures
 * are applied. */
#ifndef BSPI_SHADER_H
#define BSPI_SHADER_H

#include "materials/materials.h"
#include "materials/shader/script.h"
#include "materials/shader/script_index.h"

#define BSPI_MAX_DEFORMS 3             /* the engine's limit (tr_local.h MAX_SHADER_DEFORMS) */

/* Words of `surfaceparm` lines that change how a surface looks. */
typedef enum bspi_surface_parm {
	BSPI_PARM_SKY = 0x1, BSPI_PARM_NODRAW = 0x2, BSPI_PARM_HINT = 0x4, BSPI_PARM_SKIP = 0x8, BSPI_PARM_FOG = 0x10,
	BSPI_PARM_WATER = 0x20, BSPI_PARM_SLIME = 0x40, BSPI_PARM_LAVA = 0x80, BSPI_PARM_CLIP = 0x100,
	BSPI_PARM_TRIGGER = 0x200, BSPI_PARM_TOOL = 0x400, BSPI_PARM_TRANS = 0x800
} bspi_surface_parm;

/* Enemy Territory's keywords implicitMap, implicitMask and implicitBlend: the engine generates the stages from one
 * image. */
typedef enum bspi_implicit {
	BSPI_IMPLICIT_NONE,
	BSPI_IMPLICIT_MAP,                 /* opaque */
	BSPI_IMPLICIT_MASK,                /* alpha test, two-sided */
	BSPI_IMPLICIT_BLEND                /* alpha blending, two-sided */
} bspi_implicit;

typedef struct bspi_shader_stage {
	bspscene_material_pass stage;      /* everything except the images of its frames */
	const char *images[BSPI_MAX_FRAMES]; uint32_t image_count;
	bool lit; /* the stage is multiplied by light in the same pass (QFusion's `material`, XreaL's diffuseMap) */
	bspscene_tc_gen cube;              /* images[0] is a cube map, sampled with these coordinates; 0: it is not a cube
	                                    * map */
	bool left_out;                     /* the stage cannot be shown: portal, light directions and similar */
	bool color_gen_set, alpha_gen_set, tc_gen_set;
	bool glows;                        /* the image NAME_glow, if it exists next to image NAME, is added without light
	                                    * (DarkPlaces) */
	bool depth_write_set;
	bool is_normal_map;
} bspi_shader_stage;

typedef struct bspi_shader {
	const struct bspi_script_index *templates; /* definitions in which the keyword `template` searches, set by the
	                                            * caller; NULL: none */
	bspscene_material material;        /* only the members that keywords set; all others are 0 */
	bspscene_sky sky;                  /* only the members for sky box and sun that keywords set; all others are 0 */
	bspscene_fog_parms fog;            /* a depth of 0 means that there is no fog */
	bspscene_deform deforms[BSPI_MAX_DEFORMS]; uint32_t deform_count;
	uint32_t parms;
	bool cull_set, is_sky;
	bspi_implicit implicit;
	const char *implicit_image;        /* name of the image; "-": the image has the shader's name */
	const char *sky_box;               /* name of the sky box without the suffixes of its sides; NULL: none */
	const char *sky_sides[6];          /* image names of the six sides, in the order of bspscene_sky.box; NULL: none */
	const char *editor_image, *light_image, *normal_image; /* NULL: none */
	bspi_shader_stage stages[BSPI_MAX_STAGES]; uint32_t stage_count;
	uint32_t unknown_count, unknown_line; /* number of unknown keywords, whose lines were skipped; line of the first
	                                       * one */
	char unknown[64];                  /* the first unknown keyword */
	uint32_t unshown_line;             /* line of the first keyword because of which a stage is not shown; 0: none */
	char unshown[64];
	bool too_many_stages;
} bspi_shader;

/* Parses the text after the opening brace into `out`. The caller sets `templates` in `out` and zeroes the rest. Returns
 * false only if memory is out: any text is accepted. */
bool bspi_parse_shader(bspi_ctx *ctx, bspi_script *script, bspi_shader *out);

/* Changes a shader so that it describes what DarkPlaces draws. darkplaces_shader.c */
void bspi_settle_for_darkplaces(bspi_shader *shader);

/* Adds the scene's passes for one stage of a shader: the stage itself, its light and its glow. shader_building.c */
bool bspi_build_shader_stage(bspi_materials *materials, const bspi_shader *shader, const bspi_shader_stage *stage);
/* Adds the passes that the engine generates for one image. Opaque images are multiplied over a pass of light. Cut-out
 * and blended images are drawn first, and light is multiplied over them. */
bool bspi_build_implicit_passes(bspi_materials *materials, bspi_implicit kind, uint32_t image);
/* Stores the light styles of all faces in the definitions of their shaders. `definitions` has an element for each
 * texture of the map, NULL without a definition. styled_light.c */
bool bspi_collect_styles(bspi_materials *materials, bspi_definition *const *definitions);
/* Adds the passes that add the light of a face's second and later styles over its textures. `styles` may be NULL: there
 * are no such styles. */
bool bspi_add_styled_passes(bspi_materials *materials, const bspi_style_set *styles, bspscene_material *material);
/* Finds the six images of a sky box: `stem` with the suffixes rt, bk and so on. If `stem` is NULL, there is no box.
 * shader_sky.c */
bool bspi_build_shader_sky(bspi_materials *materials, const char *stem, bspscene_sky *sky);
/* Finds the six images of a sky box by their names. */
bool bspi_build_shader_sky_sides(bspi_materials *materials, const char *const names[6], bspscene_sky *sky);
/* Finds the six images of a cube map, `stem` with the suffixes px, py and so on, and stores them in the order of
 * bspscene_sky.box. Unless all exist, box[0] is NO_INDEX. cube_sides.c */
bool bspi_find_cube_faces(bspi_materials *materials, const char *stem, uint32_t box[6]);
/* Finds the six images of a stage's cube map. If there are none, all sides are the same MISSING image. */
bool bspi_find_cube_map(bspi_materials *materials, const char *name, uint32_t box[6]);
/* Finds the sky box that the key `sky` of worldspawn names, in the folders that DarkPlaces searches. Sets *stem to NULL
 * if there is none. */
bool bspi_find_worldspawn_sky(bspi_materials *materials, const char **stem);

/* The state of parsing a shader, for shader.c and shader_stage.c. */
typedef struct bspi_shader_parser {
	bspi_ctx *ctx;
	bspi_script *script;
	bspi_shader *shader;
	bspi_shader_stage *stage;          /* the current stage; NULL outside of stages */
	bspi_shader_stage *first_texture;  /* in a stage with two textures: the first texture and its properties */
	bool adds_texture;                 /* the second texture is added to the first one; false: multiplied */
	uint32_t template_count;           /* number of templates that replaced the script so far */
	bool failed;                       /* true if memory is out */
} bspi_shader_parser;

typedef struct bspi_shader_keyword {
	const char *name;                  /* NULL in the last element */
	void (*read)(bspi_shader_parser *parser); /* NULL: the keyword is known, but ignored */
} bspi_shader_keyword;

/* Reads a line that begins with the script's current word, a keyword. In the table, a name that ends in '*' is a
 * prefix. shader_keywords.c */
void bspi_read_keyword(bspi_shader_parser *parser, const bspi_shader_keyword *keywords);
/* Counts the script's current word as an unknown keyword. shader_keywords.c */
void bspi_note_unknown(bspi_shader_parser *parser);
/* Evaluates the condition after "if", up to the end of the line. A condition that cannot be parsed is false.
 * shader_condition.c */
bool bspi_read_condition(bspi_script *script);
/* Returns a copy of the script's current word. If memory is out, sets `failed` and returns NULL. shader_keywords.c */
const char *bspi_keep_word(bspi_shader_parser *parser);
/* Reads "sin base amplitude phase frequency". shader_keywords.c */
bspscene_wave bspi_read_wave(bspi_shader_parser *parser);
/* Replaces the rest of the script by the template that the line names. If there is no such template, counts the keyword
 * as unknown. shader_template.c */
void bspi_read_template(bspi_shader_parser *parser);
/* Reads the rest of a deformVertexes line. shader_deform.c */
void bspi_read_deform(bspi_shader_parser *parser);
/* Reads a stage from after its opening brace up to its closing brace. shader_stage.c */
void bspi_read_shader_stage(bspi_shader_parser *parser);

#endif
