// sky_picture.cpp - sky_picture.c in C++: sky_picture baseq3/maps/atrium.bsp atrium.png
#include <bspscene/render.hpp>
#include <cstdio>

int main(int argc, char **argv)
try {
	if (argc != 3) throw std::runtime_error("usage: sky_picture MAP.bsp OUT.png");
	const bspscene::scene scene = bspscene::open(argv[1]);
	const bspscene_view view{ { 0, 0, 100 }, -89, 0, 0, 90 };
	bspscene::write_png_file(bspscene::renderer(scene).picture(view), argv[2]);
} catch (const std::exception &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
