/* BspProperties.cpp - see BspProperties.h. README.md describes each property. */
#include "BspProperties.h"

#include <locale>
#include <sstream>

#include <assimp/Importer.hpp>

#include "BspError.h"

namespace bspscene {
namespace {

struct Value {
	int number = 0;
	float real = 0;
	std::string text;
};

enum class Kind { Integer, Real, Text };

struct Property {
	const char *name;
	Kind kind;
	void (*apply)(Settings &, const Value &);
};

std::vector<std::string> Split(const std::string &text, char separator)
{
	std::vector<std::string> parts;
	std::istringstream stream(text);
	for (std::string part; std::getline(stream, part, separator);) {
		if (!part.empty()) parts.push_back(part);
	}
	return parts;
}

/* Returns the value of the row that has this word. Throws if there is none. */
template <typename Row, size_t count>
auto Choose(const char *property, const Row (&rows)[count], const std::string &word)
{
	std::string known;
	for (const Row &row : rows) {
		if (word == row.word) return row.value;
		known += known.empty() ? row.word : std::string(", ") + row.word;
	}
	throw ImportError(std::string(property) + ": \"" + word + "\" is not one of " + known);
}

void SetInclude(Settings &settings, const Value &value)
{
	static const struct { const char *word; uint32_t value; } kinds[] = {
		{ "sky", BSPSCENE_SURFACE_SKY }, { "nodraw", BSPSCENE_SURFACE_NODRAW }, { "hint", BSPSCENE_SURFACE_HINT },
		{ "skip", BSPSCENE_SURFACE_SKIP }, { "clip", BSPSCENE_SURFACE_CLIP }, { "trigger", BSPSCENE_SURFACE_TRIGGER },
		{ "caulk", BSPSCENE_SURFACE_CAULK }, { "tool", BSPSCENE_SURFACE_TOOL },
		{ "collision", BSPSCENE_SURFACE_COLLISION }, { "all", BSPSCENE_SURFACE_ALL },
	};
	for (const std::string &word : Split(value.text, ',')) {
		settings.load.include_mask |= Choose("IMPORT_BSP_INCLUDE", kinds, word);
	}
}

/* The value "HDR" is not in this list: such pages would be EXR files, which hosts cannot read. */
void SetLightmaps(Settings &settings, const Value &value)
{
	static const struct { const char *word; bspscene_lightmap_encoding value;
	} encodings[] = {
		{ "display", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
		{ "raw", BSPSCENE_LIGHTMAP_ENCODING_RAW },
		{ "none", BSPSCENE_LIGHTMAP_ENCODING_NONE },
	};
	settings.load.lightmap_encoding = Choose("IMPORT_BSP_LIGHTMAPS", encodings, value.text);
}

void SetLighting(Settings &settings, const Value &value)
{
	static const struct { const char *word; bspscene_write_lighting value; } lightings[] = {
		{ "lightmap", BSPSCENE_WRITE_LIGHTING_LIGHTMAP }, { "vertex", BSPSCENE_WRITE_LIGHTING_VERTEX },
		{ "baked", BSPSCENE_WRITE_LIGHTING_BAKED }, { "none", BSPSCENE_WRITE_LIGHTING_NONE },
	};
	settings.convert.lighting = Choose("IMPORT_BSP_LIGHTING", lightings, value.text);
}

void SetSky(Settings &settings, const Value &value)
{
	static const struct { const char *word; Sky value; } kinds[] = {
		{ "none", Sky::None }, { "cube", Sky::Cube }, { "panorama", Sky::Panorama },
	};
	settings.convert.sky = Choose("IMPORT_BSP_SKY", kinds, value.text);
}

void SetMissing(Settings &settings, const Value &value)
{
	static const struct { const char *word; bspscene_missing value; } kinds[] = {
		{ "plain", BSPSCENE_MISSING_PLAIN }, { "checker", BSPSCENE_MISSING_CHECKER },
	};
	settings.load.missing = Choose("IMPORT_BSP_MISSING", kinds, value.text);
}

void SetModels(Settings &settings, const Value &value)
{
	static const struct { const char *word; bspscene_models value; } kinds[] = {
		{ "all", BSPSCENE_MODELS_ALL }, { "static", BSPSCENE_MODELS_STATIC }, { "none", BSPSCENE_MODELS_NONE },
	};
	settings.load.models = Choose("IMPORT_BSP_MODELS", kinds, value.text);
}

void SetEngine(Settings &settings, const Value &value)
{
	static const struct { const char *word; bspscene_engine value; } engines[] = {
		{ "auto", BSPSCENE_ENGINE_AUTO }, { "original", BSPSCENE_ENGINE_ORIGINAL },
		{ "darkplaces", BSPSCENE_ENGINE_DARKPLACES },
	};
	settings.load.engine = Choose("IMPORT_BSP_ENGINE", engines, value.text);
}

void SetTextures(Settings &settings, const Value &value)
{
	static const struct { const char *word; Textures value; } kinds[] = {
		{ "embedded", Textures::Embedded }, { "texels", Textures::Texels }, { "paths", Textures::Paths },
		{ "none", Textures::None },
	};
	settings.convert.textures = Choose("IMPORT_BSP_TEXTURES", kinds, value.text);
	settings.load.textures = settings.convert.textures == Textures::Paths ? BSPSCENE_TEXTURES_NAMES
		: settings.convert.textures == Textures::None ? BSPSCENE_TEXTURES_NONE : BSPSCENE_TEXTURES_LOAD;
}

/* Parses a number independently of the locale. */
template <typename Number> Number ParseNumber(const std::string &name, const std::string &text)
{
	std::istringstream stream(text);
	stream.imbue(std::locale::classic());
	Number number{};
	if (!(stream >> number) || stream.peek() != std::istringstream::traits_type::eof()) {
		throw ImportError(name + ": \"" + text + "\" is not a number");
	}
	return number;
}

/* Parses numbers of light styles with their brightness, such as "0=0.5;32=1". */
void SetLightStyles(Settings &settings, const Value &value)
{
	for (const std::string &word : Split(value.text, ';')) {
		size_t equals = word.find('=');
		std::string style = word.substr(0, equals), brightness = equals == word.npos ? "" : word.substr(equals + 1);
		int number = ParseNumber<int>("IMPORT_BSP_LIGHTSTYLES", style);
		float factor = ParseNumber<float>("IMPORT_BSP_LIGHTSTYLES", brightness);
		if (number < 0 || number > 255 || !(factor >= 0 && factor <= 100)) {
			throw ImportError("IMPORT_BSP_LIGHTSTYLES: \"" + word +
			                  "\" is not STYLE=BRIGHTNESS with a style from 0 to 255 and a brightness from 0 to 100");
		}
		settings.convert.light_styles[static_cast<uint32_t>(number)] = factor;
	}
}

uint32_t Unsigned(const char *property, int number)
{
	if (number < 0) throw ImportError(std::string(property) + ": " + std::to_string(number) + " is negative");
	return static_cast<uint32_t>(number);
}

const Property properties[] = {
	{ "IMPORT_BSP_MAP", Kind::Text, [](Settings &s, const Value &v) { s.map = v.text; } },
	{ "IMPORT_BSP_GAME", Kind::Text, [](Settings &s, const Value &v) { s.games = Split(v.text, ';'); } },
	{ "IMPORT_BSP_SIBLINGS", Kind::Integer, [](Settings &s, const Value &v) { s.siblings = v.number != 0; } },
	{ "IMPORT_BSP_TEXTURES", Kind::Text, SetTextures },
	{ "IMPORT_BSP_MISSING", Kind::Text, SetMissing },
	{ "IMPORT_BSP_MODELS", Kind::Text, SetModels },
	{ "IMPORT_BSP_ENGINE", Kind::Text, SetEngine },
	{ "IMPORT_BSP_NORMAL_MAPS", Kind::Integer,
	  [](Settings &s, const Value &v) { s.load.skip_normal_maps = v.number == 0; } },
	{ "IMPORT_BSP_LIGHTMAPS", Kind::Text, SetLightmaps },
	{ "IMPORT_BSP_LIGHTING", Kind::Text, SetLighting },
	{ "IMPORT_BSP_LIGHTSTYLES", Kind::Text, SetLightStyles },
	{ "IMPORT_BSP_LIGHT_ERROR", Kind::Real, [](Settings &s, const Value &v) { s.convert.light_error = v.real; } },
	{ "IMPORT_BSP_BAKED_SIZE", Kind::Integer,
	  [](Settings &s, const Value &v) { s.convert.baked_size = Unsigned("IMPORT_BSP_BAKED_SIZE", v.number); } },
	{ "IMPORT_BSP_SKY", Kind::Text, SetSky },
	{ "IMPORT_BSP_INCLUDE", Kind::Text, SetInclude },
	{ "IMPORT_BSP_PATCH_ERROR", Kind::Real, [](Settings &s, const Value &v) { s.load.patch_error = v.real; } },
	{ "IMPORT_BSP_PAGE_SIZE", Kind::Integer,
	  [](Settings &s, const Value &v) { s.load.lightmap_page_size = Unsigned("IMPORT_BSP_PAGE_SIZE", v.number); } },
	{ "IMPORT_BSP_PAGE_GUTTER", Kind::Integer,
	  [](Settings &s, const Value &v) { s.load.lightmap_gutter = Unsigned("IMPORT_BSP_PAGE_GUTTER", v.number); } },
	{ "IMPORT_BSP_METERS_PER_UNIT", Kind::Real, [](Settings &s, const Value &v) { s.load.meters_per_unit = v.real; } },
	{ "IMPORT_BSP_MEMORY_MIB", Kind::Integer,
	  [](Settings &s, const Value &v) {
		  s.load.memory_limit = uint64_t{ Unsigned("IMPORT_BSP_MEMORY_MIB", v.number) } << 20;
	  } },
	{ "IMPORT_BSP_STRICT", Kind::Integer, [](Settings &s, const Value &v) { s.load.strict = v.number != 0; } },
	{ "IMPORT_BSP_PALETTE", Kind::Text, [](Settings &s, const Value &v) { s.palette = v.text; } },
};

/* True if the property is set. Assimp's getters return the default for an unset property, so two calls with different
 * defaults tell whether it is set. */
bool Get(const Assimp::Importer &importer, const Property &property, Value &out)
{
	switch (property.kind) {
	case Kind::Integer:
		out.number = importer.GetPropertyInteger(property.name, 0);
		return out.number == importer.GetPropertyInteger(property.name, 1);
	case Kind::Real:
		out.real = static_cast<float>(importer.GetPropertyFloat(property.name, 0));
		return out.real != 0;
	default:
		out.text = importer.GetPropertyString(property.name, "");
		return !out.text.empty();
	}
}

/* Throws if a property was set with the wrong type, because it would be ignored. Assimp keeps a separate list for each
 * type. */
void RefuseOtherKinds(const Assimp::Importer &importer, const Property &property)
{
	static const char *const setters[] = { "SetPropertyInteger", "SetPropertyFloat", "SetPropertyString" };
	Value other;
	for (Kind kind : { Kind::Integer, Kind::Real, Kind::Text }) {
		if (kind == property.kind || !Get(importer, { property.name, kind, nullptr }, other)) continue;
		throw ImportError(std::string(property.name) + " was set by " + setters[static_cast<size_t>(kind)] +
		                  "; set it by " + setters[static_cast<size_t>(property.kind)]);
	}
}

} // namespace

Settings ReadProperties(const Assimp::Importer &importer)
{
	Settings settings;
	for (const Property &property : properties) {
		Value value;
		RefuseOtherKinds(importer, property);
		if (Get(importer, property, value)) property.apply(settings, value);
	}
	return settings;
}

void SetProperty(Assimp::Importer &importer, const std::string &assignment)
{
	size_t equals = assignment.find('=');
	std::string name = assignment.substr(0, equals);
	std::string text = equals == std::string::npos ? "" : assignment.substr(equals + 1);
	for (const Property &property : properties) {
		if (name != property.name) continue;
		switch (property.kind) {
		case Kind::Integer: importer.SetPropertyInteger(property.name, ParseNumber<int>(name, text)); break;
		case Kind::Real: importer.SetPropertyFloat(property.name, ParseNumber<ai_real>(name, text)); break;
		case Kind::Text: importer.SetPropertyString(property.name, text); break;
		}
		return;
	}
	throw ImportError("this importer has no property \"" + name + "\"");
}

} // namespace bspscene
