/* test_export.cpp - maps are exported and imported again by Assimp. Each format keeps what the table in
 * assimp_importer/README.md lists, in meters. Every picture that a file names was written. */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <bspscene/assimp_export.h>

extern "C" {
#include "support/bspt.h"
}

namespace {

namespace fs = std::filesystem;

/* A row of the table: what a format keeps when Assimp exports a map. If `ours` is set, bspscene has a writer for the
 * format, and the writer's files must keep the same. */
struct Row {
	const char *ending;
	bool ours, readable, uv, lightmap_uv, colors, lights, cameras, pictures, tree, metadata;
};

/* Assimp 6.0 writes wrong properties into PLY, so only the geometry is compared there. */
const bool ply_uv = aiGetVersionMajor() < 6;

const Row rows[] = {
	{ "glb", true, true, true, true, true, true, true, true, true, true },
	{ "obj", true, true, true, false, true, false, false, true, false, false },
	{ "fbx", true, true, true, true, true, true, true, true, true, true },
	{ "dae", false, true, true, true, true, true, true, true, true, false },
	{ "ply", false, true, ply_uv, false, ply_uv, false, false, false, false, false },
	{ "stl", false, true, false, false, false, false, false, false, false, false },
	{ "x", false, true, true, false, true, false, false, true, true, false },
	{ "assbin", false, true, true, true, true, true, true, true, true, true },
	{ "assxml", false, false, true, true, true, true, true, true, true, true },
};

struct Directory {
	char path[256];
	std::ofstream file;
	std::string main;

	Directory() { bspt_make_directory(path, sizeof path); }
	~Directory() { bspt_remove_directory(path); }

	bspscene_output Output()
	{
		bspscene_output output;
		bspscene_output_init(&output);
		output.user = this;
		output.begin = [](void *user, const char *name) {
			auto *self = static_cast<Directory *>(user);
			if (self->main.empty()) self->main = name;
			self->file.open(fs::path(self->path) / name, std::ios::binary);
			return self->file.is_open();
		};
		output.write = [](void *user, const void *data, size_t size) {
			auto *self = static_cast<Directory *>(user);
			self->file.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
			return self->file.good();
		};
		output.end = [](void *user) {
			auto *self = static_cast<Directory *>(user);
			self->file.close();
			return !self->file.fail();
		};
		return output;
	}
};

/* Sums over all triangles, which do not depend on the order of meshes and vertices: the area, and for each uv set the
 * area times u, v, u * u and u * v of the centroid. */
struct Sums {
	double area = 0, uv[2][4] = {};

