/* gltf_material.c - makes materials: one for each combination of scene material, lighting and lightmap page.
 *
 * Lightmapped surfaces are ordinary lit materials with the extension MOZ_lightmap; hosts without it light them like
 * everything else. If vertex colors have all of the light or there is none (sky, fullbright), the material is
 * KHR_materials_unlit. Combining both extensions would be right too, but the validator warns of any extension next to
 * unlit.
 *
 * The only specification of MOZ_lightmap is its reader (Hubs: gltf-model-plus.js): the texture becomes three.js'
 * lightMap, decoded from sRGB and multiplied by `intensity` in linear light. Our intensity is the lightmap set's:
 * texture * page * intensity is the picture. three.js takes the light for irradiance and divides by pi, so a loader for
 * it multiplies by pi. */
#include "writers/gltf/gltf.h"

#include "images/display.h"
#include "writers/words.h"

static json_t *extensions_of(bspi_gltf *gltf, json_t *object)
{
	json_t *extensions = json_object_get(object, "extensions");
	if (extensions) return extensions;
	bspi_gltf_set(gltf, object, "extensions", json_object());
	return json_object_get(object, "extensions");
}

/* Sets the texture transform, but without a rotation. Hosts disagree about which way KHR_texture_transform rotates, and
 * whether it scales first. So the coordinates in TEXCOORD_0 are rotated already. */
static void set_transform(bspi_gltf *gltf, json_t *info, const bspscene_material *material)
{
	const float *scale = material->uv_scale, *offset = material->uv_offset;
	bool scaled = scale[0] != 1 || scale[1] != 1, moved = offset[0] != 0 || offset[1] != 0;
	if (material->uv_rotation_radians != 0 || (!scaled && !moved)) return;
	json_t *transform = json_object();
	if (scaled) bspi_gltf_set(gltf, transform, "scale", bspi_json_floats(scale, 2));
	if (moved) bspi_gltf_set(gltf, transform, "offset", bspi_json_floats(offset, 2));
	bspi_gltf_set(gltf, extensions_of(gltf, info), "KHR_texture_transform", transform);
	gltf->extensions |= BSPI_GLTF_TEXTURE_TRANSFORM;
}

static bool set_image(bspi_gltf *gltf, json_t *object, const char *key, const bspscene_material *material,
                      uint32_t image, bspi_picture_use use, bspi_gltf_look *look)
{
	uint32_t texture = BSPSCENE_NO_INDEX;
	if (image == BSPSCENE_NO_INDEX) return true;
	float gains[3];
	bool gained = bspi_tone_has_gain(look->level);
	bspi_tone_gains(look->level, gains);
	BSPI_TRY(bspi_gltf_image_texture(gltf, image, use, gained ? gains : NULL, material->clamp, &texture));
	if (texture == BSPSCENE_NO_INDEX) return true;
	json_t *info = json_object();
	bspi_gltf_set(gltf, info, "index", json_integer(texture));
	set_transform(gltf, info, material);
	bspi_gltf_set(gltf, object, key, info);
	look->uses_uv = true;
	return true;
}

static void set_factor(bspi_gltf *gltf, json_t *pbr, const bspscene_material *material)
{
	float factor[4];
	for (int i = 0; i < 3; i++) factor[i] = bspi_linear_from_display(bspi_clamp_unit(material->color[i]));
	factor[3] = bspi_clamp_unit(material->color[3]);
	if (factor[0] != 1 || factor[1] != 1 || factor[2] != 1 || factor[3] != 1) {
		bspi_gltf_set(gltf, pbr, "baseColorFactor", bspi_json_floats(factor, 4));
	}
}

static void set_alpha(bspi_gltf *gltf, json_t *object, const bspscene_material *material)
{
	if (material->alpha_mode == BSPSCENE_ALPHA_MODE_MASK) {
		float cutoff = material->alpha_cutoff < 0 ? 0 : material->alpha_cutoff;
		bspi_gltf_set(gltf, object, "alphaMode", json_string("MASK"));
		if (cutoff != 0.5f) bspi_gltf_set(gltf, object, "alphaCutoff", bspi_json_float(cutoff));
	} else if (bspi_is_blended(material)) {
		bspi_gltf_set(gltf, object, "alphaMode", json_string("BLEND"));
	}
}

