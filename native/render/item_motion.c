/* item_motion.c - rotates items and moves them up and down, as the game does at a given time. */
#include <math.h>

#include "shade/shade.h"

#define PI 3.14159265358979323846

void bspr_move_item(const bspscene_scene *scene, const bspscene_node *node, float time, float transform[12])
{
	const bspscene_prop *prop = node->prop == BSPSCENE_NO_INDEX ? NULL : scene->props[node->prop];
	if (!prop || prop->entity == BSPSCENE_NO_INDEX || time == 0) return;
	const float *origin = scene->entities[prop->entity]->origin;
	double angle = fmod((double)prop->turn_degrees_per_second * (double)time, 360) * PI / 180;
	float sine = (float)sin(angle), cosine = (float)cos(angle);
	for (int column = 0; column < 4; column++) {
		float middle[2] = { column == 3 ? origin[0] : 0, column == 3 ? origin[1] : 0 };
		float x = transform[column] - middle[0], y = transform[4 + column] - middle[1];
		transform[column] = cosine * x - sine * y + middle[0];
		transform[4 + column] = sine * x + cosine * y + middle[1];
	}
	double angle_of_bob = (double)prop->bob_radians_per_second * (double)time + (double)prop->bob_phase_radians;
	transform[11] += prop->bob_height * (float)cos(fmod(angle_of_bob, 2 * PI));
}
