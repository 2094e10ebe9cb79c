/* test_host_files.cpp - sources of maps in hosts: memory, archives, compressed files, a file system of the host in C++
 * or C, and several threads. */
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <bspscene/bspscene_assimp.h>

#include "BspFiles.h"
#include "assimp/fixtures.h"

extern "C" {
#include "support/make/build_archive.h"
}

namespace {

namespace fs = std::filesystem;

/* Counts the textures that are larger than a fallback picture of one color. */
unsigned CountPictures(const aiScene &scene)
{
	const unsigned plain = 512;        /* size of the fallback's PNG in bytes, with some margin */
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

/* In an archive with two maps, one must be chosen by name; the error lists them. */
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

/* A host's file system in memory. Its paths are in upper case. The importer must find them, whatever the case of the
 * names that it asks for. */
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
	/* Returns a path that was requested more than once, or "". */
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

/* The host is asked only once for each name. Once, an import whose materials share a missing texture asked the host
 * 4,069 times for it. Assimp's own filter of file systems is not used here, because it asks twice for each name. */
void TestHostIsAskedOnce(bspt_report *report)
{
	UpperCaseSystem host(fs::path(BSPT_FIXTURES) / "atrium/quake3");
	std::unique_ptr<bspscene_file_system, void (*)(bspscene_file_system *)> files(bspscene_file_system_create(NULL),
	                                                                              bspscene_file_system_free);
	bspscene::FileFinder finder(*files, host, "", false);
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

/* A file that is read through C callbacks, and the position in it. */
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
	/* Assimp stores numbers and strings separately, so a number that is set as a string has no effect. */
	Assimp::Importer mistaken;
	bspscene_assimp_register(&mistaken);
	mistaken.SetPropertyString("IMPORT_BSP_STRICT", "1");
	BSPT_EXPECT(report, !mistaken.ReadFile(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), 0) &&
	            std::strstr(mistaken.GetErrorString(), "SetPropertyInteger"), "%s", mistaken.GetErrorString());
	const char *bad[] = { "IMPORT_BSP_COLOR=1", nullptr };
	options.properties = bad;
	scene = bspscene_assimp_import_file("maps/memory.bsp", 0, &options);
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "IMPORT_BSP_COLOR"), "%s",
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

/* Maps may be compressed, as on download servers. With bzip2, the first bytes do not tell that a map is inside. */
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
	return RunTests({
		{ "memory", TestMemory },
		{ "archive", TestArchive },
		{ "host files", TestHostFiles },
		{ "host is asked once", TestHostIsAskedOnce },
		{ "C host", TestCHost },
		{ "threads", TestThreads },
		{ "packed", TestPacked },
	});
}