/* Sets the emission. Factors cannot exceed 1, so brighter emission uses KHR_materials_emissive_strength. */
static bool set_emission(bspi_gltf *gltf, json_t *object, const bspscene_material *material, bspi_gltf_look *look)
{
	float factor[3], strength = 1;
	bool dark = true;
	for (int i = 0; i < 3; i++) {
		factor[i] = material->emissive[i] > 0 ? bspi_linear_from_display(material->emissive[i]) : 0;
		if (factor[i] > strength) strength = factor[i];
		dark = dark && factor[i] == 0;
	}
	for (int i = 0; i < 3; i++) factor[i] = dark ? 1 : factor[i] / strength;
	bspi_gltf_set(gltf, object, "emissiveFactor", bspi_json_floats(factor, 3));
	if (strength > 1) {
		json_t *extension = json_object();
		bspi_gltf_set(gltf, extension, "emissiveStrength", bspi_json_float(strength));
		bspi_gltf_set(gltf, extensions_of(gltf, object), "KHR_materials_emissive_strength", extension);
		gltf->extensions |= BSPI_GLTF_EMISSIVE_STRENGTH;
	}
	return set_image(gltf, object, "emissiveTexture", material, material->emissive_image, BSPI_PICTURE_OPAQUE, look);
}

static bool set_lightmap(bspi_gltf *gltf, json_t *object, bspi_gltf_look *look)
{
	uint32_t texture;
	float peak;
	BSPI_TRY(bspi_gltf_page_texture(gltf, look->page, &texture, &peak));
	float intensity = bspi_linear_gain(gltf->scene->lightmap_sets[0].intensity) * peak;
	json_t *extension = json_object();
	bspi_gltf_set(gltf, extension, "index", json_integer(texture));
	bspi_gltf_set(gltf, extension, "texCoord", json_integer(1));
	bspi_gltf_set(gltf, extension, "intensity", bspi_json_float(intensity));
	bspi_gltf_set(gltf, extensions_of(gltf, object), "MOZ_lightmap", extension);
	gltf->extensions |= BSPI_GLTF_MOZ_LIGHTMAP;
	look->uses_lightmap_uv = true;
	return true;
}

static bool set_texture_number(bspi_gltf *gltf, json_t *facts, const char *key, uint32_t image, bspi_picture_use use,
                               bool clamp)
{
	uint32_t texture = BSPSCENE_NO_INDEX;
	BSPI_TRY(bspi_gltf_image_texture(gltf, image, use, NULL, clamp, &texture));
	if (texture != BSPSCENE_NO_INDEX) bspi_gltf_set(gltf, facts, key, json_integer(texture));
	return true;
}

static bool set_blend_mask(bspi_gltf *gltf, json_t *facts, const bspscene_material *material)
{
	const bspscene_blend_mask *border = material->blend_mask;
	json_t *mask = json_object();
	bool whole = set_texture_number(gltf, mask, "texture", border->image, BSPI_PICTURE_PLAIN, material->clamp);
	bspi_gltf_set(gltf, mask, "uvScale", bspi_json_floats(border->uv_scale, 2));
	bspi_gltf_set(gltf, mask, "uvOffset", bspi_json_floats(border->uv_offset, 2));
	if (border->masked) bspi_gltf_set(gltf, mask, "masked", json_true());
	bspi_gltf_set(gltf, facts, "blendMask", mask);
	return whole;
}

static bool set_detail(bspi_gltf *gltf, json_t *facts, const bspscene_material *material)
{
	const bspscene_detail_texture *small = material->detail_texture;
	json_t *detail = json_object();
	bool whole = set_texture_number(gltf, detail, "texture", small->image, BSPI_PICTURE_PLAIN, material->clamp);
	bspi_gltf_set(gltf, detail, "mode", json_string(bspi_detail_word(small->mode)));
	bspi_gltf_set(gltf, detail, "uvScale", bspi_json_floats(small->uv_scale, 2));
	bspi_gltf_set(gltf, detail, "color", bspi_json_floats(small->color, 3));
	bspi_gltf_set(gltf, detail, "factor", bspi_json_float(small->factor));
	bspi_gltf_set(gltf, facts, "detail", detail);
	return whole;
}

/* Adds to the facts the texture and the factors of each bspscene_layer. */
static bool set_layers(bspi_gltf *gltf, json_t *facts, const bspscene_material *material)
{
	bspi_picture_use use = bspi_base_picture_use(material);
	bspi_gltf_set(gltf, facts, "layers", json_array());
	for (uint32_t i = 0; i < material->layer_count; i++) {
		const bspscene_layer *layer = material->layers[i];
		json_t *object = json_object();
		bspi_gltf_append(gltf, json_object_get(facts, "layers"), object);
		BSPI_TRY(set_texture_number(gltf, object, "texture", layer->image, use, material->clamp));
		bspi_gltf_set(gltf, object, "uvScale", bspi_json_floats(layer->uv_scale, 2));
		bspi_gltf_set(gltf, object, "luminance", bspi_json_floats(layer->luminance, 2));
		bspi_gltf_set(gltf, object, "luminanceShare", bspi_json_float(layer->luminance_share));
		bspi_gltf_set(gltf, object, "blend", bspi_json_floats(layer->blend, 2));
		if (layer->doubled) bspi_gltf_set(gltf, object, "doubled", json_true());
	}
	return true;
}

