/* usd.h - what the parts of the USD writer share.
 *
 *     usd.c            the formats usda and usdz of writers.def: the document, and its files in order
 *     usd_text.c       the text of prims, attributes and dictionaries
 *     usd_mesh.c       Mesh and GeomSubset
 *     usd_material.c   Material, UsdPreviewSurface
 *     usd_node.c       Xform, lamps, Camera
 *     usdz.c           the text and its pictures in one package
 *
 * Coordinates have the axes of y_up.h and are in meters. The prim of the root node is the default prim and contains
 * all other prims. */
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
	bspi_lit_section lit;              /* the part of the baked picture that the material shows, if light is baked */
	bool lit_alone; /* the material uses only the baked picture; its coordinates are then "st", the only set that some
	                 * readers know */
	char name[BSPI_USD_NAME_SIZE];
	uint32_t next;                     /* index of another bspi_usd_material made from the same scene material;
	                                    * NO_INDEX: none */
} bspi_usd_material;

/* A section of the current mesh, and the next section with the same material. */
typedef struct bspi_usd_link {
	uint32_t next, first_face;
	bool is_first;
} bspi_usd_link;

/* For one material: the last section that was linked, and the number of its mesh. If `stamp` is not usd->stamp, no
 * section of the current mesh with this material is linked yet. */
typedef struct bspi_usd_last {
	uint32_t stamp, section;
} bspi_usd_last;

typedef struct bspi_usd {
	bspi_writer *writer;
	const bspscene_scene *scene;
	bspi_usd_text text;
	bspi_buffer library;               /* text of all materials, kept until the root prim is open */
	char root[BSPI_USD_NAME_SIZE];
	bspi_names node_names;             /* names of all nodes, and of the prims inside them */
	char (*nodes)[BSPI_USD_NAME_SIZE]; /* the name of each node */

	bspi_picture_set pictures;
	bspi_usd_material *materials; uint32_t material_count;
	uint32_t *first_materials;         /* for each scene material, the index of its first bspi_usd_material */
	uint32_t **section_materials;      /* for each mesh and section, the index of its material; NO_INDEX: nothing is
	                                    * drawn */
	bspi_names material_names;
	bspi_lit lit;                      /* the baked picture; empty unless light is baked */
	uint32_t lit_pictures[BSPI_LIT_MOST_SHEETS]; /* for each sheet of the baked picture, its index in the picture set */
	bspi_picture sky;                  /* the panorama; empty if there is none */
	uint32_t sky_picture;              /* index of the panorama in the picture set */

	bool repeats;                      /* true: each node has a copy of its mesh, so there are no prototypes; they are
	                                    * made all the same if the copies would be too large */
	bool *shared;                      /* for each mesh, true if it is a prototype, to which several nodes refer */
	bspi_usd_link *chain;              /* a link for each section of the current mesh */
	bspi_usd_last *lasts;              /* for each material, the section that was linked last */
	uint32_t stamp;                    /* number of the current mesh */
	bool *lamps;                       /* for each light of the scene, true if it is written as a lamp */
} bspi_usd;

/* Finds the materials of all drawn sections and writes them to their scope. usd_material.c */
bool bspi_usd_put_materials(bspi_usd *usd);

/* True if the material's light has texture coordinates of its own, named "st1". */
static inline bool bspi_usd_has_st1(const bspi_usd_material *material)
{
	return material->look.page != BSPSCENE_NO_INDEX || (material->lit.in_picture && !material->lit_alone);
}

/* bspi_usd_reserve_meshes allocates what the largest mesh needs. bspi_usd_put_mesh writes the prims of a mesh: the
 * first prim is called `name`, and a suffix is added to the names of the others. bspi_usd_is_drawn is true if some
 * section of a mesh is drawn. usd_mesh.c */
bool bspi_usd_reserve_meshes(bspi_usd *usd);
bool bspi_usd_put_mesh(bspi_usd *usd, uint32_t mesh, const char *name);
bool bspi_usd_is_drawn(const bspi_usd *usd, uint32_t mesh);

/* Writes all nodes. The first node is the root, which also contains the materials and the shared meshes. usd_node.c */
bool bspi_usd_put_nodes(bspi_usd *usd);

/* Writes the document and its pictures as one package. usdz.c */
bool bspi_usd_put_package(bspi_usd *usd);

#endif
