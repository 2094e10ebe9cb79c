/* callofduty4_light.c - makes one picture per lightmap page. Call of Duty 4 stores parts of the light and adds them
 * when it draws: ambient light, light from one direction, and the sun where it reaches the surface.
 *
 * A page has three planes. The first has 512 x 512 pixels with the ambient B G R and the direction's x. The second has
 * the same size, with the directed light and the direction's y. The third has 1024 x 1024 bytes, which tell how much of
 * a surface's primary light arrives. */
#include "families/quake3/callofduty_common.h"

#include <math.h>

#include "base/vec.h"

enum { PLANE_SIDE = 512, SIDE = CALLOFDUTY4_PAGE_SIDE, PLANE = PLANE_SIDE * PLANE_SIDE * 4, PAGE = 3 * PLANE,
       LIGHT_SIZE = 128, SUN = 1 };

/* Limit for texels that are painted. The triangles of released maps cover each page once. In a hostile file every
 * triangle can cover a whole page. */
#define MOST_TEXELS ((uint64_t)1 << 28)

/* Half of a byte's range. */
#define HALF_BYTE (255.0f / 2)

typedef struct baker {
	bspi_map *map;
	bspi_bytes lights;
	const uint8_t *page;               /* the stored planes of the page */
	uint8_t *out;                      /* the page that is made: SIDE x SIDE texels of R, G and B */
	float (*flat)[3];                  /* light on a flat surface without the sun, for each texel of the two smaller
	                                    * planes */
	uint8_t *painted;                  /* per texel of the page: 0, or how good its present color is, see
	                                    * paint_texel() */
	uint64_t left;                     /* how many texels may still be painted */
} baker;

/* ---- Without the sun -------------------------------------------------------------------------------------- */

static void add_up(const baker *b)
{
	for (size_t i = 0; i < (size_t)PLANE_SIDE * PLANE_SIDE; i++) {
		const uint8_t *around = b->page + 4 * i, *directed = around + PLANE;
		float direction[3] = { ((float)around[3] / 255 - 0.5f) * 4, ((float)directed[3] / 255 - 0.5f) * 4, 1 };
		bspi_normalize(direction);
		for (int k = 0; k < 3; k++) b->flat[i][k] = (float)around[2 - k] + (float)directed[2 - k] * direction[2];
	}
}

/* Samples `flat` at a texel of the page. Filters bilinearly, and clamps at the edges. */
static void sample_flat(const baker *b, int x, int y, float out[3])
{
	float u = ((float)x + 0.5f) / 2 - 0.5f, v = ((float)y + 0.5f) / 2 - 0.5f;
	int column = (int)floorf(u), row = (int)floorf(v);
	float s = u - (float)column, t = v - (float)row;
	int x0 = column < 0 ? 0 : column, x1 = column + 1 < PLANE_SIDE ? column + 1 : PLANE_SIDE - 1;
	int y0 = row < 0 ? 0 : row, y1 = row + 1 < PLANE_SIDE ? row + 1 : PLANE_SIDE - 1;
	for (int k = 0; k < 3; k++) {
		float above = b->flat[y0 * PLANE_SIDE + x0][k] * (1 - s) + b->flat[y0 * PLANE_SIDE + x1][k] * s;
		float below = b->flat[y1 * PLANE_SIDE + x0][k] * (1 - s) + b->flat[y1 * PLANE_SIDE + x1][k] * s;
		out[k] = above * (1 - t) + below * t;
	}
}

static void store(const baker *b, int x, int y, const float sun[3])
{
	float light[3];
	sample_flat(b, x, y, light);
	float seen = (float)b->page[2 * (size_t)PLANE + (size_t)y * SIDE + (size_t)x] / 255;
	uint8_t *out = b->out + 3 * ((size_t)y * SIDE + (size_t)x);
	for (int k = 0; k < 3; k++) {
		float half = light[k] / 2 + sun[k] * seen * HALF_BYTE;
		out[k] = (uint8_t)(fminf(fmaxf(half, 0), 255) + 0.5f);
	}
}

