/* BspFiles.h - the host's IOSystem, and the game's directories and archives, as what bspscene opens files with. */
#ifndef BSP_FILES_H
#define BSP_FILES_H

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <bspscene/bspscene.h>

namespace Assimp {
class IOSystem;
}

namespace bspscene {

struct FreeFiles {
	void operator()(bspscene_files *files) const { bspscene_files_free(files); }
};
using FilesPointer = std::unique_ptr<bspscene_files, FreeFiles>;

/* How much is asked for when the size that was stated has been read. */
constexpr size_t read_step = size_t{ 1 } << 16;

/* A whole file through the host's IOSystem. Throws ImportError. At most `limit` bytes; SIZE_MAX: all. */
std::vector<uint8_t> ReadAll(Assimp::IOSystem &io, const std::string &path, size_t limit = SIZE_MAX);

/* Is there a directory named maps above the file? */
bool IsInMaps(const std::string &map_path);
/* "games/quake3/" of "games/quake3/maps/atrium.bsp", "" of "maps/atrium.bsp"; the file's own directory when no
 * directory above it is named maps. */
std::string GameDirectoryOf(const std::string &map_path);
/* "atrium" of "maps/atrium.bsp", also of "maps/atrium.bsp.fbx". */
std::string MapNameOf(const std::string &map_path);

/* Finds the files around a map: in what was mounted, then through the IOSystem below `root`. */
class FileFinder {
public:
	/* io NULL: only what is mounted. `plain_files`: io is the file system. */
	FileFinder(Assimp::IOSystem *io, std::string root, bool plain_files = false);

	FilesPointer TakeMounted() { return std::move(mounted_); }
	/* Mounts a directory with the archives in it, or an archive. Throws ImportError. */
	void Mount(const std::string &path);
	/* The bytes must outlive what is mounted. */
	void MountMemory(const std::string &name, const std::vector<uint8_t> &bytes);
	/* What is below `root` has been mounted: no need to ask for each spelling of each name. */
	void StopAskingHost() { io_ = nullptr; }
	/* Lets a load use this finder, which must outlive it. */
	void Install(bspscene_load_options &options);

private:
	static bool OpenFile(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind);
	static void ListFiles(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
	                      void *found_user);
	bool OpenThroughHost(bspscene_stream &stream, const std::string &path);
	bool MayExist(const std::string &path);
	void ListScripts(bspscene_found_file_fn *found, void *found_user);

	Assimp::IOSystem *io_;
	std::string root_;
	bool plain_files_;
	std::unordered_map<std::string, bool> directories_; /* of plain files: is it there? */
	FilesPointer mounted_;
};

} // namespace bspscene

#endif
