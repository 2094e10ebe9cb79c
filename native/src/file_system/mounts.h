/* mounts.h - mounted directories and archives. Each is listed once, and one sorted index over all entries finds files
 * by name. Only files of this folder include it; it includes only io/ and base/. */
#ifndef BSPI_FILES_H
#define BSPI_FILES_H

#include <bspscene/file_system.h>

#include "base/text.h"
#include "io/file.h"

typedef struct bspi_mount bspi_mount;

/* A range of bytes of an entry. If `volume` is 0, they are in the mounted archive, otherwise in a numbered file next
 * to it. In a VPK, the number of that file is `volume` - 1. */
typedef struct bspi_span {
	uint64_t offset, size;
	uint32_t volume;
} bspi_span;

typedef struct bspi_entry {
	const char *path;                  /* the stored path, but made safe: relative, with '/'; case is kept */
	const char *key;                   /* the path in lower case, for searching */
	bspi_mount *mount;
	uint32_t order;                    /* index in the archive's directory */
	/* The entry's bytes are those of both spans, one after the other. In a zip, the first span is the packed data, and
	 * its offset is that of the local header before it. Unused for directories. */
	bspi_span spans[2];
	uint64_t unpacked_size;            /* in bytes; only for zip and Respawn's VPK */
	uint16_t method;                   /* only for zip: number of the compression method; 0: stored */
	const char *unreadable;            /* why the entry cannot be read, as found when the archive was listed; NULL:
	                                    * it can be read */
	const char *file;                  /* for mounted directories: path relative to the directory, as it is on disk */
	const uint8_t *unpacked;           /* for libarchive: unpacked content; NULL: cannot be read */
} bspi_entry;

/* A kind of mount. A new kind needs a file of its own and a row in mount.c. */
typedef struct bspi_mount_kind {
	const char *magic;                 /* first bytes of the archive; NULL: `recognize` decides, or the mount is a
	                                    * directory */
	bool (*recognize)(const bspi_mount *mount);
	/* Lists the entries by calling bspi_mount_add. On failure, sets the error and returns false. */
	bool (*read)(bspi_mount *mount, bspscene_error *error);
	/* Opens an entry. Returns false if the file does not exist any more. Costly work may be deferred to the first read,
	 * because some callers only test for existence. Several threads may open and read at once, so the mount must not
	 * change. */
	bool (*open)(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out);
} bspi_mount_kind;

