/* mounts.h - mounted directories and archives: each is read once into a list of entries, and one sorted index over all
 * of them answers by name. Includes io/ and base/ only; nobody includes it but this folder. */
#ifndef BSPI_FILES_H
#define BSPI_FILES_H

#include <bspscene/file_system.h>

#include "base/text.h"
#include "io/file.h"

typedef struct bspi_mount bspi_mount;

/* Bytes of an entry: in the mounted archive itself (`volume` 0) or in the numbered file beside it (VPK: number + 1). */
typedef struct bspi_span {
	uint64_t offset, size;
	uint32_t volume;
} bspi_span;

typedef struct bspi_entry {
	const char *path;                  /* as stored, made safe: '/'-separated, relative, case kept */
	const char *key;                   /* the same in lower case: what it is found by */
	bspi_mount *mount;
	uint32_t order;                    /* its place in the archive's directory */
	bspi_span spans[2];                /* one behind the other; zip: the first one is packed, with its local header
	                                    * before it; not used by directories */
	uint64_t unpacked_size;            /* zip */
	uint16_t method;                   /* zip */
	const char *unreadable;            /* why, in words, where the archive's directory tells; NULL: it may be read */
	const char *file;                  /* directories: its path below them, byte for byte */
	const uint8_t *unpacked;           /* libarchive: its bytes; NULL: they cannot be read */
} bspi_entry;

/* A kind of place. Adding one is a file and a row in the table of mount.c. */
typedef struct bspi_mount_kind {
	const char *magic;                 /* what it begins with; NULL: `recognize`, or a directory */
	bool (*recognize)(const bspi_mount *mount);
	/* Lists the entries with bspi_mount_add. False with the error set. */
	bool (*read)(bspi_mount *mount, bspscene_error *error);
	/* False when the file is not there after all. May put off what costs time to the first read: callers that only ask
	 * whether a file is there open and close it.
	 * Several threads may open and read at once: nothing of the mount changes. */
	bool (*open)(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out);
} bspi_mount_kind;

struct bspi_mount {
	const bspi_mount_kind *kind;
	const char *origin;                /* path or name, for messages */
	bspi_file *file;                   /* an archive on disk; NULL for directories and memory */
	bspi_bytes memory;                 /* an archive in memory */
	bool in_memory;
	bool only_companions;              /* nobody finds textures there: beside_map.c */
	bool is_base;                      /* of a mod, whose maps have no entities here: QuakeSpasm reads a file of them
	                                    * only where the map lies, or in what wins over that */
	uint64_t size;                     /* of either */
	uint64_t stored_size;              /* of all entries in it: more than `size` when they lie upon each other */
	bspi_budget own_budget;            /* when it is part of no load */
	bspi_arena arena;                  /* names and entries */
	bspi_entry *entries;
	uint32_t entry_count, entry_capacity;
	uint32_t skipped_count;            /* files that were left out because of their names */
	uint32_t number;                   /* later mounts have higher ones */
};

extern const bspi_mount_kind bspi_directory_mount, bspi_zip_mount, bspi_pak_mount, bspi_sin_pak_mount, bspi_vpk_mount,
	bspi_troika_mount, bspi_gma_mount, bspi_libarchive_mount;

/* A public bspscene_file_system whose archives in memory are charged to a load. NULL: out of memory. mounts.c */
bspscene_file_system *bspi_file_system_create_within(bspi_budget *budget);

/* The memory of what the file system holds, from any thread. mounts.c */
const bspi_heap *bspi_file_system_heap(const bspscene_file_system *files);

/* Takes over an open mount, or closes it and sets the error. mounts.c */
bool bspi_file_system_add(bspscene_file_system *files, bspi_mount *mount, bspscene_error *error);
/* bspscene_file_system_mount_game without one archive of it; NULL: with all. mounts.c */
bool bspi_file_system_mount_game_but(bspscene_file_system *files, const char *directory, const char *archive,
                               bspscene_error *error);
/* Of all files those that come from the mounts from number `first` on, in no order worth a promise. mounts.c */
void bspi_file_system_list_from(const bspscene_file_system *files, uint32_t first, const char *suffix,
                          bspscene_found_file_fn *found, void *found_user);
/* Says that the mounts from number `first` on are base games of another one. mounts.c */
void bspi_file_system_mark_bases(bspscene_file_system *files, uint32_t first);
/* From now on a file of entities that is older than its map is not opened. `map`: where the map lies; it must outlive
 * the file system. NULL: in the file system itself. mounts.c */
void bspi_file_system_date_entities(bspscene_file_system *files, const char *map);
/* True if a file was written before a map, which is an entry or (if it is not NULL) a path. entity_dates.c */
bool bspi_is_older_than_map(const bspi_entry *file, const bspi_entry *map, const char *path);
uint32_t bspi_file_system_mount_count(const bspscene_file_system *files);
/* Files that mount left out because of their names, and what it was mounted from. mounts.c */
uint32_t bspi_file_system_skipped_in(const bspscene_file_system *files, uint32_t mount, const char **origin);

/* Opens a directory or archive and lists its entries. NULL with the error set. */
bspi_mount *bspi_mount_open(const bspi_heap *heap, const char *path, bspscene_error *error);
/* The same of an archive in memory. `budget`: what the names and entries are charged to, and its heap; NULL: a limit of
 * its own, and the system's. */
bspi_mount *bspi_mount_open_memory(const bspi_heap *heap, const char *name, bspi_bytes memory, bspi_budget *budget,
                                   bspscene_error *error);
/* A directory without entries, which the caller adds. NULL with the error set. */
bspi_mount *bspi_mount_directory(const char *path, bspscene_error *error);
/* Names files next to maps of an archive that lie elsewhere than in maps/, and WADs anywhere in it, as their game asks
 * for them. False with the error set. beside_map.c */
bool bspi_mount_name_companions(bspi_mount *mount, bspscene_error *error);
/* The same for a map file: out[0] is its folder, with WADs and, for a map in no game, its companions; out[1] is the
 * folder above with WADs, for a map in no game. NULL: nothing is there. False with the error set. beside_map.c */
bool bspi_mount_files_beside(const char *map, bool no_game, bool wads, bspi_mount *out[2], bspscene_error *error);
void bspi_mount_close(bspi_mount *mount); /* NULL is fine */

/* For the kinds. *out is NULL, and the entry left out, when the name is no safe game path or too long to be asked
 * for; unless it is empty, it is counted. */
bool bspi_mount_add(bspi_mount *mount, const char *name, uint32_t order, bspi_entry **out, bspscene_error *error);
/* False with the error set: memory is out, or the mount may have no more. */
bool bspi_mount_fail_memory(const bspi_mount *mount, bspscene_error *error);
/* What its streams are made of: its load's, or the system's. */
const bspi_heap *bspi_mount_heap(const bspi_mount *mount);
/* Its bytes in the archive, those that it shares with others shared out; 0: it is as large as what it gives. */
uint64_t bspi_entry_stored_size(const bspi_entry *entry);
/* All of the range of the archive, or false. */
bool bspi_mount_read(const bspi_mount *mount, uint64_t offset, void *data, size_t size);
/* An archive's directory as a whole, in the mount's arena. `what` names it in messages. */
bool bspi_mount_load(bspi_mount *mount, uint64_t offset, uint64_t size, const char *what, bspi_bytes *out,
                     bspscene_error *error);
/* A stream of one or two spans; it lends bytes that are in memory. Closes `volume` (may be NULL), also on failure. */
bool bspi_open_spans(const bspi_mount *mount, const bspi_span spans[2], bspi_file *volume, bspscene_stream *out);

#endif
