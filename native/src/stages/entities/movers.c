/* movers.c - moves brush entities to the place that they have when the map starts. Trains are moved to the first
 * corner of their path, doors may start open, and platforms start lowered. The distances are those of the games'
 * code (Quake plats.qc, doors.qc; Quake II g_func.c; Quake III g_mover.c; Half-Life plats.cpp, doors.cpp). */
#include "stages/entities/nodes.h"

#include "base/text.h"
#include "base/vec.h"

enum { START_OPEN = 1, NO_PITCH = 1, BACKWARDS = 2, KEEPS_ANGLES = 16, ABOUT_X = 64, ABOUT_Y = 128 };
enum { MOST_TRACK_STEPS = 64, MOST_PARENTS = 16 };

static float number(const bspi_build *build, uint32_t entity, const char *key, float otherwise)
{
	float value;
	if (!bspi_entity_numbers(build, entity, key, &value, 1)) return otherwise;
	return fminf(fmaxf(value, -BSPI_LARGEST_COORDINATE), BSPI_LARGEST_COORDINATE);
}

static const bspi_mover_rule *find_rule(const bspi_build *build, uint32_t entity)
{
	const bspi_mover_rule *rule = build->map->rules.entities->movers;
	for (; rule && rule->name; rule++) {
		if (bspi_text_equal(build->scene->entities[entity]->classname, rule->name)) return rule;
	}
	return NULL;
}

static float size_along(const bspi_model *model, int axis, float margin)
{
	return model->maxs[axis] - model->mins[axis] + 2 * margin;
}

/* Reads the direction of movement from "angles", or from "angle". In both keys, a yaw of -1 is up and -2 is down. */
static void move_direction(const bspi_build *build, uint32_t entity, float out[3])
{
	float angles[3] = { 0, 0, 0 }, turned[12];
	static const float nowhere[3];
	if (!bspi_entity_numbers(build, entity, "angles", angles, 3)) angles[1] = number(build, entity, "angle", 0);
	bool vertical = angles[0] == 0 && angles[2] == 0 && (angles[1] == -1 || angles[1] == -2);
	if (vertical) angles[0] = angles[1] == -1 ? -90 : 90;
	bspi_transform_angles(turned, nowhere, angles[0], angles[1], angles[2]);
	for (int i = 0; i < 3; i++) out[i] = vertical && i < 2 ? 0 : turned[4 * i];
}

static float lip_of(const bspi_build *build, uint32_t entity, const bspi_mover_rule *rule)
{
	float lip = number(build, entity, "lip", 0);
	return lip != 0 ? lip : rule->lip;
}

static void open_door(const bspi_build *build, uint32_t entity, const bspi_mover_rule *rule, const bspi_model *model,
                      float out[12])
{
	if (!(bspi_spawnflags(build, entity) & START_OPEN)) return;
	float direction[3], distance = -lip_of(build, entity, rule);
	move_direction(build, entity, direction);
	for (int i = 0; i < 3; i++) distance += fabsf(direction[i]) * size_along(model, i, rule->margin);
	for (int i = 0; i < 3; i++) out[4 * i + 3] += direction[i] * distance;
}

static void turn_door(const bspi_build *build, uint32_t entity, const bspi_mover_rule *rule, float out[12])
{
	uint32_t flags = bspi_spawnflags(build, entity);
	float angles[3] = { 0, 0, 0 }, origin[3] = { out[3], out[7], out[11] };
	float distance = number(build, entity, "distance", 0);
	if (!(flags & START_OPEN)) return;
	if (distance == 0) distance = rule->lip;
	angles[flags & ABOUT_X ? 2 : flags & ABOUT_Y ? 0 : 1] = flags & BACKWARDS ? -distance : distance;
	bspi_transform_angles(out, origin, angles[0], angles[1], angles[2]);
}

static void lower_platform(const bspi_build *build, uint32_t entity, const bspi_mover_rule *rule,
                           const bspi_model *model, float out[12])
{
	if (rule->named_stays && build->scene->entities[entity]->targetname[0]) return;
	float height = number(build, entity, "height", 0);
	out[11] -= height != 0 ? height : size_along(model, 2, rule->margin) - lip_of(build, entity, rule);
}

/* Computes the point that is a given distance along a track. */
static void look_ahead(const bspscene_scene *scene, uint32_t track, float distance, float out[3])
{
	bspi_copy3(out, scene->entities[track]->origin);
	for (uint32_t step = 0; step < MOST_TRACK_STEPS && distance > 0; step++) {
		uint32_t next = scene->entities[track]->target_entity;
		if (next == BSPSCENE_NO_INDEX) return;
		float way[3];
		bspi_sub(way, scene->entities[next]->origin, out);
		float length = sqrtf(bspi_dot(way, way)), share = length > distance ? distance / length : 1;
		for (int i = 0; i < 3; i++) out[i] += way[i] * share;
		distance -= length;
		track = next;
	}
}

