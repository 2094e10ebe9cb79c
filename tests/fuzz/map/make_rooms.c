/* make_rooms.c - writes the initial corpus of fuzz_map: make_rooms DIRECTORY. The corpus has the room of every variant
 * without its largest lumps, and Quake III's room also with them. It has rooms of Quake and Quake II with BSPX lumps,
 * and larger maps with shortened lumps. After each map come bytes that choose options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"
#include "support/hostile/hostile.h"

#define TAIL 16
#define LARGEST_ROOM_LUMP 16384
#define LARGEST_MAP_LUMP 1536

/* The bytes after each map. They include all surfaces, use parts of the map as its other files, and choose the first
 * writer. */
static const uint8_t tail[TAIL] = { 1, 0, 0, 0, 2, 0, 0, 0, 0, 7, 0 };

static const char *directory;

static void write_input(const char *name, bspt_bytes file)
{
	char path[4096];
	uint8_t *input = malloc(file.size + TAIL);
	if (!input) bspt_die("allocate", name);
	memcpy(input, file.data, file.size);
	memcpy(input + file.size, tail, TAIL);
	snprintf(path, sizeof path, "%s/%s", directory, name);
	bspt_write_file(path, input, file.size + TAIL);
	free(input);
	free(file.data);
}

static void write_room(const bspi_family *family, uint32_t v)
{
	const bspi_variant *variant = &family->variants[v];
	bspt_parts parts;
	char name[128];
	if (!bspt_room_parts(family, variant, &parts)) return;
	snprintf(name, sizeof name, "%s-%u", bspt_variant_name(family, variant), (unsigned)v);
	bspt_bytes whole = bspt_encode_parts(variant, &parts);
	bool light = false;
	for (uint32_t slot = 0; slot < parts.lump_count; slot++) {
		if (parts.raw[slot].size <= LARGEST_ROOM_LUMP) continue;
		parts.raw[slot] = BSPI_NO_BYTES;
		light = true;
	}
	write_input(name, bspt_encode_parts(variant, &parts));
	if (light && family == &bspi_family_quake3 && !v) write_input("lit", whole);
	else free(whole.data);
}

/* ---- BSPX ------------------------------------------------------------------------------------------------- */

static void store(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* The sizes of the lumps follow from the room, which has 5 faces, 12 vertices, 20 corners and 258 luxels. Their bytes
 * are left to the fuzzer. */
enum { FACES = 5, VERTICES = 12, CORNERS = 20, LUXELS = 258 };
static const struct {
	const char *name;
	uint32_t size;
} lumps_of_room[] = {
	{ "RGBLIGHTING", 3 * LUXELS }, { "LIGHTINGDIR", 3 * LUXELS }, { "LIGHTING_E5BGR9", 4 * LUXELS },
	{ "LMSHIFT", FACES }, { "LMOFFSET", 4 * FACES }, { "LMSTYLE", 4 * FACES }, { "LMSTYLE16", 4 * FACES },
	{ "DECOUPLED_LM", 40 * FACES },
	{ "VERTEXNORMALS", 12 * VERTICES }, { "FACENORMALS", 4 + 12 + 12 * CORNERS }, { "BRUSHLIST", 16 + 28 + 16 },
	{ "LIGHTGRID_OCTREE", 45 + 4 + 44 + 4 + 24 + 8 * 5 },
};
enum { LUMPS_OF_ROOM = sizeof lumps_of_room / sizeof *lumps_of_room, ONE = 0x3f800000 };

/* Fills an octree with one node. Its first child is the only leaf, which has 2 x 2 x 2 samples. */
static void fill_octree(uint8_t *p)
{
	static const uint32_t words[] = { ONE, ONE, ONE, 2, 2, 2, 0, 0, 0 };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) store(p + 4 * i, words[i]);
	p[36] = 1;
	p += 37;
	store(p + 4, 1);
	for (uint32_t child = 0; child < 8; child++) store(p + 8 + 12 + 4 * child, child ? 0x40000000u : 0x80000000u);
	p += 8 + 44;
	store(p, 1);
	for (uint32_t i = 0; i < 3; i++) store(p + 16 + 4 * i, 2);
	for (p += 28; p[0] != 0xee; p += 5) p[0] = 1;
}

static void fill_lump(const char *name, uint8_t *p, uint32_t size)
{
	if (!strcmp(name, "LMSHIFT")) memset(p, 4, size);
	for (uint32_t i = 0; !strcmp(name, "LMSTYLE") && i < size; i++) p[i] = i % 4 ? 255 : 0;
	if (!strcmp(name, "FACENORMALS")) {
		store(p, 1);
		store(p + 12, ONE);
	}
	if (!strcmp(name, "BRUSHLIST")) {
		store(p, 1);
		store(p + 8, 1);
		p[16 + 26] = 1;
	}
	for (uint32_t i = 0; !strcmp(name, "DECOUPLED_LM") && i < FACES; i++) {
		p[40 * i] = p[40 * i + 2] = 2;
		store(p + 40 * i + 8, ONE / 2);
	}
	if (!strcmp(name, "LIGHTGRID_OCTREE")) fill_octree(p);
}

