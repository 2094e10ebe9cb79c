/* Promise: tinygltf, another reader of glTF, reads from our GLB what the scene has. Every triangle of every mesh has
 * the same positions, coordinates and material, bit for bit. The same holds for the position of every node that shows a
 * mesh, and for the pixels of textures.
 *
 * Usage: read_back MAP... */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <bspscene/bspscene.h>

#include "tiny_gltf.h"

namespace {

/* Each corner has a position, texture coordinates, and coordinates on the lightmap page. */
constexpr size_t corner_numbers = 7;
using Corner = std::array<float, corner_numbers>;

struct Triangle {
	std::string material;
	std::array<Corner, 3> corners;

	bool operator<(const Triangle &other) const
	{
		return material != other.material ? material < other.material : corners < other.corners;
	}
	bool operator==(const Triangle &other) const { return material == other.material && corners == other.corners; }
};

using Triangles = std::vector<Triangle>;
using Matrix = std::array<double, 12>; /* three rows of a transform */

int problems = 0;

void complain(const char *map, const std::string &what)
{
	if (++problems <= 20) std::printf("%s: %s\n", map, what.c_str());
}

/* Rotates the triangle's corners so that the smallest one is first, and replaces negative zeros by zeros. */
void normalize(Triangle &triangle)
{
	for (Corner &corner : triangle.corners) {
		for (float &value : corner) value += 0.0f;
	}
	std::rotate(triangle.corners.begin(), std::min_element(triangle.corners.begin(), triangle.corners.end()),
	            triangle.corners.end());
}

/* ---- Triangles of the scene --------------------------------------------------------------------------------- */

bool has_area(const Triangle &triangle)
{
	double edges[2][3], longest = 0, cross = 0;
	for (size_t e = 0; e < 2; e++) {
		double length = 0;
		for (size_t i = 0; i < 3; i++) {
			edges[e][i] = double(triangle.corners[e + 1][i]) - double(triangle.corners[0][i]);
			length += edges[e][i] * edges[e][i];
		}
		longest = std::max(longest, length);
	}
	for (size_t i = 0; i < 3; i++) {
		size_t j = (i + 1) % 3, k = (i + 2) % 3;
		double part = edges[0][j] * edges[1][k] - edges[0][k] * edges[1][j];
		cross += part * part;
	}
	/* Files may lack triangles that have nearly no area, so these are not compared. */
	return cross > 1e-10 * longest * longest;
}

/* True if the material rotates its texture. The writer then rotates the coordinates, so they are not compared. */
bool is_turned(const bspscene_material &material)
{
	return material.uv_rotation_radians != 0;
}

/* True if the mesh is not of a brush model, and the material's passes use its base image only as a reflection. The
 * file's texture coordinates are then computed from the normals. */
bool is_mirror(const bspscene_scene &scene, const bspscene_mesh &mesh, const bspscene_material &material)
{
	uint32_t mirrors = 0, others = 0;
	for (uint32_t i = 0; i < material.pass_count; i++) {
		const bspscene_material_pass &pass = *scene.material_passes[material.first_pass + i];
		bool has_image = pass.input == BSPSCENE_PASS_INPUT_IMAGE && pass.frame_image_count;
		if (!has_image || scene.frame_images[pass.first_frame_image] != material.base_image) continue;
		(pass.tc_gen == BSPSCENE_TC_GEN_ENVIRONMENT ? mirrors : others)++;
	}
	return mesh.model == BSPSCENE_NO_INDEX && mirrors && !others;
}

Corner corner_of(const bspscene_scene &scene, const bspscene_mesh &mesh, const bspscene_section &section, uint32_t at)
{
	const bspscene_material &material = *scene.materials[section.material];
	const float m = scene.meters_per_unit, *p = mesh.positions + 3 * size_t(at);
	Corner out = { p[0] * m, p[2] * m, -p[1] * m };
	if (material.base_image != BSPSCENE_NO_INDEX && !is_turned(material)) {
		std::copy_n(mesh.uvs + 2 * size_t(at), 2, out.begin() + 3);
		if (is_mirror(scene, mesh, material)) {
			out[3] = (1 + mesh.normals[3 * size_t(at) + 1]) / 2;
			out[4] = (1 - mesh.normals[3 * size_t(at) + 2]) / 2;
		}
	}
	if (section.lightmap_page != BSPSCENE_NO_INDEX && mesh.lightmap_uvs) {
		std::copy_n(mesh.lightmap_uvs + 2 * size_t(at), 2, out.begin() + 5);
	}
	return out;
}

Triangles triangles_of(const bspscene_scene &scene, const bspscene_mesh &mesh)
{
	Triangles out;
	for (uint32_t s = 0; s < mesh.section_count; s++) {
		const bspscene_section &section = *mesh.sections[s];
		const bspscene_material &material = *scene.materials[section.material];
		for (uint32_t i = section.first_index; i < section.first_index + section.index_count; i += 3) {
			Triangle triangle = { material.name, {} };
			for (size_t c = 0; c < 3; c++) {
				size_t from = material.cull == BSPSCENE_CULL_FRONT ? 2 - c : c;
				triangle.corners[c] = corner_of(scene, mesh, section, mesh.indices[i + from]);
			}
			normalize(triangle);
			if (has_area(triangle)) out.push_back(triangle);
		}
	}
	std::sort(out.begin(), out.end());
	return out;
}

/* Converts the axes (x, y, z) to (x, z, -y), and game units to meters. */
Matrix place_of(const bspscene_scene &scene, uint32_t node)
{
	static const int axes[3] = { 0, 2, 1 }, signs[3] = { 1, 1, -1 };
	float m[12];
	Matrix out;
	bspscene_node_world_transform(&scene, node, m);
	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < 3; column++) {
			out[4 * row + column] = double(m[4 * axes[row] + axes[column]]) * signs[row] * signs[column];
		}
		out[4 * row + 3] = double(m[4 * axes[row] + 3]) * signs[row] * double(scene.meters_per_unit);
	}
	return out;
}

