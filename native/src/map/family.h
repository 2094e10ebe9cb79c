/* family.h - the interface to families of formats. A family is one file in families/ and one row in families.def. Only
 * map/read.c calls it. */
#ifndef BSPI_FAMILY_H
#define BSPI_FAMILY_H

#include <bspscene/formats.h>

#include "map/layout.h"

#define BSPI_MAX_LUMPS 128

/* A lump in the directory. Its bytes are inside of the file. */
typedef struct bspi_lump {
	const char *name;                  /* static: "surfaces", in the family's words */
	bspi_bytes bytes;
	bspi_bytes packed;                 /* the compressed bytes, if `bytes` was decompressed; else empty */
	uint64_t offset;                   /* in the file, for messages */
	size_t entry;                      /* Source: index in the directory */
	size_t place_at;                   /* position in the file of its offset; 0: unknown */
	size_t size_at;                    /* position in the file of its size; 0: right after the offset */
	size_t unpacked_at;                /* position in the file of its uncompressed size; 0: there is none */
	int32_t version;                   /* Source only */
} bspi_lump;

/* One format of a family: its header and the tables that read it. Unused fields are 0. */
typedef struct bspi_variant {
	const char *name;                  /* bspscene_scene.variant: "quake3", "rtcw", "raven" */
	const char *title;                 /* for messages: "Quake III Arena (IBSP 46)" */
	char magic[5];                     /* "" if the file begins with the version */
	int32_t version;
	const bspi_lump_row *lumps;
	uint32_t lump_row_count;
	const bspi_rules *rules;
	const void *extra;                 /* data that only the family's own code uses */
} bspi_variant;

typedef struct bspi_family {
	bspscene_family about;             /* "quake3", "Quake III Arena and its relatives" */
	/* Recognizes a file. `head` is the file or its beginning. Returns 0 for other files, else a certainty: 90 for magic
	 * and version, 80 for a magic, 40 for a version number alone, and more if the content agrees. The family with the
	 * highest value wins. */
	int (*bid)(bspi_bytes head, const bspi_variant **variant);
	uint32_t directory_at;             /* offset of the directory in the file */
	uint32_t (*directory_moved)(const bspi_variant *variant); /* returns the number of bytes by which a variant's
	                                                           * directory is moved; NULL: none */
	/* Fills lumps[0..BSPI_MAX_LUMPS) with names and views of the file. Missing ones stay empty. */
	bool (*directory)(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps);
	/* Completes the map after the tables were read: kinds of faces, quirks, raw views, visibility. NULL: nothing to do.
	 * Nothing is checked yet. */
	bool (*finish)(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map);
	/* All variants, for tests that use every format. */
	const bspi_variant *variants;
	uint32_t variant_count;
} bspi_family;

/* All rows of families.def, in order. map/read.c */
extern const bspi_family *const bspi_families[];
extern const uint32_t bspi_family_count;

#define BSPI_FAMILY(name) extern const bspi_family bspi_family_##name;
#include "map/families.def"
#undef BSPI_FAMILY

/* Sets the bytes of a named lump. An empty lump may have any offset. One that exceeds the end of the file is cut, with
 * a warning. One that begins outside of the file or has a negative size is an error. map/read.c */
bool bspi_open_lump(bspi_ctx *ctx, bspi_bytes file, int64_t offset, int64_t size, bspi_lump *lump);

/* Returns the part of a lump that is inside of `head`. */
static inline bspi_bytes bspi_peek_lump(bspi_bytes head, uint32_t offset, uint32_t size)
{
	size_t left = offset < head.size ? head.size - offset : 0;
	return left ? bspi_bytes_of(head.data + offset, size < left ? size : left) : BSPI_NO_BYTES;
}

/* Reads the common form of directory: `count` pairs of i32 offset and length at `at`. `names` has `count` entries.
 * map/read.c */
bool bspi_read_directory(bspi_ctx *ctx, bspi_bytes file, size_t at, uint32_t count, const char *const *names,
                         bspi_lump *lumps);

/* Recognizes the family of a file or its beginning. NULL if there is none. map/read.c */
const bspi_family *bspi_find_family(bspi_bytes head, const bspi_variant **variant);

/* Replaces the entities by those of a file next to the map, if the map's engines do. entity_file.c */
bool bspi_use_entity_file(bspi_ctx *ctx, bspi_map *map);

/* Returns the version number by which the format is known. map/read.c */
int32_t bspi_public_version(const bspi_variant *variant);

/* Fails with a message about what a file is that no family reads. Returns false. map/read.c */
bool bspi_fail_foreign(bspi_ctx *ctx, bspi_bytes file);
/* Describes a file that no family reads. map/foreign.c */
typedef struct bspi_foreign {
	bool map;                          /* true: a map of an unsupported game; false: another kind of file */
	char text[96];                     /* "Quake 64 map", "Git LFS pointer", "text \"#include...\"" */
} bspi_foreign;
bspi_foreign bspi_describe_foreign(bspi_bytes head);

#endif
