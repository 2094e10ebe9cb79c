/* vbsp_light.c - finds the light of faces, and reads light that does not belong to faces: the compiler's list of
 * lights, and the ambient cubes in leaves (docs/formats/source.md, "Light"). A map may have each of them for LDR and
 * for HDR. */
#include "families/vbsp/vbsp_tables.h"

#include <math.h>

void bspi_rgbexp32(const uint8_t *bytes, float out[3])
{
	float scale = ldexpf(1, (int8_t)bytes[3]);
	for (int i = 0; i < 3; i++) out[i] = (float)bytes[i] * scale;
}

static const bspi_lump *choose(const bspi_lump *lumps, uint32_t plain, uint32_t high, bool hdr)
{
	bool use_high = lumps[high].bytes.size && (hdr || !lumps[plain].bytes.size);
	return &lumps[use_high ? high : plain];
}

const bspi_layout *bspi_vbsp_world_light_layout(const bspi_lump *lump)
{
	const bspi_layout *layout = lump->version == 1 ? &bspi_vbsp_world_light1 : &bspi_vbsp_world_light;
	const bspi_layout *other = lump->version == 1 ? &bspi_vbsp_world_light : &bspi_vbsp_world_light1;
	return lump->bytes.size % layout->file_size && lump->bytes.size % other->file_size == 0 ? other : layout;
}

bool bspi_read_world_lights(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map)
{
	const bspi_lump *lump = choose(lumps, VBSP_WORLD_LIGHTS, VBSP_WORLD_LIGHTS_HDR, hdr);
	const bspi_layout *layout = bspi_vbsp_world_light_layout(lump);
	size_t count = lump->bytes.size / layout->file_size;
	if (lump->bytes.size % layout->file_size) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_TAIL, BSPI_LUMP(lump->name),
		                   "the bytes after the last whole record of %u bytes are left out",
		                   (unsigned)layout->file_size));
	}
	map->hdr_lights = lump == &lumps[VBSP_WORLD_LIGHTS_HDR];
	map->world_lights = bspi_push(ctx, &ctx->scratch, bspi_world_light, count);
	BSPI_TRY(map->world_lights);
	map->world_lights_count = (uint32_t)count;
	map->sources[BSPI_ARRAY_world_lights] = (bspi_source){ lump->name, lump->offset, layout->file_size };
	bspi_layout_decode(layout, lump->bytes.data, (uint32_t)count, map->world_lights);
	return true;
}

/* ---- Ambient cubes ---------------------------------------------------------------------------------------- */

enum { SIDES = 6, CUBE_SIZE = 4 * SIDES, SAMPLE_SIZE = CUBE_SIZE + 4 };

/* The ambient cubes that were read. */
typedef struct cube_list {
	bspi_ambient *cubes; uint32_t count;
} cube_list;

static void read_cube(const uint8_t *bytes, bspi_ambient *out)
{
	for (int side = 0; side < SIDES; side++) bspi_rgbexp32(bytes + 4 * side, out->cube[side]);
	out->stored = bytes;
}

/* Computes a position in a leaf's box. `fractions` tell how far it is along each side of the box, in 1/255. */
static void place_sample(const bspi_leaf *leaf, const uint8_t fractions[3], float out[3])
{
	for (int k = 0; k < 3; k++) out[k] = leaf->mins[k] + (leaf->maxs[k] - leaf->mins[k]) * (float)fractions[k] / 255;
}

/* Reads one cube per leaf, at the leaf's center. Maps without an index lump store their cubes in this way, whatever
 * version the lump states. */
static bool read_plain_cubes(bspi_ctx *ctx, bspi_bytes cubes, size_t offset, size_t stride, const bspi_map *map,
                             cube_list *out)
{
	static const uint8_t middle[3] = { 127, 127, 127 };
	size_t count = cubes.size / stride;
	if (count > map->leafs_count) count = map->leafs_count;
	out->cubes = bspi_push(ctx, &ctx->scratch, bspi_ambient, count);
	BSPI_TRY(out->cubes);
	for (size_t i = 0; i < count; i++) {
		out->cubes[i].leaf = (int32_t)i;
		read_cube(cubes.data + i * stride + offset, &out->cubes[i]);
		place_sample(&map->leafs[i], middle, out->cubes[i].origin);
	}
	out->count = (uint32_t)count;
	return true;
}

/* Reads cubes by an index lump, which has each leaf's number of samples and first sample. Leaves without samples get
 * no cubes: the file names another leaf whose samples apply to them, but these are not copied. */
