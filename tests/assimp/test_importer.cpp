/* test_importer.cpp - a host gets from Assimp what bspscene loads: the same triangles, uvs, lights, cameras and
 * entities, for every fixture and a room of every variant. Properties have their documented effect. Tests the promises
 * of bspscene_assimp.h and BspToAssimp.h. */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <bspscene/bspscene_assimp.h>

#include "assimp/compare_scene.h"
#include "assimp/fixtures.h"
#include "BspMeshes.h"
#include "BspToAssimp.h"

extern "C" {
#include "assimp/numbered_rooms.h"
}

namespace {

namespace fs = std::filesystem;

/* ---- Comparison with the library's scene ----------------------------------------------------------------------- */

void CheckMap(Assimp::Importer &importer, const std::string &map, uint32_t include, bspt_report *report)
{
	Loaded loaded(map, include);
	importer.SetPropertyString("IMPORT_BSP_INCLUDE", include ? "all" : "");
	const aiScene *out = importer.ReadFile(map, aiProcess_ValidateDataStructure);
	BSPT_EXPECT(report, out, "%s", importer.GetErrorString());
	if (!out) return;
	bspscene_error error;
	/* Hosts have no light styles, and no vertex colors for each instance. So the imported scene is compared with a
	 * baked one. */
	bspscene_bake_options bake;
	bspscene_bake_options_init(&bake);
	bake.model_light_error = 14;
	bspscene_scene *baked = bspscene_bake_light(loaded.scene, &bake, &error);
	if (!baked) bspt_die(error.message, map.c_str());
	CheckScene(*baked, *out, report);
	bspscene_scene_free(baked);
}

/* Imports all maps by one importer, in which nothing of an earlier map may remain. */
void TestEqual(bspt_report *report)
{
	std::vector<std::string> maps = Fixtures();
	BSPT_EXPECT(report, maps.size() >= 11, "only %u fixtures", static_cast<unsigned>(maps.size()));
	Assimp::Importer importer;
	BSPT_EXPECT(report, bspscene_assimp_register(&importer), "%s", bspscene_assimp_error());
	for (const std::string &map : maps) {
		for (uint32_t include : { uint32_t{ BSPSCENE_SURFACE_VISIBLE }, uint32_t{ BSPSCENE_SURFACE_ALL } }) {
			bspt_context(report, "%s, include %x: ", map.c_str(), include);
			CheckMap(importer, map, include, report);
		}
	}
	bspt_context(report, "%s", "");
}

void TestRooms(bspt_report *report)
{
	char directory[256];
	bspt_make_directory(directory, sizeof directory);
	fs::create_directory(fs::path(directory) / "maps");
	std::string path = std::string(directory) + "/maps/room.bsp";
	Assimp::Importer importer;
	bspscene_assimp_register(&importer);
	uint32_t count = bspt_room_count();
	for (uint32_t i = 0; i < count; i++) {
		const char *name;
		bspt_bytes file = bspt_room(i, &name);
		bspt_write_file(path.c_str(), file.data, file.size);
		bspt_context(report, "room of %s: ", name);
		CheckMap(importer, path, BSPSCENE_SURFACE_ALL, report);
		std::free(file.data);
	}
	bspt_context(report, "%s", "");
	BSPT_EXPECT(report, count > 15, "only %u rooms", count);
	bspt_remove_directory(directory);
}

/* In some games, materials rotate their textures. */
void TestRotated(bspt_report *report)
{
	const Loaded loaded(Atrium());
	bspscene_scene scene = *loaded.scene;
	std::vector<bspscene_material> materials;
	std::vector<const bspscene_material *> table;
	for (uint32_t i = 0; i < scene.material_count; i++) materials.push_back(*scene.materials[i]);
	for (bspscene_material &material : materials) {
		material.uv_rotation_radians = 0.5f + static_cast<float>(table.size() % 5);
		material.uv_scale[0] *= 2;
		material.uv_offset[1] += 0.25f;
		table.push_back(&material);
	}
	scene.materials = table.data();
	bspscene_error error;
	bspscene_scene *baked = bspscene_bake_light(&scene, nullptr, &error);
	if (!baked) bspt_die(error.message, Atrium().c_str());
	aiScene out;
	bspscene::Convert(scene, {}, out);
	CheckScene(*baked, out, report);
	bspscene_scene_free(baked);
}

/* ---- Steps, properties, progress ------------------------------------------------------------------------------- */

/* All steps of Assimp work, and aiProcess_GlobalScale converts game units to meters. */
void TestSteps(bspt_report *report)
{
	for (const std::string &map : Fixtures()) {
		const aiScene *scene = bspscene_assimp_import_file(map.c_str(), all_steps | aiProcess_GlobalScale, nullptr);
		BSPT_EXPECT(report, scene, "%s: %s", map.c_str(), bspscene_assimp_error());
		aiReleaseImport(scene);
	}
	const aiScene *units = bspscene_assimp_import_file(Atrium().c_str(), 0, nullptr);
	const aiScene *meters = bspscene_assimp_import_file(Atrium().c_str(), aiProcess_GlobalScale, nullptr);
	float want = units->mMeshes[0]->mVertices[0].Length() * 0.0254f, is = meters->mMeshes[0]->mVertices[0].Length();
	BSPT_EXPECT(report, IsNear(is, want), "%g meters instead of %g", is, want);
	aiReleaseImport(meters);
	/* libassimp's own functions accept the scene. */
	BSPT_EXPECT(report, aiApplyPostProcessing(units, all_steps) == units, "post-processing afterward");
	aiReleaseImport(units);
}

/* In a scene that is loaded in meters, all lengths are those in game units times the same factor. */
void TestScaled(bspt_report *report)
{
	const Loaded loaded(Atrium());
	const double scale = 0.0254;
	aiScene units, meters;
	bspscene::ConvertOptions options;
	bspscene::Convert(*loaded.scene, options, units);
	options.scale = scale;
	bspscene::Convert(*loaded.scene, options, meters);
	auto is_scaled = [scale](double small, double large) { return IsNear(small / scale, large); };
	BSPT_EXPECT(report, units.mNumCameras > 0 && meters.mNumCameras == units.mNumCameras, "%u cameras",
	            units.mNumCameras);
	for (unsigned i = 0; i < units.mNumCameras; i++) {
		const aiCamera &large = *units.mCameras[i], &small = *meters.mCameras[i];
		bool scaled = is_scaled(small.mClipPlaneNear, large.mClipPlaneNear) &&
		              is_scaled(small.mClipPlaneFar, large.mClipPlaneFar);
		BSPT_EXPECT(report, scaled, "camera %u sees from %g to %g meters", i, double{ small.mClipPlaneNear },
		            double{ small.mClipPlaneFar });
	}
	BSPT_EXPECT(report, units.mNumMeshes > 0 && meters.mNumMeshes == units.mNumMeshes, "%u meshes", units.mNumMeshes);
	for (unsigned i = 0; i < units.mNumMeshes; i++) {
		const aiVector3D &large = units.mMeshes[i]->mVertices[0], &small = meters.mMeshes[i]->mVertices[0];
		bool scaled = is_scaled(small.x, large.x) && is_scaled(small.y, large.y) && is_scaled(small.z, large.z);
		BSPT_EXPECT(report, scaled, "mesh %u has another size", i);
	}
}

const aiScene *ReadWith(std::vector<const char *> properties)
{
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	properties.push_back(nullptr);
	options.properties = properties.data();
	return bspscene_assimp_import_file(Atrium().c_str(), aiProcess_ValidateDataStructure, &options);
}

/* Returns whether the texture is uncompressed. If it is, checks that it is the atrium's first lightmap page. */
bool CheckTexels(const aiTexture &texture, bspt_report *report)
{
	static const Loaded loaded(Atrium());
	if (!texture.mHeight) return false;
	const bspscene_lightmap_page &page = loaded.scene->lightmap_sets[0].pages[0];
	BSPT_EXPECT(report, texture.mWidth == page.width && texture.mHeight == page.height, "raw lightmap of another size");
	auto *luxel = static_cast<const uint8_t *>(page.data);
	uint32_t wrong = 0;
	for (size_t i = 0; i < size_t{ page.width } * page.height; i++, luxel += 3) {
		const aiTexel &texel = texture.pcData[i];
		wrong += texel.r != luxel[0] || texel.g != luxel[1] || texel.b != luxel[2] || texel.a != 255;
	}
	BSPT_EXPECT(report, !wrong, "%u luxels differ", wrong);
	return true;
}

/* This Source room has only one displacement. Its weights of four textures become the mesh's second color set. */
void TestLayers(bspt_report *report)
{
	const char *map = BSPT_FIXTURES "/source/maps/room.bsp";
	const aiScene *scene = bspscene_assimp_import_file(map, aiProcess_ValidateDataStructure, nullptr);
	BSPT_EXPECT(report, scene, "%s", bspscene_assimp_error());
	unsigned layered = 0;
	float most[4] = { 0, 0, 0, 0 };
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		const aiMesh &mesh = *scene->mMeshes[m];
		const aiMaterial &material = *scene->mMaterials[mesh.mMaterialIndex];
		aiString image;
		bool has_layers = material.Get("$bsp.layer_image", 0, 3, image) == aiReturn_SUCCESS;
		BSPT_EXPECT(report, has_layers == mesh.HasVertexColors(1), "mesh %s", mesh.mName.C_Str());
		if (!has_layers) continue;
		layered++;
		bool snow = !std::strcmp(image.C_Str(), "materials/test/snow");
		BSPT_EXPECT(report, snow, "the fourth layer is %s", image.C_Str());
		for (unsigned v = 0; v < mesh.mNumVertices; v++) {
			for (unsigned k = 0; k < 4; k++) most[k] = std::max(most[k], mesh.mColors[1][v][k]);
			const aiColor4D &color = mesh.mColors[0][v], &weights = mesh.mColors[1][v];
			BSPT_EXPECT(report, color.a == weights.g || !weights.r, "alpha of vertex %u", v);
		}
	}
	bool all = most[0] == 1 && most[1] == 1 && most[2] == 1 && most[3] == 1;
	BSPT_EXPECT(report, layered == 1 && all, "%u meshes with layers", layered);
	aiReleaseImport(scene);
}

