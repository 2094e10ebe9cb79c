// own_files.cpp - own_files.c in C++, run in the game's folder: own_files maps/atrium.bsp
#include <bspscene/bspscene.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int argc, char **argv)
try {
	if (argc != 2) throw std::runtime_error("usage: own_files MAP.bsp");
	bspscene::own_files files;
	files.open_file = [](std::string_view path, bspscene_file_kind) -> std::optional<bspscene::bytes> {
		if (!std::filesystem::is_regular_file(path)) return std::nullopt;
		std::ifstream file(std::filesystem::path(path), std::ios::binary);
		return bspscene::bytes(std::istreambuf_iterator<char>(file), {});
	};
	const bspscene::scene scene = bspscene::load_file(argv[1], files);
	std::printf("%u textures, %u missing\n", scene->counts->textures_found, scene->counts->textures_missing);
} catch (const std::exception &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
