/* BspNodes.cpp - see BspNodes.h.
 *
 * Lights and cameras look along -Z of their node, as in glTF, Collada and most hosts; in the scene they look along +X.
 * If the node of a light or camera also shows a mesh or has children, its axes are not turned. Instead it gets a child
 * node with turned axes, which holds the light or camera.
 *
 * A node has at most one mesh, because exporters handle lists of meshes badly (glTF's takes quadratic time and drops
 * shared ones). Further sections are children named "NODE.1" and so on. */
#include "BspNodes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>

#include "BspMetadata.h"

namespace bspscene {
namespace {

constexpr double pi = 3.14159265358979323846;

/* Rotates -Z to +X. */
aiMatrix4x4 LookAlongX()
{
	return { 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1 };
}

aiMatrix4x4 ConvertTransform(const float *t, double scale)
{
	static const int axis[3] = { 0, 2, 1 };
	static const float sign[3] = { 1, 1, -1 };
	aiMatrix4x4 out;
	for (unsigned r = 0; r < 3; r++) {
		for (unsigned c = 0; c < 3; c++) {
			float value = sign[r] * sign[c] * t[4 * axis[r] + axis[c]];
			out[r][c] = value == 0 ? 0 : value; /* avoids negative zeros in text formats */
		}
		double moved = sign[r] * t[4 * axis[r] + 3] * scale;
		out[r][3] = moved == 0 ? 0 : static_cast<ai_real>(moved);
	}
	return out;
}

/* Assimp defines the light at distance d as color / (constant + linear * d + quadratic * d^2). The result is 1 where
 * the game's light is full white (lighting.h: illuminance_at_100_units). */
void SetBrightness(const bspscene_light &light, double scale, aiLight &out)
{
	constexpr double gamma = 2.2;
	double bright = std::max(light.illuminance_at_100_units, 0.0f), reference = 100 * scale, gain = 1;
	double half_way = light.intensity / 200; /* half of the lamp's range, in units of 100 game units; at this distance
	                                          * the inverse-square curve meets the game's linear one */
	out.mAttenuationConstant = out.mAttenuationLinear = out.mAttenuationQuadratic = 0;
	bool fades = light.kind != BSPSCENE_LIGHT_SUN && light.falloff != BSPSCENE_FALLOFF_NONE;
	if (fades && light.falloff == BSPSCENE_FALLOFF_INVERSE_SQUARE && bright * reference * reference > 1e-6) {
		out.mAttenuationQuadratic = static_cast<float>(1 / (bright * reference * reference));
	} else if (fades && light.falloff == BSPSCENE_FALLOFF_INVERSE) {
		out.mAttenuationLinear = static_cast<float>(1 / reference);
		gain = std::pow(bright, 1 / gamma);
	} else if (fades && light.falloff == BSPSCENE_FALLOFF_LINEAR && half_way > 1e-5) {
		out.mAttenuationLinear = static_cast<float>(1 / (half_way * reference));
		gain = std::pow(bright / (half_way * half_way), 1 / gamma);
	} else {
		out.mAttenuationConstant = 1;
		gain = std::pow(bright, 1 / gamma);
	}
	bool usable = std::isfinite(out.mAttenuationQuadratic) && std::isfinite(out.mAttenuationLinear) &&
	              out.mAttenuationQuadratic + out.mAttenuationLinear + out.mAttenuationConstant > 0;
	if (!usable) {
		out.mAttenuationConstant = 1;
		out.mAttenuationLinear = out.mAttenuationQuadratic = 0;
	}
	for (unsigned i = 0; i < 3; i++) out.mColorDiffuse[i] = static_cast<ai_real>(light.color[i] * gain);
	out.mColorSpecular = out.mColorDiffuse;
	out.mColorAmbient = aiColor3D(0, 0, 0);
}

/* True for lights that are written. Lights of glowing textures are not, because some maps have thousands; their nodes
 * have metadata (BspMetadata.h). */
bool IsLamp(const bspscene_scene &scene, const bspscene_node &node)
{
	return node.light != BSPSCENE_NO_INDEX && scene.lights[node.light]->kind != BSPSCENE_LIGHT_SURFACE;
}

/* Returns the scale factor of a node in the 3D skybox, else 1. It is needed because lights do not scale with their
 * nodes. */
double Enlargement(const bspscene_scene &scene, uint32_t node)
{
	float m[12];
	bspscene_node_world_transform(&scene, node, m);
	return std::sqrt(m[0] * m[0] + m[4] * m[4] + m[8] * m[8]);
}

aiLight *BuildLight(const bspscene_light &light, double scale, const aiString &name)
{
	static const aiLightSourceType types[] = { aiLightSource_POINT, aiLightSource_SPOT, aiLightSource_DIRECTIONAL };
	auto out = std::make_unique<aiLight>();
	out->mName = name;
	out->mType = types[light.kind];
	out->mDirection = aiVector3D(0, 0, -1);
	out->mUp = aiVector3D(0, 1, 0);
	SetBrightness(light, scale, *out);
	if (light.kind == BSPSCENE_LIGHT_SPOT) {
		/* Assimp's cone angles span the whole cone; the library's are measured from the cone's axis. */
		float outer = std::clamp(light.outer_angle_degrees, 0.1f, 90.0f);
		float inner = std::clamp(light.inner_angle_degrees, 0.0f, outer);
		out->mAngleOuterCone = static_cast<float>(2 * outer * pi / 180);
		out->mAngleInnerCone = std::min(static_cast<float>(2 * inner * pi / 180), out->mAngleOuterCone);
	}
	return out.release();
}

aiCamera *BuildCamera(const bspscene_scene &scene, const bspscene_camera &camera, double scale, const aiString &name)
{
	auto out = std::make_unique<aiCamera>();
	double size = 0;
	for (int i = 0; i < 3; i++) {
		double side = std::max(scene.bounds.max[i] - scene.bounds.min[i], 0.0f);
		size += side * side;
	}
	out->mName = name;
	out->mLookAt = aiVector3D(0, 0, -1);
	out->mUp = aiVector3D(0, 1, 0);
	out->mAspect = 4.0f / 3.0f;
	out->mHorizontalFOV = static_cast<float>(std::clamp(camera.fov_degrees, 1.0f, 170.0f) * pi / 180);
	out->mClipPlaneNear = static_cast<float>(4 * scale); /* 4 game units, the near plane of the engines */
	out->mClipPlaneFar = static_cast<float>(std::max(2 * std::sqrt(size), 4000.0) * scale);
	return out.release();
}

/* Makes unique node names, because lights and cameras find their nodes by name. */
class Names {
public:
	aiString Take(const std::string &name)
	{
		std::string base = Text(name, 900).C_Str(), unique = base;
		for (unsigned number = 2; !taken_.insert(unique).second; number++) unique = base + "#" + std::to_string(number);
		return Text(unique);
	}

private:
	std::unordered_set<std::string> taken_;
};

class TreeBuilder {
public:
	TreeBuilder(const bspscene_scene &scene, double scale, const std::vector<std::vector<unsigned>> &meshes)
		: scene_(scene), scale_(scale), meshes_(meshes), children_(scene.node_count) {}

