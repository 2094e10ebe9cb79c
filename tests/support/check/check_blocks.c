/* check_blocks.c - see check_blocks.h. Parses the files by itself, from the formats' descriptions. */
#include "support/check/check_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 4, NO_STYLE = 255 };

/* Slots of the directory and offsets in records. */
typedef struct layout {
	size_t directory;
	uint32_t vertices, texinfos, faces, lighting, edges, surfedges, last_slot;
	size_t texinfo_size, face_size, edge_index;    /* `edge_index` is the size of a vertex index */
	size_t first_edge, edge_count, texinfo, styles, light_offset;
	bool wide;                         /* true if counts and texinfos of faces have 32 bits */
} layout;

#define QUAKE_SLOTS 3, 6, 7, 8, 12, 13, 14
#define QUAKE2_SLOTS 2, 5, 6, 7, 11, 12, 18
static const layout quake = { 4, QUAKE_SLOTS, 40, 20, 2, 4, 8, 10, 12, 16, false };
static const layout wide_quake = { 4, QUAKE_SLOTS, 40, 28, 4, 8, 12, 16, 20, 24, true };
static const layout quake2 = { 8, QUAKE2_SLOTS, 76, 20, 2, 4, 8, 10, 12, 16, false };
static const layout qbism = { 8, QUAKE2_SLOTS, 76, 28, 4, 8, 12, 16, 20, 24, true };

typedef struct stored_map {
	bspt_bytes file;
	const layout *at;
	const uint8_t *light;
	size_t light_size, channels;       /* size of `light` in bytes, and number of channels (bytes) of a luxel */
	size_t offset_unit;                /* bytes of `light` in one unit of light_offset */
	const uint8_t *decoupled, *shifts; /* BSPX lumps, NULL if the file has none */
} stored_map;

typedef struct stored_face {
	uint8_t styles[MAX_SLOTS];
	int64_t offset;
	uint32_t width, height;
	double vectors[2][4];              /* luxel coordinate in the block: dot(vector, position) + w */
} stored_face;

/* ---- The file --------------------------------------------------------------------------------------------- */

static uint32_t u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static uint32_t u16(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }

