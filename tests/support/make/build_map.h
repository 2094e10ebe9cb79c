/* build_map.h - tiny valid maps of every variant, written with the layout tables that also read them.
 *
 * A family adds a row in build_map.c and a build_<family>.c that fills the neutral arrays of one small room; encoding,
 * directory and header follow from the tables. */
#ifndef BSPT_BUILD_MAP_H
#define BSPT_BUILD_MAP_H

#include "map/family.h"
#include "support/bspt.h"

/* Where a raw lump contains an offset: `at` is its position in the lump `slot`, in bytes. In bspt_parts the offset
 * counts from the start of the lump. The encoder makes it count from the start of the file. */
typedef struct bspt_moved {
	uint32_t slot, at;
} bspt_moved;

#define BSPT_MOST_BSPX 8

/* A lump that compilers append after the lumps of the directory. */
typedef struct bspt_bspx {
	const char *name;
	bspi_bytes bytes;
} bspt_bspx;

/* The contents of a file: arrays for lumps with a layout table, bytes for the others. */
typedef struct bspt_parts {
	bspi_map map;
	bspi_bytes raw[BSPI_MAX_LUMPS];    /* raw bytes of lumps, by slot in the directory */
	uint32_t lump_count;               /* number of entries in the directory */
	bool size_first;                   /* true if entries have the size before the offset */
	/* True if the directory has no offsets. It then has the number of chunks, and the type and size of each chunk that
	 * is not empty. */
	bool chunks;
	/* True if there is no directory. Then type, record size and count come before each lump that is not empty, and an
	 * end mark follows the last lump. */
	bool heads;
	/* With `heads`, the record sizes of raw lumps. 0 means bytes. */
	uint16_t record_size[BSPI_MAX_LUMPS];
	bool swap_first;                   /* true if directory entry 0 is that of slot 1, and entry 1 that of slot 0 */
	/* True if each directory entry has a version and an unpacked size, and a revision number follows the last entry. */
	bool versions;
	bool version_first;                /* true if the version comes before offset and size */
	uint8_t version[BSPI_MAX_LUMPS];
	bspt_moved moved[4]; uint32_t moved_count;
	bspt_bspx bspx[BSPT_MOST_BSPX];
	uint32_t bspx_count;
} bspt_parts;

/* Encodes records by a layout table, the reverse of bspi_layout_decode. Bytes of `out` that the table skips do not
 * change. */
void bspt_encode(const bspi_layout *layout, const void *records, uint32_t count, uint8_t *out);
/* Returns the offset of the directory in the family's format. */
size_t bspt_directory_at(const bspi_variant *variant);
/* Encodes the parts to a file, the reverse of bspi_read_map. */
bspt_bytes bspt_encode_parts(const bspi_variant *variant, const bspt_parts *parts);
/* Encodes the parts and loads the file. Ends the program with the reason if that fails. `options` may be NULL. */
bspscene_scene *bspt_load_parts(const bspi_variant *variant, const bspt_parts *parts,
                                const bspscene_load_options *options);

/* Returns the parts of a small room with one of everything that its family has, lit and with entities. They point to
 * static data, so copy an array before changing it. Returns false if there is no build_<family>.c. */
bool bspt_room_parts(const bspi_family *family, const bspi_variant *variant, bspt_parts *parts);
void bspt_room_quake(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_goldsrc(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_quake2(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_quake3(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_source(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_uebertools(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_nightfire(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_ufoai(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_callofduty(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_callofduty4(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_genesis3d(const bspi_variant *variant, bspt_parts *parts);
void bspt_room_respawn(const bspi_variant *variant, bspt_parts *parts);
/* Returns the palette index of a light grid sample in Medal of Honor's rooms. Byte i of the palette is i * 11 % 101,
 * but color 0 is black. build_uebertools.c */
uint8_t bspt_column_index(uint32_t x, uint32_t y, uint32_t z);

/* Adds BSPX lumps to the rooms of Quake and Quake II: normals, brushes, a light grid. build_bspx.c */
void bspt_room_bspx(bspt_parts *parts);
/* Sets the corners and edges of the rooms of Quake, GoldSrc, Quake II and Source. Four surfedges each make the floor at
 * z = 0 and the wall at x = 0, 128 units long, the ceiling at z = 128 and a door at x = -8. build_quake.c */
void bspt_room_edges(bspi_map *map);
/* Returns the visibility of two clusters that see each other, as Quake II and Source store it. build_quake.c */
bspi_bytes bspt_room_clusters(void);

/* Makes a file of the room. Ends the program if the family has no room. */
bspt_bytes bspt_build_room(const bspi_family *family, const bspi_variant *variant);

/* Returns a file of the first variant of that name in any family. Ends the program if there is none. */
bspt_bytes bspt_build_named_room(const char *variant);

/* Returns the variant. Ends the program if the family has none of that name. */
const bspi_variant *bspt_find_variant(const bspi_family *family, const char *name);
/* Returns the name of a variant's file in messages and corpora: "quake3-rtcw". Static. */
const char *bspt_variant_name(const bspi_family *family, const bspi_variant *variant);

#endif
