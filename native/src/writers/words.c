/* words.c - see words.h. */
#include "writers/words.h"

#define WORDS(function, type, ...) \
	const char *function(type value) \
	{ \
		static const char *const words[] = { __VA_ARGS__ }; \
		return (size_t)value < sizeof words / sizeof *words ? words[value] : "unknown"; \
	}

WORDS(bspi_node_word, bspscene_node_kind, "root", "world", "brush-entity", "point-entity", "light", "camera", "prop",
      "flare", "sky", "collision", "overlay")
WORDS(bspi_lighting_word, bspscene_lighting, "lightmap", "vertex", "fullbright", "black")
WORDS(bspi_material_word, bspscene_material_kind, "normal", "sky", "liquid", "tool", "fog", "flare", "portal")
WORDS(bspi_alpha_word, bspscene_alpha_mode, "opaque", "mask", "blend", "add", "modulate")
WORDS(bspi_image_word, bspscene_image_format, "missing", "png", "jpeg", "tga", "pcx", "vtf", "rgba", "dds", "bmp",
      "ktx", "iwi", "webp")
WORDS(bspi_page_word, bspscene_lightmap_page_format, "rgb8", "rgb16f", "raw32")
WORDS(bspi_page_kind_word, bspscene_lightmap_set_kind, "light", "direction", "bump-0", "bump-1", "bump-2")
WORDS(bspi_light_word, bspscene_light_kind, "point", "spot", "sun", "surface")
WORDS(bspi_falloff_word, bspscene_falloff, "inverse-square", "linear", "inverse", "none")
WORDS(bspi_camera_word, bspscene_camera_kind, "spawn", "intermission", "portal", "other")

WORDS(bspi_detail_word, bspscene_detail_texture_mode, "doubled", "add", "over", "fade", "under", "unknown", "unknown",
      "patterns", "multiply", "mask", "unknown", "self-shadowed")

const char *bspi_include_word(bspscene_surface_kind kind)
{
	switch (kind) {
	case BSPSCENE_SURFACE_VISIBLE: return "visible";
	case BSPSCENE_SURFACE_SKY: return "sky";
	case BSPSCENE_SURFACE_NODRAW: return "nodraw";
	case BSPSCENE_SURFACE_HINT: return "hint";
	case BSPSCENE_SURFACE_SKIP: return "skip";
	case BSPSCENE_SURFACE_CLIP: return "clip";
	case BSPSCENE_SURFACE_TRIGGER: return "trigger";
	case BSPSCENE_SURFACE_CAULK: return "caulk";
	case BSPSCENE_SURFACE_TOOL: return "tool";
	case BSPSCENE_SURFACE_COLLISION: return "collision";
	default: return "unknown";
	}
}
