/* test_importer.cpp - what a host gets from Assimp is what bspscene loaded: the same triangles, uvs, lights, cameras
 * and entities, for every fixture and a room of every variant, through files, memory and hosts' own file systems; and
 * nothing a file holds brings a host down. Promises of bspscene_assimp.h and BspToAssimp.h. BSPSCENE_SHARED_DATA names
 * a folder with the atrium of further families. */
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <assimp/DefaultIOSystem.h>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/ProgressHandler.hpp>
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <bspscene/bspscene_assimp.h>

#include "BspFiles.h"
#include "assimp/compare_scene.h"

extern "C" {
#include "assimp/numbered_rooms.h"
#include "support/bspt.h"
#include "support/build_archive.h"
}

namespace {

namespace fs = std::filesystem;

const unsigned all_steps = aiProcess_ValidateDataStructure | aiProcessPreset_TargetRealtime_MaxQuality;

void AddMaps(const fs::path &directory, std::vector<std::string> &maps)
{
	for (const auto &entry : fs::recursive_directory_iterator(directory)) {
		if (entry.path().extension() == ".bsp") maps.push_back(entry.path().generic_string());
	}
}

std::vector<std::string> Fixtures()
{
	std::vector<std::string> maps;
	AddMaps(fs::path(BSPT_FIXTURES) / "atrium", maps);
	const char *further = std::getenv("BSPSCENE_SHARED_DATA");
	if (further && fs::is_directory(fs::path(further) / "atrium")) AddMaps(fs::path(further) / "atrium", maps);
	return maps;
}

std::string Atrium() { return std::string(BSPT_FIXTURES) + "/atrium/quake3/maps/atrium.bsp"; }

struct Loaded {
	bspscene_files *files = bspscene_files_create();
	bspscene_scene *scene = nullptr;

