/* extents.c - computes how many luxels a face has (Quake, GoldSrc, Quake II, Nightfire). The file does not store the
 * number. Engines and map compilers both compute it from the vertices. If it is rounded differently, all further rows
 * of luxels are shifted. So the result is compared with the distance to the light of the next face. */
#include "stages/geometry/geometry.h"
#include "stages/light/light.h"

#include <math.h>

#include "base/prefetch.h"
#include "base/radix_sort.h"

#define LARGEST_BLOCK 1024             /* largest width and height in luxels; engines allow 17 to 35 */
#define LARGEST_TEXEL 16777216.0f      /* largest texture coordinate in texels; larger floats have no fraction */

/* How the map compiler computed a sum of products: with 80 bits and one rounding to a float (x87), in floats (SSE),
 * or in doubles. The first method is right for nearly all maps, except for those whose light was computed again by
 * later tools. docs/formats/quake.md, "How many luxels a face has", has counts. */
typedef enum sum_method { SUM_ROUNDED_ONCE, SUM_FLOAT, SUM_DOUBLE, SUM_METHOD_COUNT } sum_method;

static inline double project(const float position[3], const float vector[4], sum_method method)
{
	if (method == SUM_FLOAT) {
		/* Each operation is a statement of its own. Within one statement, a compiler may replace product and sum by one
		 * operation that rounds only once (FMA). */
		float x = position[0] * vector[0];
		float y = position[1] * vector[1];
		float z = position[2] * vector[2];
		float sum = x + y;
		sum = sum + z;
		sum = sum + vector[3];
		return (double)sum;
	}
	double sum = (double)position[0] * (double)vector[0] + (double)position[1] * (double)vector[1] +
	             (double)position[2] * (double)vector[2] + (double)vector[3];
	return method == SUM_DOUBLE ? sum : (double)(float)sum;
}

static uint32_t corner_count(const bspi_face *face)
{
	int32_t count = 0;
	if (face->kind == BSPI_FACE_PROJECTED) count = face->vertex_count;
	if (face->kind == BSPI_FACE_POLYGON) count = face->edge_count;
	return count > 0 ? (uint32_t)count : 0;
}

typedef struct texel_range {
	double min[2], max[2];
} texel_range;

/* Callers give a constant `method`, so that the compiler makes a fast loop for each method. */
static inline texel_range project_corners(const bspi_map *map, const bspi_face *face, uint32_t count,
                                          const float (*vectors)[4], sum_method method)
{
	texel_range out = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
	bool own = face->kind == BSPI_FACE_PROJECTED;
	for (uint32_t i = 0; i < count; i++) {
		const float *position = own ? map->draw_vertices[face->first_vertex + (int32_t)i].position
		                            : bspi_surfedge_position(map, face->first_edge + (int32_t)i);
		for (int axis = 0; axis < 2; axis++) {
			double at = project(position, vectors[axis], method);
			out.min[axis] = at < out.min[axis] ? at : out.min[axis];
			out.max[axis] = at > out.max[axis] ? at : out.max[axis];
		}
	}
	return out;
}

static texel_range find_range(const bspi_map *map, const bspi_face *face, uint32_t count, const float (*vectors)[4],
                              sum_method method)
{
	switch (method) {
	case SUM_FLOAT: return project_corners(map, face, count, vectors, SUM_FLOAT);
	case SUM_DOUBLE: return project_corners(map, face, count, vectors, SUM_DOUBLE);
	default: return project_corners(map, face, count, vectors, SUM_ROUNDED_ONCE);
	}
}

/* Computes the rectangle of a face's luxels. Returns false if the face has no vertices or no projection, or is too
 * large to have light. */
static bool measure(const bspi_map *map, const bspi_face *face, sum_method method, bspi_luxel_box *out)
{
	bspi_luxel_grid grid;
	uint32_t count = corner_count(face);
	if (!count || !bspi_find_grid(map, face, &grid)) return false;
	int32_t first[2], last[2];
	const texel_range range = find_range(map, face, count, (const float (*)[4])grid.vectors, method);
	for (int axis = 0; axis < 2; axis++) {
		double min = range.min[axis], max = range.max[axis], size = (double)grid.texels_per_luxel;
		if (!(min >= -(double)LARGEST_TEXEL && max <= (double)LARGEST_TEXEL)) return false;
		first[axis] = (int32_t)floor(min / size);
		last[axis] = (int32_t)ceil(max / size);
		if (last[axis] - first[axis] >= LARGEST_BLOCK) return false;
	}
	uint32_t width = (uint32_t)(last[0] - first[0] + 1), height = (uint32_t)(last[1] - first[1] + 1);
	*out = (bspi_luxel_box){ first[0], first[1], width, height };
	return true;
}

