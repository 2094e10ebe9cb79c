/* deform.c - see deform.h. Follows the engine's tr_shade_calc.c; our triangles have the opposite winding. */
#include "shade/deform.h"

#include <math.h>
#include <string.h>

#include "shade/shade.h"
#include "vector.h"

/* Coordinates beyond this are not used, because the material is damaged. */
#define FARTHEST 1e6f

enum { QUAD = 4, QUAD_INDICES = 6 };

static void move_vertex(float position[3], const float direction[3], float amount)
{
	float moved[3];
	for (int i = 0; i < 3; i++) {
		moved[i] = position[i] + direction[i] * amount;
		if (!(fabsf(moved[i]) <= FARTHEST)) return;
	}
	memcpy(position, moved, sizeof moved);
}

/* Moves vertices along their normals in waves, as RB_CalcDeformVertexes does. With a frequency of 0, all vertices have
 * the same phase. */
static void wave(const bspscene_deform *deform, float time, const bspr_piece *piece)
{
	for (uint32_t v = piece->first_vertex; v < piece->first_vertex + piece->vertex_count; v++) {
		float *position = piece->positions + (size_t)v * 3;
		bspscene_wave here = deform->wave;
		if (here.frequency != 0) here.phase += (position[0] + position[1] + position[2]) * deform->spread;
		move_vertex(position, piece->normals + (size_t)v * 3, bspi_wave_at(&here, time));
	}
}

static void bulge(const bspscene_deform *deform, float time, const bspr_piece *piece)
{
	for (uint32_t v = piece->first_vertex; v < piece->first_vertex + piece->vertex_count; v++) {
		float at = piece->uvs[(size_t)v * 2] * deform->width + time * deform->speed;
		move_vertex(piece->positions + (size_t)v * 3, piece->normals + (size_t)v * 3, (float)sin(at) * deform->height);
	}
}

static void move(const bspscene_deform *deform, float time, const bspr_piece *piece)
{
	float amount = bspi_wave_at(&deform->wave, time);
	for (uint32_t v = piece->first_vertex; v < piece->first_vertex + piece->vertex_count; v++) {
		move_vertex(piece->positions + (size_t)v * 3, deform->vector, amount);
	}
}

/* Returns 8 times the sine of an angle, of which 256 are a whole turn. Like the engine's table of 256 entries, ignores
 * fractions of `at`. */
static float swell_wave(float at) { return 8 * (float)sin(fmod(trunc(at), 256) * 6.283185307179586 / 256); }

/* Moves a liquid's vertices in waves, always toward the side of the surface on which the eye is (xash3d gl_rsurf.c
 * EmitWaterPolys). */
static void swell(const bspscene_deform *deform, const bspr_axes *axes, float time, const bspr_piece *piece)
{
	static const float up[3] = { 0, 0, 1 };
	if (deform->height == 0 || !piece->vertex_count) return;
	bool is_above = piece->positions[(size_t)piece->first_vertex * 3 + 2] >= axes->eye[2];
	float height = is_above ? -deform->height : deform->height;
	for (uint32_t v = piece->first_vertex; v < piece->first_vertex + piece->vertex_count; v++) {
		float *position = piece->positions + (size_t)v * 3;
		float first = swell_wave(time * 160 + position[1] + position[0]) + 8;
		float second = swell_wave(position[0] * 5 + time * 171 - position[1]) + 8;
		move_vertex(position, up, (first + second * 0.8f) * height);
	}
}

/* Writes a quad that faces the viewer, as RB_AddQuadStamp does. The first vertex is at the upper left. */
static void stamp(const bspr_axes *axes, const float middle[3], float radius, uint32_t first, const bspr_piece *piece)
{
	static const float corners[QUAD][2] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };
	for (uint32_t k = 0; k < QUAD; k++) {
		size_t v = first + k;
		const float uv[2] = { (1 - corners[k][0]) / 2, (1 - corners[k][1]) / 2 };
		for (int i = 0; i < 3; i++) {
			piece->positions[v * 3 + (size_t)i] =
				middle[i] + (axes->left[i] * corners[k][0] + axes->up[i] * corners[k][1]) * radius;
			piece->normals[v * 3 + (size_t)i] = -axes->forward[i];
		}
		memcpy(piece->uvs + v * 2, uv, sizeof uv);
		if (piece->lightmap_uvs) memcpy(piece->lightmap_uvs + v * 2, uv, sizeof uv);
		if (piece->colors) memmove(piece->colors + v * 4, piece->colors + (size_t)first * 4, 4);
	}
}

