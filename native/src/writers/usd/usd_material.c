/* usd_material.c - writes each material as a Material with a UsdPreviewSurface, all in one scope. If lamps light a
 * surface, its texture is connected to diffuseColor. Otherwise its texture is connected to emissiveColor, and all
 * other colors are black. No reader multiplies two textures, so the texture shader of the lightmap page is written but
 * not connected. Tools can find the file and the coordinates of the page in that shader. */
#include "writers/usd/usd.h"

#include <string.h>

#include <bspscene/material.h>

#include "images/display.h"

typedef struct pictures {
	uint32_t base, emissive, normal, page, lit; /* indices in the picture set; NO_INDEX: no picture */
} pictures;

static bool shines_alone(const bspi_usd *usd, const bspi_look *look)
{
	return usd->writer->options.lighting != BSPSCENE_WRITE_LIGHTING_LIGHTMAP || bspi_look_is_unlit(usd->writer, look);
}

static bool find_image(bspi_usd *usd, uint32_t image, bspi_picture_use use, uint32_t *out)
{
	*out = BSPSCENE_NO_INDEX;
	return image == BSPSCENE_NO_INDEX || bspi_picture_set_image(&usd->pictures, image, use, out);
}

/* Finds the pictures of a material. If its surfaces are in the baked picture, the texture is needed only for alpha. */
static bool find_pictures(bspi_usd *usd, const bspi_usd_material *own, pictures *out)
{
	const bspi_look *look = &own->look;
	const bspscene_material *material = usd->scene->materials[look->material];
	bool lit = !shines_alone(usd, look);
	bspi_picture_use normal = bspi_normal_picture_use(material);
	uint32_t base = own->lit_alone ? BSPSCENE_NO_INDEX : material->base_image;
	out->lit = own->lit.in_picture ? usd->lit_pictures[own->lit.sheet] : BSPSCENE_NO_INDEX;
	BSPI_TRY(find_image(usd, base, bspi_base_picture_use(material), &out->base));
	BSPI_TRY(find_image(usd, lit ? material->emissive_image : BSPSCENE_NO_INDEX, BSPI_PICTURE_OPAQUE, &out->emissive));
	BSPI_TRY(find_image(usd, lit ? material->normal_image : BSPSCENE_NO_INDEX, normal, &out->normal));
	out->page = BSPSCENE_NO_INDEX;
	return look->page == BSPSCENE_NO_INDEX || bspi_picture_set_page(&usd->pictures, look->page, &out->page);
}

/* ---- Shaders ---------------------------------------------------------------------------------------------- */

static void open_shader(bspi_usd *usd, const char *name, const char *id)
{
	bspi_usd_line(&usd->text, "def Shader \"%s\"", name);
	bspi_usd_open(&usd->text, '{');
	bspi_usd_line(&usd->text, "uniform token info:id = \"%s\"", id);
}

static void put_coordinates(bspi_usd *usd, const char *name, const char *set)
{
	open_shader(usd, name, "UsdPrimvarReader_float2");
	bspi_usd_line(&usd->text, "string inputs:varname = \"%s\"", set);
	bspi_usd_line(&usd->text, "float2 outputs:result");
	bspi_usd_close(&usd->text, '}');
}

/* Connects an input of a shader of this material to "PATH/SHADER.outputs:NAME". */
static void connect(bspi_usd *usd, const char *material, const char *input, const char *shader, const char *output)
{
	bspi_usd_line(&usd->text, "%s.connect = </%s/Materials/%s/%s.outputs:%s>", input, usd->root, material, shader,
	              output);
}

static void put_file(bspi_usd *usd, uint32_t picture)
{
	const char *name = usd->pictures.items[picture].file_name;
	bspi_usd_asset(&usd->text, "asset inputs:file", name);
}

