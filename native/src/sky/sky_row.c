/* sky_row.c - see sky_row.h. */
#include "sky/sky_row.h"

#include <string.h>

#include <bspscene/material.h>

#include "drawing/stage.h"

/* What texture coordinates are for: the box, the scrolling layers, or the stages of the clouds. */
enum { ON_BOX, ON_LAYERS, ON_CLOUDS };

typedef const float (*uvs_of_row)[2];

static uint32_t stages_of(const bspscene_material *material)
{
	return material->sky->cloud_height > 0 ? material->pass_count : 0;
}

bool bspi_sky_brush_begin(bspi_sky_brush *brush, bspi_arena *arena, const bspi_sky_view *view,
                          const bspscene_material *material, uint32_t size)
{
	uint32_t stages = stages_of(material);
	*brush = (bspi_sky_brush){ .view = view, .material = material };
	brush->passes = bspi_arena_alloc_unset(arena, stages, sizeof *brush->passes);
	brush->lods = bspi_arena_alloc_unset(arena, size, sizeof *brush->lods);
	brush->moved = bspi_arena_alloc_unset(arena, size, sizeof *brush->moved);
	brush->texels = bspi_arena_alloc_unset(arena, size, sizeof *brush->texels);
	if (!brush->passes || !brush->lods || !brush->moved || !brush->texels) return false;
	for (uint32_t i = 0; i < stages; i++) brush->passes[i] = bspi_cloud_pass_of(view, material, i);
	return true;
}

/* ---- Coordinates ------------------------------------------------------------------------------------------ */

bool bspi_sky_row_begin(bspi_sky_row *row, bspi_arena *arena, const bspscene_material *material, uint32_t size)
{
	size_t kinds = ON_CLOUDS + stages_of(material);
	*row = (bspi_sky_row){ .size = size };
	row->directions = bspi_arena_alloc_unset(arena, size, sizeof *row->directions);
	row->sides = bspi_arena_alloc_unset(arena, size, sizeof *row->sides);
	row->spots = bspi_arena_alloc_unset(arena, size, sizeof *row->spots);
	row->uvs = bspi_arena_alloc_unset(arena, kinds * size, sizeof *row->uvs);
	return row->directions && row->sides && row->spots && row->uvs;
}

static float (*uvs_at(const bspi_sky_row *row, uint32_t kind))[2]
{
	return row->uvs + (size_t)kind * row->size;
}

static void find_clouds(const bspi_cloud_corners *corners, const bspi_sky_spot *spots, uint32_t count,
                        float (*uvs)[2])
{
	for (uint32_t x = 0; x < count; x++) {
		const bspi_cloud_triangle *t = &corners->triangles[spots[x].triangle];
		const float *share = spots[x].share;
		for (int i = 0; i < 2; i++) uvs[x][i] = t->first[i] + t->more[0][i] * share[0] + t->more[1][i] * share[1];
	}
}

void bspi_sky_row_find(const bspi_sky_brush *brush, bspi_sky_row *row, const bspi_sky_row *above, uint32_t count)
{
	const bspscene_sky *sky = brush->material->sky;
	const float (*directions)[3] = (const float (*)[3])row->directions;
	uint32_t stages = stages_of(brush->material);
	bspi_box_sides(directions, count, row->sides, uvs_at(row, ON_BOX));
	row->only_floor = true;
	for (uint32_t x = 0; x < count && row->only_floor; x++) row->only_floor = row->sides[x] == BSPI_SKY_DOWN;
	for (uint32_t x = 0; bspi_sky_has_layers(sky) && x < count; x++) {
		bspi_sky_layer_uv(directions[x], uvs_at(row, ON_LAYERS)[x]);
	}
	bool unseen = row->only_floor && above && above->only_floor;
	if (!stages || unseen) return;
	bspi_sky_spots_of(row->sides, (uvs_of_row)uvs_at(row, ON_BOX), count, row->spots);
	for (uint32_t i = 0; i < stages; i++) {
		find_clouds(&brush->view->corners[i], row->spots, count, uvs_at(row, ON_CLOUDS + i));
	}
}

bspi_sky_row bspi_sky_row_after(const bspi_sky_row *row)
{
	bspi_sky_row out = *row;
	out.directions++;
	out.sides++;
	out.spots++;
	out.uvs++;
	return out;
}

uint32_t bspi_sky_row_end(const bspi_sky_row *row, uint32_t first, uint32_t end)
{
	uint32_t x = first + 1;
	while (x < end && row->sides[x] == row->sides[first]) x++;
	return x;
}

/* ---- Colors of texels on one side of the box --------------------------------------------------------------- */

/* Texture coordinates of one kind (ON_BOX, ...): `own` for consecutive texels, `right` for the texels to the right of
 * them, and `below` for the texels below them. */
