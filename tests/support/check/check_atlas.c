/* check_atlas.c - see check_atlas.h. Parses the file by itself, from the format's description. */
#include "support/check/check_atlas.h"

#include <math.h>
#include <string.h>

enum { VERTICES_LUMP = 10, SURFACES_LUMP = 13, LIGHTMAPS_LUMP = 14, MAX_SLOTS = 4, NO_STYLE = 255, PATCH = 2 };

/* Offsets in the records of the two layouts. */
typedef struct layout {
	size_t surface_size, first_vertex, page_numbers, styles;
	size_t vertex_size, lightmap;
	uint32_t slots, page_side;
} layout;

static const layout quake3 = { 104, 12, 28, 0, 44, 20, 1, 128 };
static const layout raven = { 148, 12, 36, 28, 80, 20, 4, 128 };
static const layout qfusion = { 148, 12, 36, 28, 80, 20, 4, 512 };

typedef struct stored_map {
	const uint8_t *file;
	size_t size;
	const layout *layout;
	const bspt_map_page *pictures;
	uint32_t picture_count;
} stored_map;

typedef struct stored_face {
	uint32_t first_vertex, vertex_count;
	uint32_t lead;                     /* slot of the face's first style; the scene's uvs are made from this slot's */
	bool patch;
	uint32_t patch_width;
	int32_t pages[MAX_SLOTS];
	uint8_t styles[MAX_SLOTS];
} stored_face;

/* ---- The file --------------------------------------------------------------------------------------------- */