static float f32(const uint8_t *p)
{
	uint32_t bits = u32(p);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static const uint8_t *lump(const stored_map *map, uint32_t slot, size_t *size)
{
	const uint8_t *entry = map->file.data + map->at->directory + 8 * slot;
	*size = u32(entry + 4);
	return map->file.data + u32(entry);
}

/* Returns the BSPX lump of this name if it has `wanted` bytes, else NULL. The list of BSPX lumps follows the last lump
 * of the map's directory. */
static const uint8_t *bspx(const stored_map *map, const char *name, size_t wanted)
{
	size_t end = 0, size;
	for (uint32_t slot = 0; slot <= map->at->last_slot; slot++) {
		const uint8_t *first = lump(map, slot, &size);
		size_t here = (size_t)(first - map->file.data) + size;
		if (size && here > end) end = here;
	}
	const uint8_t *head = map->file.data + (end + 3) / 4 * 4;
	if ((size_t)(head - map->file.data) + 8 > map->file.size || memcmp(head, "BSPX", 4)) return NULL;
	for (uint32_t i = 0; i < u32(head + 4); i++) {
		const uint8_t *entry = head + 8 + 32 * i;
		bool same_name = !strncmp((const char *)entry, name, 24);
		if (same_name && u32(entry + 28) == wanted) return map->file.data + u32(entry + 24);
	}
	return NULL;
}

static void find_light(stored_map *map, const bspt_bytes *lit)
{
	bool quake2_family = map->at->directory == 8, goldsrc = !quake2_family && u32(map->file.data) == 30;
	map->light = lump(map, map->at->lighting, &map->light_size);
	map->channels = quake2_family || goldsrc ? 3 : 1;
	map->offset_unit = 1;
	size_t luxels = map->light_size, faces;
	lump(map, map->at->faces, &faces);
	faces /= map->at->face_size;
	map->decoupled = bspx(map, "DECOUPLED_LM", 40 * faces);
	map->shifts = bspx(map, "LMSHIFT", faces);
	if (map->channels == 3) return;
	const uint8_t *rgb = bspx(map, "RGBLIGHTING", 3 * luxels);
	if (lit && lit->size == 8 + 3 * luxels && u32(lit->data + 4) == 1) rgb = lit->data + 8;
	if (!rgb) return;
	map->light = rgb;
	map->light_size = 3 * luxels;
	map->channels = map->offset_unit = 3;
}

static bool open_map(stored_map *map, bspt_bytes file)
{
	*map = (stored_map){ .file = file };
	const char *magic = (const char *)file.data;
	map->at = !memcmp(magic, "IBSP\x26", 5) ? &quake2 : !memcmp(magic, "QBSP", 4) ? &qbism :
	          !memcmp(magic, "BSP2", 4) || !memcmp(magic, "2PSB", 4) ? &wide_quake :
	          u32(file.data) == 29 || u32(file.data) == 30 ? &quake : NULL;
	return map->at != NULL;
}

static const uint8_t *face_record(const stored_map *map, uint32_t index)
{
	size_t size;
	return lump(map, map->at->faces, &size) + index * map->at->face_size;
}

static const uint8_t *texinfo_of(const stored_map *map, const uint8_t *face)
{
	size_t size;
	uint32_t index = map->at->wide ? u32(face + map->at->texinfo) : u16(face + map->at->texinfo);
	return lump(map, map->at->texinfos, &size) + index * map->at->texinfo_size;
}

/* Returns corner k of a face. A negative surfedge is an edge in the opposite direction. */
static const uint8_t *corner(const stored_map *map, const uint8_t *face, uint32_t k)
{
	size_t size;
	size_t index = u32(face + map->at->first_edge) + k;
	int32_t surfedge = (int32_t)u32(lump(map, map->at->surfedges, &size) + 4 * index);
	const uint8_t *edge = lump(map, map->at->edges, &size) + 2 * map->at->edge_index * (size_t)abs(surfedge);
	if (surfedge < 0) edge += map->at->edge_index;
	uint32_t vertex = map->at->edge_index == 2 ? u16(edge) : u32(edge);
	return lump(map, map->at->vertices, &size) + 12 * (size_t)vertex;
}

/* ---- A face's block ---------------------------------------------------------------------------------------- */

static void read_decoupled(const uint8_t *record, stored_face *out)
{
	out->width = u16(record);
	out->height = u16(record + 2);
	out->offset = (int32_t)u32(record + 4);
	for (int i = 0; i < 8; i++) out->vectors[i / 4][i % 4] = (double)f32(record + 8 + 4 * i);
}

static stored_face read_face(const stored_map *map, uint32_t index)
{
	const uint8_t *face = face_record(map, index), *texinfo = texinfo_of(map, face);
	stored_face out = { .offset = (int32_t)u32(face + map->at->light_offset) };
	memcpy(out.styles, face + map->at->styles, MAX_SLOTS);
	if (map->decoupled) {
		read_decoupled(map->decoupled + 40 * (size_t)index, &out);
		return out;
	}
	uint32_t count = map->at->wide ? u32(face + map->at->edge_count) : u16(face + map->at->edge_count);
	double luxel = map->shifts ? 1 << map->shifts[index] : 16;
	uint32_t sizes[2] = { 0, 0 };
	for (int axis = 0; axis < 2; axis++) {
		const uint8_t *v = texinfo + 16 * axis;
		float low = INFINITY, high = -INFINITY;
		for (uint32_t k = 0; k < count; k++) {
			const uint8_t *p = corner(map, face, k);
			double sum = (double)f32(p) * (double)f32(v) + (double)f32(p + 4) * (double)f32(v + 4) +
			             (double)f32(p + 8) * (double)f32(v + 8) + (double)f32(v + 12);
			low = fminf(low, (float)sum);
			high = fmaxf(high, (float)sum);
		}
		double first = floor((double)low / luxel), last = ceil((double)high / luxel);
		sizes[axis] = (uint32_t)(last - first) + 1;
		for (int i = 0; i < 4; i++) out.vectors[axis][i] = (double)f32(v + 4 * i) / luxel;
		out.vectors[axis][3] -= first;
	}
	out.width = sizes[0];
	out.height = sizes[1];
	return out;
}

static uint32_t count_styles(const stored_face *face)
{
	uint32_t count = 0;
	while (count < MAX_SLOTS && face->styles[count] != NO_STYLE) count++;
	return count;
}

/* ---- Against the scene -------------------------------------------------------------------------------------- */

#define LUXEL_TOLERANCE (1 / 32.0)

static const bspscene_lightmap_page *find_page(const bspscene_scene *scene, uint32_t style, uint32_t page)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		if (set->kind == BSPSCENE_LIGHTMAP_SET_LIGHT && set->style == style) return &set->pages[page];
	}
	return NULL;
}

