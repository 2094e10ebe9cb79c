/* render.hpp - render.h for C++17: renderers that free themselves, pictures as vectors, errors as exceptions.
 *
 *     bspscene::scene scene = bspscene::open("baseq3/maps/atrium.bsp");
 *     bspscene::renderer renderer(scene);
 *     bspscene::write_png_file(renderer.picture(bspscene::view_start(scene)), "atrium.png");
 *
 * All of it is inline: nothing here is part of the library's ABI. */
#ifndef BSPSCENE_RENDER_HPP
#define BSPSCENE_RENDER_HPP

#include <bspscene/bspscene.hpp>
#include <bspscene/render.h>

namespace bspscene {

/** Options of a renderer and of its pictures. */
using render_options = options<bspscene_render_options>;

/** RGB, the top row first. */
struct rgb_picture {
	/** Size, and width * height pixels of three bytes. */
	/**@{*/
	std::uint32_t width = 0, height = 0;
	std::vector<std::uint8_t> pixels;
	/**@}*/
};

/** Writes a PNG file that appears whole or not at all. Throws bspscene::error. */
inline void write_png_file(const rgb_picture &image, const std::string &path)
{
	bspscene_error reason;
	if (!bspscene_write_png_file(image.width, image.height, 3, image.pixels.data(), path.c_str(), &reason)) {
		throw error(reason);
	}
}

/** Draws pictures of a scene, and keeps the scene alive. Failures throw bspscene::error. */
class renderer {
public:
	/** Prepares a scene. The options are also the default options of its pictures. */
	explicit renderer(scene shown, const bspscene_render_options *how = nullptr) : scene_(std::move(shown))
	{
		bspscene_error reason;
		if (how) *how_.get() = *how;
		handle_.reset(bspscene_renderer_create(scene_.get(), how_.get(), &reason));
		if (!handle_) throw error(reason);
	}
	/** Returns the renderer for functions of the C interface. This object still owns it. */
	bspscene_renderer *get() const noexcept { return handle_.get(); }
	/** True if the map shows neither light nor a texture. See bspscene_renderer_is_bare. */
	bool is_bare() const { return bspscene_renderer_is_bare(get()); }
	/** Draws a picture, 640 x 480 unless the options say otherwise. One picture at a time. */
	rgb_picture picture(const bspscene_view &view, const bspscene_render_options *how = nullptr) const
	{
		bspscene_error reason;
		const render_options known = sized(how);
		rgb_picture made{ known->width, known->height, {} };
		made.pixels.resize(std::size_t{3} * made.width * made.height);
		if (!bspscene_render(get(), &view, known.get(), made.pixels.data(), &reason)) throw error(reason);
		return made;
	}
	/** Measures width * height distances, as bspscene_render_distances does. */
	std::vector<float> distances(const bspscene_view &view, const bspscene_render_options *how = nullptr) const
	{
		bspscene_error reason;
		const render_options known = sized(how);
		std::vector<float> made(std::size_t{1} * known->width * known->height);
		if (!bspscene_render_distances(get(), &view, known.get(), made.data(), &reason)) throw error(reason);
		return made;
	}

private:
	render_options sized(const bspscene_render_options *how) const
	{
		render_options known;
		*known.get() = how ? *how : *how_.get();
		if (!known->width) known->width = 640;
		if (!known->height) known->height = 480;
		return known;
	}
	struct freeing {
		void operator()(bspscene_renderer *old) const noexcept { bspscene_renderer_free(old); }
	};
	scene scene_;
	render_options how_;
	std::unique_ptr<bspscene_renderer, freeing> handle_;
};

/** Returns the view that players see first, as bspscene_view_start does. */
inline bspscene_view view_start(const scene &shown, std::uint32_t width = 640, std::uint32_t height = 480)
{
	return bspscene_view_start(shown.get(), width, height);
}

/** The view of a camera. Throws std::out_of_range. */
inline bspscene_view view_of_camera(const scene &shown, std::uint32_t index)
{
	shown.cameras().at(index);
	return bspscene_view_of_camera(shown.get(), index);
}

/** The view from entity `number` (from 0) of a class. Returns std::nullopt if the class has fewer entities. */
inline std::optional<bspscene_view> view_of_entity(const scene &shown, const std::string &classname,
                                                   std::uint32_t number = 0)
{
	bspscene_view view;
	if (!bspscene_view_of_entity(shown.get(), classname.c_str(), number, &view)) return std::nullopt;
	return view;
}

} // namespace bspscene

#endif