static int32_t int_at(const uint8_t *p)
{
	return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static float float_at(const uint8_t *p)
{
	int32_t bits = int_at(p);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static const uint8_t *lump(const stored_map *map, uint32_t slot, size_t *size)
{
	const uint8_t *entry = map->file + 8 + 8 * slot;
	uint32_t offset = (uint32_t)int_at(entry), length = (uint32_t)int_at(entry + 4);
	*size = length <= map->size && offset <= map->size - length ? length : 0;
	return map->file + offset;
}

static stored_face read_face(const stored_map *map, uint32_t index)
{
	size_t size;
	const layout *at = map->layout;
	const uint8_t *p = lump(map, SURFACES_LUMP, &size) + index * at->surface_size;
	stored_face face = { 0 };
	face.patch = int_at(p + 8) == PATCH;
	face.patch_width = (uint32_t)int_at(p + at->surface_size - 8);
	face.first_vertex = (uint32_t)int_at(p + at->first_vertex);
	face.vertex_count = (uint32_t)int_at(p + at->first_vertex + 4);
	for (uint32_t slot = 0; slot < MAX_SLOTS; slot++) {
		face.pages[slot] = slot < at->slots ? int_at(p + at->page_numbers + 4 * slot) : -1;
		face.styles[slot] = slot >= at->slots ? NO_STYLE : at->styles ? p[at->styles + slot] : 0;
	}
	return face;
}

static const uint8_t *vertex(const stored_map *map, const stored_face *face, uint32_t index)
{
	size_t size;
	return lump(map, VERTICES_LUMP, &size) + ((size_t)face->first_vertex + index) * map->layout->vertex_size;
}

static bool find_page(const stored_map *map, int32_t number, bspt_map_page *out)
{
	size_t size, side = map->layout->page_side;
	const uint8_t *pages = lump(map, LIGHTMAPS_LUMP, &size);
	if (number >= 0 && (size_t)number < size / (side * side * 3)) {
		*out = (bspt_map_page){ pages + (size_t)number * side * side * 3, (uint32_t)side, (uint32_t)side };
		return true;
	}
	if (number < 0 || (uint32_t)number >= map->picture_count || !map->pictures[number].rgb) return false;
	*out = map->pictures[number];
	return true;
}

/* Returns the lightmap coordinates of a vertex in luxels of the slot's page. */
static void stored_luxel(const stored_map *map, const stored_face *face, uint32_t slot, const bspt_map_page *page,
                         uint32_t index, double out[2])
{
	const uint8_t *p = vertex(map, face, index) + map->layout->lightmap + 8 * slot;
	out[0] = (double)float_at(p) * page->width;
	out[1] = (double)float_at(p + 4) * page->height;
}

/* ---- From the file's luxels to the page's ----------------------------------------------------------------- */

#define LUXEL_TOLERANCE (1 / 32.0)

/* Vertices of patches may be moved by up to this distance, in game units, so that patches meet their neighbors. */
#define PATCH_TOLERANCE 0.5f

static bool is_same_place(const stored_face *face, const uint8_t *stored, const float *position)
{
	for (int i = 0; i < 3; i++) {
		if (fabsf(float_at(stored + 4 * i) - position[i]) > (face->patch ? PATCH_TOLERANCE : 0)) return false;
	}
	return true;
}

static void page_luxel(const bspscene_scene *scene, const bspscene_face *face, uint32_t index, double out[2])
{
	const float *uv = scene->meshes[face->mesh]->lightmap_uvs + 2 * ((size_t)face->first_vertex + index);
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[face->lightmap_page];
	out[0] = (double)uv[0] * page->width;
	out[1] = (double)uv[1] * page->height;
}

static bool agrees(const bspscene_scene *scene, const bspscene_face *face, uint32_t index, const stored_map *map,
                   const stored_face *stored, const bspt_map_page *page, uint32_t vertex_index,
                   const double step[2])
{
	const float *position = scene->meshes[face->mesh]->positions + 3 * ((size_t)face->first_vertex + index);
	double source[2], target[2];
	if (!is_same_place(stored, vertex(map, stored, vertex_index), position)) return false;
	stored_luxel(map, stored, stored->lead, page, vertex_index, source);
	page_luxel(scene, face, index, target);
	return fabs(source[0] + step[0] - target[0]) < LUXEL_TOLERANCE &&
	       fabs(source[1] + step[1] - target[1]) < LUXEL_TOLERANCE;
}

/* True if each vertex of the face in the scene is at the position of a vertex in the file, with the file's uvs plus
 * `step`, in luxels. A patch has more vertices in the scene, so only the four corners that the file has are looked for
 * in the scene. */
static bool is_step(const bspscene_scene *scene, const bspscene_face *face, const stored_map *map,
                    const stored_face *stored, const bspt_map_page *page, const double step[2])
{
	uint32_t w = stored->patch_width, last = stored->vertex_count - 1;
	uint32_t corners[4] = { 0, w - 1, last - (w - 1), last };
	uint32_t count = stored->patch ? 4 : face->vertex_count;
	for (uint32_t i = 0; i < count; i++) {
		bool found = false;
		if (stored->patch) {
			for (uint32_t k = 0; k < face->vertex_count && !found; k++) {
				found = agrees(scene, face, k, map, stored, page, corners[i], step);
			}
		} else {
			for (uint32_t k = 0; k < stored->vertex_count && !found; k++) {
				found = agrees(scene, face, i, map, stored, page, k, step);
			}
		}
		if (!found) return false;
	}
	return true;
}

/* Finds the offset in whole luxels from the file's uvs to the scene's. */
static bool find_step(const bspscene_scene *scene, const bspscene_face *face, const stored_map *map,
                      const stored_face *stored, const bspt_map_page *page, int32_t out[2])
{
	const float *positions = scene->meshes[face->mesh]->positions + 3 * (size_t)face->first_vertex;
	for (uint32_t i = 0; i < face->vertex_count; i++) {
		for (uint32_t k = 0; k < stored->vertex_count; k++) {
			if (!is_same_place(stored, vertex(map, stored, k), positions + 3 * i)) continue;
			double source[2], target[2];
			stored_luxel(map, stored, stored->lead, page, k, source);
			page_luxel(scene, face, i, target);
			double step[2] = { round(target[0] - source[0]), round(target[1] - source[1]) };
			if (!is_step(scene, face, map, stored, page, step)) continue;
			out[0] = (int32_t)step[0];
			out[1] = (int32_t)step[1];
			return true;
		}
	}
	return false;
}

/* Finds the range of luxels that bilinear filtering reads for any point of the face, from the uvs in the file. */
static void find_range(const stored_map *map, const stored_face *stored, const bspt_map_page *page, int32_t first[2],
                       int32_t last[2])
{
	double min[2] = { INFINITY, INFINITY }, max[2] = { -INFINITY, -INFINITY };
	for (uint32_t i = 0; i < stored->vertex_count; i++) {
		double luxel[2];
		stored_luxel(map, stored, stored->lead, page, i, luxel);
		for (int k = 0; k < 2; k++) {
			min[k] = fmin(min[k], luxel[k]);
			max[k] = fmax(max[k], luxel[k]);
		}
	}
	for (int k = 0; k < 2; k++) {
		double side = k ? page->height : page->width;
		first[k] = (int32_t)fmin(fmax(floor(min[k] - 0.5), 0), side - 1);
		last[k] = (int32_t)fmin(fmax(ceil(max[k] - 0.5), 0), side - 1);
	}
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

static const bspscene_lightmap_page *find_set_page(const bspscene_scene *scene, bspscene_lightmap_set_kind kind,
                                                   uint32_t style, uint32_t page)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		if (scene->lightmap_sets[i].kind == kind && scene->lightmap_sets[i].style == style) {
			return &scene->lightmap_sets[i].pages[page];
		}
	}
	return NULL;
}

typedef struct comparison {
	const bspscene_lightmap_page *page;
	const bspt_map_page *stored;
	int32_t first[2], last[2];         /* range of luxels on the page of slot `lead` */
	int32_t to_page[2], to_stored[2];
	bool solid;                        /* true if the stored rectangle is a single luxel */
} comparison;

static uint64_t compare(const comparison *c, uint32_t face, bspt_report *report)
{
	uint64_t compared = 0;
	for (int32_t y = c->first[1]; y <= c->last[1]; y++) {
		for (int32_t x = c->first[0]; x <= c->last[0]; x++) {
			int64_t column = (int64_t)x + c->to_page[0], row = (int64_t)y + c->to_page[1];
			bool inside = column >= 0 && row >= 0 && column < c->page->width && row < c->page->height;
			BSPT_EXPECT(report, inside, "face %u: luxel %d %d lies outside of its page", face, x, y);
			if (!inside || !c->page->data) return compared;
			int32_t source_x = c->to_stored[0] + (c->solid ? 0 : x), source_y = c->to_stored[1] + (c->solid ? 0 : y);
			const uint8_t *want = c->stored->rgb + ((size_t)source_y * c->stored->width + (size_t)source_x) * 3;
			const uint8_t *got = (const uint8_t *)c->page->data + ((size_t)row * c->page->width + (size_t)column) * 3;
			BSPT_EXPECT(report, !memcmp(got, want, 3), "face %u: luxel %d %d is %d %d %d, not %d %d %d", face, x, y,
			            got[0], got[1], got[2], want[0], want[1], want[2]);
			compared++;
		}
	}
	return compared;
}

/* Returns the slot of the file that has a style. */
static uint32_t slot_of_style(const stored_face *stored, uint32_t style)
{
	uint32_t slot = 0;
	while (slot < MAX_SLOTS && (stored->styles[slot] != style || stored->pages[slot] < 0)) slot++;
	return slot;
}

/* Sets c->to_stored: what must be added to a luxel's position on the page of slot `lead` to get its position on the
 * page of `slot`. Sets c->solid if `slot` has a single luxel; then c->to_stored is the position of this luxel. */
static void relate(const stored_map *map, const stored_face *stored, uint32_t slot, const bspt_map_page *lead_page,
                   comparison *c)
{
	double lead[2], here[2], min[2] = { INFINITY, INFINITY }, max[2] = { -INFINITY, -INFINITY };
	for (uint32_t i = 0; i < stored->vertex_count; i++) {
		stored_luxel(map, stored, slot, c->stored, i, here);
		for (int k = 0; k < 2; k++) {
			min[k] = fmin(min[k], here[k]);
			max[k] = fmax(max[k], here[k]);
		}
	}
	stored_luxel(map, stored, stored->lead, lead_page, 0, lead);
	stored_luxel(map, stored, slot, c->stored, 0, here);
	c->solid = slot != stored->lead && max[0] - min[0] < LUXEL_TOLERANCE && max[1] - min[1] < LUXEL_TOLERANCE;
	for (int k = 0; k < 2; k++) c->to_stored[k] = (int32_t)(c->solid ? floor(here[k]) : round(here[k] - lead[k]));
}

static uint64_t check_face(const bspscene_scene *scene, uint32_t index, const stored_map *map, bspt_report *report)
{
	const bspscene_face *face = &scene->faces[index];
	stored_face stored = read_face(map, face->record);
	bspt_map_page page;
	stored.lead = map->layout->slots > 1 ? slot_of_style(&stored, face->styles[0]) : 0;
	bool known = stored.lead < MAX_SLOTS && find_page(map, stored.pages[stored.lead], &page);
	BSPT_EXPECT(report, known, "face %u: is lit by a page that does not exist", face->record);
	if (!known) return 0;
	comparison c = { .stored = &page };
	bool moved = find_step(scene, face, map, &stored, &page, c.to_page);
	BSPT_EXPECT(report, moved, "face %u: its uvs are not the file's, moved by whole luxels", face->record);
	if (!moved) return 0;
	find_range(map, &stored, &page, c.first, c.last);
	bool placed = (int64_t)face->lightmap_x == c.first[0] + c.to_page[0] &&
	              (int64_t)face->lightmap_y == c.first[1] + c.to_page[1];
	bool sized = (int64_t)face->lightmap_width == c.last[0] - c.first[0] + 1 &&
	             (int64_t)face->lightmap_height == c.last[1] - c.first[1] + 1;
	BSPT_EXPECT(report, placed && sized, "face %u: names the rectangle %u %u %u %u", face->record, face->lightmap_x,
	            face->lightmap_y, face->lightmap_width, face->lightmap_height);

	uint64_t compared = 0;
	for (int i = 0; i < MAX_SLOTS && face->styles[i] != NO_STYLE; i++) {
		uint32_t style = face->styles[i], slot = map->layout->slots > 1 ? slot_of_style(&stored, style) : 0;
		bspt_map_page slot_page, directions;
		bool found = slot < MAX_SLOTS && find_page(map, stored.pages[slot], &slot_page);
		c.page = find_set_page(scene, BSPSCENE_LIGHTMAP_SET_LIGHT, style, face->lightmap_page);
		BSPT_EXPECT(report, found && c.page && c.page->data, "face %u: no light of style %u", face->record, style);
		if (!found || !c.page) continue;
		c.stored = &slot_page;
		relate(map, &stored, slot, &page, &c);
		compared += compare(&c, face->record, report);
		c.page = find_set_page(scene, BSPSCENE_LIGHTMAP_SET_DIRECTION, style, face->lightmap_page);
		if (!c.page) continue;
		found = find_page(map, stored.pages[slot] + 1, &directions);
		BSPT_EXPECT(report, found && c.page->data, "face %u: no directions of style %u", face->record, style);
		if (!found || !c.page->data) continue;
		c.stored = &directions;
		compared += compare(&c, face->record, report);
	}
	return compared;
}

uint64_t bspt_check_atlas(const bspscene_scene *scene, const void *file, size_t size, const bspt_map_page *pictures,
                          uint32_t picture_count, bspt_report *report)
{
	stored_map map = { file, size, NULL, pictures, picture_count };
	const char *magic = file;
	map.layout = !memcmp(magic, "RBSP", 4) ? &raven : !memcmp(magic, "FBSP", 4) ? &qfusion : &quake3;
	BSPT_EXPECT(report, scene->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW, "the scene's light is not raw");
	uint64_t compared = 0;
	for (uint32_t i = 0; i < scene->face_count && !report->failures; i++) {
		if (scene->faces[i].lightmap_page != BSPSCENE_NO_INDEX) compared += check_face(scene, i, &map, report);
	}
	return compared;
}