/* Lists in extras the textures for which glTF has no property, such as those that cover the base texture. */
static bool set_further_textures(bspi_gltf *gltf, json_t *facts, const bspscene_material *material)
{
	const uint32_t none = BSPSCENE_NO_INDEX, second = material->second_image;
	bspi_picture_use use = bspi_base_picture_use(material);
	BSPI_TRY(second == none || set_texture_number(gltf, facts, "secondTexture", second, use, material->clamp));
	BSPI_TRY(!material->layer_count || set_layers(gltf, facts, material));
	BSPI_TRY(!material->blend_mask || set_blend_mask(gltf, facts, material));
	return !material->detail_texture || set_detail(gltf, facts, material);
}

static bool set_normals(bspi_gltf *gltf, json_t *object, const bspscene_material *material, bspi_gltf_look *look)
{
	bspi_picture_use use = bspi_normal_picture_use(material);
	BSPI_TRY(set_image(gltf, object, "normalTexture", material, material->normal_image, use, look));
	look->uses_normals = json_object_get(object, "normalTexture") != NULL;
	return true;
}

static bool describe_material(bspi_gltf *gltf, bspi_gltf_look *look, json_t *object)
{
	const bspscene_material *material = gltf->scene->materials[look->material];
	const bspi_look is = { look->material, look->lighting, look->page };
	bool unlit = bspi_look_is_unlit(gltf->writer, &is);
	bspi_gltf_set(gltf, object, "name", json_string(material->name));
	bspi_gltf_set(gltf, object, "pbrMetallicRoughness", json_object());
	json_t *pbr = json_object_get(object, "pbrMetallicRoughness");
	bspi_gltf_set(gltf, pbr, "metallicFactor", json_integer(0));
	bspi_gltf_set(gltf, pbr, "roughnessFactor", json_integer(1));
	if (!look->lit.in_picture) {
		BSPI_TRY(set_image(gltf, pbr, "baseColorTexture", material, material->base_image,
		                   bspi_base_picture_use(material), look));
	}
	if (gltf->writer->options.lighting == BSPSCENE_WRITE_LIGHTING_BAKED) bspi_gltf_set_lit(gltf, pbr, look);
	else set_factor(gltf, pbr, material);
	set_alpha(gltf, object, material);
	if (material->cull == BSPSCENE_CULL_NONE) bspi_gltf_set(gltf, object, "doubleSided", json_true());
	look->unlit = unlit;
	if (unlit) {
		bspi_gltf_set(gltf, extensions_of(gltf, object), "KHR_materials_unlit", json_object());
		gltf->extensions |= BSPI_GLTF_UNLIT;
	} else {
		BSPI_TRY(set_normals(gltf, object, material, look));
		if (bspi_is_emissive(material)) BSPI_TRY(set_emission(gltf, object, material, look));
	}
	if (look->page != BSPSCENE_NO_INDEX) BSPI_TRY(set_lightmap(gltf, object, look));
	json_t *facts = bspi_material_facts(gltf->writer, &is);
	if (bspi_tone_has_gain(look->level)) {
		float gains[3];
		bspi_tone_gains(look->level, gains);
		bspi_gltf_set(gltf, facts, "textureGain", bspi_json_floats(gains, 3));
	}
	bool whole = set_further_textures(gltf, facts, material);
	bspi_gltf_set(gltf, object, "extras", facts);
	return whole;
}

/* Adds a material, or finds an equal one. Takes ownership of `object`. */
static bool add_material(bspi_gltf *gltf, json_t *object, bspi_gltf_look *look)
{
	bspi_buffer text;
	bool whole = bspi_json_text(gltf->writer, object, JSON_COMPACT | JSON_SORT_KEYS, &text) &&
	             bspi_buffer_add(&text, "", 1);
	const json_t *known = whole ? json_object_get(gltf->looks_by_text, (const char *)text.data) : NULL;
	if (known) {
		look->alike = (uint32_t)json_integer_value(known);
		look->number = gltf->looks[look->alike].number;
		json_decref(object);
	} else {
		look->alike = gltf->look_count;
		look->number = (uint32_t)json_array_size(gltf->materials);
		bspi_gltf_append(gltf, gltf->materials, object);
		if (whole) bspi_gltf_set(gltf, gltf->looks_by_text, (const char *)text.data, json_integer(look->alike));
	}
	bspi_buffer_free(&text);
	return !gltf->writer->failure.status;
}