	explicit Loaded(const std::string &map, uint32_t include = BSPSCENE_VISIBLE)
	{
		bspscene_load_options options;
		bspscene_error error;
		std::string game = fs::path(map).parent_path().parent_path().generic_string();
		if (!bspscene_files_mount_game(files, game.c_str(), &error)) bspt_die(error.message, game.c_str());
		bspscene_load_options_init(&options);
		bspt_use_files(&options, files);
		options.include = include;
		scene = bspscene_load_file(map.c_str(), &options, &error);
		if (!scene) bspt_die(error.message, map.c_str());
	}
	~Loaded()
	{
		bspscene_scene_free(scene);
		bspscene_files_free(files);
	}
};

/* ---- The scene equals ------------------------------------------------------------------------------------------ */

void CheckMap(Assimp::Importer &importer, const std::string &map, uint32_t include, bspt_report *report)
{
	Loaded loaded(map, include);
	importer.SetPropertyString("IMPORT_BSP_INCLUDE", include ? "all" : "");
	const aiScene *out = importer.ReadFile(map, aiProcess_ValidateDataStructure);
	BSPT_EXPECT(report, out, "%s", importer.GetErrorString());
	if (!out) return;
	bspscene_error error;
	bspscene_scene *baked = bspscene_bake_light(loaded.scene, nullptr, &error); /* hosts know no light styles */
	if (!baked) bspt_die(error.message, map.c_str());
	CheckScene(*baked, *out, report);
	bspscene_scene_free(baked);
}

/* One importer for all: nothing may stay from the map before. */
void TestEqual(bspt_report *report)
{
	std::vector<std::string> maps = Fixtures();
	BSPT_EXPECT(report, maps.size() >= 11, "only %u fixtures", static_cast<unsigned>(maps.size()));
	Assimp::Importer importer;
	BSPT_EXPECT(report, bspscene_assimp_register(&importer), "%s", bspscene_assimp_error());
	for (const std::string &map : maps) {
		for (uint32_t include : { uint32_t{ BSPSCENE_VISIBLE }, uint32_t{ BSPSCENE_INCLUDE_ALL } }) {
			bspt_context(report, "%s, include %x: ", map.c_str(), include);
			CheckMap(importer, map, include, report);
		}
	}
	bspt_context(report, "%s", "");
}

void TestRooms(bspt_report *report)
{
	char directory[256];
	bspt_make_directory(directory, sizeof directory);
	fs::create_directory(fs::path(directory) / "maps");
	std::string path = std::string(directory) + "/maps/room.bsp";
	Assimp::Importer importer;
	bspscene_assimp_register(&importer);
	uint32_t count = bspt_room_count();
	for (uint32_t i = 0; i < count; i++) {
		const char *name;
		bspt_bytes file = bspt_room(i, &name);
		bspt_write_file(path.c_str(), file.data, file.size);
		bspt_context(report, "room of %s: ", name);
		CheckMap(importer, path, BSPSCENE_INCLUDE_ALL, report);
		std::free(file.data);
	}
	bspt_context(report, "%s", "");
	BSPT_EXPECT(report, count > 15, "only %u rooms", count);
	bspt_remove_directory(directory);
}

/* ---- Ways to get a scene ---------------------------------------------------------------------------------------- */

/* aiProcess_GlobalScale makes metres of game units. */
void TestSteps(bspt_report *report)
{
	for (const std::string &map : Fixtures()) {
		const aiScene *scene = bspscene_assimp_import_file(map.c_str(), all_steps | aiProcess_GlobalScale, nullptr);
		BSPT_EXPECT(report, scene, "%s: %s", map.c_str(), bspscene_assimp_error());
		aiReleaseImport(scene);
	}
	const aiScene *units = bspscene_assimp_import_file(Atrium().c_str(), 0, nullptr);
	const aiScene *metres = bspscene_assimp_import_file(Atrium().c_str(), aiProcess_GlobalScale, nullptr);
	float want = units->mMeshes[0]->mVertices[0].Length() * 0.0254f, is = metres->mMeshes[0]->mVertices[0].Length();
	BSPT_EXPECT(report, IsNear(is, want), "%g metres instead of %g", is, want);
	aiReleaseImport(metres);
	/* libassimp's own functions take the scene as theirs. */
	BSPT_EXPECT(report, aiApplyPostProcessing(units, all_steps) == units, "post-processing afterwards");
	aiReleaseImport(units);
}

/* Those that are more than a stand-in of one colour. */
unsigned CountPictures(const aiScene &scene)
{
	const unsigned plain = 512;        /* bytes of PNG */
	unsigned count = 0;
	for (unsigned i = 0; i < scene.mNumTextures; i++) count += scene.mTextures[i]->mWidth > plain;
	return count;
}

void TestMemory(bspt_report *report)
{
	bspt_bytes bytes = bspt_read_file(Atrium().c_str());
	std::string game = std::string("IMPORT_BSP_GAME=") + BSPT_FIXTURES + "/atrium/quake3";
	const char *properties[] = { game.c_str(), nullptr };
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	const aiScene *bare = bspscene_assimp_import_memory(bytes.data, bytes.size, all_steps, &options);
	options.properties = properties;
	const aiScene *full = bspscene_assimp_import_memory(bytes.data, bytes.size, all_steps, &options);
	BSPT_EXPECT(report, bare && full, "%s", bspscene_assimp_error());
	if (bare && full) {
		BSPT_EXPECT(report, CountPictures(*full) > CountPictures(*bare) + 5, "%u textures with the game, %u without",
		            CountPictures(*full), CountPictures(*bare));
	}
	aiReleaseImport(bare);
	aiReleaseImport(full);
	std::free(bytes.data);
}

/* Of an archive with two maps one has to be chosen, by name; the error says which there are. */
void TestArchive(bspt_report *report)
{
	bspt_bytes map = bspt_read_file(Atrium().c_str());
	bspt_member members[2]{};
	for (bspt_member &member : members) {
		member.packed = map;
		member.claims = true;
		member.claimed_size = static_cast<uint32_t>(map.size);
	}
	members[0].name = "maps/one.bsp";
	members[1].name = "maps/two.bsp";
	bspt_bytes archive = bspt_zip(members, 2);
	char directory[256];
	bspt_make_directory(directory, sizeof directory);
	std::string path = std::string(directory) + "/maps.pk3";
	bspt_write_file(path.c_str(), archive.data, archive.size);
	const aiScene *scene = bspscene_assimp_import_file(path.c_str(), 0, nullptr);
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "one, two"), "%s", bspscene_assimp_error());
	scene = bspscene_assimp_import_file((path + "#two").c_str(), all_steps, nullptr);
	BSPT_EXPECT(report, scene, "%s", bspscene_assimp_error());
	aiString name;
	if (scene) scene->mMetaData->Get("bsp.name", name);
	BSPT_EXPECT(report, !std::strcmp(name.C_Str(), "two"), "the map is %s", name.C_Str());
	aiReleaseImport(scene);
	scene = bspscene_assimp_import_file((path + "#three").c_str(), 0, nullptr);
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "three"), "%s", bspscene_assimp_error());
	members[0].name = members[1].name = "textures/one.tga";
	bspt_bytes mapless = bspt_zip(members, 1);
	bspt_write_file(path.c_str(), mapless.data, mapless.size);
	scene = bspscene_assimp_import_file(path.c_str(), 0, nullptr);
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "no maps"), "%s", bspscene_assimp_error());
	std::free(mapless.data);
	bspt_remove_directory(directory);
	std::free(archive.data);
	std::free(map.data);
}