/* Writes a shader that reads a texture: a color, which is multiplied by `factor`, or a normal map. */
static void put_texture(bspi_usd *usd, const char *material, const char *name, uint32_t picture, const float *factor,
                        bool clamp, const char *coordinates)
{
	static const float normal_scale[4] = { 2, 2, 2, 1 }, normal_bias[4] = { -1, -1, -1, 0 };
	bspi_usd_text *text = &usd->text;
	const char *wrap = clamp ? "clamp" : "repeat";
	open_shader(usd, name, "UsdUVTexture");
	put_file(usd, picture);
	connect(usd, material, "float2 inputs:st", coordinates, "result");
	bspi_usd_line(text, "token inputs:wrapS = \"%s\"", wrap);
	bspi_usd_line(text, "token inputs:wrapT = \"%s\"", wrap);
	bspi_usd_line(text, "token inputs:sourceColorSpace = \"%s\"", factor ? "sRGB" : "raw");
	if (!factor) {
		bspi_usd_tuple(text, "float4 inputs:scale", normal_scale, 4);
		bspi_usd_tuple(text, "float4 inputs:bias", normal_bias, 4);
	} else if (factor[0] != 1 || factor[1] != 1 || factor[2] != 1 || factor[3] != 1) {
		bspi_usd_tuple(text, "float4 inputs:scale", factor, 4);
	}
	bspi_usd_line(text, "float3 outputs:rgb");
	bspi_usd_line(text, "float outputs:a");
	bspi_usd_close(text, '}');
}

/* Computes the factor of the base texture, which is the material's color. If light is baked and the surface is not in
 * the baked picture, the color is multiplied by the mean light. */
static void base_factor(const bspi_usd *usd, const bspi_usd_material *own, float out[4])
{
	static const bspi_lit_section as_it_is = { .light = { 1, 1, 1 } };
	bool baked = usd->writer->options.lighting == BSPSCENE_WRITE_LIGHTING_BAKED;
	bspi_lit_factor(usd->scene->materials[own->look.material], baked ? &own->lit : &as_it_is, out);
}

/* Computes the emissive color. If the material has none, returns false and sets `out` to white, so that it can be the
 * factor of a glow picture. */
static bool emissive_factor(const bspscene_material *material, float out[4])
{
	bool dark = true;
	out[3] = 1;
	for (int i = 0; i < 3; i++) {
		out[i] = material->emissive[i] > 0 ? bspi_linear_from_display(material->emissive[i]) : 0;
		dark = dark && out[i] == 0;
	}
	for (int i = 0; dark && i < 3; i++) out[i] = 1;
	return !dark;
}

/* ---- Surfaces --------------------------------------------------------------------------------------------- */

static void put_alpha(bspi_usd *usd, const bspscene_material *material, const char *name, bool has_picture)
{
	bool masked = material->alpha_mode == BSPSCENE_ALPHA_MODE_MASK, blended = bspi_is_blended(material);
	if (!masked && !blended) return;
	if (!has_picture) bspi_usd_number(&usd->text, "float inputs:opacity", bspi_clamp_unit(material->color[3]));
	else connect(usd, name, "float inputs:opacity", "Base", "a");
	if (masked) bspi_usd_number(&usd->text, "float inputs:opacityThreshold", bspi_clamp_unit(material->alpha_cutoff));
}

static void put_color(bspi_usd *usd, const char *input, const float color[3])
{
	bspi_usd_tuple(&usd->text, input, color, 3);
}

