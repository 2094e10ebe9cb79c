/* BspMetadata.cpp - see BspMetadata.h. */
#include "BspMetadata.h"

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include <assimp/commonMetaData.h>

namespace bspscene {
namespace {

/* aiMetadata::Add copies all entries for each new one, so entries are collected first. */
class Entries {
public:
	template <typename Value> void Add(const std::string &key, Value value)
	{
		/* Assimp would not store an entry with an empty key, but the number of entries would include it. */
		std::string name = key.empty() ? "unnamed" : key;
		unsigned &count = counts_[name];
		if (++count > 1) name += "." + std::to_string(count);
		set_.push_back([name, value](aiMetadata &out, unsigned index) {
			out.Set(index, Text(name, 900).C_Str(), value);
		});
	}
	void AddText(const std::string &key, const std::string &value) { Add(key, Text(value)); }

	aiMetadata *Finish() const
	{
		if (set_.empty()) return nullptr;
		/* aiMetadata::Alloc leaks if memory runs out. */
		auto out = std::make_unique<aiMetadata>();
		out->mKeys = new aiString[set_.size()];
		out->mValues = new aiMetadataEntry[set_.size()]();
		out->mNumProperties = static_cast<unsigned>(set_.size());
		for (unsigned i = 0; i < set_.size(); i++) set_[i](*out, i);
		return out.release();
	}

private:
	std::vector<std::function<void(aiMetadata &, unsigned)>> set_;
	std::unordered_map<std::string, unsigned> counts_;
};

const char *KindWord(bspscene_node_kind kind)
{
	static const char *const words[] = {
		"root", "world", "brush-entity", "point-entity", "light", "camera", "prop", "flare", "sky", "collision",
		"overlay",
	};
	return static_cast<size_t>(kind) < sizeof words / sizeof *words ? words[kind] : "unknown";
}

void AddLight(Entries &entries, const bspscene_light &light)
{
	static const char *const kinds[] = { "point", "spot", "sun", "surface" };
	entries.AddText("bsp.light", kinds[light.kind]);
	entries.Add("bsp.intensity", light.intensity);
	entries.Add("bsp.illuminance_at_100_units", light.illuminance_at_100_units);
	entries.Add("bsp.style", static_cast<int32_t>(light.style));
	if (light.is_dynamic) entries.Add("bsp.runtime", true);
}

void AddProp(Entries &entries, const bspscene_prop &prop)
{
	entries.AddText("bsp.model", prop.model);
	if (prop.skin) entries.Add("bsp.skin", static_cast<int32_t>(prop.skin));
	if (prop.color[0] != 1 || prop.color[1] != 1 || prop.color[2] != 1) {
		entries.Add("bsp.model_color", aiVector3D(prop.color[0], prop.color[1], prop.color[2]));
	}
}

} // namespace

aiMetadata *NodeMetadata(const bspscene_scene &scene, const bspscene_node &node)
{
	Entries entries;
	if (node.entity != BSPSCENE_NO_INDEX) {
		const bspscene_entity &entity = *scene.entities[node.entity];
		for (uint32_t i = 0; i < entity.pair_count; i++) {
			const bspscene_pair &pair = scene.pairs[entity.first_pair + i];
			entries.AddText(pair.key, pair.value);
		}
	}
	entries.AddText("bsp.kind", KindWord(node.kind));
	if (node.hidden) entries.Add("bsp.hidden", true);
	if (node.prop != BSPSCENE_NO_INDEX) AddProp(entries, *scene.props[node.prop]);
	if (node.material != BSPSCENE_NO_INDEX) entries.AddText("bsp.material", scene.materials[node.material]->name);
	if (node.color[0] != 1 || node.color[1] != 1 || node.color[2] != 1) {
		entries.Add("bsp.color", aiVector3D(node.color[0], node.color[1], node.color[2]));
	}
	if (node.color_alpha != 1) entries.Add("bsp.alpha", node.color_alpha);
	if (node.light != BSPSCENE_NO_INDEX) AddLight(entries, *scene.lights[node.light]);
	return entries.Finish();
}

aiMetadata *SceneMetadata(const bspscene_scene &scene, double scale, const std::string &sky)
{
	Entries entries;
	/* The FBX exporter reads the unit, in centimeters, from this key. */
	entries.Add("UnitScaleFactor", scene.meters_per_unit / scale * 100);
	entries.AddText(AI_METADATA_SOURCE_FORMAT, std::string("BSP (") + scene.variant + ")");
	entries.AddText(AI_METADATA_SOURCE_FORMAT_VERSION, std::to_string(scene.version));
	entries.AddText(AI_METADATA_SOURCE_GENERATOR, std::string("bspscene ") + bspscene_version());
	entries.AddText("bsp.name", scene.name);
	entries.AddText("bsp.family", scene.family);
	entries.AddText("bsp.variant", scene.variant);
	entries.Add("bsp.meters_per_unit", scene.meters_per_unit);
	if (scene.lightmap_set_count) entries.Add("bsp.lightmap_intensity", scene.lightmap_sets[0].intensity);
	if (!sky.empty()) entries.AddText("bsp.sky", sky);
	return entries.Finish();
}

} // namespace bspscene