/* Files in memory, by paths that are all upper case: a host's own file system, in which the
 * importer has to fold case. */
class UpperCaseSystem final : public Assimp::IOSystem {
public:
	explicit UpperCaseSystem(const fs::path &directory)
	{
		for (const auto &entry : fs::recursive_directory_iterator(directory)) {
			if (!entry.is_regular_file()) continue;
			std::string name = fs::relative(entry.path(), directory).generic_string();
			for (char &c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
			bspt_bytes bytes = bspt_read_file(entry.path().c_str());
			files_[name].assign(bytes.data, bytes.data + bytes.size);
			std::free(bytes.data);
		}
	}
	bool Exists(const char *path) const override
	{
		asked[path]++;
		return files_.count(path) > 0;
	}
	char getOsSeparator() const override { return '/'; }
	Assimp::IOStream *Open(const char *path, const char *) override
	{
		auto at = files_.find(path);
		if (at == files_.end()) return nullptr;
		open++;
		return new Assimp::MemoryIOStream(at->second.data(), at->second.size(), false);
	}
	void Close(Assimp::IOStream *stream) override
	{
		open--;
		delete stream;
	}
	/* A path that was asked for more than once, or "". */
	std::string AskedTwice() const
	{
		for (const auto &path : asked) {
			if (path.second > 1) return path.first;
		}
		return "";
	}
	int open = 0;
	mutable std::map<std::string, int> asked;

private:
	std::map<std::string, std::vector<uint8_t>> files_;
};

void TestHostFiles(bspt_report *report)
{
	Loaded loaded(Atrium());
	UpperCaseSystem files(fs::path(BSPT_FIXTURES) / "atrium/quake3");
	Assimp::Importer importer;
	bspscene_assimp_register(&importer);
	importer.SetIOHandler(&files);
	const aiScene *scene = importer.ReadFile("MAPS/ATRIUM.BSP", all_steps);
	BSPT_EXPECT(report, scene, "%s", importer.GetErrorString());
	importer.SetPropertyInteger("IMPORT_BSP_SIBLINGS", 1);
	const aiScene *plain = scene ? importer.ReadFile("MAPS/ATRIUM.BSP", 0) : nullptr;
	if (plain) {
		Assimp::Importer other;
		bspscene_assimp_register(&other);
		const aiScene *from_disk = other.ReadFile(Atrium(), 0);
		bool same = plain->mNumTextures == from_disk->mNumTextures && plain->mNumMeshes == from_disk->mNumMeshes;
		BSPT_EXPECT(report, same, "%u textures and %u meshes instead of %u and %u", plain->mNumTextures,
		            plain->mNumMeshes, from_disk->mNumTextures, from_disk->mNumMeshes);
	}
	BSPT_EXPECT(report, files.open == 0, "%d files are still open", files.open);
	importer.SetIOHandler(nullptr);
	(void)!importer.GetIOHandler();
}

/* A map whose materials share what is missing had its host asked 4,069 times for one name. Here without Assimp's own
 * filter between, which asks a second time for all. */
void TestHostIsAskedOnce(bspt_report *report)
{
	UpperCaseSystem host(fs::path(BSPT_FIXTURES) / "atrium/quake3");
	std::unique_ptr<bspscene_files, void (*)(bspscene_files *)> files(bspscene_files_create(), bspscene_files_free);
	bspscene::FileFinder finder(*files, &host, "", false);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	finder.Install(options);
	for (int i = 0; i < 100; i++) {
		for (const char *path : { "textures/none.tga", "TEXTURES/NONE.TGA", "textures/sample/brick.tga" }) {
			bspscene_stream stream;
			bspscene_stream_init(&stream);
			bool found = options.open_file(options.file_user, &stream, path, BSPSCENE_FILE_TEXTURE);
			BSPT_EXPECT(report, found == (path[9] == 's'), "%s: %d", path, found);
			if (found) stream.close(stream.user);
		}
	}
	BSPT_EXPECT(report, !host.asked.empty() && host.AskedTwice().empty(), "%s was asked for twice",
	            host.AskedTwice().c_str());
}

/* One file through C callbacks, counted. */
struct CFile {
	const bspt_bytes *bytes;
	size_t at;
};

size_t CRead(aiFile *file, char *data, size_t size, size_t count)
{
	auto *state = reinterpret_cast<CFile *>(file->UserData);
	size_t left = (state->bytes->size - state->at) / size;
	count = count < left ? count : left;
	std::memcpy(data, state->bytes->data + state->at, count * size);
	state->at += count * size;
	return count;
}

size_t CSize(aiFile *file) { return reinterpret_cast<CFile *>(file->UserData)->bytes->size; }

aiFile *COpen(aiFileIO *io, const char *path, const char *)
{
	if (!std::strstr(path, "memory.bsp")) return nullptr;
	auto *file = new aiFile{};
	file->ReadProc = CRead;
	file->FileSizeProc = CSize;
	file->UserData = reinterpret_cast<aiUserData>(new CFile{ reinterpret_cast<bspt_bytes *>(io->UserData), 0 });
	return file;
}

void CClose(aiFileIO *, aiFile *file)
{
	delete reinterpret_cast<CFile *>(file->UserData);
	delete file;
}

void TestCHost(bspt_report *report)
{
	bspt_bytes bytes = bspt_read_file(Atrium().c_str());
	aiFileIO io{ COpen, CClose, reinterpret_cast<aiUserData>(&bytes) };
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	options.io = &io;
	const aiScene *scene = bspscene_assimp_import_file("maps/memory.bsp", all_steps, &options);
	BSPT_EXPECT(report, scene && scene->mNumMeshes > 3, "%s", bspscene_assimp_error());
	aiReleaseImport(scene);
	/* Assimp keeps what is set by kind: a number in a string is a property that nobody asks for. */
	Assimp::Importer mistaken;
	bspscene_assimp_register(&mistaken);
	mistaken.SetPropertyString("IMPORT_BSP_STRICT", "1");
	BSPT_EXPECT(report, !mistaken.ReadFile(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), 0) &&
	            std::strstr(mistaken.GetErrorString(), "SetPropertyInteger"), "%s", mistaken.GetErrorString());
	const char *bad[] = { "IMPORT_BSP_COLOUR=1", nullptr };
	options.properties = bad;
	scene = bspscene_assimp_import_file("maps/memory.bsp", 0, &options);
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "IMPORT_BSP_COLOUR"), "%s",
	            bspscene_assimp_error());
	scene = bspscene_assimp_import_file("maps/nothing.bsp", 0, nullptr);
	BSPT_EXPECT(report, !scene && bspscene_assimp_error()[0], "a missing file has no error");
	std::free(bytes.data);
}

