// Promise: bspscene.hpp gives the results of the C headers, frees them once, and throws errors.
#include <bspscene/bspscene.hpp>

#include <cstdio>
#include <numeric>
#include <type_traits>
#include <utility>

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

/* A scene frees its arrays, so the arrays of a temporary scene must not be accessible. */
template <class T, class = void> struct has_meshes : std::false_type {};
template <class T> struct has_meshes<T, std::void_t<decltype(std::declval<T>().meshes().size())>> : std::true_type {};
static_assert(has_meshes<bspscene::scene &>::value && !has_meshes<bspscene::scene>::value, "arrays of temporaries");

static void find(const bspscene::scene &scene)
{
	std::size_t shown = 0;
	for (std::uint32_t mesh = 0; mesh < scene.meshes().size(); mesh++) {
		for (std::uint32_t node : scene.nodes_with_mesh(mesh)) {
			expect(scene.nodes().at(node).mesh == mesh, "a node that shows a mesh");
			shown++;
		}
	}
	expect(shown >= scene.meshes().size(), "nodes of meshes");
	const bspscene_face &face = scene.faces()[0];
	const bspscene_mesh &mesh = scene.meshes()[face.mesh];
	const float *corner = mesh.positions + std::size_t{3} * mesh.indices[face.first_index];
	const std::optional<bspscene_surface_point> found = scene.face_at({ corner[0], corner[1], corner[2] }, 1);
	expect(found && found->distance < 0.01f && found->face < scene.faces().size(), "the face at a point");
	expect(!scene.face_at({ 1e6f, 1e6f, 1e6f }), "no face far away");
}

static void write_pictures(const bspscene::scene &scene, const std::string &folder)
{
	const bspscene::picture pixels = bspscene::decode(scene.images()[0], bspscene::decode_options());
	bspscene::write_image_file(scene.images()[0], folder + "/use_cpp_image.png");
	bspscene::write_png_file(pixels, folder + "/use_cpp_pixels.png");
	bspscene::write_lightmap_page_file(scene.pages()[0], folder + "/use_cpp_page.png");
	bool thrown = false;
	try {
		bspscene::write_image_file(scene.images()[0], folder + "/nowhere/image.png");
	} catch (const bspscene::error &error) {
		thrown = error.status() == BSPSCENE_ERROR_IO || error.status() == BSPSCENE_ERROR_NOT_FOUND;
	}
	expect(thrown, "a folder that is not there");
}

static void use_files(const std::string &game)
{
	bspscene::file_system files;
	files.mount_game(game);
	const std::optional<bspscene::bytes> map = files.read("maps/atrium.bsp");
	expect(map && map->size() > 1000 && !files.read("maps/none.bsp"), "a file of a file system");
	expect(!files.list("scripts/", ".shader").empty(), "a list of files");
	const bspscene::source source(game);
	expect(source.kind() == BSPSCENE_SOURCE_GAME && source.map_count() > 1, "a source");
	const std::uint32_t number = source.find_map("atrium");
	expect(source.map_name(number) == "atrium" && source.map_path(number) == "maps/atrium.bsp", "a map's names");
	expect(source.read("maps/atrium.bsp") == map && source.problems().empty(), "a file of a source");
	const bspscene::scene scene = source.load(number);

	int asked = 0;
	bspscene::own_files own;
	own.open_file = [&](std::string_view path, bspscene_file_kind) {
		asked++;
		return files.read(std::string(path));
	};
	own.list_files = [&](std::string_view prefix, std::string_view suffix) {
		return files.list(std::string(prefix), std::string(suffix));
	};
	const bspscene::scene by_own = bspscene::load(map->data(), map->size(), own);
	expect(asked > 10 && by_own->counts->textures_found == scene->counts->textures_found, "files of one's own");
	expect(bspscene::load_file(game + "/maps/atrium.bsp", own)->counts->textures_missing == 0, "a file with them");
	own.open_file = [](std::string_view, bspscene_file_kind) -> std::optional<bspscene::bytes> {
		throw std::logic_error("no such disk");
	};
	bool thrown = false;
	try {
		bspscene::load(map->data(), map->size(), own);
	} catch (const std::logic_error &) {
		thrown = true;
	}
	expect(thrown, "what a function of files throws");
	own.open_file = [](std::string_view, bspscene_file_kind) { return std::make_optional<bspscene::bytes>(); };
	expect(bspscene::load(map->data(), map->size(), own)->counts->textures_found == 0, "files without content");
	try {
		bspscene::source(game + "/none");
		expect(false, "a source that is not there");
	} catch (const bspscene::error &) {
	}
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
	if (argc != 3) return 2;
	const std::string game = argv[1];
	bspscene::scene scene = bspscene::open(game, "atrium");
	expect(scene.name() == "atrium" && scene->counts->textures_missing == 0, "the atrium with its textures");
	read(scene);
	find(scene);
	write_pictures(scene, argv[2]);
	use_files(game);
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
	const bspscene::scene bare = bspscene::open(game + "/maps/atrium.bsp", open);
	expect(bare.meshes().empty() && bare.pages().empty(), "options");
	fail(game);
	return failures ? 1 : 0;
}