/* Checks that the uvs lead every corner to the luxel that it has in the file. */
static void check_uvs(const bspscene_scene *scene, const bspscene_face *face, const stored_face *stored,
                      bspt_report *report)
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[face->lightmap_page];
	uint32_t size[2] = { page->width, page->height }, place[2] = { face->lightmap_x, face->lightmap_y };
	for (uint32_t i = face->first_vertex; i < face->first_vertex + face->vertex_count; i++) {
		const float *p = mesh->positions + 3 * (size_t)i, *uv = mesh->lightmap_uvs + 2 * (size_t)i;
		for (int axis = 0; axis < 2; axis++) {
			const double *v = stored->vectors[axis];
			double luxel = (double)p[0] * v[0] + (double)p[1] * v[1] + (double)p[2] * v[2] + v[3];
			double got = (double)uv[axis] * size[axis] - 0.5 - place[axis];
			BSPT_EXPECT(report, fabs(got - luxel) < LUXEL_TOLERANCE, "face %u: a corner is at luxel %g, not %g",
			            face->record, got, luxel);
		}
	}
}

static uint64_t compare(const stored_map *map, const bspscene_lightmap_page *page, const bspscene_face *face,
                        const stored_face *stored, uint32_t slot, bspt_report *report)
{
	size_t luxels = (size_t)stored->width * stored->height;
	size_t first = (size_t)stored->offset * map->offset_unit + slot * luxels * map->channels;
	bool inside = first + luxels * map->channels <= map->light_size;
	BSPT_EXPECT(report, inside, "face %u is lit by light that the file has not", face->record);
	for (size_t i = 0; inside && i < luxels; i++) {
		const uint8_t *want = map->light + first + i * map->channels;
		size_t x = face->lightmap_x + i % stored->width, y = face->lightmap_y + i / stored->width;
		const uint8_t *got = (const uint8_t *)page->data + 3 * (y * page->width + x);
		for (size_t c = 0; c < 3; c++) {
			uint8_t value = want[map->channels == 3 ? c : 0];
			BSPT_EXPECT(report, got[c] == value, "face %u: luxel %zu of style %u is %u, not %u", face->record, i,
			            face->styles[slot], got[c], value);
		}
	}
	return luxels;
}

static void check_face(const bspscene_scene *scene, const bspscene_face *face, const stored_map *map,
                       bspt_blocks *out, bspt_report *report)
{
	stored_face stored = read_face(map, face->record);
	BSPT_EXPECT(report, face->lightmap_width == stored.width && face->lightmap_height == stored.height,
	            "face %u has %u x %u luxels, not %u x %u", face->record, face->lightmap_width, face->lightmap_height,
	            stored.width, stored.height);
	if (report->failures) return;
	out->faces++;
	check_uvs(scene, face, &stored, report);
	for (uint32_t slot = 0; slot < count_styles(&stored); slot++) {
		const bspscene_lightmap_page *page = find_page(scene, stored.styles[slot], face->lightmap_page);
		BSPT_EXPECT(report, face->styles[slot] == stored.styles[slot], "face %u: slot %u has style %u, not %u",
		            face->record, slot, face->styles[slot], stored.styles[slot]);
		BSPT_EXPECT(report, page && page->data, "face %u: there is no light of style %u", face->record,
		            stored.styles[slot]);
		if (page && page->data) out->luxels += compare(map, page, face, &stored, slot, report);
	}
}