/* ---- Triangles of the file ---------------------------------------------------------------------------------- */

class Accessor {
public:
	Accessor(const tinygltf::Model &model, int number) : accessor(model.accessors[size_t(number)])
	{
		const tinygltf::BufferView &view = model.bufferViews[size_t(accessor.bufferView)];
		bytes = model.buffers[size_t(view.buffer)].data.data() + view.byteOffset + accessor.byteOffset;
		stride = size_t(accessor.ByteStride(view));
	}
	size_t count() const { return accessor.count; }
	float number(size_t element, size_t component) const { return at<float>(element, component); }
	uint32_t index(size_t element) const
	{
		switch (accessor.componentType) {
		case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return at<uint8_t>(element, 0);
		case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return at<uint16_t>(element, 0);
		default: return at<uint32_t>(element, 0);
		}
	}

private:
	template <typename T> T at(size_t element, size_t component) const
	{
		T value;
		std::memcpy(&value, bytes + element * stride + component * sizeof value, sizeof value);
		return value;
	}
	const tinygltf::Accessor &accessor;
	const unsigned char *bytes;
	size_t stride;
};

/* Returns the name of the game's material. The file may have several materials of that name: one for each kind of
 * light. */
std::string material_name(const tinygltf::Material &material)
{
	const tinygltf::Value &own = material.extras.Has("bspscene") ? material.extras.Get("bspscene") : material.extras;
	return own.Has("name") ? own.Get("name").Get<std::string>() : material.name;
}

void add_primitive(const tinygltf::Model &model, const tinygltf::Primitive &primitive, const bspscene_scene &scene,
                   Triangles &out)
{
	const std::string name = material_name(model.materials[size_t(primitive.material)]);
	const bspscene_material *material = nullptr;
	for (uint32_t i = 0; i < scene.material_count && !material; i++) {
		if (name == scene.materials[i]->name) material = scene.materials[i];
	}
	const Accessor indices(model, primitive.indices), places(model, primitive.attributes.at("POSITION"));
	for (size_t i = 0; i + 2 < indices.count(); i += 3) {
		Triangle triangle = { name, {} };
		for (size_t c = 0; c < 3; c++) {
			uint32_t vertex = indices.index(i + c);
			for (size_t k = 0; k < 3; k++) triangle.corners[c][k] = places.number(vertex, k);
			for (size_t set = 0; set < 2; set++) {
				const auto found = primitive.attributes.find("TEXCOORD_" + std::to_string(set));
				if (found == primitive.attributes.end() || (!set && material && is_turned(*material))) continue;
				const Accessor coordinates(model, found->second);
				for (size_t k = 0; k < 2; k++) triangle.corners[c][3 + 2 * set + k] = coordinates.number(vertex, k);
			}
		}
		normalize(triangle);
		if (has_area(triangle)) out.push_back(triangle);
	}
}

Triangles triangles_of(const tinygltf::Model &model, const tinygltf::Mesh &mesh, const bspscene_scene &scene)
{
	Triangles out;
	for (const tinygltf::Primitive &primitive : mesh.primitives) add_primitive(model, primitive, scene, out);
	std::sort(out.begin(), out.end());
	return out;
}

