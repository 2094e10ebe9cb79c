// textured_glb.cpp - textured_glb.c in C++: textured_glb baseq3/maps/atrium.bsp atrium.glb
#include <bspscene/bspscene.hpp>
#include <cstdio>

int main(int argc, char **argv)
try {
	if (argc != 3) throw std::runtime_error("usage: textured_glb MAP.bsp OUT.glb");
	bspscene::open(argv[1]).write(argv[2]);
} catch (const std::exception &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
