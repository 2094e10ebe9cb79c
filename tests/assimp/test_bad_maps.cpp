/* test_bad_maps.cpp - no file can crash a host, and the error says what is wrong. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <bspscene/bspscene_assimp.h>

#include "assimp/fixtures.h"

namespace {

namespace fs = std::filesystem;

/* Generates the same numbers in every run. */
struct Random {
	uint64_t state = 20;

	size_t Below(size_t limit)
	{
		state = state * 6364136223846793005u + 1442695040888963407u;
		return static_cast<size_t>((state >> 33) % limit);
	}
};

/* Returns a damaged copy of the file. Depending on `variant`, bytes are flipped, fields get extreme values, or the file
 * is truncated; each is done to a third of the variants. */
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

/* Imports damaged maps as an unmodified host does: with aiImportFile, after the importer was added to the process.
 * Assimp's own importer (5.2.5) crashes on 125 of 300 such files. */
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

} // namespace

int main()
{
	return RunTests({
		{ "errors", TestErrors },
		{ "mutated", TestMutated },
	});
}
