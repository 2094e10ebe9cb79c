/* BspImporter.cpp - see BspImporter.h: recognizes maps by content, loads with the host's files and progress,
 * converts. */
#include "BspImporter.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include <assimp/DefaultLogger.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>

#include "BspError.h"

namespace bspscene {
namespace {

/* Some hosts check extensions themselves, and pass "map.bsp.fbx" only if it is in this list. Assimp's importers of
 * those formats refuse such files, because they are maps. */
const aiImporterDesc description = {
	"bspscene: compiled game maps", "", "", "Quake to Source; told by content",
	aiImporterFlags_SupportBinaryFlavour, 0, 0, 0, 0,
	"bsp bsp.fbx bsp.obj bsp.dae bsp.stl bsp.ply bsp.3ds bsp.gltf bsp.glb pk3"
};

/* Number of bytes at the start of a file that are usually enough to recognize it. */
constexpr size_t head_size = 4096;
constexpr size_t packed_head_size = 1 << 20;

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

struct FreePlace {
	void operator()(bspscene_source *place) const { bspscene_source_free(place); }
};
using PlacePointer = std::unique_ptr<bspscene_source, FreePlace>;

/* ---- Progress ---------------------------------------------------------------------------------------------- */

/* Implements bspscene_progress_fn. A load is the first half of Assimp's progress bar; post-processing is the second. */
bspscene_progress_result Step(void *user, const char *, double fraction) noexcept
{
	try {
		bool on = static_cast<Assimp::ProgressHandler *>(user)->Update(static_cast<float>(fraction) * 0.5f);
		return on ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
	} catch (...) {
		return BSPSCENE_PROGRESS_CANCEL;
	}
}

void LogWarnings(const bspscene_scene &scene)
{
	for (uint32_t i = 0; i < scene.warning_count; i++) {
		const bspscene_warning &warning = *scene.warnings[i];
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
	/* Bad values are reported in InternReadFile, because Assimp does not catch exceptions of this function. */
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

/* True if the file's content is a map or an archive. A file named .bsp that is no map is accepted too, so that the read
 * can report what is wrong with it. So is a pk3 without a map, because Assimp's own importer would make an empty scene
 * of it. */
bool BspImporter::CanRead(const std::string &file, Assimp::IOSystem *io, bool) const
{
	if (!io || EndsWith(file, ".bsp")) return EndsWith(file, ".bsp");
	try {
		/* A map in a bzip2 file can be recognized only after the first block was decompressed, which has at most
		 * 900 KB. */
		bool packed = EndsWith(file, ".bz2");
		std::vector<uint8_t> head = ReadAll(*io, file, packed ? packed_head_size : head_size);
		if (!IsZip(head)) return bspscene_probe(head.data(), head.size(), nullptr);
		return EndsWith(file, ".pk3");
	} catch (const std::exception &) {
		return false;
	}
}

void BspImporter::InternReadFile(const std::string &file, aiScene *out, Assimp::IOSystem *io)
{
	if (!bad_property_.empty()) throw std::runtime_error(bad_property_);
	/* If the host uses the machine's file system, the map is opened by its path, together with its game. Other
	 * IOSystems give only the bytes of the map, and further files are requested one by one. */
	std::vector<uint8_t> bytes;
	std::vector<const char *> games;
	bspscene_source_options around;
	bspscene_source_options_init(&around);
	games.reserve(settings_.games.size());
	for (const std::string &game : settings_.games) games.push_back(game.c_str());
	around.games = games.data();
	around.game_count = static_cast<uint32_t>(games.size());
	around.isolated = !settings_.siblings;
	if (!default_io_) {
		bytes = ReadAll(*io, file);
		around.data = bytes.empty() ? "" : static_cast<const void *>(bytes.data());
		around.size = bytes.size();
	}
	bspscene_error error;
	PlacePointer place(bspscene_source_open(file.c_str(), &around, &error));
	if (!place) throw ImportError(error.message);
	for (uint32_t i = 0; const char *problem = bspscene_source_problem(place.get(), i); i++) ASSIMP_LOG_WARN(problem);
	Load(file, *place, *io, *out);
}

uint32_t BspImporter::FindMap(const bspscene_source &place) const
{
	bool single = bspscene_source_kind_of(&place) == BSPSCENE_SOURCE_MAP;
	bspscene_error error;
	uint32_t map = bspscene_source_find_map(&place, single ? nullptr : settings_.map.c_str(), &error);
	if (map != BSPSCENE_NO_INDEX) return map;
	throw ImportError(std::string(error.message) +
	                  (error.status == BSPSCENE_ERROR_BAD_OPTIONS ? " (IMPORT_BSP_MAP)" : ""));
}

void BspImporter::Load(const std::string &file, const bspscene_source &place, Assimp::IOSystem &io, aiScene &out)
{
	bspscene_load_options options = settings_.load;
	const char *game = bspscene_source_game(&place);
	uint32_t map = FindMap(place);
	/* If the game's directory is on the machine's file system, it is mounted. Then the host need not be asked for every
	 * spelling of each name. */
	bool asks_host = settings_.siblings && !(default_io_ && game);
	std::string root = !game ? DirectoryOf(file) : *game ? std::string(game) + "/" : "";
	std::optional<FileFinder> finder;
	if (asks_host) finder.emplace(*bspscene_source_file_system(&place), io, root, default_io_).Install(options);
	if (!settings_.palette.empty()) options.palette_path = settings_.palette.c_str();
	if (m_progress && !default_progress_) {
		options.progress = Step;
		options.progress_user = m_progress;
	}

	bspscene_error error;
	ScenePointer scene(bspscene_source_load(&place, map, &options, &error));
	if (finder && finder->IsStarved()) throw std::bad_alloc();
	if (!scene) throw ImportError(error.message);
	LogWarnings(*scene);
	ConvertOptions convert = settings_.convert;
	/* If the file is a map and not an archive, paths of images are relative to its directory "maps". */
	if (game && bspscene_source_kind_of(&place) == BSPSCENE_SOURCE_MAP) convert.image_directory = "../";
	Convert(*scene, convert, out);
	/* aiProcess_GlobalScale converts the units to meters. */
	SetFileScale(static_cast<double>(scene->meters_per_unit));
}

} // namespace bspscene