/* Returns the brightest vertex color. */
ai_real BrightestColor(const aiScene *scene)
{
	ai_real brightest = 0;
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		const aiMesh &mesh = *scene->mMeshes[m];
		for (unsigned v = 0; mesh.mColors[0] && v < mesh.mNumVertices; v++) {
			brightest = std::max({ brightest, mesh.mColors[0][v].r, mesh.mColors[0][v].g, mesh.mColors[0][v].b });
		}
	}
	return brightest;
}

void TestProperties(bspt_report *report)
{
	const aiScene *scene = ReadWith({ "IMPORT_BSP_TEXTURES=none" });
	BSPT_EXPECT(report, scene && scene->mNumTextures == 0, "textures=none");
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_TEXTURES=paths", "IMPORT_BSP_LIGHTMAPS=none" });
	bool has_path = false;
	for (unsigned i = 0; scene && i < scene->mNumMaterials; i++) {
		aiString path;
		scene->mMaterials[i]->GetTexture(aiTextureType_DIFFUSE, 0, &path);
		has_path |= !std::strcmp(path.C_Str(), "../textures/sample/brick.tga");
	}
	BSPT_EXPECT(report, has_path && scene->mNumTextures == 0, "textures=paths");
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_TEXTURES=texels" });
	unsigned texels = 0;
	for (unsigned i = 0; scene && i < scene->mNumTextures; i++) texels += CheckTexels(*scene->mTextures[i], report);
	BSPT_EXPECT(report, texels > 0 && texels < scene->mNumTextures, "textures=texels: %u", texels);
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_LIGHTING=vertex" });
	bool in_vertices = scene && scene->mMeshes[0]->mColors[0] && !scene->mMeshes[0]->mTextureCoords[1];
	BSPT_EXPECT(report, in_vertices, "lighting=vertex");
	ai_real bright = BrightestColor(scene);
	aiReleaseImport(scene);
	scene = ReadWith({ "IMPORT_BSP_LIGHTING=vertex", "IMPORT_BSP_LIGHTSTYLES=0=0.25;7=1" });
	BSPT_EXPECT(report, BrightestColor(scene) < bright / 2, "lightstyles=0=0.25: %g of %g",
	            static_cast<double>(BrightestColor(scene)), static_cast<double>(bright));
	aiReleaseImport(scene);
	for (const char *bad : { "0", "0=", "x=1", "256=1", "0=-1" }) {
		std::string property = std::string("IMPORT_BSP_LIGHTSTYLES=") + bad;
		scene = ReadWith({ property.c_str() });
		BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "LIGHTSTYLES"), "lightstyles=%s", bad);
	}
	const aiScene *fine = ReadWith({ "IMPORT_BSP_PATCH_ERROR=0.5", "IMPORT_BSP_INCLUDE=sky,clip" });
	BSPT_EXPECT(report, fine, "%s", bspscene_assimp_error());
	aiReleaseImport(fine);
	scene = ReadWith({ "IMPORT_BSP_INCLUDE=water" });
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "water"), "%s", bspscene_assimp_error());
	scene = ReadWith({ "IMPORT_BSP_PAGE_SIZE=8" });
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "BSP: "), "%s", bspscene_assimp_error());
}