void TestThreads(bspt_report *report)
{
	std::atomic<unsigned> wrong{ 0 };
	unsigned faces = 0;
	auto count = [](const aiScene *scene) {
		unsigned sum = 0;
		for (unsigned i = 0; scene && i < scene->mNumMeshes; i++) sum += scene->mMeshes[i]->mNumFaces;
		return sum;
	};
	const aiScene *scene = bspscene_assimp_import_file(Atrium().c_str(), 0, nullptr);
	faces = count(scene);
	aiReleaseImport(scene);
	auto work = [&](const char *missing) {
		Assimp::Importer importer;
		bspscene_assimp_register(&importer);
		for (int i = 0; i < 2; i++) {
			wrong += count(importer.ReadFile(Atrium(), 0)) != faces;
			wrong += bspscene_assimp_import_file(missing, 0, nullptr) != nullptr;
			wrong += !std::strstr(bspscene_assimp_error(), missing);
		}
	};
	std::thread first(work, "one.bsp"), second(work, "two.bsp");
	first.join();
	second.join();
	BSPT_EXPECT(report, wrong == 0 && faces > 0, "%u differences in threads", wrong.load());
}

/* ---- Properties, progress -------------------------------------------------------------------------------------- */

const aiScene *ReadWith(std::vector<const char *> properties)
{
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	properties.push_back(nullptr);
	options.properties = properties.data();
	return bspscene_assimp_import_file(Atrium().c_str(), aiProcess_ValidateDataStructure, &options);
}

