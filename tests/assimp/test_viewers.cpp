/* test_viewers.cpp - with the importer's options for viewers, an aiScene has the same baked pictures as the library's
 * files. It has the sky around the map or as a panorama, as the importer's README promises. */
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <bspscene/bspscene_assimp.h>

#include "assimp/fixtures.h"
#include "sky/BspSky.h"

namespace {

using Files = std::map<std::string, std::string>;

const aiScene *Read(std::vector<const char *> properties)
{
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	properties.push_back(nullptr);
	options.properties = properties.data();
	return bspscene_assimp_import_file(Atrium().c_str(), aiProcess_ValidateDataStructure, &options);
}

/* Writes the atrium with the library as OBJ with baked light. */
Files WriteObj()
{
	Loaded atrium(Atrium());
	struct State {
		Files files;
		std::string *open = nullptr;
	} state;
	bspscene_output output;
	bspscene_output_init(&output);
	output.user = &state;
	output.begin = [](void *user, const char *name) {
		auto *s = static_cast<State *>(user);
		s->open = &s->files[name];
		return true;
	};
	output.write = [](void *user, const void *data, size_t size) {
		static_cast<State *>(user)->open->append(static_cast<const char *>(data), size);
		return true;
	};
	output.end = [](void *) { return true; };
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_BAKED;
	bspscene_error error;
	if (!bspscene_write(atrium.scene, "obj", &options, &output, &error)) bspt_die(error.message, "obj");
	return state.files;
}

std::string TextureBytes(const aiScene &scene, const std::string &path)
{
	if (path.size() < 2 || path[0] != '*') return "";
	unsigned number = static_cast<unsigned>(std::stoul(path.substr(1)));
	if (number >= scene.mNumTextures || scene.mTextures[number]->mHeight) return "";
	const aiTexture &texture = *scene.mTextures[number];
	return { reinterpret_cast<const char *>(texture.pcData), texture.mWidth };
}

std::string Path(const aiScene &scene, const aiMesh &mesh, aiTextureType type)
{
	aiString path;
	scene.mMaterials[mesh.mMaterialIndex]->GetTexture(type, 0, &path);
	return path.C_Str();
}

bool IsUnlit(const aiScene &scene, const aiMesh &mesh)
{
	int shading = 0;
	scene.mMaterials[mesh.mMaterialIndex]->Get(AI_MATKEY_SHADING_MODEL, shading);
	return shading == aiShadingMode_NoShading;
}

bool IsInPicture(const aiVector3D &uv)
{
	return uv.x >= 0 && uv.x <= 1 && uv.y >= 0 && uv.y <= 1;
}

void TestBaked(bspt_report *report)
{
	Files obj = WriteObj();
	const std::string &picture = obj["atrium_lit.jpg"];
	const aiScene *scene = Read({ "IMPORT_BSP_LIGHTING=baked" });
	BSPT_EXPECT(report, scene && !picture.empty(), "%s", bspscene_assimp_error());
	unsigned lit = 0, unlit = 0, second_sets = 0;
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		const aiMesh &mesh = *scene->mMeshes[m];
		BSPT_EXPECT(report, Path(*scene, mesh, aiTextureType_LIGHTMAP).empty(), "mesh %u has a lightmap too", m);
		unlit += IsUnlit(*scene, mesh);
		if (TextureBytes(*scene, Path(*scene, mesh, aiTextureType_DIFFUSE)) != picture) continue;
		lit++;
		second_sets += mesh.HasTextureCoords(1);
		bool inside = true;
		for (unsigned v = 0; v < mesh.mNumVertices; v++) inside = inside && IsInPicture(mesh.mTextureCoords[0][v]);
		BSPT_EXPECT(report, inside, "mesh %u is not inside of the picture", m);
		BSPT_EXPECT(report, IsUnlit(*scene, mesh), "mesh %u is lit again", m);
	}
	BSPT_EXPECT(report, lit > 4 && second_sets == lit, "%u meshes in the picture, %u with a second set", lit,
	            second_sets);
	BSPT_EXPECT(report, scene && unlit + 2 >= scene->mNumMeshes, "%u unlit meshes", unlit);
	aiReleaseImport(scene);
	scene = Read({ "IMPORT_BSP_LIGHTING=baked", "IMPORT_BSP_BAKED_SIZE=256" });
	bool other = scene && scene->mNumTextures;
	for (unsigned i = 0; scene && i < scene->mNumTextures; i++) {
		other = other && TextureBytes(*scene, "*" + std::to_string(i)) != picture;
	}
	BSPT_EXPECT(report, other, "IMPORT_BSP_BAKED_SIZE changes nothing");
	aiReleaseImport(scene);
	for (const char *textures : { "IMPORT_BSP_TEXTURES=paths", "IMPORT_BSP_TEXTURES=none" }) {
		scene = Read({ "IMPORT_BSP_LIGHTING=baked", textures });
		BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "embedded"), "%s", textures);
	}
	scene = Read({ "IMPORT_BSP_LIGHTING=baked", "IMPORT_BSP_BAKED_SIZE=7" });
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "256"), "%s", bspscene_assimp_error());
}

const aiNode *FindSky(const aiScene *scene)
{
	return scene ? scene->mRootNode->FindNode("sky") : nullptr;
}

