/* fixtures.cpp - see fixtures.h. */
#include "assimp/fixtures.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <bspscene/source.h>

namespace fs = std::filesystem;

namespace {

void AddMaps(const fs::path &directory, std::vector<std::string> &maps)
{
	for (const auto &entry : fs::recursive_directory_iterator(directory)) {
		if (entry.path().extension() == ".bsp") maps.push_back(entry.path().generic_string());
	}
}

} // namespace

std::vector<std::string> Fixtures()
{
	std::vector<std::string> maps;
	AddMaps(fs::path(BSPT_FIXTURES) / "atrium", maps);
	const char *further = std::getenv("BSPSCENE_SHARED_DATA");
	if (further && fs::is_directory(fs::path(further) / "atrium")) AddMaps(fs::path(further) / "atrium", maps);
	return maps;
}

std::string Atrium() { return std::string(BSPT_FIXTURES) + "/atrium/quake3/maps/atrium.bsp"; }

Loaded::Loaded(const std::string &map, uint32_t include)
{
	bspscene_open_options open;
	bspscene_load_options options;
	bspscene_error error;
	bspscene_open_options_init(&open);
	bspscene_load_options_init(&options);
	options.include_mask = include;
	open.load = &options;
	scene = bspscene_open(map.c_str(), &open, &error);
	if (!scene) bspt_die(error.message, map.c_str());
}

Loaded::~Loaded() { bspscene_scene_free(scene); }

int RunTests(const std::vector<Test> &tests)
{
	bspt_report report{};
	for (const Test &test : tests) {
		uint32_t before = report.failures;
		bspt_context(&report, "%s", "");
		test.run(&report);
		std::printf("%s: %s\n", test.name, report.failures == before ? "ok" : "FAILED");
		std::fflush(stdout);
	}
	bspt_assert_clean(&report);
	return 0;
}
