/* scene.hpp - scenes for C++17: what bspscene::open and load return, its arrays as ranges, images, errors. */
#ifndef BSPSCENE_SCENE_HPP
#define BSPSCENE_SCENE_HPP

#include <bspscene/bspscene.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bspscene {

/** The failure of a call. what() is the message. */
class error : public std::runtime_error {
public:
	/** Constructs from, and returns, the error of the C interface. */
	/**@{*/
	explicit error(const bspscene_error &reason) : std::runtime_error(reason.message), reason_(reason) {}
	bspscene_status status() const noexcept { return reason_.status; }
	const bspscene_error &reason() const noexcept { return reason_; }
	/**@}*/

private:
	bspscene_error reason_;
};

/** A view of `count` consecutive values that another object owns. */
template <class T> class span {
public:
	/** As in std::span. */
	/**@{*/
	using value_type = T;
	using iterator = const T *;
	constexpr span() noexcept = default;
	constexpr span(const T *data, std::size_t count) noexcept : data_(data), count_(data ? count : 0) {}
	constexpr const T *data() const noexcept { return data_; }
	constexpr std::size_t size() const noexcept { return count_; }
	constexpr bool empty() const noexcept { return count_ == 0; }
	constexpr const T &operator[](std::size_t index) const { return data_[index]; }
	constexpr iterator begin() const noexcept { return data_; }
	constexpr iterator end() const noexcept { return data_ + count_; }
	/**@}*/

private:
	const T *data_ = nullptr;
	std::size_t count_ = 0;
};

/** A view of records that are reached through a table of pointers. Reads like an array of records. */
template <class T> class records {
public:
	/** A forward iterator over records. */
	class iterator {
	public:
		/** As in every forward iterator. */
		/**@{*/
		using iterator_category = std::forward_iterator_tag;
		using value_type = T;
		using difference_type = std::ptrdiff_t;
		using pointer = const T *;
		using reference = const T &;
		constexpr iterator() noexcept = default;
		constexpr explicit iterator(const T *const *at) noexcept : at_(at) {}
		constexpr reference operator*() const { return **at_; }
		constexpr pointer operator->() const { return *at_; }
		constexpr iterator &operator++() { ++at_; return *this; }
		constexpr iterator operator++(int) { iterator old = *this; ++at_; return old; }
		constexpr bool operator==(const iterator &other) const noexcept { return at_ == other.at_; }
		constexpr bool operator!=(const iterator &other) const noexcept { return at_ != other.at_; }

		/**@}*/
	private:
		const T *const *at_ = nullptr;
	};

	/** As in std::span. */
	/**@{*/
	using value_type = T;
	constexpr records() noexcept = default;
	constexpr records(const T *const *table, std::size_t count) noexcept : table_(table), count_(table ? count : 0) {}
	constexpr std::size_t size() const noexcept { return count_; }
	constexpr bool empty() const noexcept { return count_ == 0; }
	constexpr const T &operator[](std::size_t index) const { return *table_[index]; }
	/**@}*/
	/** Throws std::out_of_range, for BSPSCENE_NO_INDEX too. */
	const T &at(std::size_t index) const
	{
		if (index >= count_) {
			throw std::out_of_range("bspscene: record " + std::to_string(index) + " of " + std::to_string(count_));
		}
		return *table_[index];
	}
	/** The first record, and one past the last. */
	/**@{*/
	constexpr iterator begin() const noexcept { return iterator(table_); }
	constexpr iterator end() const noexcept { return iterator(table_ + count_); }
	/**@}*/

private:
	const T *const *table_ = nullptr;
	std::size_t count_ = 0;
};

/** Options that know their size: bspscene::options<bspscene_load_options> o; o->strict = true; */
template <class T> class options {
public:
	/** The options, zero but for their size. */
	/**@{*/
	options() noexcept : value_() { value_.struct_size = sizeof value_; }
	T *operator->() noexcept { return &value_; }
	const T *operator->() const noexcept { return &value_; }
	T *get() noexcept { return &value_; }
	const T *get() const noexcept { return &value_; }
	operator const T *() const noexcept { return &value_; }
	/**@}*/

private:
	T value_;
};
/** Options structs of the C interface with their size set. */
/**@{*/
using load_options = options<bspscene_load_options>;
using open_options = options<bspscene_open_options>;
using write_options = options<bspscene_write_options>;
using bake_options = options<bspscene_bake_options>;
using source_options = options<bspscene_source_options>;
using decode_options = options<bspscene_decode_options>;
/**@}*/