	void Build(aiScene &out)
	{
		for (uint32_t i = 0; i < scene_.node_count; i++) has_children_.push_back(false);
		for (uint32_t i = 1; i < scene_.node_count; i++) has_children_[scene_.nodes[i]->parent] = true;
		std::vector<aiNode *> nodes;
		/* Reserves the names of the scene's own nodes first, so that only added nodes get other names. */
		for (uint32_t i = 0; i < scene_.node_count; i++) node_names_.push_back(names_.Take(scene_.nodes[i]->name));
		out.mRootNode = new aiNode;
		for (uint32_t i = 0; i < scene_.node_count; i++) {
			nodes.push_back(i ? Own(std::make_unique<aiNode>()) : out.mRootNode);
			FillNode(i, *nodes[i]);
			if (i) children_[scene_.nodes[i]->parent].push_back(nodes[i]);
		}
		Move(lights_, out.mLights, out.mNumLights);
		Move(cameras_, out.mCameras, out.mNumCameras);
		for (uint32_t i = 0; i < scene_.node_count; i++) ReserveChildren(*nodes[i], children_[i].size());
		/* Nothing throws after this point, so owned nodes can be released. */
		for (uint32_t i = 0; i < scene_.node_count; i++) Adopt(*nodes[i], children_[i]);
		for (auto &node : owned_) node.release();
	}

private:
	/* The builder owns a node until a parent adopts it. */
	aiNode *Own(std::unique_ptr<aiNode> node)
	{
		owned_.push_back(std::move(node));
		return owned_.back().get();
	}

