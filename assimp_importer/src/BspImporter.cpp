/* BspImporter.cpp - see BspImporter.h: decides by content, loads with the host's files and progress, converts. */
#include "BspImporter.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

#include <assimp/DefaultLogger.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>

#include "BspError.h"

namespace bspscene {
namespace {

/* Hosts with lists of extensions of their own let "map.bsp.fbx" pass; the importers of those formats refuse it. */
const aiImporterDesc description = {
	"bspscene: compiled game maps", "", "", "Quake to Source; told by content",
	aiImporterFlags_SupportBinaryFlavour, 0, 0, 0, 0,
	"bsp bsp.fbx bsp.obj bsp.dae bsp.stl bsp.ply bsp.3ds bsp.gltf bsp.glb pk3"
};

/* What a probe decides by in all but odd cases. */
constexpr size_t head_size = 4096;

bool EndsWith(const std::string &text, const std::string &end)
{
	if (text.size() < end.size()) return false;
	return std::equal(end.begin(), end.end(), text.end() - static_cast<std::ptrdiff_t>(end.size()),
	                  [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

bool IsZip(const std::vector<uint8_t> &bytes)
{
	return bytes.size() >= 4 && !std::memcmp(bytes.data(), "PK\3\4", 4);
}

/* ---- Maps in archives -------------------------------------------------------------------------------------- */

FilesPointer MountMemory(const std::string &name, const std::vector<uint8_t> &bytes)
{
	FileFinder finder(nullptr, "");
	finder.MountMemory(name, bytes);
	return finder.TakeMounted();
}

std::vector<std::string> ListMaps(bspscene_files &files)
{
	std::vector<std::string> maps;
	bspscene_files_list(&files, "maps/", ".bsp", [](void *user, const char *path) {
		try {
			static_cast<std::vector<std::string> *>(user)->push_back(path);
		} catch (...) {
			/* One map less to choose from. */
		}
	}, &maps);
	std::sort(maps.begin(), maps.end());
	return maps;
}

std::string ChooseMap(const std::string &file, const std::vector<std::string> &maps, const std::string &wanted)
{
	std::string names;
	for (const std::string &map : maps) {
		std::string name = MapNameOf(map);
		if (map == wanted || name == wanted || name + ".bsp" == wanted) return map;
		if (names.size() < 200) names += (names.empty() ? "" : ", ") + name;
	}
	if (maps.empty()) throw ImportError(file + ": no maps (maps/*.bsp) in it");
	if (!wanted.empty()) throw ImportError(file + ": no map \"" + wanted + "\" in it; there is " + names);
	if (maps.size() > 1) throw ImportError(file + ": choose one of its maps with IMPORT_BSP_MAP: " + names);
	return maps[0];
}

std::vector<uint8_t> ReadFromArchive(bspscene_files &files, const std::string &path)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	bool opened = bspscene_files_open(&files, &stream, path.c_str(), BSPSCENE_FILE_MAP);
	if (!opened) throw ImportError(path + ": cannot be opened");
	struct Closer {
		bspscene_stream &stream;
		~Closer() { if (stream.close) stream.close(stream.user); }
	} closer{ stream };
	std::vector<uint8_t> bytes;
	if (stream.data) {
		auto *data = static_cast<const uint8_t *>(stream.data);
		bytes.assign(data, data + stream.size);
		return bytes;
	}
	/* What the archive says of the size is good for the first step only. */
	size_t first = static_cast<size_t>(std::min<uint64_t>(stream.size, 1 << 26)) + 1;
	bytes.reserve(first + read_step);
	for (;;) {
		size_t at = bytes.size();
		bytes.resize(at + (at ? read_step : first));
		size_t read = stream.read(stream.user, bytes.data() + at, bytes.size() - at);
		if (read == SIZE_MAX) throw ImportError(path + ": cannot be read from the archive");
		bytes.resize(at + read);
		if (read == 0) return bytes;
	}
}

/* ---- Progress ---------------------------------------------------------------------------------------------- */

/* The stages of a load as parts of a bar that ends at the half: post-processing has the rest, as Assimp divides it. */
struct Progress {
	Assimp::ProgressHandler *handler;
	float shown = 0;

	static bspscene_progress_result Step(void *user, const char *stage, uint64_t done, uint64_t total) noexcept
	{
		static const struct { const char *stage; float from, to; } parts[] = {
			{ "read", 0, 0.1f }, { "geometry", 0.1f, 0.3f }, { "lightmaps", 0.3f, 0.6f }, { "textures", 0.6f, 0.9f },
		};
		auto *progress = static_cast<Progress *>(user);
		for (const auto &part : parts) {
			if (std::strcmp(part.stage, stage)) continue;
			float done_part = total ? static_cast<float>(std::min(done, total)) / static_cast<float>(total) : 1;
			progress->shown = std::max(progress->shown, part.from + (part.to - part.from) * done_part);
		}
		try {
			return progress->handler->Update(progress->shown * 0.5f) ? BSPSCENE_CONTINUE : BSPSCENE_CANCEL;
		} catch (...) {
			return BSPSCENE_CANCEL;
		}
	}
};

void LogWarnings(const bspscene_scene &scene)
{
	for (uint32_t i = 0; i < scene.warning_count; i++) {
		const bspscene_warning &warning = scene.warnings[i];
		std::string text = std::string("BSP: ") + warning.message;
		if (warning.count > 1) text += " (first of " + std::to_string(warning.count) + ")";
		ASSIMP_LOG_WARN(text.c_str());
	}
}

} // namespace

const aiImporterDesc *BspImporter::GetInfo() const
{
	return &description;
}

void BspImporter::SetupProperties(const Assimp::Importer *importer)
{
	/* Assimp catches exceptions of reading, not of this: a bad value is told then. */
	settings_ = Settings();
	bad_property_.clear();
	try {
		settings_ = ReadProperties(*importer);
	} catch (const std::exception &exception) {
		bad_property_ = exception.what();
	}
	default_io_ = importer->IsDefaultIOHandler();
	default_progress_ = importer->IsDefaultProgressHandler();
}

/* The bytes decide. A .bsp that is none is claimed all the same, so that the host is told what is wrong with it, and so
 * is a pk3 without a map: Assimp's own importer makes an empty scene of that. */
bool BspImporter::CanRead(const std::string &file, Assimp::IOSystem *io, bool) const
{
	if (!io || EndsWith(file, ".bsp")) return EndsWith(file, ".bsp");
	try {
		std::vector<uint8_t> head = ReadAll(*io, file, head_size);
		if (!IsZip(head)) return bspscene_probe(head.data(), head.size(), nullptr);
		return EndsWith(file, ".pk3");
	} catch (const std::exception &) {
		return false;
	}
}

void BspImporter::InternReadFile(const std::string &file, aiScene *out, Assimp::IOSystem *io)
{
	if (!bad_property_.empty()) throw std::runtime_error(bad_property_);
	Map map;
	map.bytes = ReadAll(*io, file);
	map.name = MapNameOf(file);
	if (IsZip(map.bytes)) {
		map.archive = std::move(map.bytes);
		FilesPointer files = MountMemory(file, map.archive);
		std::string path = ChooseMap(file, ListMaps(*files), settings_.map);
		map.bytes = ReadFromArchive(*files, path);
		map.name = MapNameOf(path);
	}
	Load(file, map, *io, *out);
}

/* What a game would find around the map. Plain files: all archives of the game, in the game's order. A directory that
 * only looks like a game's (too many files, say) must not keep the map from being read. */
void BspImporter::MountAll(const std::string &file, const Map &map, FileFinder &finder) const
{
	for (const std::string &path : settings_.games) finder.Mount(path);
	std::string place = default_io_ && settings_.siblings ? std::filesystem::absolute(file).generic_string() : "";
	if (!place.empty() && (IsInMaps(place) || !map.archive.empty())) {
		try {
			finder.Mount(GameDirectoryOf(place));
			finder.StopAskingHost();
		} catch (const ImportError &error) {
			ASSIMP_LOG_WARN(error.what());
		}
	}
	if (!map.archive.empty()) finder.MountMemory(file, map.archive);
}

void BspImporter::Load(const std::string &file, const Map &map, Assimp::IOSystem &io, aiScene &out)
{
	bspscene_load_options options = settings_.load;
	FileFinder finder(settings_.siblings ? &io : nullptr, GameDirectoryOf(file), default_io_);
	MountAll(file, map, finder);
	finder.Install(options);
	options.name = map.name.c_str();
	if (!settings_.palette.empty()) options.palette_path = settings_.palette.c_str();
	Progress progress{ m_progress };
	if (m_progress && !default_progress_) {
		options.progress = Progress::Step;
		options.progress_user = &progress;
	}

	bspscene_error error;
	ScenePointer scene(bspscene_load_memory(map.bytes.data(), map.bytes.size(), &options, &error));
	if (!scene) throw ImportError(error.message);
	LogWarnings(*scene);
	ConvertOptions convert = settings_.convert;
	/* Paths are relative to the map's directory. */
	if (IsInMaps(file)) convert.image_directory = "../";
	Convert(*scene, convert, out);
	/* aiProcess_GlobalScale makes metres of it. */
	SetFileScale(static_cast<double>(scene->metres_per_unit));
}

} // namespace bspscene
