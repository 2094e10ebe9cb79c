/* family.h - the interface to families of formats. A family is a file in families/ and a row in families.def. Only
 * map/read.c calls families. */
#ifndef BSPI_FAMILY_H
#define BSPI_FAMILY_H

#include <bspscene/formats.h>

#include "map/layout.h"

#define BSPI_MAX_LUMPS 128

/* A lump in the directory. Its bytes lie inside of the file. */
typedef struct bspi_lump {
	const char *name;                  /* the family's word for the lump, such as "surfaces"; a static string */
	bspi_bytes bytes;
	bspi_bytes packed;                 /* if `bytes` was decompressed: the compressed bytes; else empty */
	uint64_t offset;                   /* offset in the file, for messages */
	size_t entry;                      /* Source: where the file stores the lump's entry of the directory */
	size_t place_at;                   /* where the file stores the lump's offset; 0: unknown */
	size_t size_at;                    /* where the file stores the lump's size; 0: right after its offset */
	size_t unpacked_at;                /* where the file stores the lump's uncompressed size; 0: nowhere */
	int32_t version;                   /* Source only */
} bspi_lump;

/* One format of a family: its header and the tables that read it. Unused fields are 0. */
typedef struct bspi_variant {
	const char *name;                  /* value of bspscene_scene.variant, such as "quake3", "rtcw" or "raven" */
	const char *title;                 /* name for messages, such as "Quake III Arena (IBSP 46)" */
	char magic[5];                     /* "" if the file begins with the version instead */
	int32_t version;
	const bspi_lump_row *lumps;
	uint32_t lump_row_count;
	const bspi_rules *rules;
	const void *extra;                 /* data that only the family's own code uses */
} bspi_variant;

typedef struct bspi_family {
	bspscene_family about;             /* such as "quake3" and "Quake III Arena and its relatives" */
	/* Recognizes a file. `head` is the whole file or its beginning. Returns 0 for other families' files. For its own it
	 * returns a certainty: 90 for magic and version, 80 for a magic, 40 for a version number alone, and more if the
	 * content agrees. The family with the highest number wins. */
	int (*bid)(bspi_bytes head, const bspi_variant **variant);
	uint32_t directory_at;             /* offset of the directory in the file */
	uint32_t (*directory_moved)(const bspi_variant *variant); /* returns the number of bytes by which a variant's
	                                                           * directory is moved; NULL: none */
	/* Fills in lumps[0..BSPI_MAX_LUMPS) with names and with views of the file. Lumps that are missing stay empty. */
	bool (*directory)(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps);
	/* Completes the map after the tables were read: kinds of faces, special cases, raw views, visibility. Nothing is
	 * validated yet. NULL: there is nothing to do. */
	bool (*finish)(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map);
	/* All variants of the family. Tests use them to test every format. */
	const bspi_variant *variants;
	uint32_t variant_count;
} bspi_family;

/* The families, in the order of the rows of families.def. map/read.c */
extern const bspi_family *const bspi_families[];
extern const uint32_t bspi_family_count;

#define BSPI_FAMILY(name) extern const bspi_family bspi_family_##name;
#include "map/families.def"
#undef BSPI_FAMILY

/* Sets the bytes of a lump whose name is set. An empty lump may have any offset. A lump that reaches past the end of
 * the file is cut there, with a warning. A lump that begins outside of the file, or has a negative size, is an error.
 * map/read.c */
bool bspi_open_lump(bspi_ctx *ctx, bspi_bytes file, int64_t offset, int64_t size, bspi_lump *lump);

/* Returns the part of a lump that is inside of `head`. */
static inline bspi_bytes bspi_peek_lump(bspi_bytes head, uint32_t offset, uint32_t size)
{
	size_t left = offset < head.size ? head.size - offset : 0;
	return left ? bspi_bytes_of(head.data + offset, size < left ? size : left) : BSPI_NO_BYTES;
}

/* Reads a directory in its common form: at offset `at`, `count` pairs of i32 offset and i32 size. `names` has `count`
 * elements. map/read.c */
bool bspi_read_directory(bspi_ctx *ctx, bspi_bytes file, size_t at, uint32_t count, const char *const *names,
                         bspi_lump *lumps);

/* Finds the family of a file. `head` is the whole file or its beginning. NULL if no family recognizes it. map/read.c */
const bspi_family *bspi_find_family(bspi_bytes head, const bspi_variant **variant);

/* If there is an entity file next to the map, and the map's engines use such files, replaces the entities by those in
 * the file. entity_file.c */
bool bspi_use_entity_file(bspi_ctx *ctx, bspi_map *map);

/* Returns the version number by which people know the format. map/read.c */
int32_t bspi_public_version(const bspi_variant *variant);

/* Fails the load of a file that no family recognizes, with a message that describes the file. Returns false.
 * map/read.c */
bool bspi_fail_foreign(bspi_ctx *ctx, bspi_bytes file);
/* The description of a file that no family recognizes. map/foreign.c */
typedef struct bspi_foreign {
	bool map;                          /* true: a map of an unsupported game; false: another kind of file */
	char text[96];                     /* such as "Quake 64 map", "Git LFS pointer" or "text \"#include...\"" */
} bspi_foreign;
bspi_foreign bspi_describe_foreign(bspi_bytes head);

#endif