Matrix own_place(const tinygltf::Node &node)
{
	Matrix m = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	if (node.rotation.size() == 4) {
		const double x = node.rotation[0], y = node.rotation[1], z = node.rotation[2], w = node.rotation[3];
		m = { 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0,
		      2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0,
		      2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0 };
	}
	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < node.scale.size(); column++) m[4 * row + column] *= node.scale[column];
		if (node.translation.size() == 3) m[4 * row + 3] = node.translation[row];
	}
	for (size_t i = 0; i < node.matrix.size() && i < 16; i++) {
		if (i % 4 < 3) m[4 * (i % 4) + i / 4] = node.matrix[i];
	}
	return m;
}

Matrix operator*(const Matrix &a, const Matrix &b)
{
	Matrix out;
	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < 4; column++) {
			double sum = column == 3 ? a[4 * row + 3] : 0;
			for (size_t k = 0; k < 3; k++) sum += a[4 * row + k] * b[4 * k + column];
			out[4 * row + column] = sum;
		}
	}
	return out;
}

struct Placed {
	int mesh;
	Matrix place;
};

void add_nodes(const tinygltf::Model &model, int number, const Matrix &parent, std::vector<Placed> &out)
{
	const tinygltf::Node &node = model.nodes[size_t(number)];
	const Matrix place = parent * own_place(node);
	if (node.mesh >= 0) out.push_back({ node.mesh, place });
	for (int child : node.children) add_nodes(model, child, place, out);
}

/* ---- Comparison --------------------------------------------------------------------------------------------- */

/* True if two transforms differ by at most a millimeter, or a little more if values are large. Positions in a 3D skybox
 * are rounded before they are enlarged 64 times. */
bool are_near(const Matrix &a, const Matrix &b)
{
	for (size_t i = 0; i < a.size(); i++) {
		if (!(std::fabs(a[i] - b[i]) < 1e-3 + 1e-5 * std::fabs(b[i]))) return false;
	}
	return true;
}

/* True if the file's mesh `written` was made from the scene's mesh `name`. Both then have the same name, but the file
 * may have further meshes for a model in other light, whose names end in ":light2" and so on. */
bool is_of(const std::string &written, const std::string &name)
{
	return written.compare(0, name.size(), name) == 0 &&
	       (written.size() == name.size() || written.compare(name.size(), 6, ":light") == 0);
}

bool is_shown(const bspscene_scene &scene, uint32_t mesh)
{
	for (uint32_t i = 0; i < scene.node_count; i++) {
		if (scene.nodes[i]->mesh == mesh) return true;
	}
	return false;
}

void compare_triangles(const char *map, const std::string &name, const Triangles &here, const Triangles &there)
{
	size_t first = 0;
	if (here == there) return;
	while (first < here.size() && first < there.size() && here[first] == there[first]) first++;
	complain(map, "mesh " + name + ": " + std::to_string(here.size()) + " triangles, " + std::to_string(there.size()) +
	         " in the file; the first that differs is number " + std::to_string(first) +
	         (first < here.size() ? " of " + here[first].material : ""));
}

/* Compares all meshes. Returns, for each mesh of the file, the number of the scene's mesh from which it was made. */
std::vector<uint32_t> compare_meshes(const char *map, const bspscene_scene &scene, const tinygltf::Model &model)
{
	std::vector<uint32_t> owners(model.meshes.size(), BSPSCENE_NO_INDEX);
	for (uint32_t m = 0; m < scene.mesh_count; m++) {
		const Triangles here = triangles_of(scene, *scene.meshes[m]);
		bool found = !is_shown(scene, m) || here.empty();
		for (size_t i = 0; i < owners.size(); i++) {
			const std::string &name = model.meshes[i].name;
			if (owners[i] != BSPSCENE_NO_INDEX || !is_of(name, scene.meshes[m]->name)) continue;
			/* The scene's mesh was already found. So this mesh was made from another mesh of the scene with the same
			 * name. */
			if (found && name == scene.meshes[m]->name) continue;
			owners[i] = m;
			found = true;
			compare_triangles(map, name, here, triangles_of(model, model.meshes[i], scene));
		}
		if (!found) complain(map, std::string("mesh ") + scene.meshes[m]->name + " is not in the file");
	}
	return owners;
}