/* ---- The sun ---------------------------------------------------------------------------------------------- */

typedef struct sun {
	float color[3], direction[3];      /* direction to the sun */
} sun;

/* Reads the surface's primary light into `out`. Returns false if the surface has none, or if the light is a lamp,
 * because the falloff of lamps is undocumented. */
static bool read_sun(const baker *b, const bspi_face *face, sun *out)
{
	bspi_bytes record;
	if (face->game_type <= 0) return false;
	if (!bspi_slice(b->lights, (uint64_t)face->game_type * LIGHT_SIZE, LIGHT_SIZE, &record)) return false;
	if (record.data[0] != SUN) return false;
	for (size_t k = 0; k < 3; k++) {
		out->color[k] = bspi_load_f32(record.data + 4 + 4 * k);
		out->direction[k] = bspi_load_f32(record.data + 16 + 4 * k);
	}
	for (int k = 0; k < 3; k++) {
		if (!(out->color[k] >= 0 && out->color[k] <= 64)) return false;
	}
	return bspi_are_finite(out->direction, 3) && bspi_normalize(out->direction);
}

typedef struct corner {
	float x, y;                        /* position on the page in texels */
	const float *normal;
} corner;

typedef struct triangle {
	corner corners[3];
	float area;                        /* twice the triangle's area; negative if the triangle is mirrored */
	float border[3];                   /* per corner: the lowest weight of a texel that still belongs to the border */
} triangle;

/* Computes the barycentric weights of a texel. Returns false if the texel is neither in the triangle nor in a border
 * around it. Texels in the border are painted too, because filtering reads them. */
static bool weigh(const triangle *t, int x, int y, float weights[3], bool *inside)
{
	float px = (float)x + 0.5f, py = (float)y + 0.5f;
	*inside = true;
	for (int i = 0; i < 3; i++) {
		const corner *p = &t->corners[(i + 1) % 3], *q = &t->corners[(i + 2) % 3];
		weights[i] = ((q->x - p->x) * (py - p->y) - (q->y - p->y) * (px - p->x)) / t->area;
		if (!(weights[i] >= t->border[i])) return false;
		*inside &= weights[i] >= 0;
	}
	return true;
}

static void paint_texel(const baker *b, const sun *light, const triangle *t, int x, int y)
{
	enum { BORDER = 1, INSIDE };
	float weights[3], normal[3] = { 0 }, lit[3];
	bool inside;
	uint8_t *painted = &b->painted[(size_t)y * SIDE + (size_t)x];
	if (!weigh(t, x, y, weights, &inside) || *painted >= (inside ? INSIDE : BORDER)) return;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) normal[k] += t->corners[i].normal[k] * fmaxf(weights[i], 0);
	}
	if (!bspi_are_finite(normal, 3) || !bspi_normalize(normal)) return;
	float facing = fmaxf(bspi_dot(normal, light->direction), 0);
	for (int k = 0; k < 3; k++) lit[k] = light->color[k] * facing;
	store(b, x, y, lit);
	*painted = inside ? INSIDE : BORDER;
}

/* Return the first and last texel to test on one axis, including a border of one texel. */
static int first_texel(float at) { return (int)fminf(fmaxf(floorf(at) - 1, 0), SIDE - 1); }
static int last_texel(float at) { return (int)fminf(fmaxf(ceilf(at) + 1, 0), SIDE - 1); }