static void put_surface(bspi_usd *usd, const bspi_usd_material *own, const pictures *found)
{
	static const float black[3];
	static const char diffuse[] = "color3f inputs:diffuseColor", emissive[] = "color3f inputs:emissiveColor";
	const bspscene_material *material = usd->scene->materials[own->look.material];
	bool alone = shines_alone(usd, &own->look), has_base = found->base != BSPSCENE_NO_INDEX;
	const char *slot = alone ? emissive : diffuse, *name = own->name;
	float color[4], glow[4];
	base_factor(usd, own, color);
	open_shader(usd, "Surface", "UsdPreviewSurface");
	bspi_usd_line(&usd->text, "float inputs:metallic = 0");
	bspi_usd_line(&usd->text, "float inputs:roughness = 1");
	bspi_usd_line(&usd->text, "int inputs:useSpecularWorkflow = 1");
	put_color(usd, "color3f inputs:specularColor", black);
	if (alone) put_color(usd, diffuse, black);
	if (found->lit != BSPSCENE_NO_INDEX) connect(usd, name, slot, "Lit", "rgb");
	else if (has_base) connect(usd, name, slot, "Base", "rgb");
	else put_color(usd, slot, color);
	bool glows = emissive_factor(material, glow);
	if (found->emissive != BSPSCENE_NO_INDEX) connect(usd, name, emissive, "Glow", "rgb");
	else if (!alone && glows) put_color(usd, emissive, glow);
	if (found->normal != BSPSCENE_NO_INDEX) connect(usd, name, "normal3f inputs:normal", "Normal", "rgb");
	put_alpha(usd, material, name, has_base);
	bspi_usd_line(&usd->text, "token outputs:surface");
	bspi_usd_close(&usd->text, '}');
}

static void put_facts(bspi_usd *usd, const bspi_look *look, const pictures *found)
{
	json_t *facts = bspi_material_facts(usd->writer, look);
	if (bspi_look_is_unlit(usd->writer, look)) bspi_json_set(usd->writer, facts, "unlit", json_true());
	if (found->page != BSPSCENE_NO_INDEX) {
		const bspi_set_picture *page = &usd->pictures.items[found->page];
		float gain = bspi_linear_gain(usd->scene->lightmap_sets[0].intensity) * page->peak;
		bspi_json_set(usd->writer, facts, "lightmap", json_string(page->file_name));
		bspi_json_set(usd->writer, facts, "lightmapIntensity", bspi_json_float(gain));
	}
	bspi_usd_line(&usd->text, "customData = {");
	usd->text.depth++;
	bspi_usd_dictionary(&usd->text, "bspscene", facts);
	bspi_usd_close(&usd->text, '}');
	json_decref(facts);
}

static void put_shaders(bspi_usd *usd, const bspi_usd_material *own, const pictures *found)
{
	static const float white[4] = { 1, 1, 1, 1 };
	static const char st[] = "Coordinates", st1[] = "LightmapCoordinates";
	const bspscene_material *material = usd->scene->materials[own->look.material];
	const char *name = own->name;
	bool clamp = material->clamp;
	float color[4], glow[4];
	base_factor(usd, own, color);
	emissive_factor(material, glow);
	bool used = found->base != BSPSCENE_NO_INDEX || found->emissive != BSPSCENE_NO_INDEX ||
	            found->normal != BSPSCENE_NO_INDEX;
	if (used || own->lit_alone) put_coordinates(usd, st, "st");
	if (found->base != BSPSCENE_NO_INDEX) put_texture(usd, name, "Base", found->base, color, clamp, st);
	if (found->emissive != BSPSCENE_NO_INDEX) put_texture(usd, name, "Glow", found->emissive, glow, clamp, st);
	if (found->normal != BSPSCENE_NO_INDEX) put_texture(usd, name, "Normal", found->normal, NULL, clamp, st);
	if (bspi_usd_has_st1(own)) put_coordinates(usd, st1, "st1");
	if (found->page != BSPSCENE_NO_INDEX) put_texture(usd, name, "Lightmap", found->page, white, true, st1);
	if (found->lit == BSPSCENE_NO_INDEX) return;
	put_texture(usd, name, "Lit", found->lit, white, true, own->lit_alone ? st : st1);
}

