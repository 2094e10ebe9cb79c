/* place_models.c - moves models from their entity's origin to where the game shows them: items fall to the floor, hover
 * and are enlarged. */
#include "stages/models/models.h"

#include "base/vec.h"

/* Spawnflag of items that stay where they are instead of dropping to the floor. */
#define SUSPENDED 1u

static void scale(float place[12], float factor)
{
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) place[4 * row + column] *= factor;
	}
}

bool bspi_may_search_floor(const bspi_build *build)
{
	const uint64_t most = (uint64_t)1 << 30;
	if (!build->models->floors.triangles || build->models->searched > most) return false;
	build->models->searched += build->models->floors.count + 1;
	return true;
}

/* Moves an item down to the floor, or leaves it where it is if no floor is near. `aside` is the offset in x and y from
 * the origin to the center of the item's box. */
static void drop(const bspi_build *build, const bspi_item_rules *rules, float aside, float place[12])
{
	float from[3] = { place[3] + aside, place[7] + aside, place[11] };
	bspi_floor floor;
	if (!bspi_may_search_floor(build)) return;
	bool found = bspi_find_floor_among(&build->models->floors, from, rules->half_width, rules->farthest, &floor);
	if (found) place[11] = floor.height + rules->rests_at;
}

void bspi_place_model(const bspi_build *build, uint32_t entity, const bspi_class_model *by_class, float place[12])
{
	const bspi_item_rules *rules = build->map->rules.entities->items;
	if (!by_class || !rules || by_class->placing == BSPI_PLACED_EXACTLY) return;
	bool stays = rules->can_hang && (bspi_spawnflags(build, entity) & SUSPENDED);
	if (rules->unturned) bspi_transform_angles(place, (float[3]) { place[3], place[7], place[11] }, 0, 0, 0);
	if (!stays) {
		place[11] += rules->lift;
		drop(build, rules, by_class->from_corner ? rules->half_width : 0, place);
	}
	place[11] += rules->hover;
	if (by_class->scale > 0) scale(place, by_class->scale);
	if (by_class->placing != BSPI_PLACED_ENLARGED) return;
	const bspi_prop_model *model = bspi_entity_model(build, entity, BSPI_MODEL_OWN);
	if (!model) return;
	for (int i = 0; i < 3 && rules->enlarged_forward != 0; i++) {
		place[4 * i + 3] += place[4 * i] * rules->enlarged_forward * rules->enlargement;
	}
	for (int i = 0; i < 3 && rules->enlarged_forward == 0; i++) {
		place[4 * i + 3] -= (model->bounds.min[i] + model->bounds.max[i]) / 2;
	}
	place[11] += rules->enlarged_hover;
	scale(place, rules->enlargement);
}
