/* tiki.h - the content of a TIKI script (Heavy Metal: FAKK2, Medal of Honor: Allied Assault and their successors).
 * Also the skeleton of its meshes (SKB 3 and 4, SKD 5 and 6) and animations (SKA 3 and 4, SKC 13 and 14). */
#ifndef BSPI_TIKI_H
#define BSPI_TIKI_H

#include "base/text.h"
#include "models/model.h"

#define BSPI_TIKI_MOST_MESHES 12u      /* the engine's limit */
#define BSPI_TIKI_MOST_SKINS 4u        /* the engine's limit */
#define BSPI_TIKI_NAME_SIZE 64u

/* A line "surface NAME ..." of a script: the shaders for surfaces with that name. There is one shader for each
 * skin. */
typedef struct bspi_tiki_surface {
	char name[BSPI_TIKI_NAME_SIZE];    /* name of a surface, "all", or a prefix and '*' */
	const char *shaders[BSPI_TIKI_MOST_SKINS];
	uint32_t skin_count;
	bool hidden;
} bspi_tiki_surface;

typedef struct bspi_tiki {
	char meshes[BSPI_TIKI_MOST_MESHES][BSPI_PATH_SIZE]; /* game paths */
	uint32_t mesh_count;
	char animation[BSPI_PATH_SIZE];    /* file of the animation that poses the model; "": none */
	uint32_t fitness;                  /* how well `animation` fits the request, a FITS_... of tiki_script.c */
	float scale, origin[3];            /* a vertex is shown at (position + origin) * scale */
	bspi_tiki_surface *surfaces;
	uint32_t surface_count, surface_capacity;
} bspi_tiki;

typedef struct bspi_skeleton_bone {
	char name[BSPI_TIKI_NAME_SIZE], parent[BSPI_TIKI_NAME_SIZE];
	char turn_channel[BSPI_TIKI_NAME_SIZE], place_channel[BSPI_TIKI_NAME_SIZE]; /* names; "": none */
	float turn[4], place[3];           /* relative to the parent; turn is the inverse of the rotation */
	const struct bspi_skeleton_bone *above; /* the parent or NULL; only set while posing, like the next two */
	float to_model[12];
	bool posed;
} bspi_skeleton_bone;

/* The bones of all meshes of a TIKI. Bones of several meshes that have the same name are the same bone. */
typedef struct bspi_skeleton {
	bspi_skeleton_bone *bones;         /* at most BSPI_MODEL_MAX_BONES */
	uint32_t count, capacity;
} bspi_skeleton;

/* The mesh that is being read. */
typedef struct bspi_skeleton_mesh {
	const char *path;
	bspi_bytes file;
	int32_t version, surface_count, surfaces_at;
	uint32_t bones[BSPI_MODEL_MAX_BONES]; /* for each bone of the file, its index in the skeleton */
	uint32_t bone_count;
} bspi_skeleton_mesh;

/* Reads the script, and the scripts that it includes. tiki_script.c */
bool bspi_read_tiki_script(bspi_model_reader *reader, bspi_tiki *out);
/* Returns the script's line for the surface with this name; NULL: the script has none. tiki_script.c */
const bspi_tiki_surface *bspi_find_tiki_surface(const bspi_tiki *tiki, const char *name);

/* Reads the header of mesh->file and adds its bones to the skeleton. skeleton_mesh.c */
bool bspi_read_skeleton_bones(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_skeleton_mesh *mesh);
/* Adds the surfaces of a posed mesh as sections. Their slots begin at reader->section_count. Stores the script's line
 * for each surface in slots[slot]. skeleton_mesh.c */
bool bspi_write_skeleton_mesh(bspi_model_reader *reader, const bspi_tiki *tiki, const bspi_skeleton *skeleton,
                              const bspi_skeleton_mesh *mesh, const bspi_tiki_surface **slots);
/* Poses the skeleton by the requested frame of the animation in `file`. skeleton_pose.c */
bool bspi_pose_skeleton(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_bytes file);

extern const bspi_layout *const bspi_skeleton_mesh_layouts[]; /* this list and the next one end with NULL */
extern const bspi_layout *const bspi_skeleton_pose_layouts[];

#endif
