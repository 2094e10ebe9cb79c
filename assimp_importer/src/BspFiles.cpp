/* BspFiles.cpp - see BspFiles.h. Functions that C code calls catch all exceptions. */
#include "BspFiles.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <sstream>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>

#include "BspError.h"

namespace bspscene {
namespace {

using Assimp::IOStream;
using Assimp::IOSystem;

struct CloseStream {
	IOSystem *io;
	void operator()(IOStream *stream) const { io->Close(stream); }
};
using StreamPointer = std::unique_ptr<IOStream, CloseStream>;

StreamPointer Open(IOSystem &io, const std::string &path)
{
	return StreamPointer(io.Open(path.c_str(), "rb"), CloseStream{ &io });
}

struct HostStream {
	StreamPointer stream;
	bool &starved;
};

/* Implements bspscene_stream's `read`. Fails if the host's stream claims to have read more than was requested. */
size_t ReadStream(void *user, void *data, size_t size) noexcept
{
	auto *host = static_cast<HostStream *>(user);
	try {
		size_t read = host->stream->Read(data, 1, size);
		return read <= size ? read : SIZE_MAX;
	} catch (const std::bad_alloc &) {
		host->starved = true;
		return SIZE_MAX;
	} catch (...) {
		return SIZE_MAX;
	}
}

void CloseStreamOfHost(void *user) noexcept
{
	try {
		delete static_cast<HostStream *>(user);
	} catch (...) {
		/* An error of the host while it closes its file cannot be reported. */
	}
}

std::string Fold(std::string text, size_t from, bool upper)
{
	for (size_t i = from; i < text.size(); i++) {
		char &c = text[i];
		if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
		if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
	}
	return text;
}

/* Returns spellings of a path to try. Games ignore case, but the file systems of hosts may not. */
std::vector<std::string> Spellings(const std::string &path)
{
	size_t name = path.find_last_of('/') + 1;
	std::vector<std::string> out;
	for (const std::string &spelling : { path, Fold(path, 0, false), Fold(path, name, false), Fold(path, name, true),
	                                     Fold(path, 0, true) }) {
		if (std::find(out.begin(), out.end(), spelling) == out.end()) out.push_back(spelling);
	}
	return out;
}

std::string WithSlashes(std::string path)
{
	std::replace(path.begin(), path.end(), '\\', '/');
	return path;
}

} // namespace

std::string DirectoryOf(const std::string &path)
{
	std::string directory = WithSlashes(path);
	directory.resize(directory.find_last_of('/') + 1);
	return directory;
}

std::vector<uint8_t> ReadAll(IOSystem &io, const std::string &path, size_t limit)
{
	StreamPointer stream = Open(io, path);
	if (!stream) throw ImportError(path + ": cannot be opened");
	std::vector<uint8_t> bytes;
	size_t first = std::min<size_t>(std::max<size_t>(stream->FileSize(), 4096), limit);
	/* Reserves space for the first read and one more. Usually the second read only finds the end of the file, so the
	 * vector need not move its data. */
	bytes.reserve(std::min(first + read_step, limit));
	while (bytes.size() < limit) {
		size_t at = bytes.size(), wanted = std::min(at ? read_step : first, limit - at);
		bytes.resize(at + wanted);
		size_t read = stream->Read(bytes.data() + at, 1, wanted);
		bytes.resize(at + std::min(read, wanted));
		if (read == 0) break;
	}
	return bytes;
}

FileFinder::FileFinder(bspscene_file_system &files, IOSystem &io, std::string root, bool plain_files)
	: files_(files), io_(io), root_(std::move(root)), plain_files_(plain_files)
{
}

void FileFinder::Install(bspscene_load_options &options)
{
	options.open_file = OpenFile;
	options.list_files = ListFiles;
	options.file_user = this;
}

/* False if the path's directory does not exist, so that fewer spellings of missing textures are tried. */
bool FileFinder::MayExist(const std::string &path)
{
	std::string directory = DirectoryOf(path);
	if (!plain_files_ || directory.empty()) return true;
	auto [at, is_new] = directories_.try_emplace(directory, false);
	std::error_code ignored;
	if (is_new) at->second = std::filesystem::is_directory(directory, ignored);
	return at->second;
}

/* True if the file exists. The result is cached, because several materials may search the same missing file. */
bool FileFinder::Exists(const std::string &path)
{
	if (!MayExist(path)) return false;
	auto [at, is_new] = asked_.try_emplace(path, false);
	if (is_new) at->second = io_.Exists(path.c_str());
	return at->second;
}

bool FileFinder::OpenThroughHost(bspscene_stream &stream, const std::string &path)
{
	for (const std::string &spelling : Spellings(path)) {
		std::string full = root_ + spelling;
		if (!Exists(full)) continue;
		auto opened = std::make_unique<HostStream>(HostStream{ Open(io_, full), starved_ });
		if (!opened->stream) continue;
		stream.size = opened->stream->FileSize();
		stream.read = ReadStream;
		stream.close = CloseStreamOfHost;
		stream.user = opened.release();
		return true;
	}
	return false;
}

bool FileFinder::OpenFile(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	auto *finder = static_cast<FileFinder *>(user);
	try {
		return bspscene_file_system_open(&finder->files_, stream, path, kind) ||
		       finder->OpenThroughHost(*stream, path);
	} catch (const std::bad_alloc &) {
		finder->starved_ = true;
		return false;
	} catch (...) {
		return false;
	}
}

/* Lists scripts. An IOSystem cannot list files, so the list is read from shaderlist.txt of the map compilers. It has
 * one name on each line; a comment begins with "//". */
void FileFinder::ListScripts(bspscene_found_file_fn *found, void *found_user)
{
	for (const std::string &spelling : Spellings("scripts/shaderlist.txt")) {
		if (!Exists(root_ + spelling)) continue;
		std::vector<uint8_t> bytes = ReadAll(io_, root_ + spelling, size_t{ 1 } << 20);
		std::istringstream lines(std::string(bytes.begin(), bytes.end()));
		for (std::string line; std::getline(lines, line);) {
			std::string name;
			std::istringstream(line.substr(0, line.find("//"))) >> name;
			if (!name.empty()) found(found_user, ("scripts/" + name + ".shader").c_str());
		}
		return;
	}
}

void FileFinder::ListFiles(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                           void *found_user)
{
	auto *finder = static_cast<FileFinder *>(user);
	try {
		bspscene_file_system_list(&finder->files_, prefix, suffix, found, found_user);
		if (std::string(suffix) == ".shader") finder->ListScripts(found, found_user);
	} catch (const std::bad_alloc &) {
		finder->starved_ = true;
	} catch (...) {
		/* The load reports scripts that cannot be listed as missing files. */
	}
}

} // namespace bspscene
