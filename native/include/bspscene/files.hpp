/* files.hpp - files for C++17: functions of a program as the files of a load, file systems and sources. */
#ifndef BSPSCENE_FILES_HPP
#define BSPSCENE_FILES_HPP

#include <bspscene/scene.hpp>

#include <exception>
#include <functional>
#include <new>

namespace bspscene {

/* ---- Files of the program's own --------------------------------------------------------------------------- */

/** Returns a file by its game path, such as "textures/sample/brick.tga", or nothing. See bspscene_open_file_fn. */
using open_file_fn = std::function<std::optional<bytes>(std::string_view path, bspscene_file_kind kind)>;
/** Returns the game paths that begin and end so, in the game's order. See bspscene_list_files_fn. */
using list_files_fn = std::function<std::vector<std::string>(std::string_view prefix, std::string_view suffix)>;

/** Functions that open and list files for a load, in place of the files around the map. An exception of a function ends
 * the load and reaches the caller of the load. */
struct own_files {
	/** Either may be empty: the load then finds no sibling file, or lists none. */
	/**@{*/
	open_file_fn open_file;
	list_files_fn list_files;
	/**@}*/
};

namespace detail {

/** Passes own_files to the C callbacks of one load. No exception passes through C. */
class own_files_call {
public:
	/** Copies the options of a load (`how` may be NULL) and sets its callbacks to these functions. `files` must live
	 * until the load ends. */
	own_files_call(const own_files &files, const bspscene_load_options *how) : files_(files)
	{
		if (how) *how_.get() = *how;
		if (files.open_file) how_->open_file = open;
		if (files.list_files) how_->list_files = list;
		how_->file_user = this;
	}
	/** Calls load(options, error), and throws what the functions threw, or bspscene::error if the load failed. */
	template <class Load> scene run(Load load)
	{
		bspscene_error reason;
		bspscene_scene *made = load(how_.get(), &reason);
		if (failure_) {
			bspscene_scene_free(made);
			std::rethrow_exception(failure_);
		}
		return scene(made, reason);
	}

private:
	template <class Action> bool guarded(Action action)
	{
		if (failure_) return false;
		try {
			return action();
		} catch (...) {
			failure_ = std::current_exception();
			return false;
		}
	}
	static bool open(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
	{
		auto *call = static_cast<own_files_call *>(user);
		return call->guarded([&] {
			std::optional<bytes> found = call->files_.open_file(path, kind);
			if (!found) return false;
			auto content = std::make_unique<bytes>(std::move(*found));
			stream->size = content->size();
			stream->data = content->empty() ? static_cast<const void *>("") : content->data();
			stream->close = [](void *old) { delete static_cast<bytes *>(old); };
			stream->user = content.release();
			return true;
		});
	}
	static void list(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
	                 void *found_user)
	{
		auto *call = static_cast<own_files_call *>(user);
		call->guarded([&] {
			for (const std::string &name : call->files_.list_files(prefix, suffix)) found(found_user, name.c_str());
			return true;
		});
	}

	const own_files &files_;
	load_options how_;
	std::exception_ptr failure_;
};

/** Reads a file; nothing if there is none. Throws std::runtime_error if it is damaged. */
inline std::optional<bytes> read(bspscene_file_system *files, const std::string &path)
{
	options<bspscene_stream> stream;
	if (!bspscene_file_system_open(files, stream.get(), path.c_str(), BSPSCENE_FILE_OTHER)) return std::nullopt;
	const std::unique_ptr<bspscene_stream, void (*)(bspscene_stream *)> owner(stream.get(), [](bspscene_stream *open) {
		if (open->close) open->close(open->user);
	});
	bytes content;
	if (stream->data) {
		const auto *data = static_cast<const std::uint8_t *>(stream->data);
		content.assign(data, data + static_cast<std::size_t>(stream->size));
	}
	std::uint8_t part[4096];
	for (std::size_t got; !stream->data && (got = stream->read(stream->user, part, sizeof part)) != 0;) {
		if (got == SIZE_MAX) throw std::runtime_error("bspscene: " + path + " cannot be read");
		content.insert(content.end(), part, part + got);
	}
	return content;
}

} // namespace detail

/** Loads a map file with files of the program's own; see bspscene_load_file. */
inline scene load_file(const std::string &path, const own_files &files, const bspscene_load_options *how = nullptr)
{
	return detail::own_files_call(files, how).run([&](const bspscene_load_options *known, bspscene_error *reason) {
		return bspscene_load_file(path.c_str(), known, reason);
	});
}

/** Loads a map from memory with files of the program's own; see bspscene_load_memory. */
inline scene load(const void *data, std::size_t size, const own_files &files,
                  const bspscene_load_options *how = nullptr)
{
	return detail::own_files_call(files, how).run([&](const bspscene_load_options *known, bspscene_error *reason) {
		return bspscene_load_memory(data, size, known, reason);
	});
}

/* ---- File systems and sources ----------------------------------------------------------------------------- */

/** Directories and archives as one file system; see file_system.h. Functions that fail throw bspscene::error. */
class file_system {
public:
	/** An empty file system. Throws std::bad_alloc. */
	explicit file_system(const bspscene_allocator *allocator = nullptr)
		: handle_(bspscene_file_system_create(allocator))
	{
		if (!handle_) throw std::bad_alloc();
	}
	/** Returns the file system of the C interface, such as for file_user of a load. */
	bspscene_file_system *get() const noexcept { return handle_.get(); }
	/** Mount one directory or archive, an archive in memory that must outlive this object, or a game directory with its
	 * archives. */
	/**@{*/
	void mount(const std::string &path)
	{
		bspscene_error reason;
		if (!bspscene_file_system_mount(get(), path.c_str(), &reason)) throw error(reason);
	}
	void mount_memory(const std::string &name, const void *data, std::size_t size)
	{
		bspscene_error reason;
		if (!bspscene_file_system_mount_memory(get(), name.c_str(), data, size, &reason)) throw error(reason);
	}
	void mount_game(const std::string &directory)
	{
		bspscene_error reason;
		if (!bspscene_file_system_mount_game(get(), directory.c_str(), &reason)) throw error(reason);
	}
	/**@}*/
	/** Reads a file by its game path; nothing if there is none. Throws std::runtime_error if it is damaged. */
	std::optional<bytes> read(const std::string &path) const { return detail::read(get(), path); }
	/** Lists files that begin with `prefix` and end with `suffix`, as bspscene_file_system_list. */
	std::vector<std::string> list(const std::string &prefix, const std::string &suffix) const
	{
		std::vector<std::string> names;
		bspscene_file_system_list(get(), prefix.c_str(), suffix.c_str(), [](void *user, const char *name) {
			static_cast<std::vector<std::string> *>(user)->emplace_back(name);
		}, &names);
		return names;
	}

private:
	struct freeing {
		void operator()(bspscene_file_system *old) const noexcept { bspscene_file_system_free(old); }
	};
	std::unique_ptr<bspscene_file_system, freeing> handle_;
};

/** A map file, an archive or a game directory with its maps; see source.h. Failures throw bspscene::error. */
class source {
public:
	/** Opens a source, as bspscene_source_open. */
	explicit source(const std::string &path, const bspscene_source_options *how = nullptr)
	{
		bspscene_error reason;
		handle_.reset(bspscene_source_open(path.c_str(), how, &reason));
		if (!handle_) throw error(reason);
	}
	/** The source of the C interface, and its kind. */
	/**@{*/
	bspscene_source *get() const noexcept { return handle_.get(); }
	bspscene_source_kind kind() const { return bspscene_source_kind_of(get()); }
	/**@}*/
	/** The maps: how many, the name that players know, and the game path. Numbers are less than map_count. */
	/**@{*/
	std::uint32_t map_count() const { return bspscene_source_map_count(get()); }
	std::string_view map_name(std::uint32_t map) const { return bspscene_source_map_name(get(), map); }
	std::string_view map_path(std::uint32_t map) const { return bspscene_source_map_path(get(), map); }
	/**@}*/
	/** Finds a map by name; "" means the only map of the source. */
	std::uint32_t find_map(const std::string &name = "") const
	{
		bspscene_error reason;
		const std::uint32_t map = bspscene_source_find_map(get(), name.c_str(), &reason);
		if (map == BSPSCENE_NO_INDEX) throw error(reason);
		return map;
	}
	/** Loads a map by its number. The scene does not need the source. */
	scene load(std::uint32_t map, const bspscene_load_options *how = nullptr) const
	{
		bspscene_error reason;
		bspscene_scene *made = bspscene_source_load(get(), map, how, &reason);
		return scene(made, reason);
	}
	/** Reads a file that loads may ask for; nothing if there is none. Throws std::runtime_error if it is damaged. */
	std::optional<bytes> read(const std::string &path) const
	{
		return detail::read(bspscene_source_file_system(get()), path);
	}
	/** Returns one line about each game or archive that was skipped. */
	std::vector<std::string> problems() const
	{
		std::vector<std::string> lines;
		while (const char *line = bspscene_source_problem(get(), static_cast<std::uint32_t>(lines.size()))) {
			lines.emplace_back(line);
		}
		return lines;
	}

private:
	struct freeing {
		void operator()(bspscene_source *old) const noexcept { bspscene_source_free(old); }
	};
	std::unique_ptr<bspscene_source, freeing> handle_;
};

} // namespace bspscene

#endif
