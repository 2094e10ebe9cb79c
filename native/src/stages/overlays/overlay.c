/* overlay.c - makes the triangles of overlays. An overlay covers the part of a face that is inside the overlay's four
 * corners, seen along the overlay's normal (docs/formats/source.md, "Overlays"). Each such part is a surface of its
 * own, with the material of the overlay and the light of the face. */
#include "stages/geometry/geometry.h"

#include <math.h>

#include "base/vec.h"

/* Distance in game units of a layer above the one below it. It is enough for a depth buffer at a distance, and too
 * little to be seen from the side. */
#define LIFT 0.1f
/* How many times as many corners a polygon may have after it is clipped by the four sides of an overlay. Each side
 * adds at most half as many corners as there are, whatever the shape. So the factor is at most 1.5^4, about five. */
#define GROWTH 6

typedef struct clip_point {
	float position[3], normal[3];
	float stored[2];                   /* for displacements: luxel coordinates */
	float x, y;                        /* coordinates in the plane of the overlay */
} clip_point;

typedef struct clip_polygon {
	clip_point *points;
	uint32_t count;
} clip_polygon;

/* Buffers for clipping, large enough for the face with the most corners. */
struct bspi_overlay_buffers {
	clip_polygon polygon, other;
};

bool bspi_make_overlay_buffers(bspi_build *build, uint32_t corners)
{
	bspi_ctx *ctx = build->ctx;
	struct bspi_overlay_buffers *buffers = bspi_push(ctx, &ctx->scratch, struct bspi_overlay_buffers, 1);
	BSPI_TRY(buffers);
	buffers->polygon.points = bspi_push(ctx, &ctx->scratch, clip_point, (size_t)corners * GROWTH);
	buffers->other.points = bspi_push(ctx, &ctx->scratch, clip_point, (size_t)corners * GROWTH);
	build->overlay_buffers = buffers;
	return buffers->polygon.points && buffers->other.points;
}

/* ---- Axes ------------------------------------------------------------------------------------------------- */

void bspi_overlay_axes(const bspi_map *map, const bspi_overlay *overlay, const bspi_face *face, float u[3], float v[3])
{
	if (overlay->entity >= 0) {
		bspi_decal_axes(map->planes[face->plane].normal, u, v);
		return;
	}
	bspi_copy3(u, overlay->u);
	bspi_copy3(v, overlay->v);
}

/* An overlay, with its axes on one face. */
typedef struct cutter {
	const bspi_overlay *overlay;
	float u[3], v[3];
	float sign;                        /* 1 if the overlay's corners run counterclockwise, -1 if clockwise */
} cutter;

/* ---- Clipping --------------------------------------------------------------------------------------------- */

static void project(const cutter *c, clip_point *point)
{
	float d[3];
	bspi_sub(d, point->position, c->overlay->origin);
	point->x = bspi_dot(d, c->u);
	point->y = bspi_dot(d, c->v);
}

static float cross2(float ax, float ay, float bx, float by)
{
	return ax * by - ay * bx;
}

/* Returns the distance of a point from the line through corner k and the next corner. It is positive to the left of the
 * line. */
static float left_of(const bspi_overlay *overlay, int k, const clip_point *p)
{
	const float *a = overlay->points[k], *b = overlay->points[(k + 1) % 4];
	return cross2(b[0] - a[0], b[1] - a[1], p->x - a[0], p->y - a[1]);
}

static float area_of(const bspi_overlay *overlay)
{
	float area = 0;
	for (int k = 0; k < 4; k++) {
		const float *a = overlay->points[k], *b = overlay->points[(k + 1) % 4];
		area += cross2(a[0], a[1], b[0], b[1]);
	}
	return area;
}

static clip_point between(const clip_point *a, const clip_point *b, float way)
{
	clip_point out;
	for (int i = 0; i < 3; i++) {
		out.position[i] = a->position[i] + (b->position[i] - a->position[i]) * way;
		out.normal[i] = a->normal[i] + (b->normal[i] - a->normal[i]) * way;
	}
	for (int i = 0; i < 2; i++) out.stored[i] = a->stored[i] + (b->stored[i] - a->stored[i]) * way;
	out.x = a->x + (b->x - a->x) * way;
	out.y = a->y + (b->y - a->y) * way;
	return out;
}

