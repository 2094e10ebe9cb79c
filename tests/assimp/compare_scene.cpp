/* compare_scene.cpp - see compare_scene.h. */
#include "assimp/compare_scene.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <string>

#include <bspscene/material.h>

bool IsNear(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(b)); }

namespace {

bool IsTriangle(const uint32_t *c) { return c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; }

void CheckVertices(const bspscene_scene &scene, const bspscene_mesh &mesh, const bspscene_section &section,
                   const aiMesh &out, bspt_report *report)
{
	const bspscene_material &material = *scene.materials[section.material];
	uint32_t moved = 0, turned = 0, uvs = 0, lightmap_uvs = 0;
	for (uint32_t v = 0; v < section.vertex_count; v++) {
		uint32_t vertex = section.first_vertex + v;
		const float *p = mesh.positions + 3 * vertex, *n = mesh.normals + 3 * vertex, *t = mesh.uvs + 2 * vertex;
		std::complex<float> scaled(t[0] * material.uv_scale[0], t[1] * material.uv_scale[1]);
		std::complex<float> rotated = scaled * std::polar(1.0f, material.uv_rotation_radians);
		float u = rotated.real() + material.uv_offset[0], w = rotated.imag() + material.uv_offset[1];
		moved += out.mVertices[v] != aiVector3D(p[0], p[2], -p[1]);
		turned += std::fabs(std::fabs(out.mNormals[v] * aiVector3D(n[0], n[2], -n[1])) - 1) > 1e-3f;
		uvs += !IsNear(out.mTextureCoords[0][v].x, u) || !IsNear(1 - out.mTextureCoords[0][v].y, w);
		if (!mesh.lightmap_uvs) continue;
		const float *l = mesh.lightmap_uvs + 2 * vertex;
		lightmap_uvs += !IsNear(out.mTextureCoords[1][v].x, l[0]) || !IsNear(1 - out.mTextureCoords[1][v].y, l[1]);
	}
	const char *name = out.mName.C_Str();
	BSPT_EXPECT(report, !moved && !turned, "%s: %u vertices moved, %u normals turned", name, moved, turned);
	BSPT_EXPECT(report, !uvs && !lightmap_uvs, "%s: %u uvs, %u lightmap uvs differ", name, uvs, lightmap_uvs);
}

double Area(const aiVector3D &a, const aiVector3D &b, const aiVector3D &c) { return ((b - a) ^ (c - a)).Length() / 2; }

double CheckTriangles(const bspscene_scene &scene, const bspscene_mesh &mesh, const bspscene_section &section,
                      const aiMesh &out, bspt_report *report)
{
	bool flip = scene.materials[section.material]->cull == BSPSCENE_CULL_FRONT;
	uint32_t at = 0, wrong = 0;
	double area = 0;
	for (uint32_t i = 0; i < section.index_count; i += 3) {
		const uint32_t *corners = mesh.indices + section.first_index + i;
		if (!IsTriangle(corners)) continue;
		if (at == out.mNumFaces) break;
		const aiFace &face = out.mFaces[at++];
		for (unsigned c = 0; c < 3; c++) wrong += face.mIndices[flip ? 2 - c : c] != corners[c] - section.first_vertex;
		area += Area(out.mVertices[face.mIndices[0]], out.mVertices[face.mIndices[1]], out.mVertices[face.mIndices[2]]);
	}
	BSPT_EXPECT(report, at == out.mNumFaces && !wrong, "%s: %u of %u faces, %u indices differ", out.mName.C_Str(), at,
	            out.mNumFaces, wrong);
	return area;
}

/* Checks that the lightmap texture has exactly the page's pixels, uses the second uv set, and has the properties that
 * Assimp expects. */
void CheckLightmap(const bspscene_scene &scene, const bspscene_section &section, const aiScene &out,
                   const aiMaterial &material, bspt_report *report)
{
	bool mapped = section.lighting == BSPSCENE_LIGHTING_LIGHTMAP && section.lightmap_page != BSPSCENE_NO_INDEX;
	BSPT_EXPECT(report, (material.GetTextureCount(aiTextureType_LIGHTMAP) == 1) == mapped, "lightmaps of a material");
	if (!mapped) return;
	aiString path;
	unsigned uv = 0;
	material.GetTexture(aiTextureType_LIGHTMAP, 0, &path, nullptr, &uv);
	const aiTexture *texture = out.GetEmbeddedTexture(path.C_Str());
	bool png = texture && !texture->mHeight && !std::strcmp(texture->achFormatHint, "png");
	BSPT_EXPECT(report, uv == 1 && png, "lightmap");
	if (!texture) return;
	bspscene_image image{};
	image.name = image.path = image.archive = "";
	image.format = BSPSCENE_IMAGE_PNG;
	image.data = texture->pcData;
	image.size = texture->mWidth;
	bspscene_pixels pixels;
	bspscene_error error;
	if (!bspscene_image_decode(&image, &pixels, &error)) {
		BSPT_EXPECT(report, false, "lightmap: %s", error.message);
		return;
	}
	const bspscene_lightmap_page &page = scene.lightmap_sets[0].pages[section.lightmap_page];
	bool same = pixels.width == page.width && pixels.height == page.height;
	auto *luxels = static_cast<const uint8_t *>(page.data);
	for (size_t i = 0; same && i < size_t{ page.width } * page.height; i++) {
		same = !std::memcmp(pixels.data + 4 * i, luxels + 3 * i, 3);
	}
	BSPT_EXPECT(report, same, "the lightmap's pixels are not the page's");
	bspscene_pixels_free(&pixels);
}

void CheckMeshes(const bspscene_scene &scene, const aiScene &out, bspt_report *report)
{
	std::map<std::string, const aiMesh *> meshes;
	for (unsigned i = 0; i < out.mNumMeshes; i++) meshes[out.mMeshes[i]->mName.C_Str()] = out.mMeshes[i];
	BSPT_EXPECT(report, meshes.size() == out.mNumMeshes, "mesh names repeat");
	double area = 0;
	size_t found = 0;
	for (uint32_t m = 0; m < scene.mesh_count; m++) {
		for (uint32_t s = 0; s < scene.meshes[m]->section_count; s++) {
			const bspscene_section &section = *scene.meshes[m]->sections[s];
			auto at = meshes.find(std::string(scene.meshes[m]->name) + "." + std::to_string(s));
			if (at == meshes.end()) continue;
			const aiMesh &mesh = *at->second;
			found++;
			BSPT_EXPECT(report, mesh.mNumVertices == section.vertex_count, "%s: vertices", mesh.mName.C_Str());
			if (mesh.mNumVertices != section.vertex_count) continue;
			CheckVertices(scene, *scene.meshes[m], section, mesh, report);
			area += CheckTriangles(scene, *scene.meshes[m], section, mesh, report);
			CheckLightmap(scene, section, out, *out.mMaterials[mesh.mMaterialIndex], report);
			aiString name;
			out.mMaterials[mesh.mMaterialIndex]->Get("$bsp.name", 0, 0, name);
			bool same = !std::strcmp(name.C_Str(), scene.materials[section.material]->name);
			BSPT_EXPECT(report, same, "material %s", name.C_Str());
		}
	}
	size_t triangles = 0;
	for (unsigned i = 0; i < out.mNumMeshes; i++) triangles += out.mMeshes[i]->mNumFaces;
	BSPT_EXPECT(report, found == out.mNumMeshes, "%u meshes of %u are sections", static_cast<unsigned>(found),
	            out.mNumMeshes);
	BSPT_EXPECT(report, triangles == scene.counts->triangles, "%u triangles of %u", static_cast<unsigned>(triangles),
	            scene.counts->triangles);
	BSPT_EXPECT(report, area > 0, "the area is %g", area);
}

aiMatrix4x4 WorldOf(const aiNode *node)
{
	aiMatrix4x4 world = node->mTransformation;
	while ((node = node->mParent)) world = node->mTransformation * world;
	return world;
}

/* Lights and cameras have a node of the same name and look along its -Z axis. In the scene, the corresponding node
 * looks along +X. */
void CheckLooking(const bspscene_scene &scene, const bspscene_node &node, uint32_t index, const aiScene &out,
                  const char *suffix, bspt_report *report)
{
	std::string name = node.name;
	const aiNode *found = out.mRootNode->FindNode((name + suffix).c_str());
	if (!found) found = out.mRootNode->FindNode(name.c_str());
	if (!found) return;
	float world[12];
	bspscene_node_world_transform(&scene, index, world);
	aiMatrix4x4 m = WorldOf(found);
	bool same = IsNear(-m.a3, world[0]) && IsNear(-m.b3, world[8]) && IsNear(-m.c3, -world[4]);
	BSPT_EXPECT(report, same, "%s looks the wrong way", node.name);
}

void CheckNodes(const bspscene_scene &scene, const aiScene &out, bspt_report *report)
{
	uint32_t lamps = 0; /* number of the scene's lights, without surfaces that emit light */
	for (uint32_t i = 0; i < scene.light_count; i++) lamps += scene.lights[i]->kind != BSPSCENE_LIGHT_SURFACE;
	BSPT_EXPECT(report, out.mNumLights == lamps && out.mNumCameras == scene.camera_count,
	            "%u lights of %u, %u cameras of %u", out.mNumLights, lamps, out.mNumCameras, scene.camera_count);
	for (uint32_t i = 0; i < scene.node_count; i++) {
		const bspscene_node &node = *scene.nodes[i];
		const aiNode *found = out.mRootNode->FindNode(node.name);
		BSPT_EXPECT(report, found, "node %s is missing", node.name);
		if (!found) continue;
		float world[12];
		bspscene_node_world_transform(&scene, i, world);
		aiMatrix4x4 m = WorldOf(found);
		bool same = IsNear(m.a4, world[3]) && IsNear(m.b4, world[11]) && IsNear(m.c4, -world[7]);
		BSPT_EXPECT(report, same, "%s is at %g %g %g", node.name, m.a4, m.b4, m.c4);
		bool is_lamp = node.light != BSPSCENE_NO_INDEX && scene.lights[node.light]->kind != BSPSCENE_LIGHT_SURFACE;
		if (is_lamp) CheckLooking(scene, node, i, out, ".light", report);
		if (node.camera != BSPSCENE_NO_INDEX) CheckLooking(scene, node, i, out, ".camera", report);
		if (node.entity == BSPSCENE_NO_INDEX) continue;
		const bspscene_entity &entity = *scene.entities[node.entity];
		for (uint32_t p = 0; p < entity.pair_count; p++) {
			const bspscene_pair &pair = scene.pairs[entity.first_pair + p];
			/* If a key is repeated, the second one gets the suffix ".2", and so on. */
			unsigned number = 1;
			for (uint32_t k = 0; k < p; k++) number += !std::strcmp(scene.pairs[entity.first_pair + k].key, pair.key);
			std::string key = number > 1 ? pair.key + ("." + std::to_string(number)) : pair.key;
			aiString value;
			bool has = found->mMetaData && found->mMetaData->Get(key, value);
			BSPT_EXPECT(report, has && !std::strcmp(value.C_Str(), pair.value), "%s: %s is \"%s\" instead of \"%s\"",
			            node.name, pair.key, value.C_Str(), pair.value);
		}
	}
	for (unsigned i = 0; i < out.mNumLights; i++) {
		BSPT_EXPECT(report, out.mRootNode->FindNode(out.mLights[i]->mName), "light's node");
	}
}

void CheckTextures(const aiScene &out, bspt_report *report)
{
	for (unsigned i = 0; i < out.mNumTextures; i++) {
		const aiTexture &texture = *out.mTextures[i];
		auto *bytes = reinterpret_cast<const uint8_t *>(texture.pcData);
		auto is = [&](const char *format, const char *magic, unsigned size) {
			return !std::strcmp(texture.achFormatHint, format) && texture.mWidth > 2 * size &&
			       !std::memcmp(bytes, magic, size);
		};
		bool png = is("png", "\x89PNG", 4), jpeg = is("jpg", "\xFF\xD8", 2);
		BSPT_EXPECT(report, (png || jpeg) && texture.mHeight == 0, "texture %u is no PNG or JPEG", i);
	}
}

/* Adds the bounds of everything visible. They must equal the scene's in world space, which checks axes and transforms
 * of all nodes. */
void AddBounds(const aiScene &out, const aiNode &node, const aiMatrix4x4 &parent, aiVector3D *low, aiVector3D *high)
{
	aiMatrix4x4 world = parent * node.mTransformation;
	for (unsigned m = 0; m < node.mNumMeshes; m++) {
		const aiMesh &mesh = *out.mMeshes[node.mMeshes[m]];
		for (unsigned v = 0; v < mesh.mNumVertices; v++) {
			aiVector3D p = world * mesh.mVertices[v];
			for (unsigned i = 0; i < 3; i++) {
				(*low)[i] = std::min((*low)[i], p[i]);
				(*high)[i] = std::max((*high)[i], p[i]);
			}
		}
	}
	for (unsigned i = 0; i < node.mNumChildren; i++) AddBounds(out, *node.mChildren[i], world, low, high);
}

void CheckBounds(const bspscene_scene &scene, const aiScene &out, bspt_report *report)
{
	aiVector3D low(1e9f, 1e9f, 1e9f), high(-1e9f, -1e9f, -1e9f), want_low = low, want_high = high;
	AddBounds(out, *out.mRootNode, aiMatrix4x4(), &low, &high);
	for (uint32_t n = 0; n < scene.node_count; n++) {
		if (scene.nodes[n]->mesh == BSPSCENE_NO_INDEX) continue;
		const bspscene_mesh &mesh = *scene.meshes[scene.nodes[n]->mesh];
		float w[12];
		bspscene_node_world_transform(&scene, n, w);
		for (uint32_t v = 0; v < mesh.vertex_count; v++) {
			const float *p = mesh.positions + 3 * v;
			float q[3];
			for (int i = 0; i < 3; i++) {
				const float *row = w + 4 * i;
				q[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
			}
			aiVector3D turned(q[0], q[2], -q[1]);
			for (unsigned i = 0; i < 3; i++) {
				want_low[i] = std::min(want_low[i], turned[i]);
				want_high[i] = std::max(want_high[i], turned[i]);
			}
		}
	}
	float off = (low - want_low).Length() + (high - want_high).Length();
	BSPT_EXPECT(report, off < 0.01f, "the bounds are off by %g", static_cast<double>(off));
}

} // namespace

void CheckScene(const bspscene_scene &scene, const aiScene &out, bspt_report *report)
{
	CheckMeshes(scene, out, report);
	CheckNodes(scene, out, report);
	CheckBounds(scene, out, report);
	CheckTextures(out, report);
	double unit = 0, want = 100 * static_cast<double>(scene.meters_per_unit);
	bool has = out.mMetaData && out.mMetaData->Get("UnitScaleFactor", unit);
	BSPT_EXPECT(report, has && IsNear(unit, want), "unit %g", unit);
	aiString family;
	has = out.mMetaData && out.mMetaData->Get("bsp.family", family);
	BSPT_EXPECT(report, has && !std::strcmp(family.C_Str(), scene.family), "family %s", family.C_Str());
}