/* Moves a train to the start of its track. A train of GoldSrc is built so that it faces -X, and one of Source so
 * that it faces +X (trains.cpp, CFuncTrackTrain::Find). */
static void put_on_track(const bspi_build *build, uint32_t entity, const bspi_mover_rule *rule, uint32_t track,
                         float out[12])
{
	const float degrees = 57.29577951308232f;
	const bspscene_scene *scene = build->scene;
	float place[3], ahead[3], way[3];
	if (!bspi_text_equal(scene->entities[track]->classname, "path_track")) return;
	bspi_copy3(place, scene->entities[track]->origin);
	look_ahead(scene, track, number(build, entity, "wheels", 0), ahead);
	bspi_sub(way, ahead, place);
	place[2] += number(build, entity, "height", 0);
	if (rule->looks_east && bspi_spawnflags(build, entity) & KEEPS_ANGLES) {
		for (int i = 0; i < 3; i++) out[4 * i + 3] = place[i];
		return;
	}
	float flat = sqrtf(way[0] * way[0] + way[1] * way[1]);
	float pitch = bspi_spawnflags(build, entity) & NO_PITCH ? 0 : (float)atan2(way[2], flat) * degrees;
	float yaw = flat > 0 ? (float)atan2(way[1], way[0]) * degrees : 0;
	if (rule->looks_east) bspi_transform_angles(out, place, -pitch, yaw, 0);
	else bspi_transform_angles(out, place, pitch, yaw + 180, 0);
}

static void put_train(const bspi_build *build, uint32_t entity, const bspi_mover_rule *rule, const bspi_model *model,
                      float out[12])
{
	uint32_t corner = build->scene->entities[entity]->target_entity;
	if (corner == BSPSCENE_NO_INDEX) return;
	if (rule->kind == BSPI_MOVER_TRACK_TRAIN) {
		put_on_track(build, entity, rule, corner, out);
		return;
	}
	for (int i = 0; i < 3; i++) {
		float held_by = rule->kind == BSPI_MOVER_TRAIN_BY_CORNER   ? model->mins[i] - rule->margin
		                : rule->kind == BSPI_MOVER_TRAIN_BY_CENTER ? (model->mins[i] + model->maxs[i]) / 2
		                                                           : 0;
		out[4 * i + 3] = build->scene->entities[corner]->origin[i] - held_by;
	}
}

void bspi_start_mover(const bspi_build *build, uint32_t entity, float out[12])
{
	const bspi_mover_rule *rule = find_rule(build, entity);
	uint32_t number_of_model = build->scene->entities[entity]->model;
	if (!rule || number_of_model == BSPSCENE_NO_INDEX) return;
	const bspi_model *model = &build->map->models[number_of_model];
	switch (rule->kind) {
	case BSPI_MOVER_DOOR: open_door(build, entity, rule, model, out); break;
	case BSPI_MOVER_ROTATING_DOOR: turn_door(build, entity, rule, out); break;
	case BSPI_MOVER_PLATFORM: lower_platform(build, entity, rule, model, out); break;
	default: put_train(build, entity, rule, model, out); break;
	}
}

/* Computes the transform by which a mover is moved from where it was built to where it starts. */
static void way_of(const bspi_build *build, uint32_t mover, float out[12])
{
	float built[12], placed[12], back[12];
	bspi_place_as_built(build, mover, built);
	memcpy(placed, built, sizeof placed);
	bspi_start_mover(build, mover, placed);
	for (int i = 0; i < 3; i++) {
		back[4 * i + 3] = 0;
		for (int k = 0; k < 3; k++) {
			back[4 * i + k] = built[4 * k + i];
			back[4 * i + 3] -= built[4 * k + i] * built[4 * k + 3];
		}
	}
	bspi_transform_multiply(out, placed, back);
}

void bspi_move_with_parents(const bspi_build *build, uint32_t entity, float out[12])
{
	if (!build->parents) return;
	uint32_t parent = build->parents[entity];
	for (int step = 0; step < MOST_PARENTS && parent != BSPSCENE_NO_INDEX && parent != entity; step++) {
		if (find_rule(build, parent)) {
			float way[12], moved[12];
			way_of(build, parent, way);
			bspi_transform_multiply(moved, way, out);
			memcpy(out, moved, sizeof moved);
		}
		parent = build->parents[parent];
	}
}
