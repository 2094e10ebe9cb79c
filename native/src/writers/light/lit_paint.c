/* lit_paint.c - the texels of charts: games' arithmetic, texture times light as both are displayed, and what shines by
 * itself on top. */
#include "writers/light/lit.h"

#include <math.h>
#include <string.h>

#include "images/images.h"
#include "passes/light_at.h"
#include "writers/light/place_uv.h"
#include "writers/writer_costs.h"

enum { MOST_MIPMAPS = 14 };

/* A texture and its halves: averages of what is displayed, as games filter. */
typedef struct texture {
	bspi_writer *writer;
	uint32_t image;                    /* of the scene; NO_INDEX: none */
	bspscene_pixels levels[MOST_MIPMAPS]; /* the first is the picture's own */
	uint32_t level_count;
} texture;

/* A corner of a triangle. */
typedef struct corner {
	float at[2];                       /* texels of the picture */
	float uv[2], light_uv[2], color[3];
} corner;

typedef struct painter {
	bspi_writer *writer;
	const bspi_lit *lit;
	uint8_t *pixels;
	uint8_t *covered;                  /* of the chart in hand, row by row */
	texture base, glow;
	/* of the chart in hand */
	const bspi_lit_chart *chart;
	const bspscene_material *material;
	bspi_light_rule rule;
	uint32_t level;                    /* of the textures: whose texels are nearest in size to the picture's */
	float glow_factor[3];
} painter;

/* ---- Textures --------------------------------------------------------------------------------------------- */

static void give_texture(texture *t)
{
	bspi_budget *budget = &t->writer->budget;
	if (t->level_count) bspi_pixels_give(budget, &t->levels[0]);
	for (uint32_t i = 1; i < t->level_count; i++) {
		bspi_heap_give(&budget->heap, t->levels[i].data);
		bspi_writer_give(t->writer, (uint64_t)t->levels[i].width * t->levels[i].height * 4);
	}
	t->level_count = 0;
	t->image = BSPSCENE_NO_INDEX;
}

static void halve(const bspscene_pixels *from, bspscene_pixels *to)
{
	for (uint32_t y = 0; y < to->height; y++) {
		uint32_t rows[2] = { 2 * y, 2 * y + 1 < from->height ? 2 * y + 1 : 2 * y };
		for (uint32_t x = 0; x < to->width; x++) {
			uint32_t columns[2] = { 2 * x, 2 * x + 1 < from->width ? 2 * x + 1 : 2 * x };
			for (uint32_t c = 0; c < 4; c++) {
				uint32_t sum = 2;
				for (int i = 0; i < 4; i++) {
					sum += from->data[4 * ((size_t)rows[i >> 1] * from->width + columns[i & 1]) + c];
				}
				to->data[4 * ((size_t)y * to->width + x) + c] = (uint8_t)(sum / 4);
			}
		}
	}
}

static bool add_halves(texture *t)
{
	while (t->level_count < MOST_MIPMAPS) {
		const bspscene_pixels *last = &t->levels[t->level_count - 1];
		if (last->width == 1 && last->height == 1) return true;
		bspscene_pixels half = { last->width > 1 ? last->width / 2 : 1, last->height > 1 ? last->height / 2 : 1, NULL };
		uint64_t size = (uint64_t)half.width * half.height * 4;
		BSPI_TRY(bspi_writer_take(t->writer, size));
		half.data = bspi_heap_take(&t->writer->budget.heap, (size_t)size);
		if (!half.data) {
			bspi_writer_give(t->writer, size);
			return bspi_writer_fail_memory(t->writer);
		}
		halve(last, &half);
		t->levels[t->level_count++] = half;
	}
	return true;
}

