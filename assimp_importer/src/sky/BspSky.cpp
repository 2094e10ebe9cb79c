/* BspSky.cpp - see BspSky.h. The pictures do not show the 3D skybox, which is a part of the scene. */
#include "sky/BspSky.h"

#include <algorithm>
#include <memory>
#include <new>

#include "BspError.h"

namespace bspscene {
namespace {

/* Limits the size, so that viewers load the file quickly. */
constexpr uint32_t largest_side = 1024;
constexpr uint32_t quality = 90;
constexpr unsigned corner_count = 4;

const char *const side_names[BSPSCENE_CUBE_SIDES] = { "right", "back", "left", "front", "up", "down" };

/* Texture coordinates of a square's corners, counterclockwise as seen from the center. */
const float corner_uvs[corner_count][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };

using DrawFunction = decltype(&bspscene_sky_cube);

/* Draws the sky. Returns an empty array if the map's sky is unknown. */
std::vector<uint8_t> Draw(const bspscene_scene &scene, DrawFunction draw, uint32_t size, size_t bytes)
{
	bspscene_sky_options options;
	bspscene_sky_options_init(&options);
	options.omit_skybox = true;
	std::vector<uint8_t> rgb(bytes);
	bspscene_error error;
	if (size && draw(&scene, &options, size, rgb.data(), &error)) return rgb;
	if (!size || error.status == BSPSCENE_ERROR_NOT_FOUND) return {};
	if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
	throw ImportError(error.message);
}

std::unique_ptr<aiMesh> BuildSide(const bspscene_scene &scene, uint32_t side, double scale)
{
	float center[3], half, inward[3];
	bspscene_sky_cube_bounds(&scene, center, &half);
	bspscene_sky_direction(side, 0.5f, 0.5f, inward);
	auto out = std::make_unique<aiMesh>();
	out->mName = Text(std::string("sky.") + side_names[side]);
	out->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
	out->mNumVertices = corner_count;
	out->mVertices = new aiVector3D[corner_count];
	out->mNormals = new aiVector3D[corner_count];
	out->mTextureCoords[0] = new aiVector3D[corner_count];
	out->mNumUVComponents[0] = 2;
	for (unsigned i = 0; i < corner_count; i++) {
		float at[3];
		bspscene_sky_direction(side, corner_uvs[i][0], corner_uvs[i][1], at);
		for (int k = 0; k < 3; k++) at[k] = center[k] + at[k] * half;
		out->mVertices[i] = ToYUp(at, scale);
		out->mNormals[i] = ToYUp(inward, -1).Normalize();
		out->mTextureCoords[0][i] = aiVector3D(corner_uvs[i][0], 1 - corner_uvs[i][1], 0);
	}
	out->mFaces = new aiFace[2];
	out->mNumFaces = 2;
	for (unsigned f = 0; f < 2; f++) {
		aiFace &face = out->mFaces[f];
		face.mIndices = new unsigned[3]{ 0, f + 1, f + 2 };
		face.mNumIndices = 3;
	}
	return out;
}

/* Appends items to an array of the scene. */
template <typename Item> void Append(Item **&array, unsigned &count, std::vector<std::unique_ptr<Item>> &items)
{
	auto *longer = new Item *[count + items.size()];
	std::copy(array, array + count, longer);
	for (auto &item : items) longer[count++] = item.release();
	delete[] array;
	array = longer;
}

/* A node has at most one mesh; see BspNodes.cpp. */
std::unique_ptr<aiNode> BuildNode(const std::string &name, unsigned first_mesh)
{
	auto node = std::make_unique<aiNode>(name);
	std::vector<std::unique_ptr<aiNode>> sides;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		sides.push_back(std::make_unique<aiNode>(name + "." + side_names[i]));
		sides[i]->mParent = node.get();
		sides[i]->mMeshes = new unsigned[1]{ first_mesh + i };
		sides[i]->mNumMeshes = 1;
	}
	Append(node->mChildren, node->mNumChildren, sides);
	return node;
}

} // namespace

SkyBuilder::SkyBuilder(const bspscene_scene &scene, const ConvertOptions &options, TextureBuilder &textures,
                       MaterialBuilder &materials)
	: scene_(scene), scale_(options.scale)
{
	if (options.sky == Sky::None || options.textures == Textures::None) return;
	uint32_t size = std::min(bspscene_sky_size(&scene), largest_side);
	if (options.sky == Sky::Panorama) {
		std::vector<uint8_t> rgb = Draw(scene, bspscene_sky_panorama, 4 * size, size_t{ size } * size * 8 * 3);
		if (!rgb.empty()) panorama_ = textures.AddPainted("sky", 4 * size, 2 * size, rgb.data(), quality);
		return;
	}
	size_t side_size = size_t{ size } * size * 3;
	std::vector<uint8_t> rgb = Draw(scene, bspscene_sky_cube, size, side_size * BSPSCENE_CUBE_SIDES);
	for (uint32_t i = 0; !rgb.empty() && i < BSPSCENE_CUBE_SIDES; i++) {
		std::string name = std::string("sky.") + side_names[i];
		std::string path = textures.AddPainted(name, size, size, rgb.data() + i * side_size, quality);
		materials_.push_back(materials.AddSide(name, path));
	}
}

void SkyBuilder::Finish(aiScene &out) const
{
	if (materials_.empty()) return;
	std::string name = "sky";
	for (unsigned number = 2; out.mRootNode->FindNode(name.c_str()); number++) name = "sky#" + std::to_string(number);
	std::vector<std::unique_ptr<aiMesh>> sides;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		sides.push_back(BuildSide(scene_, i, scale_));
		sides[i]->mMaterialIndex = materials_[i];
	}
	std::vector<std::unique_ptr<aiNode>> nodes;
	nodes.push_back(BuildNode(name, out.mNumMeshes));
	nodes[0]->mParent = out.mRootNode;
	Append(out.mMeshes, out.mNumMeshes, sides);
	Append(out.mRootNode->mChildren, out.mRootNode->mNumChildren, nodes);
}

} // namespace bspscene
