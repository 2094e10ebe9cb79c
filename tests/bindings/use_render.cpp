// Promise: render.hpp gives pictures and distances as the C header does, keeps its scene alive, and throws errors.
#include <bspscene/render.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>

static int failures = 0;

static void expect(bool condition, const char *what)
{
	if (condition) return;
	std::fprintf(stderr, "not so: %s\n", what);
	failures++;
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	bspscene::scene scene = bspscene::open(argv[1], "atrium");
	const bspscene_view view = bspscene::view_of_camera(scene, 0), start = bspscene::view_start(scene);
	const bspscene_view of_start = bspscene::view_of_camera(scene, bspscene_start_camera(scene.get(), 0));
	expect(!std::memcmp(&start, &of_start, sizeof start), "the first view");
	bspscene::render_options small;
	small->width = 32;
	small->height = 24;
	small->samples = 1;
	const bspscene::renderer renderer(scene, small);
	scene = bspscene::open(std::string(argv[1]) + "/maps/atrium_styles.bsp");

	const bspscene::rgb_picture picture = renderer.picture(view);
	std::vector<std::uint8_t> rgb(picture.pixels.size());
	expect(picture.width == 32 && picture.height == 24 && rgb.size() == 32 * 24 * 3, "a picture's size");
	expect(bspscene_render(renderer.get(), &view, small, rgb.data(), nullptr) && rgb == picture.pixels, "its pixels");
	expect(*std::max_element(rgb.begin(), rgb.end()) > 0 && !renderer.is_bare(), "something in it");
	const std::vector<float> distances = renderer.distances(view);
	expect(distances.size() == 32 * 24 && *std::min_element(distances.begin(), distances.end()) > 0, "distances");

	bspscene::render_options wide = small;
	wide->width = 40;
	expect(renderer.picture(view, wide).width == 40, "options of one picture");
	wide->width = 1 << 20;
	try {
		renderer.picture(view, wide);
		expect(false, "a picture that is too wide");
	} catch (const bspscene::error &error) {
		expect(error.status() == BSPSCENE_ERROR_BAD_OPTIONS, "its error");
	}
	try {
		bspscene::view_of_camera(scene, BSPSCENE_NO_INDEX);
		expect(false, "a camera that is not there");
	} catch (const std::out_of_range &) {
	}
	expect(!bspscene::view_of_entity(scene, "none"), "an entity that is not there");
	return failures ? 1 : 0;
}
