/* move_entities.c - see move_entities.h. */
#include "support/metamorphic/move_entities.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 32, MOST_ENTITIES = 64 };

typedef struct pair {
	char key[64], value[256];
} pair;

typedef struct entity {
	pair pairs[MOST_PAIRS];
	uint32_t count;
} entity;

/* Copies a quoted word and returns the text after it, or NULL at the end of the text or of the entity. */
static const char *take_word(const char *at, char *out, size_t size)
{
	while (*at && *at != '"' && *at != '}') at++;
	if (*at != '"') return NULL;
	size_t length = 0;
	for (at++; *at && *at != '"'; at++) {
		if (length + 1 < size) out[length++] = *at;
	}
	out[length] = 0;
	return *at ? at + 1 : at;
}

static const char *read_entity(const char *at, entity *out)
{
	out->count = 0;
	at = strchr(at, '{');
	if (!at) return NULL;
	while (out->count < MOST_PAIRS) {
		pair *one = &out->pairs[out->count];
		const char *next = take_word(at, one->key, sizeof one->key);
		if (!next) break;
		at = take_word(next, one->value, sizeof one->value);
		if (!at) bspt_die("read the entity of", one->key);
		out->count++;
	}
	at = strchr(at, '}');
	return at ? at + 1 : NULL;
}

static const char *value_of(const entity *e, const char *key)
{
	for (uint32_t i = 0; i < e->count; i++) {
		if (!strcmp(e->pairs[i].key, key)) return e->pairs[i].value;
	}
	return NULL;
}

static bool read_three(const char *value, float out[3])
{
	return sscanf(value, "%f %f %f", &out[0], &out[1], &out[2]) == 3;
}

/* Moves the origin of a brush model that its entity rotates by `yaw` (matrix A). The motion turns a point p into S p +
 * t, and the model's vertices v have been moved to S v + t already. The moved entity rotates by A' = S A S^-1,
 * which turns these vertices into A' (S v + t) = S A v + A' t. So A' t is subtracted from the moved origin. */
static void move_brush_origin(const bspt_motion *motion, const float in[3], float yaw, float out[3])
{
	float by = (motion->mirrored ? -yaw : yaw) * 0.017453292519943295f;
	float cosine = (float)cos(by), sine = (float)sin(by);
	const float *t = motion->shift;
	bspt_turn_vector(motion, in, out);
	for (int i = 0; i < 3; i++) out[i] = out[i] * motion->scale + t[i];
	out[0] -= cosine * t[0] - sine * t[1];
	out[1] -= sine * t[0] + cosine * t[1];
	out[2] -= t[2];
}

static void move_entity(entity *e, const bspt_motion *motion, bool brush_angles)
{
	const char *model = value_of(e, "model"), *own_angles = value_of(e, "angles");
	bool brush = model && model[0] == '*';
	float angles[3] = { 0, 0, 0 };
	if (own_angles) read_three(own_angles, angles);
	for (uint32_t i = 0; i < e->count; i++) {
		pair *one = &e->pairs[i];
		float in[3], out[3];
		if (!strcmp(one->key, "origin") && read_three(one->value, in)) {
			if (brush) move_brush_origin(motion, in, brush_angles ? angles[1] : 0, out);
			else bspt_move_point(motion, in, out);
			snprintf(one->value, sizeof one->value, "%.9g %.9g %.9g", (double)out[0], (double)out[1], (double)out[2]);
		}
		/* The vertices of a brush model have been rotated by the motion already. So its angles change only if the
		 * motion is mirrored. */
		bool turns = brush && brush_angles;
		if (!strcmp(one->key, "angles") && read_three(one->value, in)) {
			float yaw = turns ? motion->mirrored ? -in[1] : in[1] : bspt_turn_yaw(motion, in[1]);
			snprintf(one->value, sizeof one->value, "%g %g %g", (double)in[0], (double)yaw,
			         (double)(motion->mirrored ? -in[2] : in[2]));
		}
		if (!strcmp(one->key, "angle") && atof(one->value) >= 0) {
			snprintf(one->value, sizeof one->value, "%g", (double)bspt_turn_yaw(motion, (float)atof(one->value)));
		}
	}
}

static char *begin_text(const char *like)
{
	char *out = malloc(4 * strlen(like) + 4096);
	if (!out) bspt_die("allocate", "entities");
	*out = 0;
	return out;
}

static void add_entity(char *text, const entity *e)
{
	char *to = text + strlen(text);
	to += sprintf(to, "{\n");
	for (uint32_t i = 0; i < e->count; i++) to += sprintf(to, "\"%s\" \"%s\"\n", e->pairs[i].key, e->pairs[i].value);
	sprintf(to, "}\n");
}

char *bspt_move_entities(const char *text, const bspt_motion *motion, bool brush_angles)
{
	char *out = begin_text(text);
	entity one;
	for (const char *at = text; (at = read_entity(at, &one)) != NULL;) {
		move_entity(&one, motion, brush_angles);
		add_entity(out, &one);
	}
	return out;
}

char *bspt_reverse_entities(const char *text)
{
	entity *all = calloc(MOST_ENTITIES, sizeof *all);
	char *out = begin_text(text);
	uint32_t count = 0;
	if (!all) bspt_die("allocate", "entities");
	for (const char *at = text; count < MOST_ENTITIES && (at = read_entity(at, &all[count])) != NULL;) count++;
	add_entity(out, &all[0]);
	for (uint32_t i = count; i-- > 1;) add_entity(out, &all[i]);
	free(all);
	return out;
}
