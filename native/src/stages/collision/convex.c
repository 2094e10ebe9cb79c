/* convex.c - see convex.h. A point that is closer to a plane than SNAP game units counts as on the plane. Planes are
 * stored as floats. So if four planes should meet in one point, they meet in several points that are close to each
 * other. */
#include "stages/collision/convex.h"

#include <math.h>
#include <string.h>

#define SNAP 0.01
#define NO_POINT UINT16_MAX

enum { BOX_SIDES = 6, BOX_CORNERS = 4 };

/* The side of the cutting plane on which a point is. */
enum { BEHIND = -1, ON = 0, IN_FRONT = 1 };

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(double out[3], const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

void bspi_body_box(bspi_body *body, const float mins[3], const float maxs[3])
{
	/* Bit i of a corner's number tells at which end of axis i the corner is: 0 for the lower end, 1 for the upper
	 * end. */
	static const uint16_t corners[BOX_SIDES][BOX_CORNERS] = {
		{ 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 },
	};
	body->point_count = 8;
	body->side_count = BOX_SIDES;
	body->corner_count = BOX_SIDES * BOX_CORNERS;
	for (uint32_t i = 0; i < 8; i++) {
		for (int axis = 0; axis < 3; axis++) body->points[i][axis] = (double)(i >> axis & 1 ? maxs[axis] : mins[axis]);
	}
	for (uint32_t i = 0; i < BOX_SIDES; i++) {
		body->sides[i] = (bspi_body_side){ .first = (uint16_t)(i * BOX_CORNERS), .count = BOX_CORNERS, .open = true };
		body->sides[i].normal[i / 2] = i % 2 ? 1 : -1;
	}
	memcpy(body->corners, corners, sizeof corners);
}

/* ---- Cutting ---------------------------------------------------------------------------------------------- */

/* An edge that the plane crosses, and the new point there. Both sides with this edge get the same point. */
typedef struct crossing {
	uint16_t low, high, point;
} crossing;

typedef struct cutter {
	const bspi_body *in;
	bspi_body *out;
	double distances[BSPI_BODY_POINTS];
	int8_t places[BSPI_BODY_POINTS];
	uint16_t kept[BSPI_BODY_POINTS];   /* for each point of `in`, its index in `out`; NO_POINT: it is cut away */
	crossing crossings[BSPI_BODY_POINTS];
	uint32_t crossing_count;
	bool failed;
} cutter;

static uint16_t add_point(cutter *c, const double position[3])
{
	if (c->out->point_count == BSPI_BODY_POINTS) {
		c->failed = true;
		return 0;
	}
	memcpy(c->out->points[c->out->point_count], position, 3 * sizeof *position);
	return (uint16_t)c->out->point_count++;
}

static void add_corner(cutter *c, uint16_t point)
{
	if (c->out->corner_count == BSPI_BODY_CORNERS) c->failed = true;
	else c->out->corners[c->out->corner_count++] = point;
}

static void keep_corner(cutter *c, uint16_t point)
{
	if (c->kept[point] == NO_POINT) c->kept[point] = add_point(c, c->in->points[point]);
	add_corner(c, c->kept[point]);
}

static void cross_edge(cutter *c, uint16_t a, uint16_t b)
{
	uint16_t low = a < b ? a : b, high = a < b ? b : a;
	for (uint32_t i = 0; i < c->crossing_count; i++) {
		if (c->crossings[i].low != low || c->crossings[i].high != high) continue;
		add_corner(c, c->crossings[i].point);
		return;
	}
	double along = c->distances[low] / (c->distances[low] - c->distances[high]), position[3];
	const double *p = c->in->points[low], *q = c->in->points[high];
	for (int i = 0; i < 3; i++) position[i] = p[i] + along * (q[i] - p[i]);
	uint16_t point = add_point(c, position);
	if (c->failed) return;
	c->crossings[c->crossing_count++] = (crossing){ low, high, point };
	add_corner(c, point);
}

/* Clips a side of the body by the plane. The side is dropped if none of its corners is behind the plane. */
static void cut_side(cutter *c, const bspi_body_side *side)
{
	const uint16_t *corners = c->in->corners + side->first;
	bool left = false;
	for (uint16_t i = 0; i < side->count; i++) left = left || c->places[corners[i]] == BEHIND;
	if (!left) return;
	uint32_t first = c->out->corner_count;
	for (uint16_t i = 0; i < side->count && !c->failed; i++) {
		uint16_t a = corners[i], b = corners[i + 1 < side->count ? i + 1 : 0];
		if (c->places[a] != IN_FRONT) keep_corner(c, a);
		if (c->places[a] * c->places[b] < 0) cross_edge(c, a, b);
	}
	bspi_body_side cut = *side;
	cut.first = (uint16_t)first;
	cut.count = (uint16_t)(c->out->corner_count - first);
	if (cut.count < 3) c->out->corner_count = first;
	else c->out->sides[c->out->side_count++] = cut;
}

/* Finds two orthogonal directions in a plane. Seen from the front, the second is the first turned counter-clockwise by
 * 90 degrees. */
static void find_axes(const double normal[3], double u[3], double v[3])
{
	int least = 0;
	for (int i = 1; i < 3; i++) least = fabs(normal[i]) < fabs(normal[least]) ? i : least;
	double axis[3] = { 0, 0, 0 };
	axis[least] = 1;
	cross(u, axis, normal);
	cross(v, normal, u);
}

/* Adds the side that the cut makes. Its corners are all points on the plane, sorted by their angle around their
 * center. */
static void close_body(cutter *c, const double normal[3])
{
	uint16_t points[BSPI_BODY_POINTS];
	double angles[BSPI_BODY_POINTS], middle[3] = { 0, 0, 0 }, u[3], v[3];
	uint32_t count = 0;
	for (uint32_t i = 0; i < c->in->point_count; i++) {
		if (c->places[i] == ON && c->kept[i] != NO_POINT) points[count++] = c->kept[i];
	}
	for (uint32_t i = 0; i < c->crossing_count && count < BSPI_BODY_POINTS; i++) {
		points[count++] = c->crossings[i].point;
	}
	c->failed = c->failed || count < 3 || c->out->side_count == BSPI_BODY_SIDES;
	if (c->failed) return;

	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) middle[k] += c->out->points[points[i]][k] / count;
	}
	find_axes(normal, u, v);
	for (uint32_t i = 0; i < count; i++) {
		double arm[3];
		for (int k = 0; k < 3; k++) arm[k] = c->out->points[points[i]][k] - middle[k];
		double angle = atan2(dot(arm, v), dot(arm, u));
		uint16_t point = points[i];
		uint32_t at = i;
		for (; at && angles[at - 1] > angle; at--) {
			angles[at] = angles[at - 1];
			points[at] = points[at - 1];
		}
		angles[at] = angle;
		points[at] = point;
	}
	bspi_body_side side = { .first = (uint16_t)c->out->corner_count, .count = (uint16_t)count };
	memcpy(side.normal, normal, sizeof side.normal);
	for (uint32_t i = 0; i < count; i++) add_corner(c, points[i]);
	c->out->sides[c->out->side_count++] = side;
}