static bool put_material(bspi_usd *usd, const bspi_usd_material *own)
{
	pictures found;
	const bspi_look *look = &own->look;
	const char *name = own->name;
	bspi_usd_text *text = &usd->text;
	const char *own_name = usd->scene->materials[look->material]->name;
	BSPI_TRY(find_pictures(usd, own, &found));
	bspi_usd_line(text, "def Material \"%s\" (", name);
	text->depth++;
	if (strcmp(name, own_name) != 0) bspi_usd_string(text, "displayName", own_name);
	put_facts(usd, look, &found);
	bspi_usd_close(text, ')');
	bspi_usd_open(text, '{');
	connect(usd, name, "token outputs:surface", "Surface", "surface");
	put_surface(usd, own, &found);
	put_shaders(usd, own, &found);
	bspi_usd_close(text, '}');
	return !usd->writer->failure.status;
}

/* ---- All materials ---------------------------------------------------------------------------------------- */

static bool find_material(bspi_usd *usd, const bspscene_section *section, const bspi_lit_section *lit, uint32_t *out)
{
	const bspi_look look = bspi_look_of(usd->writer, section);
	uint32_t *first = &usd->first_materials[look.material];
	for (uint32_t i = *first; i != BSPSCENE_NO_INDEX; i = usd->materials[i].next) {
		const bspi_look *other = &usd->materials[i].look;
		*out = i;
		if (other->lighting == look.lighting && other->page == look.page &&
		    bspi_lit_is_alike(&usd->materials[i].lit, lit)) {
			return true;
		}
	}
	bspi_usd_material *material = &usd->materials[*out = usd->material_count++];
	const bspscene_material *source = usd->scene->materials[look.material];
	*material = (bspi_usd_material){ .look = look, .lit = *lit, .next = *first };
	material->lit_alone =
		lit->in_picture && source->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE && !bspi_is_blended(source);
	*first = *out;
	bspi_usd_take_identifier(&usd->material_names, usd->scene->materials[look.material]->name, *out, material->name);
	return put_material(usd, material);
}

static bool find_of_mesh(bspi_usd *usd, uint32_t index)
{
	static const bspi_lit_section unlit;
	const bspscene_mesh *mesh = usd->scene->meshes[index];
	const bspi_lit_section *lit = usd->lit.sections ? usd->lit.sections[index] : NULL;
	usd->section_materials[index] = bspi_writer_push(usd->writer, uint32_t, mesh->section_count);
	BSPI_TRY(usd->section_materials[index]);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		uint32_t *material = &usd->section_materials[index][s];
		*material = BSPSCENE_NO_INDEX;
		if (bspi_count_indices(mesh, mesh->sections[s])) {
			BSPI_TRY(find_material(usd, mesh->sections[s], lit ? &lit[s] : &unlit, material));
		}
	}
	return true;
}

bool bspi_usd_put_materials(bspi_usd *usd)
{
	const bspscene_scene *scene = usd->scene;
	size_t section_count = 0;
	bool *shown;
	for (uint32_t m = 0; m < scene->mesh_count; m++) section_count += scene->meshes[m]->section_count;
	usd->materials = bspi_writer_push(usd->writer, bspi_usd_material, section_count);
	usd->first_materials = bspi_writer_push(usd->writer, uint32_t, scene->material_count);
	usd->section_materials = bspi_writer_push(usd->writer, uint32_t *, scene->mesh_count);
	BSPI_TRY(usd->materials && usd->first_materials && usd->section_materials);
	BSPI_TRY(bspi_mark_shown(usd->writer, &shown) &&
	         bspi_names_init(usd->writer, &usd->material_names, section_count));
	for (uint32_t i = 0; i < scene->material_count; i++) usd->first_materials[i] = BSPSCENE_NO_INDEX;
	bspi_usd_line(&usd->text, "def Scope \"Materials\"");
	bspi_usd_open(&usd->text, '{');
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (shown[m]) BSPI_TRY(find_of_mesh(usd, m));
	}
	bspi_usd_close(&usd->text, '}');
	return true;
}
