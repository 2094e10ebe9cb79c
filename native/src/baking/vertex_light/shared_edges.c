/* shared_edges.c - finds the edges of a mesh by the positions of their ends, in a hash table. See vertex_light.h. */
#include "baking/vertex_light/vertex_light.h"

#include "base/vec.h"

/* Number of slots: a power of two, at least twice the elements. */
static size_t slots_for(size_t count)
{
	size_t slots = 16;
	while (slots < 2 * count) slots *= 2;
	return slots;
}

static size_t slot_of(uint64_t key, size_t slot_count)
{
	uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(mixed >> 32) & (slot_count - 1);
}

/* ---- Places ----------------------------------------------------------------------------------------------- */

static uint64_t key_of_position(const float position[3])
{
	uint64_t key = 0;
	for (int k = 0; k < 3; k++) {
		float number = position[k] + 0.0f; /* Maps -0 to 0. */
		uint32_t bits;
		memcpy(&bits, &number, sizeof bits);
		key = (key ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
		key ^= key >> 29;
	}
	return key;
}

/* Returns the first vertex at the same position. Hash table slots hold vertex indices plus 1. */
static uint32_t find_place(const float *positions, uint32_t *slots, size_t slot_count, uint32_t vertex)
{
	const float *position = positions + 3 * (size_t)vertex;
	size_t at = slot_of(key_of_position(position), slot_count);
	for (; slots[at]; at = (at + 1) & (slot_count - 1)) {
		if (bspi_equal3(positions + 3 * (size_t)(slots[at] - 1), position)) return slots[at] - 1;
	}
	slots[at] = vertex + 1;
	return vertex;
}

bool bspi_find_places(bspi_ctx *ctx, bspi_light_mesh *mesh)
{
	uint32_t count = mesh->mesh->vertex_count;
	size_t slot_count = slots_for(count);
	uint32_t *slots = bspi_push(ctx, &ctx->stage, uint32_t, slot_count);
	mesh->places = bspi_push_unset(ctx, &ctx->scratch, count, sizeof *mesh->places);
	mesh->levels = bspi_push_unset(ctx, &ctx->scratch, count, 3 * sizeof *mesh->levels);
	BSPI_TRY(slots && mesh->places && mesh->levels);
	if (count) memset(mesh->levels, 0, (size_t)count * 3 * sizeof *mesh->levels);
	for (uint32_t i = 0; i < count; i++) {
		mesh->places[i] = find_place(mesh->mesh->positions, slots, slot_count, i);
	}
	for (uint32_t s = 0; s < mesh->mesh->section_count; s++) {
		const bspscene_section *section = mesh->mesh->sections[s];
		const bspi_light_source *source = &mesh->sources[s];
		for (uint32_t i = section->first_vertex; i < section->first_vertex + section->vertex_count; i++) {
			float place[2], color[3];
			bspi_place_on_page(mesh, source, i, place);
			bspi_color_of_vertex(mesh, i, color);
			bspi_light_levels(source, place, color, mesh->levels + 3 * (size_t)i);
		}
	}
	bspi_arena_reset(&ctx->stage);
	return true;
}

/* ---- Edges ------------------------------------------------------------------------------------------------ */

static bspi_shared_edge *find_edge(bspi_light_mesh *mesh, uint32_t *slots, size_t slot_count, uint32_t low,
                                   uint32_t high)
{
	size_t at = slot_of((uint64_t)low << 32 | high, slot_count);
	for (; slots[at]; at = (at + 1) & (slot_count - 1)) {
		bspi_shared_edge *edge = &mesh->edges[slots[at] - 1];
		if (edge->low == low && edge->high == high) return edge;
	}
	bspi_shared_edge *edge = &mesh->edges[mesh->edge_count++];
	slots[at] = mesh->edge_count;
	*edge = (bspi_shared_edge){ .low = low, .high = high, .first_side = BSPSCENE_NO_INDEX };
	return edge;
}

bool bspi_find_edges(bspi_ctx *ctx, bspi_light_mesh *mesh)
{
	uint32_t side_count = mesh->mesh->index_count;
	size_t slot_count = slots_for(side_count);
	uint32_t *slots = bspi_push(ctx, &ctx->stage, uint32_t, slot_count);
	mesh->edges = bspi_push_unset(ctx, &ctx->scratch, side_count, sizeof *mesh->edges);
	mesh->edges_of_sides = bspi_push_unset(ctx, &ctx->scratch, side_count, sizeof *mesh->edges_of_sides);
	mesh->next_sides = bspi_push_unset(ctx, &ctx->scratch, side_count, sizeof *mesh->next_sides);
	BSPI_TRY(slots && mesh->edges && mesh->edges_of_sides && mesh->next_sides);
	/* Adds the sides backwards, so that the chain of sides of each edge is in ascending order. */
	for (uint32_t side = side_count; side-- > 0;) {
		uint32_t next = side % 3 == 2 ? side - 2 : side + 1;
		uint32_t a = mesh->places[mesh->mesh->indices[side]], b = mesh->places[mesh->mesh->indices[next]];
		mesh->edges_of_sides[side] = BSPSCENE_NO_INDEX;
		if (a == b) continue;
		bspi_shared_edge *edge = find_edge(mesh, slots, slot_count, a < b ? a : b, a < b ? b : a);
		mesh->edges_of_sides[side] = (uint32_t)(edge - mesh->edges);
		mesh->next_sides[side] = edge->first_side;
		edge->first_side = side;
		edge->side_count++;
	}
	bspi_arena_reset(&ctx->stage);
	return true;
}