/** The content of a file. */
using bytes = std::vector<std::uint8_t>;

/** RGBA, the top row first. */
struct picture {
	/** Size, and width * height pixels of four bytes. */
	/**@{*/
	std::uint32_t width = 0, height = 0;
	std::vector<std::uint8_t> pixels;
	/**@}*/
};

/** A scene that frees itself when its last copy is destroyed. */
class scene {
public:
	/** Takes ownership of what a function of the C interface returned; throws `reason` for NULL. */
	scene(bspscene_scene *made, const bspscene_error &reason) : scene(made, reason, nullptr) {}

	/** The scene of the C interface, and its name. */
	/**@{*/
	const bspscene_scene *get() const noexcept { return scene_.get(); }
	const bspscene_scene *operator->() const noexcept { return scene_.get(); }
	std::string_view name() const { return scene_->name; }
	/**@}*/

	/** The arrays of the scene, which live as long as it. So they cannot be asked of a temporary: give the scene a
	 * name first. */
	/**@{*/
	records<bspscene_warning> warnings() const & { return { scene_->warnings, scene_->warning_count }; }
	records<bspscene_node> nodes() const & { return { scene_->nodes, scene_->node_count }; }
	records<bspscene_entity> entities() const & { return { scene_->entities, scene_->entity_count }; }
	records<bspscene_mesh> meshes() const & { return { scene_->meshes, scene_->mesh_count }; }
	records<bspscene_material> materials() const & { return { scene_->materials, scene_->material_count }; }
	records<bspscene_material_pass> material_passes() const &
	{
		return { scene_->material_passes, scene_->material_pass_count };
	}
	records<bspscene_image> images() const & { return { scene_->images, scene_->image_count }; }
	records<bspscene_light_style> light_styles() const & { return { scene_->light_styles, scene_->light_style_count }; }
	records<bspscene_light> lights() const & { return { scene_->lights, scene_->light_count }; }
	records<bspscene_camera> cameras() const & { return { scene_->cameras, scene_->camera_count }; }
	records<bspscene_fog> fogs() const & { return { scene_->fogs, scene_->fog_count }; }
	records<bspscene_prop> props() const & { return { scene_->props, scene_->prop_count }; }
	records<bspscene_overlay> overlays() const & { return { scene_->overlays, scene_->overlay_count }; }
	span<bspscene_face> faces() const & { return { scene_->faces, scene_->face_count }; }
	span<bspscene_lightmap_set> lightmap_sets() const &
	{
		return { scene_->lightmap_sets, scene_->lightmap_set_count };
	}
	span<bspscene_lightmap_page> pages(const bspscene_lightmap_set &set) const &
	{
		return { set.pages, scene_->lightmap_page_count };
	}
	/** Returns the pages of set 0, the light of style 0; empty if the map has no lightmaps. */
	span<bspscene_lightmap_page> pages() const &
	{
		return lightmap_sets().empty() ? span<bspscene_lightmap_page>() : pages(lightmap_sets()[0]);
	}
	/**@}*/
	/** Not of a temporary. */
	/**@{*/
	void warnings() const && = delete;
	void nodes() const && = delete;
	void entities() const && = delete;
	void meshes() const && = delete;
	void materials() const && = delete;
	void material_passes() const && = delete;
	void images() const && = delete;
	void light_styles() const && = delete;
	void lights() const && = delete;
	void cameras() const && = delete;
	void fogs() const && = delete;
	void props() const && = delete;
	void overlays() const && = delete;
	void faces() const && = delete;
	void lightmap_sets() const && = delete;
	void pages() const && = delete;
	void pages(const bspscene_lightmap_set &set) const && = delete;
	/**@}*/