typedef struct run {
	uvs_of_row own, right, below;
	uint32_t count;
} run;

static run run_of(const bspi_sky_row *const rows[3], uint32_t kind, uint32_t first, uint32_t end)
{
	return (run){ (uvs_of_row)uvs_at(rows[0], kind) + first, (uvs_of_row)uvs_at(rows[1], kind) + first,
	              (uvs_of_row)uvs_at(rows[2], kind) + first, end - first };
}

static void draw_box(const bspi_sky_brush *brush, const bspi_mips *texture, const run *r, float (*colors)[4])
{
	uvs_of_row uvs = r->own;
	float stretch = bspi_sky_side_stretch(texture);
	bspi_mips_row_lods(texture, r->own, r->right, r->below, r->count, brush->lods);
	for (uint32_t x = 0; stretch > 1 && x < r->count; x++) {
		brush->moved[x][0] = r->own[x][0];
		brush->moved[x][1] = r->own[x][1] * stretch;
	}
	if (stretch > 1) uvs = (uvs_of_row)brush->moved;
	bspi_mips_sample_row(texture, uvs, brush->lods, r->count, true, colors);
}

static void draw_layers(const bspi_sky_brush *brush, const run *r, float (*colors)[4])
{
	const bspscene_sky *sky = brush->material->sky;
	for (int i = 0; i < 2; i++) {
		if (sky->layers[i] == BSPSCENE_NO_INDEX) continue;
		const bspi_mips *texture = &brush->view->textures[sky->layers[i]];
		float scroll = bspi_sky_layer_scroll(i, brush->view->time);
		for (uint32_t x = 0; x < r->count; x++) {
			for (int k = 0; k < 2; k++) brush->moved[x][k] = scroll + r->own[x][k];
		}
		bspi_mips_row_lods(texture, r->own, r->right, r->below, r->count, brush->lods);
		bspi_mips_sample_row(texture, (uvs_of_row)brush->moved, brush->lods, r->count, false, brush->texels);
		for (uint32_t x = 0; x < r->count; x++) bspi_sky_add_layer(i, brush->texels[x], colors[x]);
	}
}

static void draw_pass(const bspi_sky_brush *brush, const bspi_cloud_pass *pass, const run *r, float (*colors)[4])
{
	const bspscene_material_pass *stage = pass->stage;
	if (pass->texture) {
		bspi_mips_row_lods(pass->texture, r->own, r->right, r->below, r->count, brush->lods);
		bspi_mips_sample_row(pass->texture, r->own, brush->lods, r->count, stage->clamp, brush->texels);
	}
	for (uint32_t x = 0; !pass->texture && x < r->count; x++) {
		for (int k = 0; k < 4; k++) brush->texels[x][k] = 1;
	}
	bspi_blend_row(stage->src_blend, stage->dst_blend, pass->factors, r->count, (const float (*)[4])brush->texels,
	               colors, 1);
}

static void draw_run(const bspi_sky_brush *brush, const bspi_sky_row *const rows[3], uint32_t first, uint32_t end,
                     float (*colors)[4])
{
	const bspscene_sky *sky = brush->material->sky;
	uint32_t side = rows[0]->sides[first], stages = side == BSPI_SKY_DOWN ? 0 : stages_of(brush->material);
	bool fogs = stages && bspi_sky_has_fogs(brush->view, brush->material);
	const run on_box = run_of(rows, ON_BOX, first, end), on_layers = run_of(rows, ON_LAYERS, first, end);
	if (sky->box[side] == BSPSCENE_NO_INDEX) memset(colors, 0, (end - first) * sizeof *colors);
	else draw_box(brush, &brush->view->textures[sky->box[side]], &on_box, colors);
	if (bspi_sky_has_layers(sky)) draw_layers(brush, &on_layers, colors);
	for (uint32_t i = 0; i < stages; i++) {
		const run on_dome = run_of(rows, ON_CLOUDS + i, first, end);
		draw_pass(brush, &brush->passes[i], &on_dome, colors);
	}
	for (uint32_t x = first; fogs && x < end; x++) {
		bspi_sky_draw_fogs(brush->view, rows[0]->directions[x], colors[x - first]);
	}
	for (uint32_t x = first; brush->view->map_fog && x < end; x++) {
		bspi_sky_draw_map_fog(brush->view, colors[x - first]);
	}
}

void bspi_sky_row_draw(const bspi_sky_brush *brush, const bspi_sky_row *row, const bspi_sky_row *right,
                       const bspi_sky_row *below, uint32_t first, uint32_t end, float (*colors)[4])
{
	const bspi_sky_row *const rows[3] = { row, right, below };
	for (uint32_t next; first < end; first = next) {
		next = bspi_sky_row_end(row, first, end);
		draw_run(brush, rows, first, next, colors);
		colors += next - first;
	}
}