/* ---- Tiles -------------------------------------------------------------------------------------------------- */

typedef struct block {
	int64_t first, size;               /* offset and size in units of light_offset */
} block;

static int by_place(const void *a, const void *b)
{
	const block *x = a, *y = b;
	return x->first != y->first ? x->first < y->first ? -1 : 1 : x->size < y->size ? -1 : x->size > y->size;
}

/* True if the face has light. q2map leaves the offset of skies and liquids at 0, although they have no light. */
static bool is_lit(const stored_map *map, uint32_t index, const stored_face *face)
{
	enum { FLAGS_AT = 32, SKY_OR_WARP = 0xc };
	if (face->offset < 0 || !count_styles(face) || !face->width) return false;
	if (map->at->directory == 4 || face->offset) return true;
	return !(u32(texinfo_of(map, face_record(map, index)) + FLAGS_AT) & SKY_OR_WARP);
}

/* Counts blocks, gaps and overlaps. Compilers may pad a block to a multiple of four luxels, so such a gap does not
 * count. */
static void count_tiles(const stored_map *map, bspt_blocks *out)
{
	size_t faces;
	int64_t unit = (int64_t)(map->channels / map->offset_unit);
	lump(map, map->at->faces, &faces);
	faces /= map->at->face_size;
	block *blocks = calloc(faces + 1, sizeof *blocks);
	if (!blocks) bspt_die("allocate", "blocks");
	uint32_t count = 0;
	for (uint32_t i = 0; map->light_size && i < faces; i++) {
		stored_face face = read_face(map, i);
		int64_t luxels = (int64_t)face.width * face.height;
		if (is_lit(map, i, &face)) blocks[count++] = (block){ face.offset, luxels * count_styles(&face) * unit };
	}
	qsort(blocks, count, sizeof *blocks, by_place);
	for (uint32_t i = 0; i < count; i++) {
		if (i + 1 < count && blocks[i + 1].first == blocks[i].first) continue;
		int64_t end = blocks[i].first + blocks[i].size, step = 4 * unit;
		int64_t padded = blocks[i].first + (blocks[i].size + step - 1) / step * step;
		int64_t next = i + 1 < count ? blocks[i + 1].first : (int64_t)(map->light_size / map->offset_unit);
		out->blocks++;
		if (i + 1 == count) out->spare = next > end ? (uint64_t)(next - end) : 0;
		else if (next > padded) out->gaps++;
		if (next < end) out->overlaps++;
	}
	free(blocks);
}

bool bspt_has_blocks(bspt_bytes file)
{
	stored_map map;
	return file.size > 160 && open_map(&map, file);
}

void bspt_check_blocks(const bspscene_scene *scene, bspt_bytes file, const bspt_bytes *lit, bspt_blocks *out,
                       bspt_report *report)
{
	stored_map map;
	*out = (bspt_blocks){ 0 };
	bool known = open_map(&map, file);
	BSPT_EXPECT(report, known && scene->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW,
	            "no map with blocks, or not raw");
	if (!known) return;
	find_light(&map, lit);
	for (uint32_t i = 0; i < scene->face_count && !report->failures; i++) {
		if (scene->faces[i].lightmap_page != BSPSCENE_NO_INDEX) check_face(scene, &scene->faces[i], &map, out, report);
	}
	count_tiles(&map, out);
	out->own_sizes = map.decoupled || map.shifts;
}