/* Turns each quad to face the viewer. Half of the sprite's side is half of the quad's diagonal, divided by the square
 * root of 2. */
static void autosprite(const bspr_axes *axes, const bspr_piece *piece)
{
	static const uint32_t corners[QUAD_INDICES] = { 0, 3, 1, 3, 2, 1 };
	const float side = 0.707f;
	for (uint32_t q = 0; q < piece->vertex_count / QUAD; q++) {
		uint32_t first = piece->first_vertex + q * QUAD;
		const float *corner = piece->positions + (size_t)first * 3;
		float middle[3], out[3];
		for (int i = 0; i < 3; i++) {
			middle[i] = (corner[i] + corner[3 + i] + corner[6 + i] + corner[9 + i]) / QUAD;
			out[i] = corner[i] - middle[i];
		}
		stamp(axes, middle, sqrtf(bspr_dot(out, out)) * side, first, piece);
		for (uint32_t k = 0; k < QUAD_INDICES; k++) piece->indices[q * QUAD_INDICES + k] = first + corners[k];
	}
}

static const uint8_t edge_ends[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };

/* One of a quad's short edges. */
typedef struct edge {
	int number;                        /* index in edge_ends */
	float square;                      /* squared length */
	float middle[3];
} edge;

static void find_short_edges(const float *corner, edge out[2])
{
	out[0] = out[1] = (edge){ .square = INFINITY };
	for (int e = 0; e < 6; e++) {
		edge here = { .number = e, .square = 0 };
		for (int i = 0; i < 3; i++) {
			float a = corner[edge_ends[e][0] * 3 + i], b = corner[edge_ends[e][1] * 3 + i];
			here.square += (a - b) * (a - b);
			here.middle[i] = (a + b) / 2;
		}
		if (here.square < out[0].square) {
			out[1] = out[0];
			out[0] = here;
		} else if (here.square < out[1].square) {
			out[1] = here;
		}
	}
}

/* True if, in the order in which the engine stores the quad's indices, the first end of edge `number` comes directly
 * before its second end. */
static bool runs_forward(const uint32_t *indices, uint32_t first, int number)
{
	static const int engine_order[QUAD_INDICES] = { 0, 2, 1, 3, 5, 4 };
	for (int k = 0; k + 1 < QUAD_INDICES; k++) {
		if (indices[engine_order[k]] == first + edge_ends[number][0] &&
		    indices[engine_order[k + 1]] == first + edge_ends[number][1]) {
			return true;
		}
	}
	return false;
}

static void turn_about_long_axis(const bspr_axes *axes, uint32_t first, const uint32_t *indices, float *corner)
{
	edge edges[2];
	float major[3], minor[3];
	find_short_edges(corner, edges);
	for (int i = 0; i < 3; i++) major[i] = edges[1].middle[i] - edges[0].middle[i];
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		minor[i] = major[j] * axes->forward[k] - major[k] * axes->forward[j];
	}
	float length = sqrtf(bspr_dot(minor, minor));
	if (!(length > 1e-6f)) return;
	for (int e = 0; e < 2; e++) {
		float half = sqrtf(edges[e].square) / 2 / length;
		if (runs_forward(indices, first, edges[e].number)) half = -half;
		for (int end = 0; end < 2; end++) {
			float *position = corner + edge_ends[edges[e].number][end] * 3;
			for (int i = 0; i < 3; i++) position[i] = edges[e].middle[i] + minor[i] * (end ? -half : half);
		}
	}
}

static void autosprite2(const bspr_axes *axes, const bspr_piece *piece)
{
	for (uint32_t q = 0; q < piece->vertex_count / QUAD; q++) {
		uint32_t first = piece->first_vertex + q * QUAD;
		turn_about_long_axis(axes, first, piece->indices + (size_t)q * QUAD_INDICES,
		                     piece->positions + (size_t)first * 3);
	}
}