static void paint_triangle(baker *b, const sun *light, triangle *t)
{
	const float border = 1.5f;         /* width of the border in texels */
	const corner *c = t->corners;
	t->area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
	if (!(fabsf(t->area) > 0) || !isfinite(t->area)) return;
	for (int i = 0; i < 3; i++) {
		const corner *p = &c[(i + 1) % 3], *q = &c[(i + 2) % 3];
		t->border[i] = -border * sqrtf((q->x - p->x) * (q->x - p->x) + (q->y - p->y) * (q->y - p->y)) / fabsf(t->area);
	}
	int left = first_texel(fminf(fminf(c[0].x, c[1].x), c[2].x));
	int top = first_texel(fminf(fminf(c[0].y, c[1].y), c[2].y));
	int right = last_texel(fmaxf(fmaxf(c[0].x, c[1].x), c[2].x));
	int bottom = last_texel(fmaxf(fmaxf(c[0].y, c[1].y), c[2].y));
	uint64_t texels = (uint64_t)(right - left + 1) * (uint64_t)(bottom - top + 1);
	if (texels > b->left) return;
	b->left -= texels;
	for (int y = top; y <= bottom; y++) {
		for (int x = left; x <= right; x++) paint_texel(b, light, t, x, y);
	}
}

/* Finds a corner's position on the page. Returns false if the corner is invalid, because faces are not validated
 * yet. */
static bool find_corner(const bspi_map *map, const bspi_face *face, uint32_t index, corner *out)
{
	const float most = 4;
	uint64_t at = (uint64_t)face->first_vertex + index;
	if (face->first_vertex < 0 || index >= (uint32_t)face->vertex_count || at >= map->draw_vertices_count) return false;
	const bspi_draw_vertex *vertex = &map->draw_vertices[at];
	*out = (corner){ vertex->lightmap[0] * SIDE, vertex->lightmap[1] * SIDE, vertex->normal };
	return fabsf(vertex->lightmap[0]) <= most && fabsf(vertex->lightmap[1]) <= most;
}

static void paint_soup(baker *b, const bspi_face *face)
{
	sun light;
	int64_t first = face->first_index, end = first + face->index_count;
	if (first < 0 || end > (int64_t)b->map->draw_indices_count || !read_sun(b, face, &light)) return;
	for (int64_t i = first; i + 3 <= end; i += 3) {
		triangle t;
		bool found = true;
		for (int k = 0; k < 3; k++) {
			found = found && find_corner(b->map, face, b->map->draw_indices[i + k].value, &t.corners[k]);
		}
		if (found) paint_triangle(b, &light, &t);
	}
}

/* ---- All pages -------------------------------------------------------------------------------------------- */

static void make_page(baker *b, uint32_t number)
{
	static const float no_sun[3];
	memset(b->painted, 0, (size_t)SIDE * SIDE);
	add_up(b);
	for (int y = 0; y < SIDE; y++) {
		for (int x = 0; x < SIDE; x++) store(b, x, y, no_sun);
	}
	for (uint32_t i = 0; i < b->map->faces_count; i++) {
		if (b->map->faces[i].lightmap[0] == (int32_t)number) paint_soup(b, &b->map->faces[i]);
	}
}

bool bspi_callofduty4_light(bspi_ctx *ctx, bspi_bytes pages, bspi_bytes lights, bspi_map *map)
{
	uint32_t count = (uint32_t)(pages.size / PAGE);
	if (pages.size % PAGE) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_TAIL, BSPI_LUMP("lightmaps"),
		                   "%zu bytes after the last whole page are left out", pages.size % PAGE));
	}
	if (!count) return true;
	baker b = { .map = map, .lights = lights, .left = MOST_TEXELS };
	const size_t made = (size_t)SIDE * SIDE * 3;
	uint8_t *all = bspi_push_unset(ctx, &ctx->scratch, made, count);
	b.flat = bspi_push_unset(ctx, &ctx->stage, (size_t)PLANE_SIDE * PLANE_SIDE, sizeof *b.flat);
	b.painted = bspi_push_unset(ctx, &ctx->stage, (size_t)SIDE * SIDE, 1);
	BSPI_TRY(all && b.flat && b.painted);
	for (uint32_t i = 0; i < count; i++) {
		b.page = pages.data + (size_t)i * PAGE;
		b.out = all + i * made;
		make_page(&b, i);
	}
	map->lighting = bspi_bytes_of(all, made * count);
	return true;
}
