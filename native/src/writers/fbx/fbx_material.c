/* fbx_material.c - makes materials of shading model "phong", without specular highlights. The base picture is on
 * DiffuseColor, and also on TransparentColor if it is cut out or blended. The lightmap page is on AmbientColor, with
 * the coordinate set "Lightmap". This is the only property that readers find and that no reader draws wrongly: on
 * EmissiveColor some readers use the wrong coordinates, and with two layers on DiffuseColor some readers lose both.
 *
 * Baked light is emission over black, because only emission looks the same with and without lamps.
 *
 * Colors are linear, as Blender and Godot read them. FBX has no unlit materials, so they have the property
 * "bspscene.unlit". */
#include "writers/fbx/fbx.h"

#include <math.h>

#include <bspscene/material.h>

#include "images/display.h"

typedef struct textures {
	int64_t base, emissive, normal, page;
	bool transparent;                  /* the base picture has transparent texels */
	const bspi_set_picture *page_picture;
} textures;

/* Finds the picture for baked light: the baked picture, or the texture if the section is not in the baked picture. */
static bool find_baked(bspi_fbx *fbx, const bspscene_material *material, const bspi_lit_section *lit, textures *out)
{
	bspi_fbx_placing placing = material->clamp ? BSPI_FBX_CLAMP : BSPI_FBX_REPEAT;
	bspi_picture_use use = bspi_base_picture_use(material);
	if (lit->in_picture) out->emissive = bspi_fbx_lit_texture(fbx, lit->sheet);
	if (lit->in_picture || material->base_image == BSPSCENE_NO_INDEX) return true;
	return bspi_fbx_image_texture(fbx, material->base_image, use, placing, &out->emissive, &out->transparent);
}

static bool find_shaded(bspi_fbx *fbx, const bspi_look *look, textures *out)
{
	const bspscene_material *material = fbx->scene->materials[look->material];
	bspi_fbx_placing placing = material->clamp ? BSPI_FBX_CLAMP : BSPI_FBX_REPEAT;
	bspi_picture_use base = bspi_base_picture_use(material), normal = bspi_normal_picture_use(material);
	bool ignored;
	if (material->base_image != BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_fbx_image_texture(fbx, material->base_image, base, placing, &out->base,
		                                &out->transparent));
	}
	if (material->emissive_image != BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_fbx_image_texture(fbx, material->emissive_image, BSPI_PICTURE_OPAQUE, placing, &out->emissive,
		                                &ignored));
	}
	if (material->normal_image != BSPSCENE_NO_INDEX && !bspi_look_is_unlit(fbx->writer, look)) {
		BSPI_TRY(bspi_fbx_image_texture(fbx, material->normal_image, normal, placing, &out->normal, &ignored));
	}
	return true;
}

static bool find_textures(bspi_fbx *fbx, const bspi_look *look, const bspi_lit_section *lit, textures *out)
{
	*out = (textures){ .page_picture = NULL };
	if (lit) BSPI_TRY(find_baked(fbx, fbx->scene->materials[look->material], lit, out));
	else BSPI_TRY(find_shaded(fbx, look, out));
	return look->page == BSPSCENE_NO_INDEX ||
	       bspi_fbx_page_texture(fbx, look->page, &out->page, &out->page_picture);
}

/* Announces the pictures that find_textures will request. */
void bspi_fbx_foresee_textures(bspi_fbx *fbx, const bspscene_section *section, const bspi_lit_section *lit)
{
	const bspi_look look = bspi_fbx_look_of(fbx, section);
	const bspscene_material *material = fbx->scene->materials[look.material];
	bspi_picture_set *set = &fbx->pictures;
	if (material->base_image != BSPSCENE_NO_INDEX && !(lit && lit->in_picture)) {
		bspi_picture_set_foresee_image(set, material->base_image, bspi_base_picture_use(material));
	}
	if (!lit && material->emissive_image != BSPSCENE_NO_INDEX) {
		bspi_picture_set_foresee_image(set, material->emissive_image, BSPI_PICTURE_OPAQUE);
	}
	if (!lit && material->normal_image != BSPSCENE_NO_INDEX && !bspi_look_is_unlit(fbx->writer, &look)) {
		bspi_picture_set_foresee_image(set, material->normal_image, bspi_normal_picture_use(material));
	}
	if (look.page != BSPSCENE_NO_INDEX) bspi_picture_set_foresee_page(set, look.page);
}

/* ---- Properties ------------------------------------------------------------------------------------------- */

/* Writes emission. If the material has a glow picture but no emissive color, the color is white. */
static void put_emission(bspi_fbx *fbx, const bspscene_material *material, const textures *found)
{
	double color[3];
	bool dark = true;
	for (int i = 0; i < 3; i++) {
		color[i] = material->emissive[i] > 0 ? (double)bspi_linear_from_display(material->emissive[i]) : 0;
		dark = dark && color[i] == 0;
	}
	for (int i = 0; found->emissive && dark && i < 3; i++) color[i] = 1;
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "EmissiveColor", color);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "EmissiveFactor", 1);
}

/* Writes baked light as emission. Some readers ignore the color if there is a texture, so EmissiveFactor has the
 * brightness. */
static void put_baked_emission(bspi_fbx *fbx, const bspscene_material *material, const bspi_lit_section *lit)
{
	double color[3] = { 1, 1, 1 }, most = 1;
	if (!lit->in_picture) {
		float factor[4];
		bspi_lit_factor(material, lit, factor);
		most = (double)fmaxf(factor[0], fmaxf(factor[1], factor[2]));
		for (int i = 0; i < 3; i++) color[i] = most > 0 ? (double)factor[i] / most : 0;
	}
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "EmissiveColor", color);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "EmissiveFactor", most);
}