static bool read_indexed_cubes(bspi_ctx *ctx, const bspi_lump *index, bspi_bytes samples, const bspi_map *map,
                               cube_list *out)
{
	bool wide = map->version == 25;
	size_t entry_size = wide ? 8 : 4, entries = index->bytes.size / entry_size;
	size_t sample_count = samples.size / SAMPLE_SIZE;
	if (entries > map->leafs_count) entries = map->leafs_count;
	out->cubes = bspi_push(ctx, &ctx->scratch, bspi_ambient, sample_count);
	BSPI_TRY(out->cubes);
	for (size_t i = 0; i < entries; i++) {
		const uint8_t *entry = index->bytes.data + i * entry_size;
		uint32_t count = wide ? bspi_load_u32(entry) : bspi_load_u16(entry);
		uint32_t first = wide ? bspi_load_u32(entry + 4) : bspi_load_u16(entry + 2);
		if (!count) continue;
		/* In valid maps, leaves do not share samples. If there would be more cubes than samples, ranges overlap. */
		bool exists = first <= sample_count && count <= sample_count - first;
		if (!exists || count > sample_count - out->count) {
			BSPI_TRY(
				bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_RECORD(index->name, (uint32_t)i),
			              exists
			                  ? "it shares %u light samples from number %u on, of %zu, with other leafs: left out"
			                  : "it uses %u light samples from number %u on, but there are %zu: left out",
			              (unsigned)count, (unsigned)first, sample_count));
			continue;
		}
		for (uint32_t k = first; k < first + count; k++) {
			const uint8_t *sample = samples.data + (size_t)k * SAMPLE_SIZE;
			bspi_ambient *cube = &out->cubes[out->count++];
			cube->leaf = (int32_t)i;
			read_cube(sample, cube);
			place_sample(&map->leafs[i], sample + CUBE_SIZE, cube->origin);
		}
	}
	return true;
}

static bool read_cubes(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, const bspi_map *map, cube_list *out)
{
	const bspi_lump *cubes = &lumps[hdr ? VBSP_AMBIENT_HDR : VBSP_AMBIENT];
	const bspi_lump *index = &lumps[hdr ? VBSP_AMBIENT_INDEX_HDR : VBSP_AMBIENT_INDEX];
	if (index->bytes.size) return read_indexed_cubes(ctx, index, cubes->bytes, map, out);
	return !cubes->bytes.size || read_plain_cubes(ctx, cubes->bytes, 0, CUBE_SIZE, map, out);
}

bool bspi_read_ambient_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map)
{
	enum { LEAF19_SIZE = 56, LEAF19_CUBE_AT = 30 };
	bool high = choose(lumps, VBSP_AMBIENT, VBSP_AMBIENT_HDR, hdr) == &lumps[VBSP_AMBIENT_HDR];
	cube_list own = { NULL, 0 }, other = own;
	BSPI_TRY(read_cubes(ctx, lumps, high, map, &own));
	bool inside = map->sources[BSPI_ARRAY_leafs].stride == LEAF19_SIZE && map->version < 20;
	if (!own.cubes && inside) {
		BSPI_TRY(read_plain_cubes(ctx, lumps[VBSP_LEAFS].bytes, LEAF19_CUBE_AT, LEAF19_SIZE, map, &own));
	}
	if (ctx->options.light_probes) BSPI_TRY(read_cubes(ctx, lumps, !high, map, &other));
	map->ambients = own.cubes;
	map->ambients_count = own.count;
	map->other_ambients = other.cubes;
	map->other_ambient_count = other.count;
	return true;
}

/* ---- Light of faces --------------------------------------------------------------------------------------- */

/* In maps up to this version, faces store averages of their light. In later ones, the averages are stored before a
 * face's luxels. */
enum { LAST_WITH_FACE_AVERAGES = 18 };

static void add_store(const bspi_lump *lump, bool hdr, const bspi_vbsp_quirks *own, const bspi_face *faces,
                      bspi_map *map)
{
	const size_t field = sizeof(uint32_t);
	bspi_add_light_store(map, &(bspi_light_store){
		.name = hdr ? "hdr" : "ldr", .hdr = hdr, .luxels = lump->bytes, .encoding = BSPI_LIGHT_RGBEXP32,
		.averages = map->version > LAST_WITH_FACE_AVERAGES, .faces = faces, .packed = lump->packed,
		.place_at = lump->entry + (own->version_first ? field : 0), .unpacked_size_at = lump->entry + 3 * field,
		.big_endian = own->big_endian,
	});
}

/* See vbsp_tables.h. The faces for LDR and for HDR light differ in their offsets only. If the map has just one list of
 * faces, it is used for both. */
bool bspi_add_source_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, const bspi_vbsp_quirks *own,
                           const bspi_layout *layout, bspi_map *map)
{
	const bspi_lump *light = &lumps[VBSP_LIGHTING], *other = &lumps[VBSP_LIGHTING_HDR];
	const bspi_bytes records = lumps[VBSP_FACES_HDR].bytes;
	add_store(light, hdr, own, NULL, map);
	if (!other->bytes.size || (records.size && records.size / layout->file_size != map->faces_count)) return true;
	bspi_face *faces = NULL;
	if (records.size) {
		faces = bspi_push(ctx, &ctx->scratch, bspi_face, map->faces_count);
		BSPI_TRY(faces);
		bspi_layout_decode(layout, records.data, map->faces_count, faces);
	}
	add_store(other, !hdr, own, faces, map);
	return true;
}