bspi_cut bspi_body_cut(const bspi_body *in, const double normal[3], double distance, bspi_body *out)
{
	cutter c;
	bool behind = false, in_front = false;
	c.in = in;
	c.out = out;
	c.crossing_count = 0;
	c.failed = false;
	for (uint32_t i = 0; i < in->point_count; i++) {
		double d = c.distances[i] = dot(in->points[i], normal) - distance;
		c.places[i] = d > SNAP ? IN_FRONT : d < -SNAP ? BEHIND : ON;
		c.kept[i] = NO_POINT;
		behind = behind || d < -SNAP;
		in_front = in_front || d > SNAP;
	}
	if (!in_front) return BSPI_CUT_NOTHING;
	if (!behind) return BSPI_CUT_ALL;
	out->point_count = out->side_count = out->corner_count = 0;
	for (uint32_t i = 0; i < in->side_count && !c.failed; i++) cut_side(&c, &in->sides[i]);
	if (!c.failed) close_body(&c, normal);
	return c.failed ? BSPI_CUT_FAILED : BSPI_CUT_SOME;
}

/* ---- Measuring and storing -------------------------------------------------------------------------------- */

double bspi_body_volume(const bspi_body *body)
{
	double sum = 0;
	for (uint32_t i = 0; i < body->side_count; i++) {
		const uint16_t *corners = body->corners + body->sides[i].first;
		for (uint16_t k = 1; k + 1 < body->sides[i].count; k++) {
			/* Positions are made relative to a point of the body, because products of large numbers would lose
			 * precision. */
			double a[3], b[3], d[3], ab[3];
			for (int axis = 0; axis < 3; axis++) {
				double from = body->points[0][axis];
				a[axis] = body->points[corners[0]][axis] - from;
				b[axis] = body->points[corners[k]][axis] - from;
				d[axis] = body->points[corners[k + 1]][axis] - from;
			}
			cross(ab, a, b);
			sum += dot(ab, d) / 6;
		}
	}
	return sum;
}

bool bspi_body_is_open(const bspi_body *body)
{
	for (uint32_t i = 0; i < body->side_count; i++) {
		if (body->sides[i].open) return true;
	}
	return false;
}

enum { COUNTS = 3 * sizeof(uint32_t) };

size_t bspi_body_packed_size(const bspi_body *body)
{
	return COUNTS + body->point_count * sizeof *body->points + body->side_count * sizeof *body->sides +
	       body->corner_count * sizeof *body->corners;
}

void bspi_body_pack(const bspi_body *body, uint8_t *out)
{
	const uint32_t counts[3] = { body->point_count, body->side_count, body->corner_count };
	memcpy(out, counts, COUNTS);
	memcpy(out += COUNTS, body->points, body->point_count * sizeof *body->points);
	memcpy(out += body->point_count * sizeof *body->points, body->sides, body->side_count * sizeof *body->sides);
	memcpy(out + body->side_count * sizeof *body->sides, body->corners, body->corner_count * sizeof *body->corners);
}

size_t bspi_body_unpack(bspi_body *body, const uint8_t *packed)
{
	uint32_t counts[3];
	memcpy(counts, packed, COUNTS);
	body->point_count = counts[0];
	body->side_count = counts[1];
	body->corner_count = counts[2];
	memcpy(body->points, packed += COUNTS, counts[0] * sizeof *body->points);
	memcpy(body->sides, packed += counts[0] * sizeof *body->points, counts[1] * sizeof *body->sides);
	memcpy(body->corners, packed + counts[1] * sizeof *body->sides, counts[2] * sizeof *body->corners);
	return bspi_body_packed_size(body);
}
