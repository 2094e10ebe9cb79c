/* light_diff.c - see light_diff.h. The pages of two maps have different layouts, so luxels are compared face by
 * face. */
#include "archive/diff/light_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

enum { CHANNELS = 3, VERTEX_CHANNELS = 4 };

/* A lightmap set of map a and the set of map b that has the same kind and style. NULL: that map has no such set, and
 * its luxels count as black. */
typedef struct set_pair {
	const bspscene_lightmap_set *a, *b;
} set_pair;

typedef struct set_pairs {
	set_pair *sets;
	uint32_t count;
} set_pairs;

typedef struct work {
	const bspscene_scene *a, *b;
	set_pairs light, directions;
	double sum;                        /* sum of the differences of all luxels, vertices and corners */
	cli_light_diff out;
} work;

static unsigned away(uint8_t a, uint8_t b)
{
	return a > b ? (unsigned)(a - b) : (unsigned)(b - a);
}

static unsigned largest_away(const uint8_t *a, const uint8_t *b)
{
	static const uint8_t black[CHANNELS] = { 0 };
	unsigned largest = 0;
	if (!a) a = black;
	if (!b) b = black;
	for (int i = 0; i < CHANNELS; i++) {
		unsigned one = away(a[i], b[i]);
		if (one > largest) largest = one;
	}
	return largest;
}

/* ---- Luxels ----------------------------------------------------------------------------------------------- */

static const bspscene_lightmap_set *find_set(const bspscene_scene *scene, const bspscene_lightmap_set *like)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		if (set->kind == like->kind && set->style == like->style) return set;
	}
	return NULL;
}

/* Pairs the lightmap sets of both maps. With `directions`, pairs the sets with light directions, otherwise all other
 * sets. */
static set_pairs pair_sets(const bspscene_scene *a, const bspscene_scene *b, bool directions)
{
	set_pairs pairs = { .sets =
		                    cli_allocate((size_t)a->lightmap_set_count + b->lightmap_set_count, sizeof *pairs.sets) };
	for (uint32_t i = 0; i < a->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &a->lightmap_sets[i];
		if ((set->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION) != directions) continue;
		pairs.sets[pairs.count++] = (set_pair){ set, find_set(b, set) };
	}
	for (uint32_t i = 0; i < b->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &b->lightmap_sets[i];
		if ((set->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION) != directions || find_set(a, set)) continue;
		pairs.sets[pairs.count++] = (set_pair){ NULL, set };
	}
	return pairs;
}

/* Reads a luxel of a page. Returns black if `set` is NULL. */
static const uint8_t *read_luxel(const bspscene_lightmap_set *set, uint32_t page, uint32_t x, uint32_t y,
                                 uint8_t out[CHANNELS])
{
	memset(out, 0, CHANNELS);
	if (set && set->pages[page].format == BSPSCENE_LIGHTMAP_PAGE_RGB8) {
		bspscene_lightmap_page_read(&set->pages[page], x, y, 1, 1, out);
	}
	return out;
}

static const uint8_t *read_luxel_of(const bspscene_lightmap_set *set, const bspscene_face *face, uint32_t x, uint32_t y,
                                    uint8_t out[CHANNELS])
{
	return read_luxel(set, face->lightmap_page, face->lightmap_x + x, face->lightmap_y + y, out);
}

static unsigned luxel_away(const set_pairs *pairs, const bspscene_face *a, const bspscene_face *b, uint32_t x,
                           uint32_t y)
{
	unsigned largest = 0;
	for (uint32_t i = 0; i < pairs->count; i++) {
		uint8_t one[CHANNELS], other[CHANNELS];
		unsigned found = largest_away(read_luxel_of(pairs->sets[i].a, a, x, y, one),
		                              read_luxel_of(pairs->sets[i].b, b, x, y, other));
		if (found > largest) largest = found;
	}
	return largest;
}

static void count(work *w, cli_light_count *of, unsigned difference, double *sum)
{
	of->all++;
	of->changed += difference != 0;
	if (difference > w->out.largest) w->out.largest = difference;
	*sum += difference;
}