/* Writes the opacity as three properties, because readers differ in which of them they use. */
static void put_opacity(bspi_fbx *fbx, const bspscene_material *material)
{
	static const double black[3];
	double opacity = bspi_is_blended(material) ? (double)bspi_clamp_unit(material->color[3]) : 1;
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "TransparentColor", black);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "TransparencyFactor", 1 - opacity);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "Opacity", opacity);
}

static void put_facts(bspi_fbx *fbx, const bspi_look *look, const textures *found)
{
	const bspscene_material *material = fbx->scene->materials[look->material];
	bspi_writer *writer = fbx->writer;
	json_t *facts = bspi_material_facts(writer, look);
	if (bspi_look_is_unlit(writer, look)) bspi_json_set(writer, facts, "unlit", json_true());
	if (material->cull == BSPSCENE_CULL_NONE) bspi_json_set(writer, facts, "doubleSided", json_true());
	if (material->alpha_mode == BSPSCENE_ALPHA_MODE_MASK) {
		bspi_json_set(writer, facts, "alphaCutoff", bspi_json_float(material->alpha_cutoff));
	}
	if (found->page) {
		float gain = bspi_linear_gain(fbx->scene->lightmap_sets[0].intensity) * found->page_picture->peak;
		bspi_json_set(writer, facts, "lightmap", json_string(found->page_picture->file_name));
		bspi_json_set(writer, facts, "lightmapSet", json_string("Lightmap"));
		bspi_json_set(writer, facts, "lightmapIntensity", bspi_json_float(gain));
	}
	bspi_fbx_put_own_facts(fbx, facts);
}

static void put_properties(bspi_fbx *fbx, const bspi_look *look, const bspi_lit_section *lit, const textures *found)
{
	static const double black[3];
	static const char *const zeros[] = { "SpecularFactor", "Shininess", "ShininessExponent", "ReflectionFactor" };
	const bspscene_material *material = fbx->scene->materials[look->material];
	double diffuse[3] = { 0, 0, 0 };
	for (int i = 0; !lit && i < 3; i++) {
		diffuse[i] = (double)bspi_linear_from_display(bspi_clamp_unit(material->color[i]));
	}
	bspi_fbx_open_properties(fbx);
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "DiffuseColor", diffuse);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "DiffuseFactor", 1);
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "AmbientColor", black);
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "SpecularColor", black);
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) bspi_fbx_number(fbx, BSPI_FBX_NUMBER, zeros[i], 0);
	if (lit) put_baked_emission(fbx, material, lit);
	else put_emission(fbx, material, found);
	put_opacity(fbx, material);
	put_facts(fbx, look, found);
	bspi_fbx_close(&fbx->file);
}

static int64_t put_material(bspi_fbx *fbx, const bspi_look *look, const bspi_lit_section *lit, const textures *found)
{
	const bspscene_material *material = fbx->scene->materials[look->material];
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_MATERIAL, material->name, "");
	bspi_fbx_i32(&fbx->file, "Version", 102);
	bspi_fbx_text(&fbx->file, "ShadingModel", "phong");
	bspi_fbx_i32(&fbx->file, "MultiLayer", 0);
	put_properties(fbx, look, lit, found);
	bspi_fbx_close(&fbx->file);
	if (found->base) bspi_fbx_link_to(fbx, found->base, id, "DiffuseColor");
	int64_t seen = lit ? found->emissive : found->base;
	if (seen && found->transparent) bspi_fbx_link_to(fbx, seen, id, "TransparentColor");
	if (found->emissive) bspi_fbx_link_to(fbx, found->emissive, id, "EmissiveColor");
	if (found->normal) bspi_fbx_link_to(fbx, found->normal, id, "NormalMap");
	if (found->page) bspi_fbx_link_to(fbx, found->page, id, "AmbientColor");
	return id;
}

bspi_look bspi_fbx_look_of(const bspi_fbx *fbx, const bspscene_section *section)
{
	bspi_look look = bspi_look_of(fbx->writer, section);
	if (fbx->writer->options.lighting == BSPSCENE_WRITE_LIGHTING_BAKED) look.page = bspi_page_of(fbx->scene, section);
	return look;
}

bool bspi_fbx_find_material(bspi_fbx *fbx, const bspscene_section *section, const bspi_lit_section *lit, uint32_t *out)
{
	static const bspi_lit_section none;
	const bspi_look look = bspi_fbx_look_of(fbx, section);
	uint32_t *first = &fbx->first_materials[look.material];
	for (uint32_t i = *first; i != BSPSCENE_NO_INDEX; i = fbx->materials[i].next) {
		const bspi_fbx_material *other = &fbx->materials[*out = i];
		if (other->look.lighting == look.lighting && other->look.page == look.page &&
		    bspi_lit_is_alike(&other->lit, lit ? lit : &none)) {
			return true;
		}
	}
	textures found;
	BSPI_TRY(find_textures(fbx, &look, lit, &found));
	*out = fbx->material_count++;
	int64_t id = put_material(fbx, &look, lit, &found);
	fbx->materials[*out] = (bspi_fbx_material){ look, lit ? *lit : none, id, *first };
	*first = *out;
	return !fbx->writer->failure.status;
}
