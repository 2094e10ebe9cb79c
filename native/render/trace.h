/* trace.h - the scene's triangles in a ray structure. The only file that knows Embree, versions 3 and 4. */
#ifndef BSPR_TRACE_H
#define BSPR_TRACE_H

#include "memory.h"

/* A mesh placed in the world: positions and normals of its vertices there. */
typedef struct bspr_instance {
	const bspscene_mesh *mesh;
	const bspscene_node *node;
	float transform[12];
	float *positions;                  /* world space; owned */
	uint32_t *sections;                /* of each triangle; owned */
	uint8_t *colors;                   /* RGBA of its vertices instead of the mesh's, or NULL; owned */
} bspr_instance;

/* How a surface takes part in the search. */
typedef enum bspr_solidity {
	BSPR_INVISIBLE,                    /* not drawn: rays go through */
	BSPR_TRANSLUCENT,                  /* drawn, but what is behind may show */
	BSPR_SOLID                         /* ends the ray */
} bspr_solidity;

/* By section: solidity, and which side is drawn. */
typedef struct bspr_surface_class {
	bspr_solidity solidity;
	bspscene_cull cull;
} bspr_surface_class;

typedef struct bspr_hit {
	float distance;
	const bspr_instance *instance;
	uint32_t triangle, section;
} bspr_hit;

#define BSPR_MAX_HITS 48

/* Nearest first; when there are more than fit, the farthest translucent ones are left out. */
typedef struct bspr_hits {
	bspr_hit hits[BSPR_MAX_HITS];
	uint32_t count;
	uint32_t met;                      /* all that the ray met, those left out and turned away too */
	const bspr_instance *part; const bool *hidden; /* of this instance, the triangles that are not met; or NULL */
	bool both_sides;                   /* what faces away is met too */
	float end;                         /* where a solid one ends the ray; begin with INFINITY */
} bspr_hits;

typedef struct bspr_tracer bspr_tracer;

/* `count` instances from `first` on. classes[i][section] belongs to instances[i]; all must outlive the tracer. NULL:
 * out of memory, or it was refused. */
bspr_tracer *bspr_tracer_create(bspr_memory *memory, const bspr_instance *instances,
                                const bspr_surface_class *const *classes, uint32_t first, uint32_t count);
void bspr_tracer_free(bspr_tracer *tracer);
/* Adds all visible surfaces along the ray, up to its end or the first solid one, which becomes its end. `direction` is
 * of any length: distances are in its lengths. Safe from several threads. */
void bspr_trace(const bspr_tracer *tracer, const float origin[3], const float direction[3], bspr_hits *hits);

#endif
