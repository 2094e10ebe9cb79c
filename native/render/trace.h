/* trace.h - the scene's triangles in a ray tracing structure. Only trace.c uses Embree, versions 3 and 4. */
#ifndef BSPR_TRACE_H
#define BSPR_TRACE_H

#include <math.h>
#include <string.h>

#include "memory.h"

/* A mesh placed in the world. Instances of a shared mesh use the same arrays. */
typedef struct bspr_instance {
	const bspscene_mesh *mesh;
	const bspscene_node *node;
	float transform[12];
	float *positions;                  /* positions of the vertices: in the world, or in the mesh's space if the mesh is
	                                    * shared */
	uint32_t *sections;                /* section of each triangle */
	uint8_t *colors;                   /* RGBA colors of the vertices, in place of the mesh's colors; owned; NULL: the
	                                    * mesh's */
	bspscene_light_sample *light;      /* if vertex colors are not stored, the light from which they are computed while
	                                    * drawing; or NULL; owned */
	float light_gain;                  /* the colors that are computed from `light` are divided by this */
	float light_range;                 /* light that a color of 255 stands for; above 1 if the model's light may exceed
	                                    * white */
	uint32_t shape;                    /* index of the instance whose arrays and classes this one shares; NO_INDEX: it
	                                    * shares none */
	uint32_t number;                   /* sort key of coincident surfaces */
	bool mirrored;                     /* the transform reverses the winding of triangles; only set for shared meshes */
} bspr_instance;

static inline bool bspr_is_shared(const bspr_instance *instance)
{
	return instance->shape != BSPSCENE_NO_INDEX;
}

/* Transforms a point of the mesh's space to the world. */
static inline void bspr_transform(const float m[12], const float p[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
}

/* Returns a vertex's position in the world. */
static inline void bspr_vertex_position(const bspr_instance *instance, uint32_t vertex, float out[3])
{
	const float *at = instance->positions + (size_t)vertex * 3;
	if (bspr_is_shared(instance)) bspr_transform(instance->transform, at, out);
	else memcpy(out, at, 3 * sizeof *out);
}

/* How a surface affects rays. */
typedef enum bspr_solidity {
	BSPR_INVISIBLE,                    /* not drawn: rays pass */
	BSPR_TRANSLUCENT,                  /* drawn, but what is behind may show through */
	BSPR_SOLID                         /* ends the ray */
} bspr_solidity;

/* How rays treat a section. */
typedef struct bspr_surface_class {
	bspr_solidity solidity;
	bspscene_cull cull;
	bool sky;
} bspr_surface_class;

typedef struct bspr_hit {
	const bspr_instance *instance;
	const bspscene_section *section;
	uint32_t triangle;
	float distance;
} bspr_hit;

#define BSPR_MAX_HITS 48
#define BSPR_PACKET 16
/* A ray that meets this many surfaces ends without hits, and drawing the picture fails. */
#define BSPR_MOST_MET (1u << 16)

/* The hits of a ray, nearest first. Hits at equal distance are sorted by instance number, then by triangle. If there
 * are too many hits, the farthest translucent ones are dropped. */
typedef struct bspr_hits {
	bspr_hit hits[BSPR_MAX_HITS];
	uint32_t count;
	uint32_t met;                      /* number of surfaces that the ray met, even if they were dropped or face away */
	const bspr_instance *part; const bool *hidden; /* hidden[t]: true if triangle t of the instance `part` is
	                                                * ignored; `part` NULL: no triangle is ignored */
	bool both_sides;                   /* back faces are met too */
	bool no_sky;                       /* sky surfaces are ignored */
	float end;                         /* distance of the solid hit; INFINITY at first */
} bspr_hits;

typedef struct bspr_tracer bspr_tracer;

/* Makes a tracer of `count` instances from `first` on. classes[i][section] belongs to instances[i]. All must outlive
 * the tracer. NULL if memory is out or refused. */
bspr_tracer *bspr_tracer_create(bspr_memory *memory, const bspr_instance *instances,
                                const bspr_surface_class *const *classes, uint32_t first, uint32_t count);
void bspr_tracer_free(bspr_tracer *tracer);
/* Adds the visible surfaces along the ray, up to hits->end or to the first solid surface, which becomes the end.
 * Distances are multiples of the length of `direction`, which need not be 1. Thread-safe. */
void bspr_trace(const bspr_tracer *tracer, const float origin[3], const float direction[3], bspr_hits *hits);
/* Does what bspr_trace does, for up to BSPR_PACKET rays from one origin. This is fastest if they are close to each
 * other. Rays that are not `wanted` are skipped. */
void bspr_trace_packet(const bspr_tracer *tracer, const float origin[3], const float (*directions)[3],
                       const bool *wanted, uint32_t count, bspr_hits *hits);
/* Initializes `hits` with the settings of `like`. */
static inline void bspr_begin_hits(bspr_hits *hits, const bspr_hits *like)
{
	hits->count = hits->met = 0;
	hits->part = like->part;
	hits->hidden = like->hidden;
	hits->both_sides = like->both_sides;
	hits->no_sky = like->no_sky;
	hits->end = INFINITY;
}

#endif
