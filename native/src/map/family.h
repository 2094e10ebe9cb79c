/* family.h - the seam: a family of formats is one file in families/ and one row in families.def.
 * map/read.c is the only caller. */
#ifndef BSPI_FAMILY_H
#define BSPI_FAMILY_H

#include <bspscene/formats.h>

#include "map/layout.h"

#define BSPI_MAX_LUMPS 128

/* A lump as the directory names it, checked to lie inside the file. */
typedef struct bspi_lump {
	const char *name;                  /* static: "surfaces", in the family's words */
	bspi_bytes bytes;
	bspi_bytes packed;                 /* what they were unpacked from; empty: nothing */
	uint64_t offset;                   /* in the file, for messages */
	size_t entry;                      /* Source: where the directory has it */
	size_t place_at;                   /* where the directory has its offset; 0: nowhere */
	size_t size_at;                    /* offset of its size in the directory; 0: after its offset */
	size_t unpacked_at;                /* offset of its unpacked size; 0: none */
	int32_t version;                   /* Source */
} bspi_lump;

/* One format of a family: what its header says and which tables read it. Fields that a family does not use are 0. */
typedef struct bspi_variant {
	const char *name;                  /* "quake3", "rtcw", "raven": the public scene's variant */
	const char *title;                 /* "Quake III Arena (IBSP 46)": for people */
	char magic[5];                     /* "" when the file starts with the version */
	int32_t version;
	const bspi_lump_row *lumps;
	uint32_t lump_row_count;
	const bspi_rules *rules;
	const void *extra;                 /* what only this family understands (header length, quirks) */
} bspi_variant;

typedef struct bspi_family {
	bspscene_family about;             /* "quake3", "Quake III Arena and its relatives" */
	/* 0: not mine. Higher is surer: magic and version 90, magic 80, bare version number 40, with evidence from the
	 * contents on top. May look anywhere in `head`, which is the file or its beginning. */
	int (*bid)(bspi_bytes head, const bspi_variant **variant);
	uint32_t directory_at;             /* in the file */
	uint32_t (*directory_moved)(const bspi_variant *variant); /* bytes that it lies further on; NULL: none */
	/* Fills lumps[0..BSPI_MAX_LUMPS): sliced views, named. Missing ones stay empty. */
	bool (*directory)(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps);
	/* After the tables: kinds of faces, quirks, raw views, vis. NULL: nothing to do. Nothing is checked yet. */
	bool (*finish)(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map);
	/* All it reads, for tests that must hold for every format (layout round trips, built maps). */
	const bspi_variant *variants;
	uint32_t variant_count;
} bspi_family;

/* Every row of families.def, in order. map/read.c */
extern const bspi_family *const bspi_families[];
extern const uint32_t bspi_family_count;

#define BSPI_FAMILY(name) extern const bspi_family bspi_family_##name;
#include "map/families.def"
#undef BSPI_FAMILY

/* Gives a named lump its bytes. An empty one may have any offset. One that begins inside the file and passes its end is
 * cut there with a warning; one that begins elsewhere, or has a negative size, is an error. map/read.c */
bool bspi_open_lump(bspi_ctx *ctx, bspi_bytes file, int64_t offset, int64_t size, bspi_lump *lump);

/* What a head has of a lump: of one that passes its end, the beginning. */
static inline bspi_bytes bspi_peek_lump(bspi_bytes head, uint32_t offset, uint32_t size)
{
	size_t left = offset < head.size ? head.size - offset : 0;
	return left ? bspi_bytes_of(head.data + offset, size < left ? size : left) : BSPI_NO_BYTES;
}

/* The usual directory: `count` pairs of i32 offset, length from `at`. `names` has `count` entries. map/read.c */
bool bspi_read_directory(bspi_ctx *ctx, bspi_bytes file, size_t at, uint32_t count, const char *const *names,
                         bspi_lump *lumps);

/* Finds the family of a file or its beginning. NULL: none. map/read.c */
const bspi_family *bspi_find_family(bspi_bytes head, const bspi_variant **variant);

/* Takes the entities of a file next to the map in place of the map's, where its engines do. entity_file.c */
bool bspi_use_entity_file(bspi_ctx *ctx, bspi_map *map);

/* The number that people know a format by. map/read.c */
int32_t bspi_public_version(const bspi_variant *variant);

/* The error of a file that no family reads: it says what the file is. Always false. map/read.c */
bool bspi_fail_foreign(bspi_ctx *ctx, bspi_bytes file);
/* Describes a file that no family reads, for messages. map/foreign.c */
typedef struct bspi_foreign {
	bool map;                          /* a compiled map of a game that is not supported, else no map at all */
	char text[96];                     /* "Quake 64 map", "Git LFS pointer", "text \"#include...\"" */
} bspi_foreign;
bspi_foreign bspi_describe_foreign(bspi_bytes head);

#endif