int64_t bspi_block_offset(const bspi_map *map, const bspi_light *light, const bspi_face *face)
{
	return map->rules.light_offset_in_luxels ? (int64_t)face->light_offset * light->luxel_size : face->light_offset;
}

/* ---- Against the next face's light ------------------------------------------------------------------------ */

static int64_t round_up(int64_t count, int64_t alignment)
{
	return alignment ? (count + alignment - 1) / alignment * alignment : count;
}

static bool fills(const bspi_build *build, const bspi_face *face, const bspi_luxel_box *box, int64_t gap)
{
	int64_t luxels = (int64_t)box->width * box->height * bspi_block_count(face), size = build->light->luxel_size;
	int64_t alignment = build->map->rules.light_alignment;
	return gap == luxels * size || gap == round_up(luxels, alignment) * size ||
	       gap == round_up(luxels * size, alignment);
}

static bool is_same_size(const bspi_luxel_box *a, const bspi_luxel_box *b)
{
	return a->width == b->width && a->height == b->height;
}

/* Chooses a method with which the face's light ends exactly where the next face's light begins. The default method is
 * kept if it fits, or if no method fits (because of padding, for example). It is also kept if it does not fit, but
 * both other methods fit with different sizes. */
static void choose_size(const bspi_build *build, const bspi_face *face, int64_t gap)
{
	bspi_luxel_box boxes[SUM_METHOD_COUNT];
	sum_method best = build->map->rules.float_extents ? SUM_FLOAT : SUM_ROUNDED_ONCE;
	if (!measure(build->map, face, best, &boxes[best])) return;
	if (!fills(build, face, &boxes[best], gap)) {
		bool by_float = measure(build->map, face, SUM_FLOAT, &boxes[SUM_FLOAT]) &&
		                fills(build, face, &boxes[SUM_FLOAT], gap);
		bool by_double = measure(build->map, face, SUM_DOUBLE, &boxes[SUM_DOUBLE]) &&
		                 fills(build, face, &boxes[SUM_DOUBLE], gap);
		bool contradict = by_float && by_double && !is_same_size(&boxes[SUM_FLOAT], &boxes[SUM_DOUBLE]);
		if (!contradict && (by_float || by_double)) best = by_float ? SUM_FLOAT : SUM_DOUBLE;
	}
	bspi_face_light *out = bspi_light_of(build, face);
	out->x = boxes[best].x;
	out->y = boxes[best].y;
	out->width = (int32_t)boxes[best].width;
	out->height = (int32_t)boxes[best].height;
}

static bool needs_size(const bspi_face *face)
{
	return corner_count(face) && face->light_offset >= 0 && face->styles[0] != BSPI_NO_STYLE &&
	       face->lightmap_width <= 0;
}

bool bspi_measure_blocks(bspi_build *build)
{
	const bspi_map *map = build->map;
	uint32_t count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) count += needs_size(&map->faces[i]);
	bspi_keyed *lit = bspi_push_unset(build->ctx, &build->ctx->stage, count, sizeof *lit);
	bspi_keyed *room = bspi_push_unset(build->ctx, &build->ctx->stage, count, sizeof *room);
	BSPI_TRY(lit && room);
	count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (needs_size(&map->faces[i])) {
			lit[count++] = (bspi_keyed){ (uint64_t)bspi_block_offset(map, build->light, &map->faces[i]), i };
		}
	}
	lit = bspi_radix_sort(lit, room, count);
	int64_t next = (int64_t)build->light->blocks.size;
	for (uint32_t i = count; i-- > 0;) {
		if (i + 1 < count && lit[i + 1].key != lit[i].key) next = (int64_t)lit[i + 1].key;
		if (i >= BSPI_AHEAD) bspi_prefetch(&map->faces[lit[i - BSPI_AHEAD].index]);
		choose_size(build, &map->faces[lit[i].index], next - (int64_t)lit[i].key);
	}
	return true;
}
