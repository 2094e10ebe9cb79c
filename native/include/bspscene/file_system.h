/* file_system.h - Directories and archives of games as one file system that answers open_file of a load. */
#ifndef BSPSCENE_FILE_SYSTEM_H
#define BSPSCENE_FILE_SYSTEM_H

#include <bspscene/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An ordered set of mounted directories and archives (zip, pk3, pak, VPK, GMA; recognized by content).
 *
 * - Names ignore case and the direction of slashes. Later mounts win; in an archive the last of equal names wins.
 * - It opens nothing that was not mounted. Names that leave their archive ("..", drives) are never found. Symbolic
 *   links in a directory are followed only to files inside that directory.
 * - Any number of threads may open, read and list at once. Mount and free in one thread only. */
typedef struct bspscene_file_system bspscene_file_system;

/** Creates an empty file system. Returns NULL if memory is out. `allocator` is copied and must be valid until the file
 * system is freed. NULL: malloc and free. */
BSPSCENE_API bspscene_file_system *bspscene_file_system_create(const bspscene_allocator *allocator);

/** Frees a file system. Close its streams first. Loaded scenes do not need it. NULL does nothing. */
BSPSCENE_API void bspscene_file_system_free(bspscene_file_system *file_system);

/** Mounts one directory or archive. For a VPK, name its `_dir.vpk`; the numbered parts are opened with it. Returns
 * false with `error` (may be NULL) set on failure. */
BSPSCENE_API bool bspscene_file_system_mount(bspscene_file_system *file_system, const char *path,
                                             bspscene_error *error);

/** Mounts an archive in memory, which must stay valid until the file system is freed. `name` is for messages. Returns
 * false with `error` (may be NULL) set on failure. */
BSPSCENE_API bool bspscene_file_system_mount_memory(bspscene_file_system *file_system, const char *name,
                                                    const void *data, size_t size, bspscene_error *error);

/** Mounts a game directory with its archives in the order of the engines.
 *
 * - The order is *_dir.vpk and *.gma; pak0.pak, pak1.pak, ...; other *.pak; then *.pk3, pk4, iwd, pkz, dpk, kpf and
 *   *.pk3dir directories, sorted without case; at last the directory itself, so that loose files win.
 * - A gameinfo.txt (Source) names further directories and VPKs, the best first. Those inside the directory above the
 *   game are mounted in the same way.
 * - If a directory contains such game directories, all of them are mounted.
 * - An archive that cannot be read is skipped: the result is true, and `error` names the first one.
 *
 * Returns false with `error` (may be NULL) set on failure. */
BSPSCENE_API bool bspscene_file_system_mount_game(bspscene_file_system *file_system, const char *directory,
                                                  bspscene_error *error);

/** Opens a file. A bspscene_open_file_fn whose `user` is the bspscene_file_system.
 *
 * Returns false if there is no such file, or if bspscene_stream_init was not called. A damaged entry fails when it is
 * read. */
BSPSCENE_API bspscene_open_file_fn bspscene_file_system_open;

/** Lists files. A bspscene_list_files_fn whose `user` is the bspscene_file_system.
 *
 * Each name appears once, as its archive spells it, in the order in which Quake III reads scripts: the first mount
 * comes first, and within a mount the last file comes first (tr_shader.c joins them in reverse). A name in several
 * mounts has the position of the file that wins. */
BSPSCENE_API bspscene_list_files_fn bspscene_file_system_list;

/** Returns why a file that exists cannot be read, as far as the archive's directory tells: a phrase that follows its
 * name, such as "is encrypted". NULL: no known reason, or no such file. */
BSPSCENE_API const char *bspscene_file_system_unreadable(const bspscene_file_system *file_system, const char *path);

/** Returns how many files of the mounted directories and archives were skipped because of their names: those with
 * control characters or more than 255 bytes, and those that could leave their directory ("..", drives, devices). */
BSPSCENE_API uint32_t bspscene_file_system_skipped_names(const bspscene_file_system *file_system);

/** Returns the path of a mounted directory or archive, or NULL past the end. The one that wins over all others is
 * number 0. For messages about where files were searched. */
BSPSCENE_API const char *bspscene_file_system_search_path(const bspscene_file_system *file_system, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