/* Makes the second material of an unlit surface that glows, such as Quake's fullbright texels or shader stages that
 * glow. It shows the glow just in front of the surface. It is needed because unlit materials have no emission. */
static bool describe_glow(bspi_gltf *gltf, bspi_gltf_look *look, json_t *object)
{
	const bspscene_material *material = gltf->scene->materials[look->material];
	bspscene_material shining = *material;
	bool dark = material->emissive[0] <= 0 && material->emissive[1] <= 0 && material->emissive[2] <= 0;
	for (int i = 0; i < 3; i++) shining.color[i] = dark ? 1 : material->emissive[i];
	shining.color[3] = 1;
	bspi_gltf_set(gltf, object, "name", json_sprintf("%s.glow", material->name));
	bspi_gltf_set(gltf, object, "pbrMetallicRoughness", json_object());
	json_t *pbr = json_object_get(object, "pbrMetallicRoughness");
	bspi_gltf_set(gltf, pbr, "metallicFactor", json_integer(0));
	bspi_gltf_set(gltf, pbr, "roughnessFactor", json_integer(1));
	BSPI_TRY(set_image(gltf, pbr, "baseColorTexture", material, material->emissive_image, BSPI_PICTURE_ADD, look));
	set_factor(gltf, pbr, &shining);
	bspi_gltf_set(gltf, object, "alphaMode", json_string("BLEND"));
	if (material->cull == BSPSCENE_CULL_NONE) bspi_gltf_set(gltf, object, "doubleSided", json_true());
	bspi_gltf_set(gltf, extensions_of(gltf, object), "KHR_materials_unlit", json_object());
	gltf->extensions |= BSPI_GLTF_UNLIT;
	look->unlit = true;
	return true;
}

static bool build_material(bspi_gltf *gltf, bspi_gltf_look *look)
{
	json_t *object = json_object();
	bool described = look->glow ? describe_glow(gltf, look, object) : describe_material(gltf, look, object);
	return add_material(gltf, object, look) && described;
}

/* Adds a look. Looks whose materials are equal share one material. */
static bool add_look(bspi_gltf *gltf, bspi_gltf_look *look, uint32_t *out)
{
	BSPI_TRY(build_material(gltf, look));
	bspi_gltf_look *looks =
		bspi_writer_grow(gltf->writer, gltf->looks, gltf->look_count, &gltf->look_capacity, sizeof *looks);
	BSPI_TRY(looks);
	gltf->looks = looks;
	*out = gltf->look_count++;
	look->next = gltf->first_looks[look->material];
	look->first_primitive = BSPSCENE_NO_INDEX;
	looks[*out] = *look;
	gltf->first_looks[look->material] = *out;
	return true;
}

bool bspi_gltf_find_look(bspi_gltf *gltf, uint32_t source, bspi_tone_level level, uint32_t *out)
{
	const bspi_gltf_source *from = &gltf->sources[source];
	const bspi_look is = bspi_look_of(gltf->writer, bspi_gltf_section_of(gltf, source));
	bspi_gltf_look look = { .material = is.material, .lighting = is.lighting, .page = is.page, .level = level,
	                        .glow = from->glow, .lit = bspi_gltf_lit_section(gltf, from) };
	if (!gltf->first_looks) {
		uint32_t count = gltf->scene->material_count;
		gltf->first_looks = bspi_writer_push(gltf->writer, uint32_t, count);
		BSPI_TRY(gltf->first_looks);
		for (uint32_t i = 0; i < count; i++) gltf->first_looks[i] = BSPSCENE_NO_INDEX;
	}
	for (uint32_t i = gltf->first_looks[look.material]; i != BSPSCENE_NO_INDEX; i = gltf->looks[i].next) {
		const bspi_gltf_look *other = &gltf->looks[i];
		if (other->lighting == look.lighting && other->page == look.page && bspi_tone_is_same(other->level, level) &&
		    other->glow == from->glow && bspi_lit_is_alike(&other->lit, &look.lit)) {
			*out = i;
			return true;
		}
	}
	return add_look(gltf, &look, out);
}