	/** Returns the value of `key` as bspscene_entity_value does, or "" if the entity has no such key. */
	std::string_view value(std::uint32_t entity, const char *key) const
	{
		const char *found = bspscene_entity_value(get(), entity, key);
		return found ? found : "";
	}
	/** Returns the nodes that show a mesh, see bspscene_next_node_with_mesh. */
	std::vector<std::uint32_t> nodes_with_mesh(std::uint32_t mesh) const
	{
		std::vector<std::uint32_t> found;
		std::uint32_t node = BSPSCENE_NO_INDEX;
		while ((node = bspscene_next_node_with_mesh(get(), mesh, node)) != BSPSCENE_NO_INDEX) found.push_back(node);
		return found;
	}
	/** The nearest point on a visible face within `radius` game units, or nothing; see bspscene_face_at. The
	 * radius is not negative. */
	std::optional<bspscene_surface_point> face_at(const std::array<float, 3> &point, float radius = 64) const
	{
		options<bspscene_surface_point> found;
		if (!bspscene_face_at(get(), point.data(), radius, found.get())) return std::nullopt;
		return *found.get();
	}
	/** Writes a file, as bspscene_write_file. Throws bspscene::error. */
	void write(const std::string &path, const bspscene_write_options *how = nullptr) const
	{
		bspscene_error reason;
		if (!bspscene_write_file(get(), path.c_str(), how, &reason)) throw error(reason);
	}
	/** Returns a scene with baked light, see bspscene_bake_light. It keeps this scene, whose data it shares, alive. */
	scene bake(const bspscene_bake_options *how = nullptr) const
	{
		bspscene_error reason;
		bspscene_scene *made = bspscene_bake_light(get(), how, &reason);
		return scene(made, reason, scene_);
	}

private:
	scene(bspscene_scene *made, const bspscene_error &reason, std::shared_ptr<const bspscene_scene> source)
	{
		if (!made) throw error(reason);
		scene_.reset(made, [made, source = std::move(source)](const bspscene_scene *) { bspscene_scene_free(made); });
	}

	std::shared_ptr<const bspscene_scene> scene_;
};

/** Loads a map from a map file, an archive or a game directory; see bspscene_open. */
inline scene open(const std::string &path, const bspscene_open_options *how = nullptr)
{
	bspscene_error reason;
	bspscene_scene *made = bspscene_open(path.c_str(), how, &reason);
	return scene(made, reason);
}

/** Loads a map of an archive or a game by its name. */
inline scene open(const std::string &path, const std::string &map)
{
	open_options how;
	how->map = map.c_str();
	return open(path, how.get());
}

/** Loads a map from memory; see bspscene_load_memory. Give how->name a name if files next to the map are needed. */
inline scene load(const void *data, std::size_t size, const bspscene_load_options *how = nullptr)
{
	bspscene_error reason;
	bspscene_scene *made = bspscene_load_memory(data, size, how, &reason);
	return scene(made, reason);
}

/* ---- Images ---------------------------------------------------------------------------------------------------- */

/** Decodes an image, as bspscene_image_decode_with. Throws bspscene::error. */
inline picture decode(const bspscene_image &image, const bspscene_decode_options *how = nullptr)
{
	bspscene_error reason;
	bspscene_pixels pixels;
	if (!bspscene_image_decode_with(&image, how, &pixels, &reason)) throw error(reason);
	std::unique_ptr<bspscene_pixels, decltype(&bspscene_pixels_free)> owner(&pixels, bspscene_pixels_free);
	const std::size_t size = std::size_t{4} * pixels.width * pixels.height;
	return { pixels.width, pixels.height, std::vector<std::uint8_t>(pixels.data, pixels.data + size) };
}

/** Write a PNG file, or EXR for HDR pages, that appears whole or not at all. Throw bspscene::error. */
/**@{*/
inline void write_image_file(const bspscene_image &image, const std::string &path)
{
	bspscene_error reason;
	if (!bspscene_write_image_file(&image, path.c_str(), &reason)) throw error(reason);
}
inline void write_png_file(const picture &image, const std::string &path)
{
	bspscene_error reason;
	if (!bspscene_write_png_file(image.width, image.height, 4, image.pixels.data(), path.c_str(), &reason)) {
		throw error(reason);
	}
}
inline void write_lightmap_page_file(const bspscene_lightmap_page &page, const std::string &path)
{
	bspscene_error reason;
	if (!bspscene_write_lightmap_page_file(&page, path.c_str(), &reason)) throw error(reason);
}
/**@}*/

/* ---- Meshes ---------------------------------------------------------------------------------------------------- */

/** Returns an array of a mesh with `width` numbers for each vertex: values(mesh, mesh.positions, 3). Empty for NULL. */
template <class T> span<T> values(const bspscene_mesh &mesh, const T *array, std::size_t width)
{
	return { array, mesh.vertex_count * width };
}
inline span<std::uint32_t> indices(const bspscene_mesh &mesh) { return { mesh.indices, mesh.index_count }; }
inline records<bspscene_section> sections(const bspscene_mesh &mesh) { return { mesh.sections, mesh.section_count }; }

} // namespace bspscene

#endif