struct bspi_mount {
	const bspi_mount_kind *kind;
	const char *origin;                /* path or name of the mount, for messages */
	bspi_file *file;                   /* archive on disk; NULL for directories and memory */
	bspi_bytes memory;                 /* archive in memory */
	bool in_memory;
	bool only_companions;              /* searched only for companions of maps, not for textures (beside_map.c) */
	/* the mount is the base game of a mod. Entity files for the mod's maps are not read from it, because QuakeSpasm
	 * only reads such files from the map's directory or one with a higher priority */
	bool is_base;
	uint64_t size;                     /* size of `file` or `memory` */
	uint64_t stored_size;              /* sum over all entries; exceeds `size` if entries overlap */
	bspi_budget own_budget;            /* used if the mount belongs to no load */
	bspi_arena arena;                  /* for names and entries */
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

/* Returns the file system's heap. Any thread may use it. mounts.c */
const bspi_heap *bspi_file_system_heap(const bspscene_file_system *files);

/* Adds an open mount. On failure, closes the mount and sets the error. mounts.c */
bool bspi_file_system_add(bspscene_file_system *files, bspi_mount *mount, bspscene_error *error);
/* Mounts a game like bspscene_file_system_mount_game, but leaves out the archive `archive` (NULL: none). mounts.c */
bool bspi_file_system_mount_game_but(bspscene_file_system *files, const char *directory, const char *archive,
                               bspscene_error *error);
/* Lists the files of mount number `first` and all later mounts, in unspecified order. mounts.c */
void bspi_file_system_list_from(const bspscene_file_system *files, uint32_t first, const char *suffix,
                          bspscene_found_file_fn *found, void *found_user);
/* Marks mount number `first` and all later mounts as base games. mounts.c */
void bspi_file_system_mark_bases(bspscene_file_system *files, uint32_t first);
/* From this call on, entity files that are older than their map are not opened. `map` is the path of the map, and must
 * outlive the file system. NULL: the map is in the file system. mounts.c */
void bspi_file_system_date_entities(bspscene_file_system *files, const char *map);
/* True if `file` was written before the map. If `path` is not NULL, it is the map's path; otherwise `map` is the map's
 * entry. entity_dates.c */
bool bspi_is_older_than_map(const bspi_entry *file, const bspi_entry *map, const char *path);
uint32_t bspi_file_system_mount_count(const bspscene_file_system *files);
/* Returns how many files of a mount were skipped because of their names. *origin receives the mount's origin.
 * mounts.c */
uint32_t bspi_file_system_skipped_in(const bspscene_file_system *files, uint32_t mount, const char **origin);

/* Opens a directory or archive and lists its entries. On failure, returns NULL and sets the error. */
bspi_mount *bspi_mount_open(const bspi_heap *heap, const char *path, bspscene_error *error);
/* Like bspi_mount_open, but for an archive in memory. Names and entries are charged to `budget` and use its heap. If
 * `budget` is NULL, the mount has a limit of its own and uses `heap`. */
bspi_mount *bspi_mount_open_memory(const bspi_heap *heap, const char *name, bspi_bytes memory, bspi_budget *budget,
                                   bspscene_error *error);
/* Makes a mount of a directory, but lists no entries: the caller adds them. On failure, returns NULL and sets the
 * error. */
bspi_mount *bspi_mount_directory(const char *path, bspscene_error *error);
/* Gives some files of an archive a second name, by which a game asks for them. These are the companions of maps that
 * are outside of maps/, and all WADs. On failure, returns false and sets the error. beside_map.c */
bool bspi_mount_name_companions(bspi_mount *mount, bspscene_error *error);
/* Mounts the folders around a map file on disk. out[0] is the map's folder with its WADs and, if the map is in no game,
 * the map's companions. out[1] is the folder above with its WADs, if the map is in no game. An element is NULL if
 * nothing was found. On failure, returns false and sets the error. beside_map.c */
bool bspi_mount_files_beside(const char *map, bool no_game, bool wads, bspi_mount *out[2], bspscene_error *error);
void bspi_mount_close(bspi_mount *mount); /* may be NULL */

/* Adds an entry; kinds of mounts call this. If the name is too long or not a safe game path, *out is NULL. Unless the
 * name is empty, the entry is then counted as skipped. */
bool bspi_mount_add(bspi_mount *mount, const char *name, uint32_t order, bspi_entry **out, bspscene_error *error);
/* Sets the error for a mount that lacks memory: memory is out, or the mount's limit is reached. Returns false. */
bool bspi_mount_fail_memory(const bspi_mount *mount, bspscene_error *error);
/* Returns the heap that streams use: that of the load, or else the one that the mount was opened with. */
const bspi_heap *bspi_mount_heap(const bspi_mount *mount);
/* Returns how many bytes an entry takes in the archive. Bytes that several entries share are distributed among them.
 * The result 0 means as many bytes as the unpacked size. */
uint64_t bspi_entry_stored_size(const bspi_entry *entry);
/* Reads a range of bytes of the archive. False if not all of them could be read. */
bool bspi_mount_read(const bspi_mount *mount, uint64_t offset, void *data, size_t size);
/* Reads an archive's directory into the mount's arena. `what` names it in messages. */
bool bspi_mount_load(bspi_mount *mount, uint64_t offset, uint64_t size, const char *what, bspi_bytes *out,
                     bspscene_error *error);
/* Opens a stream that returns the bytes of one or two spans. Bytes in memory are not copied. Closes `volume`, which may
 * be NULL, also on failure. */
bool bspi_open_spans(const bspi_mount *mount, const bspi_span spans[2], bspi_file *volume, bspscene_stream *out);

#endif
