/* UvSource.h - a workaround that keeps the lightmap's uv set when Assimp before 5.4 writes glTF.
 *
 * The exporter of those versions reads the property "$tex.uvwsrc" only if its type is a buffer, but validation requires
 * an integer. So the type is an integer, and is changed to a buffer while the exporter runs. */
#ifndef UV_SOURCE_H
#define UV_SOURCE_H

#include <cstring>
#include <vector>

#include <assimp/material.h>
#include <assimp/scene.h>
#include <assimp/version.h>

namespace bspscene {

class UvSourceAsBuffer {
public:
	UvSourceAsBuffer(const aiScene &scene, const char *format)
	{
		bool is_old = aiGetVersionMajor() == 5 && aiGetVersionMinor() < 4;
		if (!is_old || (std::strncmp(format, "gltf", 4) && std::strncmp(format, "glb", 3))) return;
		for (unsigned m = 0; m < scene.mNumMaterials; m++) {
			const aiMaterial &material = *scene.mMaterials[m];
			for (unsigned i = 0; i < material.mNumProperties; i++) {
				aiMaterialProperty *property = material.mProperties[i];
				bool is_source = !std::strcmp(property->mKey.C_Str(), _AI_MATKEY_UVWSRC_BASE);
				if (is_source && property->mType == aiPTI_Integer) changed_.push_back(property);
			}
		}
		SetTypes(aiPTI_Buffer);
	}
	~UvSourceAsBuffer() { SetTypes(aiPTI_Integer); }
	UvSourceAsBuffer(const UvSourceAsBuffer &) = delete;
	UvSourceAsBuffer &operator=(const UvSourceAsBuffer &) = delete;

private:
	void SetTypes(aiPropertyTypeInfo type)
	{
		for (aiMaterialProperty *property : changed_) property->mType = type;
	}

	std::vector<aiMaterialProperty *> changed_;
};

} // namespace bspscene

#endif