/* An image, its normal map with green upward and the lightmap page of the same number are three textures. */
void TestNormals(bspt_report *report)
{
	Loaded atrium(Atrium());
	bspscene::ConvertOptions options;
	bspscene::TextureBuilder textures(*atrium.scene, options);
	bspscene_material material = {};
	material.normal_image = 0;
	material.normal_green_down = true;
	std::string page = textures.PathOfPage(0), image = textures.PathOfImage(0);
	std::string normals = textures.PathOfNormals(material);
	bool known = !page.empty() && !image.empty() && !normals.empty();
	BSPT_EXPECT(report, known && normals != page && normals != image && page != image, "page %s, image %s, normals %s",
	            page.c_str(), image.c_str(), normals.c_str());
	BSPT_EXPECT(report, textures.PathOfNormals(material) == normals, "the normal map is made twice");
}

/* Vertex colors are at most 1, even if the map's overbright multiplies them by 16. */
void TestOverbright(bspt_report *report)
{
	Loaded atrium(Atrium());
	bspscene_scene scene = *atrium.scene;
	std::vector<bspscene_lightmap_set> sets(scene.lightmap_sets, scene.lightmap_sets + scene.lightmap_set_count);
	for (bspscene_lightmap_set &set : sets) set.intensity = 16;
	scene.lightmap_sets = sets.data();
	bspscene::ConvertOptions options;
	options.textures = bspscene::Textures::None;
	bspscene::TextureBuilder textures(scene, options);
	bspscene::MaterialBuilder materials(scene, options, textures);
	aiScene out;
	bspscene::BuildMeshes(scene, options, materials, out);
	BSPT_EXPECT(report, BrightestColor(&out) == 1, "a color of %g", static_cast<double>(BrightestColor(&out)));
}