/* Clips `in` by one side of the overlay (Sutherland and Hodgman 1974). Returns false if nothing is left. */
static bool clip_side(const cutter *c, int side, const clip_polygon *in, clip_polygon *out)
{
	out->count = 0;
	for (uint32_t i = 0; i < in->count; i++) {
		const clip_point *a = &in->points[i], *b = &in->points[(i + 1) % in->count];
		float at = left_of(c->overlay, side, a) * c->sign, next = left_of(c->overlay, side, b) * c->sign;
		if (at >= 0) out->points[out->count++] = *a;
		if ((at > 0 && next < 0) || (at < 0 && next > 0)) out->points[out->count++] = between(a, b, at / (at - next));
	}
	return out->count >= 3;
}

static bool clip(const cutter *c, struct bspi_overlay_buffers *buffers)
{
	for (uint32_t i = 0; i < buffers->polygon.count; i++) project(c, &buffers->polygon.points[i]);
	for (int side = 0; side < 4; side += 2) {
		if (!clip_side(c, side, &buffers->polygon, &buffers->other)) return false;
		if (!clip_side(c, side + 1, &buffers->other, &buffers->polygon)) return false;
	}
	return true;
}

/* ---- Texture coordinates ---------------------------------------------------------------------------------- */

/* Finds where a point is between the four corners, by inverse bilinear interpolation: u from 0 at corner 0 to 1 at
 * corner 3, and v from 0 at corner 0 to 1 at corner 1. */
static void find_way(const bspi_overlay *overlay, const clip_point *p, float out[2])
{
	const float *a = overlay->points[0], *b = overlay->points[3], *c = overlay->points[2], *d = overlay->points[1];
	double e[2], f[2], g[2], h[2];
	const double at[2] = { (double)p->x, (double)p->y };
	for (int i = 0; i < 2; i++) {
		e[i] = (double)b[i] - (double)a[i];
		f[i] = (double)d[i] - (double)a[i];
		g[i] = (double)a[i] - (double)b[i] + (double)c[i] - (double)d[i];
		h[i] = at[i] - (double)a[i];
	}
	double k2 = g[0] * f[1] - g[1] * f[0], k1 = e[0] * f[1] - e[1] * f[0] + h[0] * g[1] - h[1] * g[0];
	double k0 = h[0] * e[1] - h[1] * e[0], v = -k0 / k1;
	if (fabs(k2) > 1e-6 * fabs(k1)) {
		double root = sqrt(fmax(k1 * k1 - 4 * k0 * k2, 0));
		double first = (-k1 - root) / (2 * k2), second = (-k1 + root) / (2 * k2);
		v = fabs(first - 0.5) < fabs(second - 0.5) ? first : second;
	}
	double along[2] = { e[0] + g[0] * v, e[1] + g[1] * v };
	int axis = fabs(along[0]) > fabs(along[1]) ? 0 : 1;
	double u = (h[axis] - f[axis] * v) / along[axis];
	/* These comparisons turn NaN into 0. */
	out[0] = u > 0 ? (float)fmin(u, 1) : 0;
	out[1] = v > 0 ? (float)fmin(v, 1) : 0;
}

/* ---- Surfaces --------------------------------------------------------------------------------------------- */

typedef void piece_fn(void *user, const bspi_overlay *overlay, const clip_polygon *piece);

static void cut_polygon(const bspi_build *build, const cutter *c, const bspi_face *face, piece_fn *take, void *user)
{
	const bspi_map *map = build->map;
	clip_polygon *polygon = &build->overlay_buffers->polygon;
	polygon->count = (uint32_t)face->edge_count;
	for (uint32_t i = 0; i < polygon->count; i++) {
		clip_point *point = &polygon->points[i];
		*point = (clip_point){ .x = 0 };
		bspi_copy3(point->position, bspi_surfedge_position(map, face->first_edge + (int32_t)i));
		bspi_copy3(point->normal, map->planes[face->plane].normal);
	}
	if (clip(c, build->overlay_buffers)) take(user, c->overlay, polygon);
}

