/* BspMeshes.cpp - see BspMeshes.h.
 *
 * Vertex colors are in display space, as in games and most hosts. RGB is the light that is stored in the vertices, or
 * white if there is none. A is the vertices' part of the material's alpha, or the share of a second image, or else 1. A
 * mesh gets no colors if all would be white. Weights of layers are a second color set. */
#include "BspMeshes.h"

#include <algorithm>
#include <cmath>

#include "BspError.h"

namespace bspscene {
namespace {

bool IsTriangle(const uint32_t *corners)
{
	return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
}

/* What the vertex colors of a section contain. */
struct VertexColor {
	const float *baked = nullptr; /* linear light, if all light of the section is in its vertices */
	const float *blend = nullptr; /* share of the material's second image */
	bool light = false, black = false, alpha = false, inverted_alpha = false;
	float light_gain = 1;

	bool IsWhite() const { return !baked && !blend && !light && !black && !alpha; }
};

float ColorGain(const bspscene_scene &scene)
{
	if (scene.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW) return scene.overbright > 0 ? scene.overbright : 1;
	return scene.lightmap_set_count ? scene.lightmap_sets[0].intensity : 1;
}

/* Sets whether the vertices give the alpha of the vertex colors: they do if the pass with the base image uses it. */
void SetAlpha(const bspscene_scene &scene, const bspscene_material &material, VertexColor &rule)
{
	for (uint32_t i = 0; i < material.pass_count; i++) {
		const bspscene_material_pass &stage = *scene.material_passes[material.first_pass + i];
		for (uint32_t f = 0; stage.input == BSPSCENE_PASS_INPUT_IMAGE && f < stage.frame_image_count; f++) {
			if (scene.frame_images[stage.first_frame_image + f] != material.base_image) continue;
			rule.inverted_alpha = stage.alpha_gen == BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX;
			rule.alpha = rule.inverted_alpha || stage.alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX;
			return;
		}
	}
}

VertexColor VertexColorOf(const bspscene_scene &scene, const ConvertOptions &options, const bspscene_mesh &mesh,
                          const bspscene_section &section)
{
	const bspscene_material &material = *scene.materials[section.material];
	bool lit = options.lighting != BSPSCENE_WRITE_LIGHTING_NONE;
	bool mapped = section.lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	VertexColor rule;
	rule.black = lit && section.lighting == BSPSCENE_LIGHTING_BLACK;
	bool in_vertices = section.lighting == BSPSCENE_LIGHTING_VERTEX || (mapped && material.vertex_lit);
	rule.light = lit && mesh.colors && in_vertices;
	rule.light_gain = ColorGain(scene);
	bool shines = section.lighting == BSPSCENE_LIGHTING_FULLBRIGHT;
	if (options.lighting == BSPSCENE_WRITE_LIGHTING_VERTEX && !shines) rule.baked = mesh.baked_light;
	if (mesh.colors && material.alpha_mode != BSPSCENE_ALPHA_MODE_OPAQUE) SetAlpha(scene, material, rule);
	else if (material.second_image != BSPSCENE_NO_INDEX) rule.blend = mesh.blend_alphas;
	return rule;
}

/* Converts linear light to sRGB. */
float Display(float linear)
{
	return linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

aiColor4D ColorAt(const VertexColor &rule, const bspscene_mesh &mesh, size_t vertex)
{
	aiColor3D light(1, 1, 1);
	const uint8_t *color = mesh.colors ? mesh.colors + 4 * vertex : nullptr;
	for (unsigned i = 0; i < 3; i++) {
		if (rule.baked) light[i] = Display(rule.baked[3 * vertex + i]);
		else if (rule.light) light[i] *= color[i] / 255.0f * rule.light_gain;
		light[i] = rule.black ? 0 : std::min(light[i], ai_real(1));
	}
	float alpha = rule.alpha ? color[3] / 255.0f : 1;
	if (rule.blend) alpha = rule.blend[vertex];
	return { light[0], light[1], light[2], rule.inverted_alpha ? 1 - alpha : alpha };
}

aiVector3D NormalAt(const bspscene_mesh &mesh, size_t vertex, bool flip)
{
	aiVector3D normal = ToYUp(mesh.normals + 3 * vertex, flip ? -1 : 1);
	ai_real length = normal.Length();
	return length > 1e-6f ? normal / length : aiVector3D(0, 1, 0);
}

/* How texture coordinates are scaled, rotated (in radians) and moved. */
struct Placing {
	float scale[2], offset[2], rotation;
};

aiVector3D *NewUvs(unsigned count, const float *uvs, const Placing &place)
{
	float cosine = std::cos(place.rotation), sine = std::sin(place.rotation);
	auto *out = new aiVector3D[count];
	for (size_t i = 0; i < count; i++) {
		float x = uvs[2 * i] * place.scale[0], y = uvs[2 * i + 1] * place.scale[1];
		float u = cosine * x - sine * y + place.offset[0], v = sine * x + cosine * y + place.offset[1];
		/* The product of finite numbers can be infinite. */
		out[i] = std::isfinite(u) && std::isfinite(v) ? aiVector3D(u, 1 - v, 0) : aiVector3D(0, 1, 0);
	}
	return out;
}

void FillFaces(const bspscene_mesh &mesh, const bspscene_section &section, bool flip, unsigned count, aiMesh &out)
{
	const uint32_t *corners = mesh.indices + section.first_index;
	out.mFaces = new aiFace[count];
	out.mNumFaces = count;
	for (aiFace *face = out.mFaces; face < out.mFaces + count; corners += 3) {
		if (!IsTriangle(corners)) continue;
		face->mIndices = new unsigned[3];
		face->mNumIndices = 3;
		for (unsigned i = 0; i < 3; i++) face->mIndices[i] = corners[flip ? 2 - i : i] - section.first_vertex;
		face++;
	}
}

std::unique_ptr<aiMesh> BuildMesh(const bspscene_scene &scene, const ConvertOptions &options, const bspscene_mesh &mesh,
                                  const bspscene_section &section, unsigned triangle_count)
{
	const bspscene_material &material = *scene.materials[section.material];
	const float *scale = material.uv_scale, *offset = material.uv_offset;
	const Placing textured = { { scale[0], scale[1] }, { offset[0], offset[1] }, material.uv_rotation_radians };
	const Placing as_is = { { 1, 1 }, {}, 0 };
	bool flip = material.cull == BSPSCENE_CULL_FRONT;
	unsigned count = section.vertex_count;
	size_t first = section.first_vertex;
	auto out = std::make_unique<aiMesh>();
	out->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
	out->mNumVertices = count;
	out->mVertices = new aiVector3D[count];
	out->mNormals = new aiVector3D[count];
	for (size_t i = 0; i < count; i++) {
		out->mVertices[i] = ToYUp(mesh.positions + 3 * (first + i), options.scale);
		out->mNormals[i] = NormalAt(mesh, first + i, flip);
	}
	out->mTextureCoords[0] = NewUvs(count, mesh.uvs + 2 * first, textured);
	out->mNumUVComponents[0] = 2;
	if (mesh.lightmap_uvs && options.lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP) {
		out->mTextureCoords[1] = NewUvs(count, mesh.lightmap_uvs + 2 * first, as_is);
		out->mNumUVComponents[1] = 2;
	}
	VertexColor rule = VertexColorOf(scene, options, mesh, section);
	if (!rule.IsWhite()) {
		out->mColors[0] = new aiColor4D[count];
		for (size_t i = 0; i < count; i++) out->mColors[0][i] = ColorAt(rule, mesh, first + i);
	}
	if (out->mColors[0] && mesh.blend_weights && material.layer_count) {
		out->mColors[1] = new aiColor4D[count];
		const float *weights = mesh.blend_weights + 4 * first;
		for (size_t i = 0; i < count; i++, weights += 4) {
			out->mColors[1][i] = { weights[0], weights[1], weights[2], weights[3] };
		}
	}
	FillFaces(mesh, section, flip, triangle_count, *out);
	return out;
}

unsigned CountTriangles(const bspscene_mesh &mesh, const bspscene_section &section)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < section.index_count; i += 3) count += IsTriangle(mesh.indices + section.first_index + i);
	return count;
}

} // namespace

