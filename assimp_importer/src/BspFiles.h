/* BspFiles.h - lets bspscene open files through the host's IOSystem and in search places. */
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

/* Number of bytes that are requested by each read but the first. The first read requests the size that the stream
 * reports, but at least 4096 bytes. */
constexpr size_t read_step = size_t{ 1 } << 16;

/* Reads a whole file through the host's IOSystem, at most `limit` bytes (SIZE_MAX: all). Throws ImportError. */
std::vector<uint8_t> ReadAll(Assimp::IOSystem &io, const std::string &path, size_t limit = SIZE_MAX);

/* Returns "a/b/" for "a/b/c", with slashes only. */
std::string DirectoryOf(const std::string &path);

/* Finds the files that a map needs: first in the opened file, archive or game (`files`), then through the IOSystem
 * below `root`. */
class FileFinder {
public:
	/* `files` and `io` must outlive this object. `plain_files` is true if `io` is the file system of the machine. */
	FileFinder(bspscene_file_system &files, Assimp::IOSystem &io, std::string root, bool plain_files);

	/* Makes a load use this finder, which must outlive the load. */
	void Install(bspscene_load_options &options);

	/* True if memory ran out in a callback. The load then treated the file as missing. */
	bool IsStarved() const { return starved_; }

private:
	static bool OpenFile(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind);
	static void ListFiles(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
	                      void *found_user);
	bool OpenThroughHost(bspscene_stream &stream, const std::string &path);
	bool MayExist(const std::string &path);
	bool Exists(const std::string &path);
	void ListScripts(bspscene_found_file_fn *found, void *found_user);

	bspscene_file_system &files_;
	Assimp::IOSystem &io_;
	std::string root_;
	bool plain_files_;
	bool starved_ = false;
	std::unordered_map<std::string, bool> directories_; /* directories of the machine's file system, and whether each
	                                                     * exists */
	std::unordered_map<std::string, bool> asked_;       /* paths that were tested, and whether each exists */
};

} // namespace bspscene

#endif
