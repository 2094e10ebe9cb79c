/* BspToAssimp.cpp - see BspToAssimp.h. */
#include "BspToAssimp.h"

#include <algorithm>

#include "BspMeshes.h"
#include "BspMetadata.h"
#include "BspNodes.h"

namespace bspscene {

aiString Text(const std::string &text, size_t limit)
{
	size_t length = std::min(text.size(), limit);
	if (length < text.size()) {
		while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) length--;
	}
	return aiString(text.substr(0, length));
}

void Convert(const bspscene_scene &scene, const ConvertOptions &options, aiScene &out)
{
	TextureBuilder textures(scene, options);
	MaterialBuilder materials(scene, options, textures);
	std::vector<std::vector<unsigned>> meshes = BuildMeshes(scene, options, materials, out);
	materials.Finish(out);
	textures.Finish(out);
	BuildNodes(scene, options, meshes, out);
	out.mMetaData = SceneMetadata(scene, options.scale);
}

} // namespace bspscene