	aiNode *AddExtra(uint32_t parent, const std::string &name)
	{
		auto node = std::make_unique<aiNode>();
		node->mName = names_.Take(name);
		aiNode *out = Own(std::move(node));
		children_[parent].push_back(out);
		return out;
	}

	void ShowMesh(aiNode &node, unsigned mesh)
	{
		node.mMeshes = new unsigned[1]{ mesh };
		node.mNumMeshes = 1;
	}

	void FillNode(uint32_t index, aiNode &out)
	{
		const bspscene_node &node = *scene_.nodes[index];
		const std::string name = node_names_[index].C_Str();
		bool has_mesh = node.mesh != BSPSCENE_NO_INDEX && !meshes_[node.mesh].empty();
		bool keeps_axes = has_mesh || has_children_[index];
		out.mName = node_names_[index];
		out.mTransformation = ConvertTransform(node.transform, scale_);
		out.mMetaData = NodeMetadata(scene_, node);
		if (has_mesh) {
			const std::vector<unsigned> &meshes = meshes_[node.mesh];
			ShowMesh(out, meshes[0]);
			for (size_t i = 1; i < meshes.size(); i++) {
				ShowMesh(*AddExtra(index, name + "." + std::to_string(i)), meshes[i]);
			}
		}
		bool has_light = IsLamp(scene_, node), has_camera = node.camera != BSPSCENE_NO_INDEX;
		if (!has_light && !has_camera) return;
		aiNode *looking = keeps_axes ? AddExtra(index, name + (has_light ? ".light" : ".camera")) : &out;
		looking->mTransformation = looking->mTransformation * LookAlongX();
		if (has_light) {
			double scale = scale_ * Enlargement(scene_, index);
			lights_.push_back(std::unique_ptr<aiLight>(BuildLight(*scene_.lights[node.light], scale, looking->mName)));
		}
		if (has_camera) {
			cameras_.push_back(
				std::unique_ptr<aiCamera>(BuildCamera(scene_, *scene_.cameras[node.camera], scale_, looking->mName)));
		}
	}

	static void ReserveChildren(aiNode &node, size_t children)
	{
		if (children) node.mChildren = new aiNode *[children]();
	}

	static void Adopt(aiNode &node, const std::vector<aiNode *> &children)
	{
		for (aiNode *child : children) {
			node.mChildren[node.mNumChildren++] = child;
			child->mParent = &node;
		}
	}

	template <typename Item> static void Move(std::vector<std::unique_ptr<Item>> &from, Item **&array, unsigned &count)
	{
		if (from.empty()) return;
		array = new Item *[from.size()]();
		count = static_cast<unsigned>(from.size());
		for (size_t i = 0; i < from.size(); i++) array[i] = from[i].release();
	}

	const bspscene_scene &scene_;
	double scale_;
	const std::vector<std::vector<unsigned>> &meshes_;
	std::vector<bool> has_children_;
	std::vector<std::vector<aiNode *>> children_;
	std::vector<aiString> node_names_;
	std::vector<std::unique_ptr<aiNode>> owned_;
	std::vector<std::unique_ptr<aiLight>> lights_;
	std::vector<std::unique_ptr<aiCamera>> cameras_;
	Names names_;
};

} // namespace

void BuildNodes(const bspscene_scene &scene, const ConvertOptions &options,
                const std::vector<std::vector<unsigned>> &meshes, aiScene &out)
{
	TreeBuilder(scene, options.scale, meshes).Build(out);
}

} // namespace bspscene