void compare_nodes(const char *map, const bspscene_scene &scene, const tinygltf::Model &model,
                   const std::vector<uint32_t> &owners)
{
	std::vector<Placed> placed;
	const Matrix none = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	for (int root : model.scenes[0].nodes) add_nodes(model, root, none, placed);
	for (uint32_t i = 0; i < scene.node_count; i++) {
		const uint32_t mesh = scene.nodes[i]->mesh;
		if (std::find(owners.begin(), owners.end(), mesh) == owners.end()) continue;
		const Matrix place = place_of(scene, i);
		auto found = std::find_if(placed.begin(), placed.end(), [&](const Placed &one) {
			return owners[size_t(one.mesh)] == mesh && are_near(one.place, place);
		});
		if (found == placed.end()) complain(map, std::string("node ") + scene.nodes[i]->name + " is not where it was");
		else placed.erase(found);
	}
	if (!placed.empty()) complain(map, std::to_string(placed.size()) + " nodes too many show a mesh");
}

/* Compares the pixels of an image. tinygltf returns four channels. If no material uses the alpha, it may be 255. */
bool has_pixels_of(const tinygltf::Image &image, const bspscene_image &own)
{
	bspscene_pixels pixels;
	if (!bspscene_image_decode(&own, &pixels, nullptr)) return false;
	const size_t values = size_t(4) * pixels.width * pixels.height;
	bool alike = uint32_t(image.width) == pixels.width && image.component == 4 && image.image.size() == values;
	for (size_t i = 0; alike && i < values; i++) {
		alike = image.image[i] == pixels.data[i] || (i % 4 == 3 && image.image[i] == 255);
	}
	bspscene_pixels_free(&pixels);
	return alike;
}

/* Returns whether the writer makes this picture itself. It does so for materials that add to the background or multiply
 * it, because glTF can only blend. */
bool is_made_anew(const bspscene_scene &scene, uint32_t image)
{
	for (uint32_t i = 0; i < scene.material_count; i++) {
		const bspscene_material &material = *scene.materials[i];
		bool blends =
			material.alpha_mode == BSPSCENE_ALPHA_MODE_ADD || material.alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE;
		if (blends && material.base_image == image) return true;
	}
	return false;
}

/* Compares the pixels of images that are stored without loss; they must be equal. A texture and its emissive part have
 * the same name, so it is enough if one of the images with that name is equal. */
size_t compare_images(const char *map, const bspscene_scene &scene, const tinygltf::Model &model)
{
	size_t compared = 0;
	for (const tinygltf::Image &image : model.images) {
		bool known = false, alike = false;
		for (uint32_t i = 0; i < scene.image_count && !alike; i++) {
			const bspscene_image &own = *scene.images[i];
			if (image.name != own.name || own.format == BSPSCENE_IMAGE_JPEG || is_made_anew(scene, i)) continue;
			known = true;
			alike = has_pixels_of(image, own);
		}
		if (known && !alike) complain(map, "image " + image.name + " has other pixels");
		compared += known;
	}
	return compared;
}

struct Memory {
	std::vector<unsigned char> bytes;
	static bool begin(void *, const char *) { return true; }
	static bool write(void *user, const void *data, size_t size)
	{
		auto *bytes = static_cast<const unsigned char *>(data);
		static_cast<Memory *>(user)->bytes.insert(static_cast<Memory *>(user)->bytes.end(), bytes, bytes + size);
		return true;
	}
	static bool end(void *) { return true; }
};

bool write_glb(const bspscene_scene *scene, std::vector<unsigned char> &out, bspscene_error &error)
{
	Memory memory;
	bspscene_write_options options;
	bspscene_output output;
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	options.sky = BSPSCENE_WRITE_SKY_NONE;
	bspscene_output_init(&output);
	output.user = &memory;
	output.begin = Memory::begin;
	output.write = Memory::write;
	output.end = Memory::end;
	bool ok = bspscene_write(scene, "glb", &options, &output, &error);
	out.swap(memory.bytes);
	return ok;
}

void check(const char *map)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_open(map, nullptr, &error);
	std::vector<unsigned char> glb;
	if (!scene || !write_glb(scene, glb, error)) {
		complain(map, error.message);
		bspscene_scene_free(scene);
		return;
	}
	tinygltf::TinyGLTF reader;
	tinygltf::Model model;
	std::string why, warning;
	if (!reader.LoadBinaryFromMemory(&model, &why, &warning, glb.data(), unsigned(glb.size()))) {
		complain(map, "tinygltf: " + why);
	} else {
		compare_nodes(map, *scene, model, compare_meshes(map, *scene, model));
		size_t images = compare_images(map, *scene, model);
		std::printf("%s: %zu meshes, %zu nodes, %zu images\n", map, model.meshes.size(), model.nodes.size(), images);
	}
	bspscene_scene_free(scene);
}

}

int main(int count, char **words)
{
	for (int i = 1; i < count; i++) check(words[i]);
	return problems || count < 2 ? 1 : 0;
}
