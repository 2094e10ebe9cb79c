/* hulls.c - makes a convex body for each leaf of a collision tree that is not empty, by clipping a box around the
 * model. Quake and GoldSrc have several trees. Points collide with the drawn tree (hull 0). Players collide with a tree
 * that is thicker by half the size of a player (hull 1). So a player can be treated as a point. */
#include "stages/collision/collision.h"

#include <inttypes.h>

#include "base/vec.h"

/* Distance in game units of the box from the model. Hulls are 16 to 32 units thicker than the model. */
#define MARGIN 64.0f
#define LARGEST_STACK ((size_t)64 << 20)

enum { EMPTY = -1, POINT_HULL = 0, PLAYER_HULL = 1 };

/* A stack of subtrees. An entry has the number of a subtree and the body of its space in compact form, so entries have
 * different sizes. */
typedef struct body_stack {
	uint8_t *bytes;
	size_t size, capacity;
} body_stack;

typedef struct hull {
	bspi_collision_maker *maker;
	bool clipnodes;                    /* true: a tree of clip nodes; false: a tree of nodes and leaves */
	body_stack stack;
} hull;

static bool push(hull *h, int32_t child, const bspi_body *body)
{
	bspi_ctx *ctx = h->maker->build->ctx;
	body_stack *stack = &h->stack;
	size_t body_size = bspi_body_packed_size(body), needed = body_size + sizeof body_size + sizeof child;
	if (needed > LARGEST_STACK - stack->size) {
		h->maker->stopped = true;
		return true;
	}
	if (needed > stack->capacity - stack->size) {
		size_t capacity = (stack->size + needed) * 2;
		uint8_t *bytes = bspi_push(ctx, &ctx->scratch, uint8_t, capacity);
		BSPI_TRY(bytes);
		if (stack->size) memcpy(bytes, stack->bytes, stack->size);
		stack->bytes = bytes;
		stack->capacity = capacity;
	}
	uint8_t *top = stack->bytes + stack->size;
	bspi_body_pack(body, top);
	memcpy(top + body_size, &body_size, sizeof body_size);
	memcpy(top + body_size + sizeof body_size, &child, sizeof child);
	stack->size += needed;
	return true;
}

static int32_t pop(hull *h, bspi_body *body)
{
	int32_t child;
	size_t body_size;
	uint8_t *end = h->stack.bytes + h->stack.size;
	memcpy(&child, end - sizeof child, sizeof child);
	memcpy(&body_size, end - sizeof child - sizeof body_size, sizeof body_size);
	h->stack.size -= body_size + sizeof child + sizeof body_size;
	bspi_body_unpack(body, h->stack.bytes + h->stack.size);
	return child;
}

/* Adds the body of a leaf. Clip nodes have no leaves: a child is a node or the contents itself. In that case the number
 * of the parent identifies the body. */
static bool add_leaf(hull *h, int32_t child, uint32_t parent, const bspi_body *body)
{
	const bspi_map *map = h->maker->build->map;
	uint32_t leaf = (uint32_t)(-1 - child);
	if (h->clipnodes) {
		return child == EMPTY || bspi_add_piece(h->maker, body, (uint32_t)child, parent, BSPSCENE_NO_INDEX);
	}
	if (leaf >= map->leafs_count || map->leafs[leaf].contents == EMPTY) return true;
	return bspi_add_piece(h->maker, body, (uint32_t)map->leafs[leaf].contents, leaf, leaf);
}

static bool descend(hull *h, int32_t child, uint32_t parent, const bspi_body *body)
{
	return child < 0 ? add_leaf(h, child, parent, body) : push(h, child, body);
}

/* Cuts the body in buffers[0] by a node's plane, and pushes both parts with the node's children. */
static bool split(hull *h, uint32_t index)
{
	const bspi_map *map = h->maker->build->map;
	bspi_body *body = &h->maker->buffers[0], *half = &h->maker->buffers[1];
	int32_t plane_index = h->clipnodes ? map->clipnodes[index].plane : map->nodes[index].plane;
	const int32_t *children = h->clipnodes ? map->clipnodes[index].children : map->nodes[index].children;
	const bspi_plane *plane = &map->planes[plane_index];
	for (int side = 0; side < 2; side++) {
		double sign = side ? 1 : -1, normal[3];
		for (int i = 0; i < 3; i++) normal[i] = sign * (double)plane->normal[i];
		switch (bspi_body_cut(body, normal, sign * (double)plane->distance, half)) {
		case BSPI_CUT_NOTHING: return descend(h, children[side], index, body);
		case BSPI_CUT_SOME: BSPI_TRY(descend(h, children[side], index, half)); break;
		case BSPI_CUT_ALL: break;
		case BSPI_CUT_FAILED: h->maker->stopped = true; return true;
		}
	}
	return true;
}

static bool add_hull(bspi_collision_maker *maker, const bspi_model *model, int number, body_stack *stack)
{
	const bspi_map *map = maker->build->map;
	hull h = { maker, number != POINT_HULL, { stack->bytes, 0, stack->capacity } };
	uint32_t count = h.clipnodes ? map->clipnodes_count : map->nodes_count;
	int32_t head = model->head_nodes[number];
	if (head < 0 || (uint32_t)head >= count || maker->stopped) return true;
	float mins[3], maxs[3];
	for (int i = 0; i < 3; i++) {
		if (!(model->mins[i] <= model->maxs[i])) return true;
		mins[i] = fmaxf(model->mins[i] - MARGIN, -BSPI_LARGEST_COORDINATE);
		maxs[i] = fminf(model->maxs[i] + MARGIN, BSPI_LARGEST_COORDINATE);
		if (!(mins[i] < maxs[i])) return true;
	}
	bspi_body_box(&maker->buffers[0], mins, maxs);
	BSPI_TRY(push(&h, head, &maker->buffers[0]));
	while (h.stack.size) {
		int32_t node = pop(&h, &maker->buffers[0]);
		if (!bspi_spend_work(maker, &maker->buffers[0])) break;
		BSPI_TRY(split(&h, (uint32_t)node));
	}
	*stack = h.stack;
	return true;
}

bool bspi_collide_hulls(bspi_collision_maker *maker)
{
	static const char *const suffixes[] = { [POINT_HULL] = "hull0", [PLAYER_HULL] = "hull1" };
	const bspi_map *map = maker->build->map;
	body_stack stack = { NULL, 0, 0 };
	for (uint32_t i = 0; map->rules.clip_hulls && i < map->models_count; i++) {
		if (!bspi_wants_model(maker->build->ctx, i)) continue;
		for (int number = POINT_HULL; number <= PLAYER_HULL; number++) {
			BSPI_TRY(add_hull(maker, &map->models[i], number, &stack));
			BSPI_TRY(bspi_finish_collision_mesh(maker, i, suffixes[number]));
		}
		BSPI_TRY(bspi_progress(maker->build->ctx, "geometry", i, map->models_count));
	}
	return true;
}
