/* mounts.h - mounted directories and archives. Each is listed once, and one sorted index over all entries finds files
 * by name. Only files of this folder include it; it includes only io/ and base/. */
#ifndef BSPI_FILES_H
#define BSPI_FILES_H

#include <bspscene/file_system.h>

#include "base/text.h"
#include "io/file.h"

typedef struct bspi_mount bspi_mount;

/* Bytes of an entry: in the mounted archive (`volume` 0) or in a numbered file next to it (VPK: number + 1). */
typedef struct bspi_span {
	uint64_t offset, size;
	uint32_t volume;
} bspi_span;

typedef struct bspi_entry {
	const char *path;                  /* as stored, made safe: relative, with '/', case kept */
	const char *key;                   /* the path in lower case, for searching */
	bspi_mount *mount;
	uint32_t order;                    /* index in the archive's directory */
	/* concatenated; zip: the first one is the packed data, preceded by its local header; unused for directories */
	bspi_span spans[2];
	uint64_t unpacked_size;            /* zip only */
	uint16_t method;                   /* zip only */
	const char *unreadable;            /* reason known from the archive's directory; NULL: readable */
	const char *file;                  /* directories: path relative to them, unchanged */
	const uint8_t *unpacked;           /* libarchive: content; NULL: cannot be read */
} bspi_entry;

/* A kind of mount. A new one is a file and a row in mount.c. */
typedef struct bspi_mount_kind {
	const char *magic;                 /* first bytes; NULL: `recognize` decides, or a directory */
	bool (*recognize)(const bspi_mount *mount);
	/* Lists the entries by bspi_mount_add. False with the error set. */
	bool (*read)(bspi_mount *mount, bspscene_error *error);
	/* Opens an entry. False if the file does not exist any more. May defer costly work to the first read, because some
	 * callers only test for existence. Several threads may open and read at once; the mount must not change. */
	bool (*open)(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out);
} bspi_mount_kind;

struct bspi_mount {
	const bspi_mount_kind *kind;
	const char *origin;                /* path or name for messages */
	bspi_file *file;                   /* archive on disk; NULL for directories and memory */
	bspi_bytes memory;                 /* archive in memory */
	bool in_memory;
	bool only_companions;              /* it is searched only for companions of maps, not for textures (beside_map.c) */
	/* base game of a mod: entity files for the mod's maps are not read from it, because QuakeSpasm only reads them
	 * where the map is or with a higher priority */
	bool is_base;
	uint64_t size;                     /* of file or memory */
	uint64_t stored_size;              /* of all entries; exceeds `size` if they overlap */
	bspi_budget own_budget;            /* used if the mount belongs to no load */
	bspi_arena arena;                  /* names and entries */
	bspi_entry *entries;
	uint32_t entry_count, entry_capacity;
	uint32_t skipped_count;            /* files skipped because of their names */
	uint32_t number;                   /* higher for later mounts */
};

extern const bspi_mount_kind bspi_directory_mount, bspi_zip_mount, bspi_pak_mount, bspi_sin_pak_mount, bspi_vpk_mount,
	bspi_troika_mount, bspi_gma_mount, bspi_libarchive_mount;

/* Creates a bspscene_file_system whose archives in memory are charged to a load's budget. NULL if memory is out.
 * mounts.c */
bspscene_file_system *bspi_file_system_create_within(bspi_budget *budget);

/* Returns the file system's heap, which is safe for any thread. mounts.c */
const bspi_heap *bspi_file_system_heap(const bspscene_file_system *files);

/* Adds an open mount, or closes it and sets the error. mounts.c */
bool bspi_file_system_add(bspscene_file_system *files, bspi_mount *mount, bspscene_error *error);
/* Mounts a game like bspscene_file_system_mount_game, except for one archive (NULL: none). mounts.c */
bool bspi_file_system_mount_game_but(bspscene_file_system *files, const char *directory, const char *archive,
                               bspscene_error *error);