/* A picture that cannot be decoded is shown as its stand-in, as everywhere. */
static bool take_texture(texture *t, uint32_t image)
{
	bspi_writer *writer = t->writer;
	bspscene_error error = { .status = BSPSCENE_OK };
	if (t->image == image) return true;
	give_texture(t);
	if (image == BSPSCENE_NO_INDEX) return true;
	bspscene_image source = *writer->scene->images[image];
	bool decoded = bspi_image_decode_within(&writer->budget, &source, &t->levels[0], &error);
	if (!decoded && !writer->budget.refused && error.status != BSPSCENE_ERROR_OUT_OF_MEMORY) {
		source.format = BSPSCENE_IMAGE_MISSING;
		decoded = bspi_image_decode_within(&writer->budget, &source, &t->levels[0], &error);
	}
	if (!decoded) return bspi_writer_fail(writer, error.status, "%s", error.message);
	t->image = image;
	t->level_count = 1;
	return add_halves(t);
}

static uint32_t wrap(int64_t at, uint32_t size, bool clamp)
{
	if (clamp) return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
	int64_t rest = at % size;
	return (uint32_t)(rest < 0 ? rest + size : rest);
}

/* Where a coordinate is between two texels; far out, where floats have no more digits, it is one of them. */
static float split(float coordinate, uint32_t size, bool clamp, uint32_t texels[2])
{
	double at = fmin(fmax((double)coordinate, -1e9), 1e9) * size - 0.5, low = floor(at);
	for (int i = 0; i < 2; i++) texels[i] = wrap((int64_t)low + i, size, clamp);
	return (float)(at - low);
}

static void sample(const texture *t, uint32_t level, const float uv[2], bool clamp, float out[3])
{
	const bspscene_pixels *pixels = &t->levels[level < t->level_count ? level : t->level_count - 1];
	uint32_t x[2], y[2];
	float fx = split(uv[0], pixels->width, clamp, x), fy = split(uv[1], pixels->height, clamp, y);
	for (size_t c = 0; c < 3; c++) {
		float rows[2];
		for (int r = 0; r < 2; r++) {
			const uint8_t *row = pixels->data + 4 * (size_t)y[r] * pixels->width + c;
			rows[r] = (float)row[4 * (size_t)x[0]] * (1 - fx) + (float)row[4 * (size_t)x[1]] * fx;
		}
		out[c] = (rows[0] * (1 - fy) + rows[1] * fy) / 255;
	}
}

/* ---- Triangles -------------------------------------------------------------------------------------------- */

static corner corner_of(const painter *p, uint32_t vertex)
{
	const bspscene_mesh *mesh = p->writer->scene->meshes[p->chart->mesh];
	corner out;
	bspi_lit_texel(p->writer->scene, p->chart, vertex, out.at);
	bspi_place_uv(p->material, mesh->uvs + 2 * (size_t)vertex, out.uv);
	memcpy(out.light_uv, mesh->lightmap_uvs + 2 * (size_t)vertex, sizeof out.light_uv);
	for (size_t i = 0; i < 3; i++) out.color[i] = mesh->colors ? (float)mesh->colors[4 * (size_t)vertex + i] / 255 : 1;
	return out;
}

static float mix3(float a, float b, float c, const float shares[3])
{
	return a * shares[0] + b * shares[1] + c * shares[2];
}

static void shade(const painter *p, const corner k[3], const float shares[3], uint8_t out[3])
{
	float uv[2], light_uv[2], color[3], light[3], texel[3] = { 1, 1, 1 }, glow[3] = { 0, 0, 0 };
	for (int i = 0; i < 2; i++) {
		uv[i] = mix3(k[0].uv[i], k[1].uv[i], k[2].uv[i], shares);
		light_uv[i] = mix3(k[0].light_uv[i], k[1].light_uv[i], k[2].light_uv[i], shares);
	}
	for (int i = 0; i < 3; i++) color[i] = mix3(k[0].color[i], k[1].color[i], k[2].color[i], shares);
	bspi_displayed_light_at(&p->rule, light_uv, color, light);
	if (p->base.level_count) sample(&p->base, p->level, uv, p->material->clamp, texel);
	if (p->glow.level_count) sample(&p->glow, p->level, uv, p->material->clamp, glow);
	for (int i = 0; i < 3; i++) {
		float lit = fminf(texel[i] * p->material->color[i] * light[i], 1) + glow[i] * p->glow_factor[i];
		out[i] = (uint8_t)(fminf(fmaxf(lit, 0), 1) * 255 + 0.5f);
	}
}