class Impatient final : public Assimp::ProgressHandler {
public:
	bool Update(float part) override
	{
		falls |= part < last;
		last = part;
		return ++calls < limit;
	}
	int calls = 0, limit = 1 << 30;
	float last = 0;
	bool falls = false;
};

void TestProgress(bspt_report *report)
{
	Assimp::Importer importer;
	bspscene_assimp_register(&importer);
	auto *progress = new Impatient;
	importer.SetProgressHandler(progress);
	BSPT_EXPECT(report, importer.ReadFile(Atrium(), 0), "%s", importer.GetErrorString());
	BSPT_EXPECT(report, progress->calls > 3 && !progress->falls, "%d calls", progress->calls);
	progress->limit = progress->calls + 2;
	BSPT_EXPECT(report, !importer.ReadFile(Atrium(), 0) && std::strstr(importer.GetErrorString(), "BSP: "), "%s",
	            importer.GetErrorString());
}

} // namespace

int main()
{
	return RunTests({
		{ "equal", TestEqual },
		{ "rooms", TestRooms },
		{ "rotated", TestRotated },
		{ "steps", TestSteps },
		{ "scaled", TestScaled },
		{ "layers", TestLayers },
		{ "properties", TestProperties },
		{ "normals", TestNormals },
		{ "overbright", TestOverbright },
		{ "progress", TestProgress },
	});
}
