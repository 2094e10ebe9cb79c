/* fixtures.h - the maps for the importer's tests, the scenes that the library loads from them, and the loop that runs a
 * table of tests. BSPSCENE_SHARED_DATA names a folder with the atrium of further families. */
#ifndef BSPT_ASSIMP_FIXTURES_H
#define BSPT_ASSIMP_FIXTURES_H

#include <string>
#include <vector>

#include <assimp/postprocess.h>

extern "C" {
#include "support/bspt.h"
}

const unsigned all_steps = aiProcess_ValidateDataStructure | aiProcessPreset_TargetRealtime_MaxQuality;

/* Returns the paths of the atriums of all families. */
std::vector<std::string> Fixtures();
/* Returns the path of Quake III's atrium, which has textures. */
std::string Atrium();

/* A map that the library has loaded together with the files of its game. If loading fails, the program ends. */
struct Loaded {
	bspscene_scene *scene = nullptr;

	explicit Loaded(const std::string &map, uint32_t include = BSPSCENE_SURFACE_VISIBLE);
	~Loaded();
	Loaded(const Loaded &) = delete;
	Loaded &operator=(const Loaded &) = delete;
};

struct Test {
	const char *name;
	void (*run)(bspt_report *);
};

/* Runs all tests, reports each, and ends the program if one has failed. Returns 0. */
int RunTests(const std::vector<Test> &tests);

#endif