static bool normalize(float v[3])
{
	float length = sqrtf(bspr_dot(v, v));
	if (!(length > 1e-6f)) return false;
	for (int i = 0; i < 3; i++) v[i] /= length;
	return true;
}

/* Computes the horizontal direction to the left of the line of sight. This line is the view direction or, with
 * `from_eye`, leads from the eye to the mesh's origin. */
static bool level_left(const bspr_axes *axes, bool from_eye, float left[3])
{
	float ahead[3];
	for (int i = 0; i < 3; i++) ahead[i] = from_eye ? -axes->eye[i] : axes->forward[i];
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		left[i] = axes->upright[j] * ahead[k] - axes->upright[k] * ahead[j];
	}
	return normalize(ahead) && normalize(left);
}

/* Turns a sprite's quad, which lies in the YZ plane, toward the viewer. Removes the second quad, which crosses it
 * (r_sprite.c, gl_sprite.c). */
static void sprite(bspscene_deform_kind kind, const bspr_axes *axes, const bspr_piece *piece)
{
	float left[3];
	const float *up = kind == BSPSCENE_DEFORM_SPRITE ? axes->up : axes->upright;
	memcpy(left, axes->left, sizeof left);
	if (kind != BSPSCENE_DEFORM_SPRITE && !level_left(axes, kind == BSPSCENE_DEFORM_SPRITE_FACING, left)) return;
	for (uint32_t v = 0; v < piece->vertex_count; v++) {
		float *position = piece->positions + (size_t)(piece->first_vertex + v) * 3;
		float *normal = piece->normals + (size_t)(piece->first_vertex + v) * 3;
		float y = v < QUAD ? position[1] : 0, z = v < QUAD ? position[2] : 0;
		for (int i = 0; i < 3; i++) {
			position[i] = left[i] * y + up[i] * z;
			normal[i] = -axes->forward[i];
		}
	}
}

/* Scales a glow by its distance, so that it keeps its size on screen (xash3d gl_sprite.c R_SpriteGlowBlend). In
 * pictures from above, the distance is limited, because otherwise glows would cover the map. */
static void grow(const bspr_axes *axes, const bspr_piece *piece)
{
	const float own_size_from = 200, farthest_from_above = 512;
	float distance = sqrtf(bspr_dot(axes->eye, axes->eye));
	if (axes->from_above) distance = fminf(distance, farthest_from_above);
	float factor = distance / own_size_from;
	float *positions = piece->positions + (size_t)piece->first_vertex * 3;
	for (size_t i = 0; i < (size_t)piece->vertex_count * 3; i++) positions[i] *= factor;
}

void bspr_deform(const bspscene_deform *deform, const bspr_axes *axes, float time, const bspr_piece *piece)
{
	bool quads = piece->vertex_count % QUAD == 0 &&
	             piece->index_count == piece->vertex_count / QUAD * QUAD_INDICES;
	switch (deform->kind) {
	case BSPSCENE_DEFORM_WAVE: wave(deform, time, piece); break;
	case BSPSCENE_DEFORM_BULGE: bulge(deform, time, piece); break;
	case BSPSCENE_DEFORM_MOVE: move(deform, time, piece); break;
	case BSPSCENE_DEFORM_AUTOSPRITE: if (quads) autosprite(axes, piece); break;
	case BSPSCENE_DEFORM_AUTOSPRITE2: if (quads) autosprite2(axes, piece); break;
	case BSPSCENE_DEFORM_SPRITE:
	case BSPSCENE_DEFORM_SPRITE_UPRIGHT:
	case BSPSCENE_DEFORM_SPRITE_FACING: sprite(deform->kind, axes, piece); break;
	case BSPSCENE_DEFORM_GLOW: grow(axes, piece); break;
	case BSPSCENE_DEFORM_LIQUID: swell(deform, axes, time, piece); break;
	default: break;                    /* deforming normals is not supported, because it needs the engine's noise
	                                    * function */
	}
}
