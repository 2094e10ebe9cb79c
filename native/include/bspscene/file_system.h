/* game_files.h - directories and archives of games as one set of names, which answers a load's open_file. */
#ifndef BSPSCENE_GAME_FILES_H
#define BSPSCENE_GAME_FILES_H

#include <bspscene/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An ordered set of directories and archives (pk3/pk4/zip, pak, VPK; by content) that answers open_file the way engines
 * do: names ignore case and slash direction, what was mounted later wins, and of equal names in one archive the last.
 * It opens nothing that was not mounted: names that could leave their place (.., drives) are left out and never found,
 * and symbolic links in a directory are followed only to files inside of it, never to directories.
 * Threads: opening, reading and listing change nothing, so one set serves any number of loads at once; mounting and
 * freeing are for one thread alone. */
typedef struct bspscene_file_system bspscene_file_system;

BSPSCENE_API bspscene_file_system *bspscene_file_system_create(void); /* NULL when out of memory */
/* Scenes do not need it any more, but streams must be closed before. NULL is fine. */
BSPSCENE_API void bspscene_file_system_free(bspscene_file_system *files);
/* Mounts one directory or archive. A VPK is named by its `_dir.vpk`; its numbered parts are opened beside it. */
BSPSCENE_API bool bspscene_file_system_mount(bspscene_file_system *files, const char *path, bspscene_error *error);
/* Mounts an archive in memory, which must live as long as `files`. `name` is for messages. */
BSPSCENE_API bool bspscene_file_system_mount_memory(bspscene_file_system *files, const char *name, const void *data, size_t size,
                                              bspscene_error *error);
/* Mounts a game directory with the archives in it, in the engines' order: *_dir.vpk, pak0.pak, pak1.pak, ..., other
 * *.pak, then *.pk3, *.pk4, *.iwd and *.pk3dir directories alphabetically without case. The directory itself comes
 * last, so that loose files win. As in the engines an archive that cannot be read is left out: the result is true, and
 * `error`, otherwise clear, names the first of them. A gameinfo.txt in it (Source) names further directories and
 * VPKs, the best first: those inside of the directory above it are mounted the same way. A directory with such games in
 * it stands for all of them. */
BSPSCENE_API bool bspscene_file_system_mount_game(bspscene_file_system *files, const char *directory, bspscene_error *error);
/* bspscene_open_file_fn; user is the bspscene_file_system. False too for a stream that bspscene_stream_init has not seen. An
 * entry that turns out to be damaged fails when it is read. */
BSPSCENE_API bspscene_open_file_fn bspscene_file_system_open;
/* Why a file that is there cannot be read, as far as its archive's directory tells, in words that go behind its name:
 * "is encrypted", "is packed in a way that is not read". NULL: nothing is known against it, or it is not there. */
BSPSCENE_API const char *bspscene_file_system_unreadable(const bspscene_file_system *files, const char *path);
/* bspscene_list_files_fn: each name once, as the archive writes it, in the order Quake III reads scripts, of which the
 * first definition of a shader counts: the place mounted first comes first, and in a place the last file comes first
 * (tr_shader.c joins the files in reverse). A name in several places stands where its winner is. */
BSPSCENE_API bspscene_list_files_fn bspscene_file_system_list;
/* Directories and archives mounted, in search order (best first), for "searched in" messages; NULL past the end. */
BSPSCENE_API const char *bspscene_file_system_search_path(const bspscene_file_system *files, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
