/* shared_scene.c - see shared_scene.h. */
#include "support/make/shared_scene.h"

#include <string.h>

#include <bspscene/material.h>

#define MEMORY ((uint64_t)128 << 20)

void bspt_share_materials(const bspscene_scene *scene, uint64_t seed)
{
	for (uint32_t i = 1; i < scene->material_count; i++) {
		bspscene_material *material = (bspscene_material *)(uintptr_t)scene->materials[i];
		const bspscene_material *other = scene->materials[bspt_random(&seed) % i];
		uint32_t what = bspt_random(&seed);
		if (what & 1) material->base_image = other->base_image;
		if (what & 2) material->name = other->name;
		if (what & 4) memcpy(material->color, other->color, sizeof material->color);
		if (what & 8) material->emissive_image = other->emissive_image;
		if ((what & 48) == 48) *material = *other;
	}
}

static void share_sections(bspt_sample *s, uint64_t *seed)
{
	for (uint32_t i = 0; i < BSPT_SAMPLE_SECTIONS; i++) {
		bspscene_section *section = &s->sections[i];
		uint32_t what = bspt_random(seed);
		if (what & 1) section->material = (what >> 8) % BSPT_SAMPLE_MATERIALS;
		if (what & 2) section->surface_kind = BSPSCENE_SURFACE_VISIBLE;
		if (what & 4) section->fog = BSPSCENE_NO_INDEX;
		if (!(what & 8)) continue;
		bool paged = what & 16;
		section->lighting = paged ? BSPSCENE_LIGHTING_LIGHTMAP : BSPSCENE_LIGHTING_VERTEX;
		section->lightmap_page = s->faces[i].lightmap_page = paged ? what >> 5 & 1 : BSPSCENE_NO_INDEX;
	}
}

/* Gives each square separate light, so that materials need pictures with several gains. */
static void share_light(bspt_sample *s, uint64_t *seed)
{
	static const uint8_t levels[] = { 0, 64, 150, 200, 255 };
	for (uint32_t i = 0; i < BSPT_SAMPLE_SECTIONS; i++) {
		uint8_t light = levels[bspt_random(seed) % sizeof levels];
		for (uint32_t v = 0; v < 16; v++) if (v % 4 != 3) s->colors[16 * i + v] = light;
	}
	for (uint32_t page = 0; page < BSPT_SAMPLE_PAGES; page++) {
		uint32_t smooth = bspt_random(seed) & 1;
		for (uint32_t i = 0; smooth && i < sizeof s->luxels[page]; i++) {
			s->luxels[page][i] = levels[bspt_random(seed) % sizeof levels];
		}
	}
	uint32_t gray = bspt_random(seed);
	for (size_t i = 0; gray & 1 && i < sizeof s->pixels; i++) {
		s->pixels[i] = i % 4 == 3 ? 255 : (uint8_t)(gray >> 8 & 127);
	}
	if (gray & 2) s->page_sets[0].intensity = 1;
}

void bspt_share_sample(bspt_sample *sample, uint64_t seed)
{
	share_light(sample, &seed);
	share_sections(sample, &seed);
	bspt_share_materials(&sample->scene, seed);
}

static const struct {
	uint32_t material;
	uint8_t color;                     /* the vertex color; the scene's intensity doubles it */
} squares[2][BSPT_SQUARES] = {
	{ { 0, 150 }, { 0, 200 }, { 0, 255 }, { 1, 255 }, { 1, 60 } },
	{ { 1, 60 }, { 1, 255 }, { 0, 255 }, { 0, 200 }, { 0, 150 } },
};

double bspt_light_of_square(int order, uint32_t square)
{
	return 2 * squares[order][square].color / 255.0;
}

void bspt_sample_of_one_picture(bspt_sample *s, int order)
{
	for (size_t i = 0; i < sizeof s->pixels; i++) s->pixels[i] = i % 4 == 3 ? 255 : BSPT_TEXEL;
	s->images[BSPT_SAMPLE_IMAGE_RGBA].has_alpha = false;
	s->materials[0].base_image = BSPT_SAMPLE_IMAGE_RGBA;
	s->materials[1] = s->materials[0];
	s->meshes[0].section_count = BSPT_SQUARES;
	for (int i = 1; i < BSPT_SAMPLE_MESHES; i++) s->meshes[i].section_count = s->meshes[i].index_count = 0;
	for (uint32_t i = 0; i < BSPT_SQUARES; i++) {
		bspscene_section *section = &s->sections[i];
		section->material = squares[order][i].material;
		section->lighting = BSPSCENE_LIGHTING_VERTEX;
		section->lightmap_page = section->fog = BSPSCENE_NO_INDEX;
		section->surface_kind = BSPSCENE_SURFACE_VISIBLE;
		for (uint32_t v = 0; v < 16; v++) s->colors[16 * i + v] = v % 4 == 3 ? 255 : squares[order][i].color;
	}
}

void bspt_choose_writing(const uint8_t bytes[BSPT_WRITING_BYTES], float *styles, bspscene_write_options *out)
{
	static const float errors[] = { 0, 1, 5, 14, 64, 255 };
	for (size_t i = 0; i < 256; i++) styles[i] = (float)(bytes[13 + i % 4] * (i + 1) % 512) / 255;
	bspscene_write_options_init(out);
	out->file_name = bytes[0] & 1 ? "fuzz.out" : NULL;
	out->lighting = (bspscene_write_lighting)(bytes[1] % 5);
	out->merge = (bspscene_write_merge)(bytes[2] % 3);
	/* Drawing a sky takes long even for a tiny map, so only about one scene in 64 is written with a sky. */
	out->sky = bytes[3] <= BSPSCENE_WRITE_SKY_SURFACES ? (bspscene_write_sky)bytes[3] : BSPSCENE_WRITE_SKY_NONE;
	out->light_styles = bytes[4] & 1 ? styles : NULL;
	out->separate_styles = bytes[4] & 2;
	out->lights = bytes[4] & 4   ? BSPSCENE_WRITE_LIGHTS_NONE
	              : bytes[5] & 1 ? BSPSCENE_WRITE_LIGHTS_ALL
	              : bytes[5] > 1 ? BSPSCENE_WRITE_LIGHTS_BRIGHTEST
	                             : BSPSCENE_WRITE_LIGHTS_DEFAULT;
	out->omit_entities = bytes[4] & 8;
	out->embed_textures = bytes[4] & 16;
	out->centimeters = bytes[4] & 32;
	out->compress = bytes[4] & 64 ? (bspscene_compress)(bytes[20] % 4) : BSPSCENE_COMPRESS_NONE;
	out->max_lights = bytes[5] / 2u;
	out->light_error = errors[bytes[6] % 6];
	out->triangle_limit = bytes[7] * 16u;
	out->compression = (bspscene_compression)(bytes[8] % 3);
	out->threads = bytes[9] % 4;
	out->memory_limit = bytes[10] ? (uint64_t)bytes[10] << 14 : MEMORY;
	out->output_limit = bytes[11] ? (uint64_t)bytes[11] << 8 : (uint64_t)16 << 20;
}

const char *bspt_choose_writer(uint8_t byte)
{
	uint32_t count = 0;
	while (bspscene_writers()[count]) count++;
	return bspscene_writers()[byte % count]->name;
}