/* Is the texture raw? Then it is the atrium's first lightmap page. */
bool CheckTexels(const aiTexture &texture, bspt_report *report)
{
	static const Loaded loaded(Atrium());
	if (!texture.mHeight) return false;
	const bspscene_page &page = loaded.scene->page_sets[0].pages[0];
	BSPT_EXPECT(report, texture.mWidth == page.width && texture.mHeight == page.height, "raw lightmap of another size");
	auto *luxel = static_cast<const uint8_t *>(page.data);
	uint32_t wrong = 0;
	for (size_t i = 0; i < size_t{ page.width } * page.height; i++, luxel += 3) {
		const aiTexel &texel = texture.pcData[i];
		wrong += texel.r != luxel[0] || texel.g != luxel[1] || texel.b != luxel[2] || texel.a != 255;
	}
	BSPT_EXPECT(report, !wrong, "%u luxels differ", wrong);
	return true;
}

/* A room of Source whose one displacement has weights of four textures: these are its second set of colours. */
void TestLayers(bspt_report *report)
{
	const char *map = BSPT_FIXTURES "/source/maps/room.bsp";
	const aiScene *scene = bspscene_assimp_import_file(map, aiProcess_ValidateDataStructure, nullptr);
	BSPT_EXPECT(report, scene, "%s", bspscene_assimp_error());
	unsigned layered = 0;
	float most[4] = { 0, 0, 0, 0 };
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		const aiMesh &mesh = *scene->mMeshes[m];
		const aiMaterial &material = *scene->mMaterials[mesh.mMaterialIndex];
		aiString image;
		bool has_layers = material.Get("$bsp.layer_image", 0, 3, image) == aiReturn_SUCCESS;
		BSPT_EXPECT(report, has_layers == mesh.HasVertexColors(1), "mesh %s", mesh.mName.C_Str());
		if (!has_layers) continue;
		layered++;
		bool snow = !std::strcmp(image.C_Str(), "materials/test/snow");
		BSPT_EXPECT(report, snow, "the fourth layer is %s", image.C_Str());
		for (unsigned v = 0; v < mesh.mNumVertices; v++) {
			for (unsigned k = 0; k < 4; k++) most[k] = std::max(most[k], mesh.mColors[1][v][k]);
			const aiColor4D &color = mesh.mColors[0][v], &weights = mesh.mColors[1][v];
			BSPT_EXPECT(report, color.a == weights.g || !weights.r, "alpha of vertex %u", v);
		}
	}
	bool all = most[0] == 1 && most[1] == 1 && most[2] == 1 && most[3] == 1;
	BSPT_EXPECT(report, layered == 1 && all, "%u meshes with layers", layered);
	aiReleaseImport(scene);
}

/* Of all colours of vertices. */
ai_real BrightestColor(const aiScene *scene)
{
	ai_real brightest = 0;
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		const aiMesh &mesh = *scene->mMeshes[m];
		for (unsigned v = 0; mesh.mColors[0] && v < mesh.mNumVertices; v++) {
			brightest = std::max({ brightest, mesh.mColors[0][v].r, mesh.mColors[0][v].g, mesh.mColors[0][v].b });
		}
	}
	return brightest;
}