static void cut_displacement(const bspi_build *build, const cutter *c, const bspi_face *face, piece_fn *take,
                             void *user)
{
	clip_polygon *polygon = &build->overlay_buffers->polygon;
	uint32_t count = bspi_disp_triangle_count(build, face);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t corners[3];
		if (!bspi_disp_triangle_corners(build, face, i, corners)) continue;
		polygon->count = 3;
		for (int k = 0; k < 3; k++) {
			bspi_corner corner = bspi_disp_corner(build, face, corners[k]);
			bspi_copy3(polygon->points[k].position, corner.position);
			bspi_copy3(polygon->points[k].normal, corner.normal);
			memcpy(polygon->points[k].stored, corner.lightmap, sizeof corner.lightmap);
		}
		if (clip(c, build->overlay_buffers)) take(user, c->overlay, polygon);
	}
}

static void cut(const bspi_build *build, const bspi_overlay *overlay, const bspi_face *face, piece_fn *take, void *user)
{
	cutter c = { .overlay = overlay, .sign = area_of(overlay) < 0 ? -1.0f : 1.0f };
	bspi_overlay_axes(build->map, overlay, face, c.u, c.v);
	if (face->kind == BSPI_FACE_DISPLACEMENT) cut_displacement(build, &c, face, take, user);
	else if (face->kind == BSPI_FACE_POLYGON) cut_polygon(build, &c, face, take, user);
}

static void count_piece(void *user, const bspi_overlay *overlay, const clip_polygon *piece)
{
	bspi_shape_size *size = user;
	(void)overlay;
	size->vertices += piece->count;
	size->indices += 3 * ((uint64_t)piece->count - 2);
}

bspi_shape_size bspi_measure_overlay(const bspi_build *build, const bspi_overlay *overlay, const bspi_face *face)
{
	bspi_shape_size size = { 0, 0 };
	cut(build, overlay, face, count_piece, &size);
	return size;
}

typedef struct piece_writer {
	bspi_mesh_writer *writer;
	float lift;
	uint32_t written;                  /* number of corners of the surface that were written so far */
} piece_writer;

static void write_piece(void *user, const bspi_overlay *overlay, const clip_polygon *piece)
{
	piece_writer *out = user;
	for (uint32_t i = 0; i < piece->count; i++) {
		const clip_point *point = &piece->points[i];
		bspi_corner corner = { .colors = { { 255, 255, 255, 255 } } };
		float normal[3], way[2];
		bspi_copy3(normal, point->normal);
		bspi_normalize(normal);
		for (int k = 0; k < 3; k++) corner.position[k] = point->position[k] + normal[k] * out->lift;
		bspi_copy3(corner.normal, normal);
		memcpy(corner.lightmap, point->stored, sizeof corner.lightmap);
		find_way(overlay, point, way);
		corner.uv[0] = overlay->u_range[0] + (overlay->u_range[1] - overlay->u_range[0]) * way[0];
		corner.uv[1] = overlay->v_range[0] + (overlay->v_range[1] - overlay->v_range[0]) * way[1];
		bspi_write_corner(out->writer, &corner);
	}
	for (uint32_t i = 1; i + 1 < piece->count; i++) {
		bspi_write_triangle(out->writer, out->written, out->written + i, out->written + i + 1);
	}
	out->written += piece->count;
}

static void write_overlay(bspi_mesh_writer *writer, const bspi_face *face)
{
	const bspi_placed_overlay *placed = &writer->build->overlays[writer->surface->overlay];
	piece_writer out = { .writer = writer, .lift = LIFT * (float)(1 + placed->layer) };
	cut(writer->build, placed->overlay, face, write_piece, &out);
}

const bspi_shape bspi_overlay_shape = { NULL, write_overlay };
