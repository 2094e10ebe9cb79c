// face_at.cpp - face_at.c in C++: face_at baseq3/maps/atrium.bsp 0 0 64
#include <bspscene/bspscene.hpp>
#include <cstdio>

int main(int argc, char **argv)
try {
	if (argc != 5) throw std::runtime_error("usage: face_at MAP.bsp X Y Z");
	const bspscene::scene scene = bspscene::open(argv[1]);
	const auto at = scene.face_at({ std::stof(argv[2]), std::stof(argv[3]), std::stof(argv[4]) }, 1024);
	if (!at) std::puts("no face is near");
	else std::printf("face %u, page %u, luxel %u %u, light %.3f %.3f %.3f\n", scene.faces()[at->face].record,
	                 at->lightmap_page, at->luxel_x, at->luxel_y, at->light[0], at->light[1], at->light[2]);
} catch (const std::exception &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