void TestProperties(bspt_report *report)
{
	const aiScene *scene = ReadWith({ "IMPORT_BSP_TEXTURES=none" });
	BSPT_EXPECT(report, scene && scene->mNumTextures == 0, "textures=none");
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_TEXTURES=paths", "IMPORT_BSP_LIGHTMAPS=none" });
	bool has_path = false;
	for (unsigned i = 0; scene && i < scene->mNumMaterials; i++) {
		aiString path;
		scene->mMaterials[i]->GetTexture(aiTextureType_DIFFUSE, 0, &path);
		has_path |= !std::strcmp(path.C_Str(), "../textures/sample/brick.tga");
	}
	BSPT_EXPECT(report, has_path && scene->mNumTextures == 0, "textures=paths");
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_TEXTURES=texels" });
	unsigned texels = 0;
	for (unsigned i = 0; scene && i < scene->mNumTextures; i++) texels += CheckTexels(*scene->mTextures[i], report);
	BSPT_EXPECT(report, texels > 0 && texels < scene->mNumTextures, "textures=texels: %u", texels);
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_LIGHTING=vertex" });
	bool in_vertices = scene && scene->mMeshes[0]->mColors[0] && !scene->mMeshes[0]->mTextureCoords[1];
	BSPT_EXPECT(report, in_vertices, "lighting=vertex");
	ai_real bright = BrightestColor(scene);
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_LIGHTING=vertex", "IMPORT_BSP_LIGHTSTYLES=0=0.25;7=1" });
	BSPT_EXPECT(report, BrightestColor(scene) < bright / 2, "lightstyles=0=0.25: %g of %g",
	            static_cast<double>(BrightestColor(scene)), static_cast<double>(bright));
	aiReleaseImport(scene);
	for (const char *bad : { "0", "0=", "x=1", "256=1", "0=-1" }) {
		std::string property = std::string("IMPORT_BSP_LIGHTSTYLES=") + bad;
		scene = ReadWith({ property.c_str() });
		BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "LIGHTSTYLES"), "lightstyles=%s", bad);
	}
	const aiScene *fine = ReadWith({ "IMPORT_BSP_PATCH_ERROR=0.5", "IMPORT_BSP_INCLUDE=sky,clip" });
	BSPT_EXPECT(report, fine, "%s", bspscene_assimp_error());
	aiReleaseImport(fine);
	scene = ReadWith({ "IMPORT_BSP_INCLUDE=water" });
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "water"), "%s", bspscene_assimp_error());
	scene = ReadWith({ "IMPORT_BSP_PAGE_SIZE=8" });
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "BSP: "), "%s", bspscene_assimp_error());
}

class Impatient final : public Assimp::ProgressHandler {
public:
	bool Update(float part) override
	{
		falls |= part < last;
		last = part;
		return ++calls < limit;
	}
	int calls = 0, limit = 1 << 30;
	float last = 0;
	bool falls = false;
};

void TestProgress(bspt_report *report)
{
	Assimp::Importer importer;
	bspscene_assimp_register(&importer);
	auto *progress = new Impatient;
	importer.SetProgressHandler(progress);
	BSPT_EXPECT(report, importer.ReadFile(Atrium(), 0), "%s", importer.GetErrorString());
	BSPT_EXPECT(report, progress->calls > 3 && !progress->falls, "%d calls", progress->calls);
	progress->limit = progress->calls + 2;
	BSPT_EXPECT(report, !importer.ReadFile(Atrium(), 0) && std::strstr(importer.GetErrorString(), "BSP: "), "%s",
	            importer.GetErrorString());
}

/* ---- Bad input -------------------------------------------------------------------------------------------------- */

/* Numbers that are the same in every run. */
struct Random {
	uint64_t state = 20;

	size_t Below(size_t limit)
	{
		state = state * 6364136223846793005u + 1442695040888963407u;
		return static_cast<size_t>((state >> 33) % limit);
	}
};

/* A third each: bytes flipped, fields set to what breaks code, the file cut. */
std::vector<uint8_t> Mutate(const bspt_bytes &original, unsigned variant, Random &random)
{
	static const uint32_t bad[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x10000, 0x7fc00000 };
	std::vector<uint8_t> bytes(original.data, original.data + original.size);
	size_t count = 1 + random.Below(variant % 3 ? 6 : 40);
	for (size_t i = 0; i < count; i++) {
		if (variant % 3 == 0) bytes[random.Below(bytes.size())] ^= static_cast<uint8_t>(1u << random.Below(8));
		if (variant % 3 != 1) continue;
		size_t words = i % 2 ? bytes.size() / 4 : 40;
		std::memcpy(&bytes[random.Below(words) * 4], &bad[random.Below(8)], 4);
	}
	if (variant % 3 == 2) bytes.resize(random.Below(bytes.size()));
	return bytes;
}

/* As a stock host would: aiImportFile, after the process was hooked. The built-in importer of 5.2.5
 * dies of 125 of 300. */
