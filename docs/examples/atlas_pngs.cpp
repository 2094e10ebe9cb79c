// atlas_pngs.cpp - atlas_pngs.c in C++: atlas_pngs baseq3/maps/atrium.bsp
#include <bspscene/bspscene.hpp>
#include <cstdio>

int main(int argc, char **argv)
try {
	if (argc != 2) throw std::runtime_error("usage: atlas_pngs MAP.bsp");
	const bspscene::scene scene = bspscene::open(argv[1]);
	const auto pages = scene.pages();
	for (std::size_t i = 0; i < pages.size(); i++) {
		bspscene::write_lightmap_page_file(pages[i], "page" + std::to_string(i) + ".png");
	}
	for (const bspscene_face &f : scene.faces()) {
		if (f.lightmap_page == BSPSCENE_NO_INDEX) continue;
		std::printf("face %u: page %u at %u %u, %u x %u\n", f.record, f.lightmap_page, f.lightmap_x, f.lightmap_y,
		            f.lightmap_width, f.lightmap_height);
	}
} catch (const std::exception &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
