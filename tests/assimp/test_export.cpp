/* test_export.cpp - what Assimp's writers are given comes back from its readers: each format keeps what the table in
 * assimp_importer/README.md says, in metres, and every picture that a file names was written. */
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <bspscene/assimp_export.h>

extern "C" {
#include "support/bspt.h"
}

namespace {

namespace fs = std::filesystem;

/* What must come back: uv sets, lights and cameras as in the scene, pictures. */
struct Row {
	const char *ending;
	bool readable, uv, lightmap_uv, lights, cameras, pictures, metadata;
};

const Row rows[] = {
	{ "fbx", true, true, true, true, false, true, false },
	{ "dae", true, true, true, true, true, true, false },
	{ "ply", true, false, false, false, false, false, false },
	{ "stl", true, false, false, false, false, false, false },
	{ "x", true, true, false, false, false, true, false },
	{ "assbin", true, true, true, true, true, true, true },
	{ "assxml", false, true, true, true, true, true, true },
};

struct Directory {
	char path[256];
	std::ofstream file;
	std::string main;

	Directory() { bspt_make_directory(path, sizeof path); }
	~Directory() { bspt_remove_directory(path); }

	bspscene_output Output()
	{
		bspscene_output output{};
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

void AddArea(const aiScene &scene, const aiNode &node, aiMatrix4x4 world, double *area)
{
	world = world * node.mTransformation;
	for (unsigned m = 0; m < node.mNumMeshes; m++) {
		const aiMesh &mesh = *scene.mMeshes[node.mMeshes[m]];
		for (unsigned f = 0; f < mesh.mNumFaces; f++) {
			const aiFace &face = mesh.mFaces[f];
			if (face.mNumIndices != 3) continue;
			aiVector3D a = world * mesh.mVertices[face.mIndices[0]], b = world * mesh.mVertices[face.mIndices[1]];
			aiVector3D c = world * mesh.mVertices[face.mIndices[2]];
			*area += static_cast<double>(((b - a) ^ (c - a)).Length()) / 2;
		}
	}
	for (unsigned i = 0; i < node.mNumChildren; i++) AddArea(scene, *node.mChildren[i], world, area);
}

double AreaOf(const aiScene &scene)
{
	double area = 0;
	AddArea(scene, *scene.mRootNode, aiMatrix4x4(), &area);
	return area;
}

double AreaOf(const bspscene_scene &scene)
{
	double area = 0, metres = static_cast<double>(scene.metres_per_unit);
	for (uint32_t n = 0; n < scene.node_count; n++) {
		if (scene.nodes[n].mesh == BSPSCENE_NO_INDEX) continue;
		const bspscene_mesh &mesh = scene.meshes[scene.nodes[n].mesh];
		for (uint32_t i = 0; i < mesh.index_count; i += 3) {
			aiVector3D p[3];
			for (int c = 0; c < 3; c++) {
				const float *v = mesh.positions + 3 * mesh.indices[i + static_cast<uint32_t>(c)];
				p[c] = aiVector3D(v[0], v[1], v[2]);
			}
			area += static_cast<double>(((p[1] - p[0]) ^ (p[2] - p[0])).Length()) / 2;
		}
	}
	return area * metres * metres;
}

/* Each picture that a material names is inside or beside the file. */
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

void CheckReadBack(const bspscene_scene &scene, const Row &row, const aiScene &out, const char *directory, bspt_report *report)
{
	double area = AreaOf(out), want = AreaOf(scene);
	BSPT_EXPECT(report, std::fabs(area - want) < 0.002 * want, "%g square metres instead of %g", area, want);
	bool uv = false, lightmap_uv = false;
	for (unsigned i = 0; i < out.mNumMeshes; i++) {
		uv |= out.mMeshes[i]->HasTextureCoords(0);
		lightmap_uv |= out.mMeshes[i]->HasTextureCoords(1);
	}
	BSPT_EXPECT(report, uv || !row.uv, "no uvs");
	BSPT_EXPECT(report, lightmap_uv || !row.lightmap_uv, "no lightmap uvs");
	if (row.lights) BSPT_EXPECT(report, out.mNumLights == scene.light_count, "%u lights of %u", out.mNumLights, scene.light_count);
	if (row.cameras) {
		BSPT_EXPECT(report, out.mNumCameras == scene.camera_count, "%u cameras of %u", out.mNumCameras, scene.camera_count);
	}
	if (row.pictures) CheckPictures(out, directory, report);
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
	bool ok = bspscene_assimp_export(&scene, row.ending, nullptr, &output, &error);
	BSPT_EXPECT(report, ok, "%s", error.message);
	if (!ok) return;
	std::string path = std::string(directory.path) + "/" + directory.main;
	BSPT_EXPECT(report, directory.main == std::string("atrium.") + row.ending, "the file is %s", directory.main.c_str());
	if (!row.readable) return;
	Assimp::Importer importer;
	const aiScene *out = importer.ReadFile(path, aiProcess_Triangulate);
	BSPT_EXPECT(report, out, "%s", importer.GetErrorString());
	if (out) CheckReadBack(scene, row, *out, directory.path, report);
}

/* An output that fails stops the export; nothing is called after it. */
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
	bspscene_files *files = bspt_mount_fixtures("atrium/quake3", nullptr);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.open_file = bspscene_files_open;
	options.list_files = bspscene_files_list;
	options.file_user = files;
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), &options, &error);
	if (!scene) bspt_die(error.message, "atrium");
	uint32_t count = 0;
	while (bspscene_assimp_export_ending(count)) count++;
	BSPT_EXPECT(&report, count == sizeof rows / sizeof *rows, "%u formats are not all in this table", count);
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
	bspscene_files_free(files);
	bspt_assert_clean(&report);
	return 0;
}
