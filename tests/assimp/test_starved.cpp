/* test_starved.cpp - promise of bspscene_assimp.h: no exception leaves the importer and nothing leaks, whichever of its
 * allocations fails. The same is true if callbacks of the host throw. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <bspscene/bspscene_assimp.h>

extern "C" {
#include "support/bspt.h"
}

namespace {

/* Counts the allocations after the map was opened. Earlier ones are made by Assimp. */
struct {
	bool counting;
	unsigned long count, fail_at; /* `fail_at` is the number of the failing allocation, 0 for none */
} allocations;

void *Allocate(size_t size)
{
	if (allocations.counting && ++allocations.count == allocations.fail_at) return nullptr;
	return std::malloc(size ? size : 1);
}

} // namespace

void *operator new(size_t size)
{
	void *out = Allocate(size);
	if (!out) throw std::bad_alloc();
	return out;
}
void *operator new[](size_t size) { return operator new(size); }
void *operator new(size_t size, const std::nothrow_t &) noexcept { return Allocate(size); }
void *operator new[](size_t size, const std::nothrow_t &) noexcept { return Allocate(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t) noexcept { std::free(memory); }

namespace {

struct MapFile {
	bspt_bytes bytes;
	size_t at;
	const char *throws; /* name of the callback that throws: "open", "read" or "" for none */
};

MapFile &StateOf(aiUserData data) { return *reinterpret_cast<MapFile *>(data); }

size_t Read(aiFile *file, char *data, size_t size, size_t count)
{
	MapFile &state = StateOf(file->UserData);
	if (!std::strcmp(state.throws, "read")) throw std::runtime_error("the host's read failed");
	size_t left = (state.bytes.size - state.at) / size;
	count = count < left ? count : left;
	std::memcpy(data, state.bytes.data + state.at, count * size);
	state.at += count * size;
	return count;
}

size_t Size(aiFile *file) { return StateOf(file->UserData).bytes.size; }

aiFile *Open(aiFileIO *io, const char *path, const char *)
{
	static aiFile file;
	MapFile &state = StateOf(io->UserData);
	if (!std::strstr(path, "map.bsp")) return nullptr;
	if (!std::strcmp(state.throws, "open")) throw std::runtime_error("the host's open failed");
	allocations.counting = true;
	state.at = 0;
	file = aiFile{};
	file.ReadProc = Read;
	file.FileSizeProc = Size;
	file.UserData = io->UserData;
	return &file;
}

void Close(aiFileIO *, aiFile *) {}

const aiScene *Import(MapFile &map, unsigned long fail_at)
{
	aiFileIO io{ Open, Close, reinterpret_cast<aiUserData>(&map) };
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	options.io = &io;
	allocations = { false, 0, fail_at };
	const aiScene *scene = bspscene_assimp_import_file("map.bsp", 0, &options);
	allocations.counting = false;
	return scene;
}

} // namespace

/* If the list of a material cannot grow, Assimp itself leaks memory, which is ignored here. */
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions() { return "leak:aiMaterial::AddBinaryProperty"; }

int main()
{
	bspt_report report{};
	MapFile map{ bspt_read_file(bspt_fixture_path("atrium/quake3/maps/atrium.bsp")), 0, "" };
	const aiScene *scene = Import(map, 0);
	BSPT_EXPECT(&report, scene, "%s", bspscene_assimp_error());
	aiReleaseImport(scene);
	unsigned long total = allocations.count, failed = 0, tried = 0;
	/* Each of the first 200 allocations fails in turn. Later ones are many and similar, so only some of them fail. */
	for (unsigned long at = 1; at <= total; at += at < 200 ? 1 : total / 200 + 1) {
		scene = Import(map, at);
		tried++;
		failed += !scene;
		BSPT_EXPECT(&report, scene || bspscene_assimp_error()[0], "allocation %lu failed without a word", at);
		aiReleaseImport(scene);
	}
	std::printf("%lu of %lu allocations failed, %lu imports with them\n", tried, total, failed);
	/* A few imports succeed although an allocation failed, because Assimp logs with streams, which swallow exceptions.
	 * With 5.2 these were 6 of 391. */
	BSPT_EXPECT(&report, failed >= tried - tried / 20, "only %lu of %lu imports failed", failed, tried);
	for (const char *callback : { "open", "read" }) {
		map.throws = callback;
		scene = Import(map, 0);
		/* With some versions of Assimp, the error has the message of the host's exception. */
		BSPT_EXPECT(&report, !scene && std::strlen(bspscene_assimp_error()) > 5, "%s: \"%s\"", callback,
		            bspscene_assimp_error());
		aiReleaseImport(scene);
	}
	std::free(map.bytes.data);
	bspt_assert_clean(&report);
	return 0;
}