/* Lists files of mounts `first` and later, in unspecified order. mounts.c */
void bspi_file_system_list_from(const bspscene_file_system *files, uint32_t first, const char *suffix,
                          bspscene_found_file_fn *found, void *found_user);
/* Marks mounts `first` and later as base games. mounts.c */
void bspi_file_system_mark_bases(bspscene_file_system *files, uint32_t first);
/* Sets that entity files older than their map are not opened. `map` is the path of the map, which must outlive the file
 * system; NULL: the map is in the file system. mounts.c */
void bspi_file_system_date_entities(bspscene_file_system *files, const char *map);
/* True if a file was written before a map, which is an entry or (if it is not NULL) a path. entity_dates.c */
bool bspi_is_older_than_map(const bspi_entry *file, const bspi_entry *map, const char *path);
uint32_t bspi_file_system_mount_count(const bspscene_file_system *files);
/* Returns how many files of a mount were skipped because of their names, and the mount's origin. mounts.c */
uint32_t bspi_file_system_skipped_in(const bspscene_file_system *files, uint32_t mount, const char **origin);

/* Opens a directory or archive and lists its entries. NULL with the error set on failure. */
bspi_mount *bspi_mount_open(const bspi_heap *heap, const char *path, bspscene_error *error);
/* Like bspi_mount_open for an archive in memory. Names and entries are charged to `budget` and use its heap; NULL: a
 * limit of its own and the system's heap. */
bspi_mount *bspi_mount_open_memory(const bspi_heap *heap, const char *name, bspi_bytes memory, bspi_budget *budget,
                                   bspscene_error *error);
/* Makes a directory mount without entries, which the caller adds. NULL with the error set on failure. */
bspi_mount *bspi_mount_directory(const char *path, bspscene_error *error);
/* Gives companions of maps outside of maps/ in an archive, and all WADs in it, the names that a game asks for. False
 * with the error set on failure. beside_map.c */
bool bspi_mount_name_companions(bspi_mount *mount, bspscene_error *error);
/* Mounts the folders around a map file on disk. out[0] is its folder, with WADs and, for a map in no game, companions;
 * out[1] the folder above with WADs, for a map in no game. NULL: nothing found. False with the error set on failure.
 * beside_map.c */
bool bspi_mount_files_beside(const char *map, bool no_game, bool wads, bspi_mount *out[2], bspscene_error *error);
void bspi_mount_close(bspi_mount *mount); /* may be NULL */

/* Adds an entry, for kinds of mounts. If the name is no safe game path or too long, *out is NULL and (unless the name
 * is empty) the entry is counted as skipped. */
bool bspi_mount_add(bspi_mount *mount, const char *name, uint32_t order, bspi_entry **out, bspscene_error *error);
/* Sets the error if memory is out or the mount's limit is reached. Returns false. */
bool bspi_mount_fail_memory(const bspi_mount *mount, bspscene_error *error);
/* Returns the heap for streams: the load's, or the system's. */
const bspi_heap *bspi_mount_heap(const bspi_mount *mount);
/* Returns the entry's bytes in the archive; bytes that several entries share are distributed over them. 0: as many as
 * unpacked. */
uint64_t bspi_entry_stored_size(const bspi_entry *entry);
/* Reads a range of the archive. False if it is not complete. */
bool bspi_mount_read(const bspi_mount *mount, uint64_t offset, void *data, size_t size);
/* Reads an archive's directory into the mount's arena. `what` names it in messages. */
bool bspi_mount_load(bspi_mount *mount, uint64_t offset, uint64_t size, const char *what, bspi_bytes *out,
                     bspscene_error *error);
/* Opens a stream of one or two spans; bytes in memory are borrowed. Closes `volume` (may be NULL), also on failure. */
bool bspi_open_spans(const bspi_mount *mount, const bspi_span spans[2], bspi_file *volume, bspscene_stream *out);

#endif