/* True if all corners of the scene's other meshes are inside of this side of the sky. No node moves these meshes. */
bool IsAround(const aiScene &scene, const aiMesh &side)
{
	ai_real half = std::max({ std::abs(side.mVertices[0].x - side.mVertices[2].x),
	                          std::abs(side.mVertices[0].y - side.mVertices[2].y),
	                          std::abs(side.mVertices[0].z - side.mVertices[2].z) }) / 2;
	aiVector3D inward = side.mNormals[0], middle = (side.mVertices[0] + side.mVertices[2]) * ai_real(0.5);
	aiVector3D center = middle + inward * half;
	bool around = true;
	for (unsigned v = 0; v < scene.mMeshes[0]->mNumVertices; v++) {
		aiVector3D at = scene.mMeshes[0]->mVertices[v] - center;
		around = around && std::max({ std::abs(at.x), std::abs(at.y), std::abs(at.z) }) < half;
	}
	return around;
}

void TestCube(bspt_report *report)
{
	const aiScene *scene = Read({ "IMPORT_BSP_SKY=cube" });
	const aiNode *sky = FindSky(scene);
	BSPT_EXPECT(report, sky && sky->mNumChildren == 6, "there is no cube: %s", bspscene_assimp_error());
	for (unsigned i = 0; sky && i < sky->mNumChildren; i++) {
		const aiMesh &side = *scene->mMeshes[sky->mChildren[i]->mMeshes[0]];
		const aiFace &face = side.mFaces[0];
		aiVector3D a = side.mVertices[face.mIndices[0]], b = side.mVertices[face.mIndices[1]];
		aiVector3D out = (b - a) ^ (side.mVertices[face.mIndices[2]] - a);
		BSPT_EXPECT(report, out * side.mNormals[0] > 0, "side %u is seen from outside", i);
		BSPT_EXPECT(report, IsUnlit(*scene, side) && IsAround(*scene, side), "side %u is lit, or inside", i);
		std::string bytes = TextureBytes(*scene, Path(*scene, side, aiTextureType_DIFFUSE));
		BSPT_EXPECT(report, !bytes.compare(0, 2, "\xff\xd8"), "side %u has no picture", i);
	}
	aiReleaseImport(scene);
	scene = Read({});
	BSPT_EXPECT(report, scene && !FindSky(scene), "a cube that nobody asked for");
	aiReleaseImport(scene);
	scene = Read({ "IMPORT_BSP_SKY=dome" });
	BSPT_EXPECT(report, !scene && std::strstr(bspscene_assimp_error(), "dome"), "%s", bspscene_assimp_error());
}

void TestPanorama(bspt_report *report)
{
	const aiScene *scene = Read({ "IMPORT_BSP_SKY=panorama" });
	aiString path;
	bool named = scene && scene->mMetaData && scene->mMetaData->Get("bsp.sky", path);
	BSPT_EXPECT(report, named && !FindSky(scene), "there is no panorama: %s", bspscene_assimp_error());
	std::string bytes = named ? TextureBytes(*scene, path.C_Str()) : "";
	BSPT_EXPECT(report, bytes.size() > 1000 && !bytes.compare(0, 2, "\xff\xd8"), "%s is no picture", path.C_Str());
	aiReleaseImport(scene);
}

/* Returns the pictures of a scene's sky, as a cube. */
std::vector<std::string> SkyPictures(const bspscene_scene &scene)
{
	bspscene::ConvertOptions options;
	options.sky = bspscene::Sky::Cube;
	bspscene::TextureBuilder textures(scene, options);
	bspscene::MaterialBuilder materials(scene, options, textures);
	bspscene::SkyBuilder sky(scene, options, textures, materials);
	aiScene out;
	textures.Finish(out);
	std::vector<std::string> pictures;
	for (unsigned i = 0; i < out.mNumTextures; i++) pictures.push_back(TextureBytes(out, "*" + std::to_string(i)));
	return pictures;
}

/* The 3D skybox is a part of the scene. So the pictures of the sky do not show it, even if it is the whole atrium. */
void TestSkybox(bspt_report *report)
{
	Loaded atrium(Atrium());
	bspscene_scene scene = *atrium.scene;
	std::vector<bspscene_node> nodes;
	std::vector<const bspscene_node *> table;
	for (uint32_t i = 0; i < scene.node_count; i++) nodes.push_back(*scene.nodes[i]);
	for (bspscene_node &node : nodes) {
		if (node.kind == BSPSCENE_NODE_WORLD) node.kind = BSPSCENE_NODE_SKY;
		table.push_back(&node);
	}
	scene.nodes = table.data();
	scene.sky_camera_scale = 1;
	std::vector<std::string> plain = SkyPictures(*atrium.scene);
	BSPT_EXPECT(report, plain.size() == 6, "%zu pictures of the sky", plain.size());
	BSPT_EXPECT(report, SkyPictures(scene) == plain, "the pictures show the 3D skybox");
}

} // namespace

int main()
{
	return RunTests({
		{ "baked", TestBaked },
		{ "cube", TestCube },
		{ "panorama", TestPanorama },
		{ "skybox", TestSkybox },
	});
}
