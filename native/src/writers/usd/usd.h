/* usd.h - what the parts of the USD writer share.
 *
 *     usd.c            the rows usda and usdz: the document, and its files in order
 *     usd_text.c       prims, attributes and dictionaries -> text
 *     usd_mesh.c       meshes -> Mesh and GeomSubset
 *     usd_material.c   looks -> Material, UsdPreviewSurface
 *     usd_node.c       nodes -> Xform, lamps, Camera
 *     usdz.c           the text and its pictures -> one package
 *
 * Space is as y_up.h has it, in meters. All prims lie below the root node's, the default prim. */
#ifndef BSPI_USD_H
#define BSPI_USD_H

#include "writers/lit/lit.h"
#include "writers/picture_set.h"
#include "writers/scene_facts.h"
#include "writers/sky/written_sky.h"
#include "writers/usd/usd_text.h"
#include "writers/light/vertex_color.h"
#include "writers/writer_costs.h"
#include "writers/y_up.h"

typedef struct bspi_usd_material {
	bspi_look look;
	bspi_lit_section lit;              /* when light is baked */
	bool lit_alone;                    /* needs that picture alone, on "st": some readers know no other set */
	char name[BSPI_USD_NAME_SIZE];
	uint32_t next;                     /* of the same scene material */
} bspi_usd_material;

/* A section, and the next one of its material. */
typedef struct bspi_usd_link {
	uint32_t next, first_face;
	bool is_first;
} bspi_usd_link;

/* The last section of a material so far; of the mesh in work when the stamp is its. */
typedef struct bspi_usd_last {
	uint32_t stamp, section;
} bspi_usd_last;

typedef struct bspi_usd {
	bspi_writer *writer;
	const bspscene_scene *scene;
	bspi_usd_text text;
	bspi_buffer library;               /* the materials, until the root is there */
	char root[BSPI_USD_NAME_SIZE];
	bspi_names node_names;             /* of nodes and what is in them, over all the document */
	char (*nodes)[BSPI_USD_NAME_SIZE]; /* name of each */

	bspi_picture_set pictures;
	bspi_usd_material *materials; uint32_t material_count;
	uint32_t *first_materials;         /* per scene material */
	uint32_t **section_materials;      /* per mesh, of each section; NO_INDEX: nothing to draw */
	bspi_names material_names;
	bspi_lit lit;                      /* when light is baked */
	uint32_t lit_pictures[BSPI_LIT_MOST_SHEETS]; /* of the pictures, per sheet of it */
	bspi_picture sky;                  /* the panorama, where there is one */
	uint32_t sky_picture;              /* the same */

	bool *shared;                      /* per mesh: several nodes show it, by reference to one prim */
	bspi_usd_link *chain;              /* of the mesh in work, per section */
	bspi_usd_last *lasts;              /* per material */
	uint32_t stamp;                    /* tells meshes apart */
	bool *lamps;                       /* per light of the scene: is written */
} bspi_usd;

/* usd_material.c: finds the materials of all sections that are drawn, and puts them into their scope. */
bool bspi_usd_put_materials(bspi_usd *usd);

/* Does light take coordinates of its own, "st1"? */
static inline bool bspi_usd_has_st1(const bspi_usd_material *material)
{
	return material->look.page != BSPSCENE_NO_INDEX || (material->lit.in_picture && !material->lit_alone);
}

/* usd_mesh.c: the prims of a mesh, the first of that name. */
bool bspi_usd_reserve_meshes(bspi_usd *usd);
bool bspi_usd_put_mesh(bspi_usd *usd, uint32_t mesh, const char *name);
bool bspi_usd_is_drawn(const bspi_usd *usd, uint32_t mesh);

/* usd_node.c: all nodes. The first is the root, in which the library is too. */
bool bspi_usd_put_nodes(bspi_usd *usd);
/* usd.c: materials, and meshes that several nodes show. */
bool bspi_usd_put_library(bspi_usd *usd);

/* usdz.c */
bool bspi_usd_put_package(bspi_usd *usd);

#endif