void TestMutated(bspt_report *report)
{
	if (!bspscene_assimp_hook_process()) {
		std::printf("this system's programs cannot be hooked: no mutated files are tried\n");
		return;
	}
	char directory[256];
	bspt_make_directory(directory, sizeof directory);
	std::string path = std::string(directory) + "/mutated.bsp";
	Random random;
	unsigned scenes = 0, errors = 0;
	for (const std::string &map : Fixtures()) {
		bspt_bytes original = bspt_read_file(map.c_str());
		for (unsigned i = 0; i < (map == Atrium() ? 300 : 30); i++) {
			std::vector<uint8_t> bytes = Mutate(original, i, random);
			bspt_write_file(path.c_str(), bytes.data(), bytes.size());
			const aiScene *scene = aiImportFile(path.c_str(), all_steps);
			scene ? scenes++ : errors++;
			const char *said = aiGetErrorString();
			bool told = !std::strncmp(said, "BSP: ", 5) && std::strlen(said) > 20;
			BSPT_EXPECT(report, scene || told, "%s, variant %u: \"%s\"", map.c_str(), i, said);
			aiReleaseImport(scene);
		}
		std::free(original.data);
	}
	bspt_remove_directory(directory);
	std::printf("mutated files: %u scenes, %u errors\n", scenes, errors);
	BSPT_EXPECT(report, scenes > 50 && errors > 50, "%u scenes, %u errors: the variants test nothing", scenes, errors);
}

void TestErrors(bspt_report *report)
{
	static const char text[] = "This is a text and no map at all, but it is long enough to be looked at.";
	const aiScene *scene = bspscene_assimp_import_memory(text, sizeof text, 0, nullptr);
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "BSP: "), "%s", bspscene_assimp_error());
	for (const auto &entry : fs::directory_iterator(fs::path(BSPT_FIXTURES) / "rejected")) {
		if (entry.path().extension() != ".bsp") continue;
		scene = bspscene_assimp_import_file(entry.path().c_str(), 0, nullptr);
		BSPT_EXPECT(report, scene || std::strstr(bspscene_assimp_error(), "BSP: "), "%s: %s", entry.path().c_str(),
		            bspscene_assimp_error());
		aiReleaseImport(scene);
	}
}

/* As download servers keep maps. Of bzip2 the first bytes do not tell what is packed. */
void TestPacked(bspt_report *report)
{
	bspt_bytes map = bspt_read_file(Atrium().c_str());
	struct { const char *name; bspt_bytes bytes; } packed[] = {
		{ "atrium.bsp.gz", bspt_gzip(map.data, map.size) },
#ifdef BSPI_HAVE_BZIP2
		{ "atrium.bsp.bz2", bspt_bzip2(map.data, map.size) },
#endif
	};
	char directory[512];
	bspt_make_directory(directory, sizeof directory);
	for (auto &one : packed) {
		const std::string path = std::string(directory) + "/" + one.name;
		bspt_write_file(path.c_str(), one.bytes.data, one.bytes.size);
		Assimp::Importer importer;
		bspscene_assimp_register(&importer);
		BSPT_EXPECT(report, importer.ReadFile(path, 0), "%s: %s", one.name, importer.GetErrorString());
		std::free(one.bytes.data);
	}
	bspt_remove_directory(directory);
	std::free(map.data);
}

} // namespace

int main()
{
	static const struct { const char *name; void (*run)(bspt_report *); } tests[] = {
		{ "equal", TestEqual }, { "rooms", TestRooms }, { "steps", TestSteps }, { "memory", TestMemory },
		{ "archive", TestArchive }, { "host files", TestHostFiles },
		{ "host is asked once", TestHostIsAskedOnce }, { "C host", TestCHost },
		{ "threads", TestThreads }, { "layers", TestLayers }, { "properties", TestProperties },
		{ "progress", TestProgress }, { "errors", TestErrors }, { "packed", TestPacked }, { "mutated", TestMutated },
	};
	bspt_report report{};
	for (const auto &test : tests) {
		uint32_t before = report.failures;
		bspt_context(&report, "%s", "");
		test.run(&report);
		std::printf("%s: %s\n", test.name, report.failures == before ? "ok" : "FAILED");
		std::fflush(stdout);
	}
	bspt_assert_clean(&report);
	return 0;
}