std::vector<std::vector<unsigned>> BuildMeshes(const bspscene_scene &scene, const ConvertOptions &options,
                                               MaterialBuilder &materials, aiScene &out)
{
	std::vector<bool> shown(scene.mesh_count);
	for (uint32_t i = 0; i < scene.node_count; i++) {
		if (scene.nodes[i]->mesh != BSPSCENE_NO_INDEX) shown[scene.nodes[i]->mesh] = true;
	}
	std::vector<std::vector<unsigned>> numbers(scene.mesh_count);
	std::vector<std::unique_ptr<aiMesh>> meshes;
	for (uint32_t m = 0; m < scene.mesh_count; m++) {
		const bspscene_mesh &mesh = *scene.meshes[m];
		for (uint32_t s = 0; shown[m] && s < mesh.section_count; s++) {
			unsigned count = CountTriangles(mesh, *mesh.sections[s]);
			if (!count) continue;
			auto built = BuildMesh(scene, options, mesh, *mesh.sections[s], count);
			built->mMaterialIndex = materials.Find(*mesh.sections[s]);
			built->mName = Text(std::string(mesh.name).substr(0, 900) + "." + std::to_string(s));
			numbers[m].push_back(static_cast<unsigned>(meshes.size()));
			meshes.push_back(std::move(built));
		}
	}
	if (meshes.empty()) throw ImportError("the map has no visible surface");
	out.mMeshes = new aiMesh *[meshes.size()]();
	out.mNumMeshes = static_cast<unsigned>(meshes.size());
	for (size_t i = 0; i < meshes.size(); i++) out.mMeshes[i] = meshes[i].release();
	return numbers;
}

} // namespace bspscene
