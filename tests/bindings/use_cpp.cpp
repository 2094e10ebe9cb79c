// Promise: bspscene.hpp gives what the C headers do, frees it once, and throws what fails.
#include <bspscene/bspscene.hpp>

#include <cstdio>
#include <numeric>

static int failures = 0;

static void expect(bool condition, const char *what)
{
	if (condition) return;
	std::fprintf(stderr, "not so: %s\n", what);
	failures++;
}

static void read(const bspscene::scene &scene)
{
	std::uint32_t vertices = 0, triangles = 0;
	for (const bspscene_mesh &mesh : scene.meshes()) {
		vertices += mesh.vertex_count;
		triangles += static_cast<std::uint32_t>(bspscene::indices(mesh).size() / 3);
		expect(bspscene::values(mesh, mesh.positions, 3).size() == mesh.vertex_count * std::size_t{3}, "positions");
		for (const bspscene_section &section : bspscene::sections(mesh)) {
			expect(section.material < scene.materials().size(), "a section's material");
		}
		std::puts(mesh.name);
	}
	expect(vertices == scene->counts->vertices && triangles == scene->counts->triangles, "counts");
	expect(scene.value(0, "classname") == "worldspawn" && scene.value(0, "none").empty(), "keys");
	expect(scene.faces().size() == scene->face_count && !scene.lights().empty(), "faces and lights");
	expect(&scene.nodes().at(0) == &scene.nodes()[0] && &*scene.nodes().begin() == scene->nodes[0], "nodes");
	for (const bspscene_image &image : scene.images()) {
		const bspscene::picture picture = bspscene::decode(image);
		expect(picture.pixels.size() == std::size_t{4} * picture.width * picture.height, "a picture");
	}
	bool thrown = false;
	try {
		scene.meshes().at(BSPSCENE_NO_INDEX);
	} catch (const std::out_of_range &) {
		thrown = true;
	}
	expect(thrown, "an index out of range");
}

static void fail(const std::string &game)
{
	const struct { std::string path, map; bspscene_status status; } cases[] = {
		{ game + "/none.bsp", "", BSPSCENE_ERROR_NOT_FOUND }, { game, "", BSPSCENE_ERROR_BAD_OPTIONS },
	};
	for (const auto &one : cases) {
		try {
			bspscene::open(one.path, one.map);
			expect(false, "an error");
		} catch (const bspscene::error &error) {
			expect(error.status() == one.status && *error.what(), "the error's status");
		}
	}
	try {
		bspscene::open(game, "atrium").write("atrium.docx");
		expect(false, "an error of a writer");
	} catch (const bspscene::error &error) {
		expect(error.status() == BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "the writer's error");
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	const std::string game = argv[1];
	bspscene::scene scene = bspscene::open(game, "atrium");
	expect(scene.name() == "atrium" && scene->counts->textures_missing == 0, "the atrium with its textures");
	read(scene);
	bspscene::bake_options how;
	how->vertices = true;
	bspscene::scene baked = scene.bake(how);
	scene = bspscene::open(game + "/maps/atrium_styles.bsp");
	expect(baked.meshes()[0].baked_light && baked.name() == "atrium", "a baked scene without its source");
	const bspscene::scene copy = baked;
	baked = scene;
	expect(copy.meshes()[0].positions != nullptr, "a copy");
	bspscene::load_options load;
	load->parts = BSPSCENE_PARTS_ENTITIES;
	bspscene::open_options open;
	open->load = load;
	expect(bspscene::open(game + "/maps/atrium.bsp", open).meshes().empty(), "options");
	fail(game);
	return failures ? 1 : 0;
}