	void Add(const aiVector3D *corners, const aiVector3D *const *uvs)
	{
		double triangle = static_cast<double>(((corners[1] - corners[0]) ^ (corners[2] - corners[0])).Length()) / 2;
		area += triangle;
		for (int set = 0; set < 2; set++) {
			if (!uvs[set]) continue;
			aiVector3D middle = (uvs[set][0] + uvs[set][1] + uvs[set][2]) / 3.0f;
			double u = static_cast<double>(middle.x), v = static_cast<double>(middle.y);
			double moments[] = { u, v, u * u, u * v };
			for (int i = 0; i < 4; i++) uv[set][i] += triangle * moments[i];
		}
	}
};

void AddNode(const aiScene &scene, const aiNode &node, aiMatrix4x4 world, Sums *sums)
{
	world = world * node.mTransformation;
	for (unsigned m = 0; m < node.mNumMeshes; m++) {
		const aiMesh &mesh = *scene.mMeshes[node.mMeshes[m]];
		for (unsigned f = 0; f < mesh.mNumFaces; f++) {
			const aiFace &face = mesh.mFaces[f];
			if (face.mNumIndices != 3) continue;
			aiVector3D corners[3], uvs[2][3];
			for (unsigned c = 0; c < 3; c++) {
				corners[c] = world * mesh.mVertices[face.mIndices[c]];
				for (unsigned s = 0; s < 2; s++) {
					if (mesh.mTextureCoords[s]) uvs[s][c] = mesh.mTextureCoords[s][face.mIndices[c]];
				}
			}
			const aiVector3D *sets[2] = { mesh.mTextureCoords[0] ? uvs[0] : nullptr,
			                              mesh.mTextureCoords[1] ? uvs[1] : nullptr };
			sums->Add(corners, sets);
		}
	}
	for (unsigned i = 0; i < node.mNumChildren; i++) AddNode(scene, *node.mChildren[i], world, sums);
}

Sums SumsOf(const aiScene &scene)
{
	Sums sums;
	AddNode(scene, *scene.mRootNode, aiMatrix4x4(), &sums);
	return sums;
}

void AddSection(const bspscene_scene &scene, const bspscene_mesh &mesh, const bspscene_section &section, Sums *sums)
{
	const bspscene_material &material = *scene.materials[section.material];
	for (uint32_t i = 0; i < section.index_count; i += 3) {
		aiVector3D corners[3], uvs[2][3];
		for (unsigned c = 0; c < 3; c++) {
			uint32_t vertex = mesh.indices[section.first_index + i + c];
			const float *p = mesh.positions + 3 * vertex, *t = mesh.uvs + 2 * vertex;
			corners[c] = aiVector3D(p[0], p[1], p[2]) * scene.meters_per_unit;
			uvs[0][c] = aiVector3D(t[0] * material.uv_scale[0] + material.uv_offset[0],
			                       1 - (t[1] * material.uv_scale[1] + material.uv_offset[1]), 0);
			if (!mesh.lightmap_uvs) continue;
			const float *l = mesh.lightmap_uvs + 2 * vertex;
			uvs[1][c] = aiVector3D(l[0], 1 - l[1], 0);
		}
		const aiVector3D *sets[2] = { uvs[0], mesh.lightmap_uvs ? uvs[1] : nullptr };
		sums->Add(corners, sets);
	}
}

Sums SumsOf(const bspscene_scene &scene)
{
	Sums sums;
	for (uint32_t n = 0; n < scene.node_count; n++) {
		if (scene.nodes[n]->mesh == BSPSCENE_NO_INDEX) continue;
		const bspscene_mesh &mesh = *scene.meshes[scene.nodes[n]->mesh];
		for (uint32_t s = 0; s < mesh.section_count; s++) AddSection(scene, mesh, *mesh.sections[s], &sums);
	}
	return sums;
}

bool IsNear(double is, double want, double tolerance)
{
	return std::fabs(is - want) <= tolerance * (1 + std::fabs(want));
}

void CheckUvs(const Sums &is, const Sums &want, int set, bspt_report *report)
{
	for (int i = 0; i < 4; i++) {
		double mean = is.uv[set][i] / is.area, wanted = want.uv[set][i] / want.area;
		BSPT_EXPECT(report, IsNear(mean, wanted, 1e-3), "uv set %d, moment %d: %g instead of %g", set, i, mean, wanted);
	}
}

/* Checks that the file has each light of the scene once, with the brightness that the scene gave to the writer. */
void CheckLights(const bspscene_scene &scene, const aiScene &out, bspt_report *report)
{
	BSPT_EXPECT(report, out.mNumLights == scene.light_count, "%u lights of %u", out.mNumLights, scene.light_count);
	std::vector<bool> taken(out.mNumLights);
	for (uint32_t n = 0; n < scene.node_count; n++) {
		if (scene.nodes[n]->light == BSPSCENE_NO_INDEX) continue;
		const bspscene_light &light = *scene.lights[scene.nodes[n]->light];
		float world[12];
		bspscene_node_world_transform(&scene, n, world);
		aiVector3D want = aiVector3D(world[3], world[11], -world[7]) * scene.meters_per_unit;
		bool found = false;
		for (unsigned i = 0; i < out.mNumLights && !found; i++) {
			const aiNode *node = out.mRootNode->FindNode(out.mLights[i]->mName);
			aiMatrix4x4 m;
			for (; node; node = node->mParent) m = node->mTransformation * m;
			const aiLight &written = *out.mLights[i];
			bool spot = written.mType == aiLightSource_SPOT, sun = written.mType == aiLightSource_DIRECTIONAL;
			bool same = spot == (light.kind == BSPSCENE_LIGHT_SPOT) && sun == (light.kind == BSPSCENE_LIGHT_SUN) &&
			            (m * written.mPosition - want).Length() < 1e-3f && !written.mColorDiffuse.IsBlack();
			found = same && !taken[i];
			if (found) taken[i] = true;
		}
		BSPT_EXPECT(report, found, "light %s is missing at %g %g %g", scene.nodes[n]->name, want.x, want.y, want.z);
	}
}

/* Checks that each picture of a material is inside the file or next to it. */
void CheckPictures(const aiScene &scene, const char *directory, bspt_report *report)
{
	unsigned pictures = 0, missing = 0;
	for (unsigned m = 0; m < scene.mNumMaterials; m++) {
		aiString path;
		if (scene.mMaterials[m]->GetTexture(aiTextureType_DIFFUSE, 0, &path) != aiReturn_SUCCESS) continue;
		pictures++;
		missing += !scene.GetEmbeddedTexture(path.C_Str()) && !fs::exists(fs::path(directory) / path.C_Str());
	}
	BSPT_EXPECT(report, pictures > 5 && !missing, "%u of %u pictures are missing", missing, pictures);
}

/* If the format keeps the tree of nodes, checks that all brush entities have nodes. If not, checks that some have none.
 * The colon in their names becomes a letter in Collada and an underscore in X. */
void CheckTree(const bspscene_scene &scene, bool kept, const aiScene &out, bspt_report *report)
{
	uint32_t entities = 0, found = 0;
	for (uint32_t n = 0; n < scene.node_count; n++) {
		if (scene.nodes[n]->kind != BSPSCENE_NODE_BRUSH_ENTITY) continue;
		entities++;
		bool is_there = false;
		for (char colon : { ':', 'w', '_' }) {
			std::string name = scene.nodes[n]->name;
			std::replace(name.begin(), name.end(), ':', colon);
			is_there |= out.mRootNode->FindNode(name.c_str()) != nullptr;
		}
		found += is_there;
	}
	BSPT_EXPECT(report, entities > 1 && (found == entities) == kept, "%u nodes of %u brush entities", found, entities);
}

void CheckReadBack(const bspscene_scene &scene, const Row &row, const aiScene &out, const char *directory,
                   bspt_report *report)
{
	Sums is = SumsOf(out), want = SumsOf(scene);
	BSPT_EXPECT(report, IsNear(is.area, want.area, 1e-3), "%g square meters instead of %g", is.area, want.area);
	bool lightmap_uv = false, colors = false;
	for (unsigned i = 0; i < out.mNumMeshes; i++) {
		lightmap_uv |= out.mMeshes[i]->HasTextureCoords(1);
		colors |= out.mMeshes[i]->HasVertexColors(0);
	}
	BSPT_EXPECT(report, lightmap_uv == row.lightmap_uv && colors == row.colors, "lightmap uvs %d, colors %d",
	            lightmap_uv, colors);
	/* False for our glTF, which leaves out uvs that no picture needs. Its uvs are checked in tests/gltf, not here. */
	bool everywhere = std::strcmp(row.ending, "glb") != 0;
	if (row.uv && everywhere) CheckUvs(is, want, 0, report);
	if (row.lightmap_uv && everywhere) CheckUvs(is, want, 1, report);
	if (row.lights) CheckLights(scene, out, report);
	else BSPT_EXPECT(report, !out.mNumLights, "%u lights that the table does not promise", out.mNumLights);
	if (row.cameras) {
		BSPT_EXPECT(report, out.mNumCameras == scene.camera_count, "%u cameras of %u", out.mNumCameras,
		            scene.camera_count);
	} else {
		BSPT_EXPECT(report, !out.mNumCameras, "%u cameras that the table does not promise", out.mNumCameras);
	}
	if (row.pictures) CheckPictures(out, directory, report);
	CheckTree(scene, row.tree, out, report);
	if (!row.metadata) return;
	const aiNode *world = out.mRootNode->FindNode("worldspawn");
	aiString name;
	BSPT_EXPECT(report, world && world->mMetaData && world->mMetaData->Get("classname", name), "no metadata");
}

void TestFormat(const bspscene_scene &scene, const Row &row, bspt_report *report)
{
	Directory directory;
	bspscene_output output = directory.Output();
	bspscene_error error;
	/* Our writers are told to write everything that Assimp can read. */
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	/* A file with only one set of coordinates would have those of the lightmap in place of the texture's. */
	options.lighting = row.lightmap_uv ? BSPSCENE_WRITE_LIGHTING_LIGHTMAP : BSPSCENE_WRITE_LIGHTING_NONE;
	options.lights = BSPSCENE_WRITE_LIGHTS_ALL;
	bool ok = row.ours ? bspscene_write(&scene, row.ending, &options, &output, &error)
		: bspscene_assimp_export(&scene, row.ending, nullptr, &output, &error);
	BSPT_EXPECT(report, ok, "%s", error.message);
	if (!ok) return;
	std::string path = std::string(directory.path) + "/" + directory.main;
	BSPT_EXPECT(report, directory.main == std::string("atrium.") + row.ending, "the file is %s",
	            directory.main.c_str());
	if (!row.readable) return;
	Assimp::Importer importer;
	const aiScene *out = importer.ReadFile(path, aiProcess_Triangulate);
	BSPT_EXPECT(report, out, "%s", importer.GetErrorString());
	if (out) CheckReadBack(scene, row, *out, directory.path, report);
}

/* If the output fails, the export stops and does not call the output again. */
void TestFailure(const bspscene_scene &scene, bspt_report *report)
{
	for (uint64_t limit : { uint64_t{ 0 }, uint64_t{ 1000 } }) {
		bspt_sink sink{};
		bspscene_output output = bspt_sink_output(&sink);
		sink.fail_after = limit;
		bspscene_error error;
		bool ok = bspscene_assimp_export(&scene, "dae", nullptr, &output, &error);
		BSPT_EXPECT(report, !ok && error.status == BSPSCENE_ERROR_IO, "an output that fails: %s", error.message);
	}
	bspscene_error error;
	bspt_sink sink{};
	bspscene_output output = bspt_sink_output(&sink);
	BSPT_EXPECT(report, !bspscene_assimp_export(&scene, "x3d", nullptr, &output, &error), "x3d");
	BSPT_EXPECT(report, bspscene_assimp_export_refusal("x3d") && !bspscene_assimp_export_refusal("fbx"), "refusals");
}

} // namespace

int main()
{
	bspt_report report{};
	bspscene_error error;
	bspscene_scene *scene = bspscene_open(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), nullptr, &error);
	if (!scene) bspt_die(error.message, "atrium");
	uint32_t count = 0, listed = 0;
	while (bspscene_assimp_export_ending(count)) count++;
	for (const Row &row : rows) listed += !row.ours;
	BSPT_EXPECT(&report, count == listed, "%u formats are not all in this table", count);
	for (const Row &row : rows) {
		bspt_context(&report, "%s: ", row.ending);
		uint32_t before = report.failures;
		TestFormat(*scene, row, &report);
		std::printf("%s: %s\n", row.ending, report.failures == before ? "ok" : "FAILED");
		std::fflush(stdout);
	}
	bspt_context(&report, "%s", "");
	TestFailure(*scene, &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