/* Writes the family's room with all BSPX lumps. If `decoupled` is false, DECOUPLED_LM is left out, the lump that
 * replaces the projections of lightmaps. */
static void write_bspx(const bspi_family *family, const char *name, bool decoupled)
{
	bspt_bytes room = bspt_build_room(family, &family->variants[0]);
	size_t at = (room.size + 3) / 4 * 4, data = at + 8 + 32 * (size_t)LUMPS_OF_ROOM;
	bspt_bytes file = { calloc(data + 8192, 1), data };
	if (!file.data) bspt_die("allocate", name);
	memset(file.data + data, 0xee, 8192);
	memcpy(file.data, room.data, room.size);
	free(room.data);
	memcpy(file.data + at, "BSPX", 4);
	store(file.data + at + 4, LUMPS_OF_ROOM);
	for (uint32_t i = 0; i < LUMPS_OF_ROOM; i++) {
		uint8_t *entry = file.data + at + 8 + 32 * (size_t)i;
		uint32_t size = lumps_of_room[i].size;
		if (!decoupled && !strcmp(lumps_of_room[i].name, "DECOUPLED_LM")) continue;
		memcpy(entry, lumps_of_room[i].name, strlen(lumps_of_room[i].name));
		store(entry + 24, (uint32_t)file.size);
		store(entry + 28, size);
		memset(file.data + file.size, 0, size);
		fill_lump(lumps_of_room[i].name, file.data + file.size, size);
		file.size += size;
	}
	write_input(name, file);
}

/* ---- Real maps, cut short ---------------------------------------------------------------------------------- */

static const struct {
	const char *name, *map;
} maps[] = {
	{ "map-quake", "atrium/quake/maps/atrium.bsp" }, { "map-bsp2", "atrium/quake_bsp2/maps/atrium.bsp" },
	{ "map-2psb", "atrium/quake_2psb/maps/atrium.bsp" }, { "map-hexen2", "atrium/hexen2/maps/atrium.bsp" },
	{ "map-goldsrc", "atrium/goldsrc/maps/atrium_wad.bsp" }, { "map-quake2", "atrium/quake2_q2map/maps/atrium.bsp" },
	{ "map-qbism", "atrium/quake2_qbism/maps/atrium.bsp" }, { "map-quake3", "atrium/quake3/maps/atrium_styles.bsp" },
	{ "map-et", "atrium/et/maps/atrium.bsp" }, { "map-raven", "atrium/jediacademy/maps/atrium.bsp" },
	{ "map-qfusion", "atrium/qfusion/maps/atrium_unlit.bsp" },
};

/* Returns the size to which a lump is shortened, in whole records. Records of other lumps then refer to missing ones,
 * so that repairs are fuzzed. */
static uint32_t kept_size(const bspi_variant *variant, uint32_t slot, size_t size)
{
	uint32_t record = 1;
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (variant->lumps[i].slot == slot) record = variant->lumps[i].layout->file_size;
	}
	return size > LARGEST_MAP_LUMP ? LARGEST_MAP_LUMP / record * record : (uint32_t)size;
}

/* Returns the place in the header that has this offset and this length. Ends the program if there is none. */
static uint8_t *find_entry(uint8_t *header, size_t size, uint64_t offset, uint64_t length)
{
	for (size_t at = 4; at + 8 <= size; at += 4) {
		if (bspi_load_u32(header + at) == offset && bspi_load_u32(header + at + 4) == length) return header + at;
	}
	bspt_die("find", "a lump's entry");
}

static void write_cut(const char *name, const char *map)
{
	bspt_bytes whole = bspt_read_fixture(map);
	const bspi_variant *variant;
	bspi_lump lumps[BSPI_MAX_LUMPS];
	if (!bspt_find_lumps(whole.data, whole.size, &variant, lumps)) bspt_die("read", map);
	size_t header = whole.size;
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		if (lumps[i].bytes.size && lumps[i].offset < header) header = (size_t)lumps[i].offset;
	}
	bspt_bytes cut = { calloc(whole.size, 1), (header + 3) / 4 * 4 };
	if (!cut.data) bspt_die("allocate", map);
	memcpy(cut.data, whole.data, header);
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		if (!lumps[i].bytes.size) continue;
		uint32_t kept = kept_size(variant, i, lumps[i].bytes.size);
		uint8_t *entry = find_entry(cut.data, header, lumps[i].offset, lumps[i].bytes.size);
		store(entry, (uint32_t)cut.size);
		store(entry + 4, kept);
		memcpy(cut.data + cut.size, lumps[i].bytes.data, kept);
		cut.size += (kept + 3) / 4 * 4;
	}
	free(whole.data);
	write_input(name, cut);
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	directory = argv[1];
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++) write_room(bspi_families[f], v);
	}
	write_bspx(&bspi_family_quake, "bspx-quake", false);
	write_bspx(&bspi_family_quake, "bspx-quake-decoupled", true);
	write_bspx(&bspi_family_quake2, "bspx-quake2", false);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) write_cut(maps[i].name, maps[i].map);
	return 0;
}