/* Compares the luxels of a face in both maps. Returns the sum of their differences. */
static double compare_luxels(work *w, const bspscene_face *a, const bspscene_face *b)
{
	double sum = 0;
	for (uint32_t y = 0; y < a->lightmap_height; y++) {
		for (uint32_t x = 0; x < a->lightmap_width; x++) {
			count(w, &w->out.luxels, luxel_away(&w->light, a, b, x, y), &sum);
			if (!w->directions.count) continue;
			w->out.directions.all++;
			w->out.directions.changed += luxel_away(&w->directions, a, b, x, y) != 0;
		}
	}
	return sum;
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

static double compare_vertices(work *w, const bspscene_face *a, const bspscene_face *b)
{
	static const uint8_t white[VERTEX_CHANNELS] = { 255, 255, 255, 255 };
	const uint8_t *one = w->a->meshes[a->mesh]->colors, *other = w->b->meshes[b->mesh]->colors;
	double sum = 0;
	for (uint32_t i = 0; i < a->vertex_count; i++) {
		unsigned found = largest_away(one ? one + ((size_t)a->first_vertex + i) * VERTEX_CHANNELS : white,
		                              other ? other + ((size_t)b->first_vertex + i) * VERTEX_CHANNELS : white);
		count(w, &w->out.vertices, found, &sum);
	}
	return sum;
}

/* ---- Corners ---------------------------------------------------------------------------------------------- */

/* Reads the luxel that contains a vertex. */
static const uint8_t *read_luxel_under(const bspscene_scene *scene, const bspscene_lightmap_set *set,
                                       const bspscene_face *face, uint32_t vertex, uint8_t out[CHANNELS])
{
	const bspscene_lightmap_page *page = set ? &set->pages[face->lightmap_page] : NULL;
	const float *uv = scene->meshes[face->mesh]->lightmap_uvs;
	if (!page || !uv) return read_luxel(NULL, 0, 0, 0, out);
	const float size[2] = { (float)page->width, (float)page->height };
	uint32_t at[2];
	for (size_t i = 0; i < 2; i++) {
		at[i] = (uint32_t)fminf(fmaxf(uv[2 * (size_t)vertex + i] * size[i], 0), size[i] - 1);
	}
	return read_luxel(set, face->lightmap_page, at[0], at[1], out);
}

/* Compares the light of a face at the corners of its triangles. This is for a face whose lightmap has another size in
 * map b than in map a. Returns the sum of the differences. */
static double compare_corners(work *w, const bspscene_face *a, const bspscene_face *b)
{
	const bspscene_mesh *mesh_a = w->a->meshes[a->mesh], *mesh_b = w->b->meshes[b->mesh];
	double sum = 0;
	for (uint32_t i = 0; i < a->index_count && i < b->index_count; i++) {
		unsigned largest = 0;
		for (uint32_t k = 0; k < w->light.count; k++) {
			const set_pair *sets = &w->light.sets[k];
			uint32_t vertex = mesh_a->indices[a->first_index + i], its = mesh_b->indices[b->first_index + i];
			uint8_t one[CHANNELS], other[CHANNELS];
			unsigned found = largest_away(read_luxel_under(w->a, sets->a, a, vertex, one),
			                              read_luxel_under(w->b, sets->b, b, its, other));
			if (found > largest) largest = found;
		}
		count(w, &w->out.corners, largest, &sum);
	}
	return sum;
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

/* True if a shader of the game may be the only reason why a face's light is stored differently in the two maps. Such a
 * shader makes the face fullbright, and may have been found for only one of the maps. */
static bool may_be_shaders(const work *w, const bspscene_face *a, const bspscene_face *b)
{
	bool lit = w->a->lightmap_set_count && w->b->lightmap_set_count;
	return lit && (cli_section_of(w->a, a)->lighting == BSPSCENE_LIGHTING_FULLBRIGHT ||
	               cli_section_of(w->b, b)->lighting == BSPSCENE_LIGHTING_FULLBRIGHT);
}

static bool is_lit_by_vertices(const bspscene_scene *scene, const bspscene_face *face)
{
	return face->lightmap_page == BSPSCENE_NO_INDEX &&
	       cli_section_of(scene, face)->lighting == BSPSCENE_LIGHTING_VERTEX;
}

static uint64_t count_changed(const cli_light_diff *out)
{
	return out->luxels.changed + out->vertices.changed + out->corners.changed;
}

/* Counts a face as changed because the two maps store its light differently, for example one map in lightmaps and the
 * other in vertices. */
static void count_relit(work *w, uint32_t number)
{
	w->out.faces.all++;
	w->out.faces.changed++;
	w->out.by_face[number] = 255;
}

static void compare_face(work *w, uint32_t number, const bspscene_face *a, const bspscene_face *b)
{
	bool pages_a = a->lightmap_page != BSPSCENE_NO_INDEX, pages_b = b->lightmap_page != BSPSCENE_NO_INDEX;
	bool vertices_a = is_lit_by_vertices(w->a, a), vertices_b = is_lit_by_vertices(w->b, b);
	uint64_t changed = count_changed(&w->out);
	double sum, parts;
	if (pages_a != pages_b || vertices_a != vertices_b) {
		if (!may_be_shaders(w, a, b)) count_relit(w, number);
		return;
	}
	if (pages_a && a->lightmap_width == b->lightmap_width && a->lightmap_height == b->lightmap_height) {
		parts = (double)a->lightmap_width * a->lightmap_height;
		sum = compare_luxels(w, a, b);
	} else if (pages_a) {
		parts = a->index_count;
		sum = compare_corners(w, a, b);
		w->out.resized++;
	} else if (vertices_a && a->vertex_count == b->vertex_count) {
		parts = a->vertex_count;
		sum = compare_vertices(w, a, b);
	} else {
		return;
	}
	w->out.faces.all++;
	w->out.faces.changed += count_changed(&w->out) > changed;
	w->out.by_face[number] = parts > 0 ? (float)(sum / parts) : 0;
	w->sum += sum;
}

/* ---- The grid --------------------------------------------------------------------------------------------- */

static void compare_grids(work *w)
{
	const bspscene_light_grid *a = w->a->light_grid, *b = w->b->light_grid;
	size_t points = (size_t)a->counts[0] * a->counts[1] * a->counts[2];
	cli_light_diff *out = &w->out;
	out->other_grid = memcmp(a->counts, b->counts, sizeof a->counts) != 0 || a->style_count != b->style_count;
	if (!points || out->other_grid) return;
	size_t bytes = (size_t)a->style_count * CHANNELS;
	for (size_t i = 0; i < points; i++) {
		bool same = !memcmp(a->ambient + i * bytes, b->ambient + i * bytes, bytes) &&
		            !memcmp(a->directed + i * bytes, b->directed + i * bytes, bytes);
		out->grid_points.changed += !same;
	}
	out->grid_points.all = points;
}

cli_light_diff cli_diff_light(const bspscene_scene *a, const bspscene_scene *b, const cli_face_pairs *pairs)
{
	work w = { .a = a, .b = b, .light = pair_sets(a, b, false), .directions = pair_sets(a, b, true) };
	w.out.by_face = cli_allocate(a->face_count, sizeof *w.out.by_face);
	for (uint32_t i = 0; i < a->face_count; i++) {
		if (pairs->in_b[i] != BSPSCENE_NO_INDEX) compare_face(&w, i, &a->faces[i], &b->faces[pairs->in_b[i]]);
	}
	compare_grids(&w);
	uint64_t changed = count_changed(&w.out);
	if (changed) w.out.mean = w.sum / (double)changed;
	free(w.light.sets);
	free(w.directions.sets);
	return w.out;
}

bool cli_is_same_light(const cli_light_diff *diff)
{
	return !diff->faces.changed && !diff->directions.changed && !diff->grid_points.changed && !diff->other_grid;
}

void cli_light_diff_free(cli_light_diff *diff)
{
	free(diff->by_face);
	*diff = (cli_light_diff){ 0 };
}