static float edge(const float a[2], const float b[2], float x, float y)
{
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Texels from *first to before *end of one side of the chart that the triangle reaches. */
static void reach(const corner k[3], int axis, uint32_t begin, uint32_t size, uint32_t *first, uint32_t *end)
{
	float low = fminf(k[0].at[axis], fminf(k[1].at[axis], k[2].at[axis]));
	float high = fmaxf(k[0].at[axis], fmaxf(k[1].at[axis], k[2].at[axis]));
	float least = (float)begin, most = (float)(begin + size);
	*first = (uint32_t)fminf(fmaxf(floorf(low), least), most);
	*end = (uint32_t)fminf(fmaxf(ceilf(high) + 1, least), most);
}

static void paint_triangle(const painter *p, const uint32_t *indices)
{
	const bspi_lit_chart *chart = p->chart;
	corner k[3];
	uint32_t x0, x1, y0, y1;
	for (int i = 0; i < 3; i++) k[i] = corner_of(p, indices[i]);
	float area = edge(k[0].at, k[1].at, k[2].at[0], k[2].at[1]);
	if (!(fabsf(area) > 0)) return;
	reach(k, 0, chart->x, chart->width, &x0, &x1);
	reach(k, 1, chart->y, chart->height, &y0, &y1);
	for (uint32_t y = y0; y < y1; y++) {
		for (uint32_t x = x0; x < x1; x++) {
			float shares[3], least = 0;
			for (int i = 0; i < 3; i++) {
				shares[i] = edge(k[(i + 1) % 3].at, k[(i + 2) % 3].at, (float)x + 0.5f, (float)y + 0.5f) / area;
				least = fminf(least, shares[i]);
			}
			if (!(least >= 0)) continue;
			shade(p, k, shares, p->pixels + 3 * ((size_t)y * p->lit->width + x));
			p->covered[(size_t)(y - chart->y) * chart->width + (x - chart->x)] = 1;
		}
	}
}

/* ---- Rims ------------------------------------------------------------------------------------------------- */

/* Colour of a texel that is not covered: the mean of its neighbours that are. */
static bool mean_of_neighbours(const painter *p, uint32_t x, uint32_t y, uint8_t out[3])
{
	const bspi_lit_chart *chart = p->chart;
	uint32_t sums[3] = { 0, 0, 0 }, count = 0;
	for (uint32_t j = y ? y - 1 : 0; j <= y + 1 && j < chart->height; j++) {
		for (uint32_t i = x ? x - 1 : 0; i <= x + 1 && i < chart->width; i++) {
			if (p->covered[(size_t)j * chart->width + i] != 1) continue;
			const uint8_t *pixel = p->pixels + 3 * ((size_t)(chart->y + j) * p->lit->width + chart->x + i);
			for (int c = 0; c < 3; c++) sums[c] += pixel[c];
			count++;
		}
	}
	for (int c = 0; c < 3; c++) out[c] = (uint8_t)(count ? (sums[c] + count / 2) / count : 0);
	return count > 0;
}

/* Two texels around what is covered, which filters and mipmaps of hosts mix in. */
static void grow_rim(const painter *p)
{
	const bspi_lit_chart *chart = p->chart;
	size_t count = (size_t)chart->width * chart->height;
	for (int round = 0; round < 2; round++) {
		for (uint32_t y = 0; y < chart->height; y++) {
			for (uint32_t x = 0; x < chart->width; x++) {
				uint8_t *mark = &p->covered[(size_t)y * chart->width + x];
				uint8_t *pixel = p->pixels + 3 * ((size_t)(chart->y + y) * p->lit->width + chart->x + x);
				if (!*mark && mean_of_neighbours(p, x, y, pixel)) *mark = 2;
			}
		}
		for (size_t i = 0; i < count; i++) p->covered[i] = p->covered[i] != 0;
	}
}

/* ---- Charts ----------------------------------------------------------------------------------------------- */

static bool paint_chart(painter *p, const bspi_lit_chart *chart)
{
	const bspscene_scene *scene = p->writer->scene;
	const bspscene_mesh *mesh = scene->meshes[chart->mesh];
	const bspscene_section *section = mesh->sections[chart->section];
	p->chart = chart;
	p->material = scene->materials[section->material];
	p->rule = bspi_light_rule_of(scene, mesh, section);
	p->level = (uint32_t)(log2(fmax((double)(chart->detail / chart->density), 1)) + 0.5);
	const float *emissive = p->material->emissive;
	bool dark = emissive[0] <= 0 && emissive[1] <= 0 && emissive[2] <= 0;
	for (int i = 0; i < 3; i++) p->glow_factor[i] = dark ? 1 : emissive[i];
	BSPI_TRY(take_texture(&p->glow, p->material->emissive_image));
	memset(p->covered, 0, (size_t)chart->width * chart->height);
	for (uint32_t i = 0; i < chart->index_count; i += 3) paint_triangle(p, mesh->indices + chart->first_index + i);
	grow_rim(p);
	return bspi_writer_worked(p->writer, "textures", bspi_cost_of_lit_texels((uint64_t)chart->width * chart->height));
}

/* Chains charts with the same base image; the last chain is of those without. */
static uint32_t *chain_charts(bspi_writer *writer, bspi_lit *lit)
{
	uint32_t count = writer->scene->image_count + 1;
	uint32_t *firsts = bspi_writer_push(writer, uint32_t, count);
	for (uint32_t i = 0; firsts && i < count; i++) firsts[i] = BSPSCENE_NO_INDEX;
	for (uint32_t i = lit->chart_count; firsts && i-- > 0;) {
		bspi_lit_chart *chart = &lit->charts[i];
		const bspscene_section *section = writer->scene->meshes[chart->mesh]->sections[chart->section];
		uint32_t image = writer->scene->materials[section->material]->base_image;
		uint32_t *first = &firsts[image == BSPSCENE_NO_INDEX ? count - 1 : image];
		chart->next = *first;
		*first = i;
	}
	return firsts;
}

static bool paint_all(painter *p, bspi_lit *lit)
{
	uint32_t image_count = p->writer->scene->image_count, largest = 0;
	uint32_t *firsts = chain_charts(p->writer, lit);
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		uint32_t size = lit->charts[i].width * lit->charts[i].height;
		if (size > largest) largest = size;
	}
	p->covered = bspi_writer_push(p->writer, uint8_t, largest);
	BSPI_TRY(firsts && p->covered);
	for (uint32_t image = 0; image <= image_count; image++) {
		if (firsts[image] == BSPSCENE_NO_INDEX) continue;
		BSPI_TRY(take_texture(&p->base, image == image_count ? BSPSCENE_NO_INDEX : image));
		for (uint32_t i = firsts[image]; i != BSPSCENE_NO_INDEX; i = lit->charts[i].next) {
			BSPI_TRY(paint_chart(p, &lit->charts[i]));
		}
	}
	return true;
}

bool bspi_lit_paint(bspi_writer *writer, bspi_lit *lit, uint8_t *pixels)
{
	painter p = {
		.writer = writer, .lit = lit, .pixels = pixels,
		.base = { .writer = writer, .image = BSPSCENE_NO_INDEX },
		.glow = { .writer = writer, .image = BSPSCENE_NO_INDEX },
	};
	bool painted = paint_all(&p, lit);
	give_texture(&p.base);
	give_texture(&p.glow);
	return painted;
}
