/* polygon_cut.c - which triangles a polygon becomes. Compilers leave vertices in the middle of straight sides, where
 * neighbours meet (T-junctions): all of them are kept, for without them pixels would flicker through. No triangle looks
 * backwards, and none is without area: where rounding made a polygon a hair concave, or a side runs out to a point and
 * back, a plain fan would have both. */
#include "stages/geometry/geometry.h"

#include "base/vec.h"

/* A corner nearer than this to the line between its neighbours is no corner, game units. */
#define STRAIGHT 0.02

static inline double distance_squared(const float *a, const float *b)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) sum += ((double)b[i] - (double)a[i]) * ((double)b[i] - (double)a[i]);
	return sum;
}

/* Across the triangle, as long as twice its area. */
static inline void across(const float *a, const float *b, const float *c, double out[3])
{
	double u[3], v[3];
	for (int i = 0; i < 3; i++) {
		u[i] = (double)b[i] - (double)a[i];
		v[i] = (double)c[i] - (double)a[i];
	}
	for (int i = 0; i < 3; i++) out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Twice the area, squared: also the square of a side times that of the height on it. */
static double area_squared(const float *a, const float *b, const float *c)
{
	double normal[3];
	across(a, b, c, normal);
	return dot(normal, normal);
}

/* The same for the polygon as a whole, which says where its front is: sides that run back and forth cancel out. */
void bspi_polygon_front(const float *const *corners, uint32_t count, double out[3])
{
	out[0] = out[1] = out[2] = 0;
	for (uint32_t i = 1; i + 1 < count; i++) {
		double normal[3];
		across(corners[0], corners[i], corners[i + 1], normal);
		for (int k = 0; k < 3; k++) out[k] += normal[k];
	}
}

bool bspi_looks_along(const double front[3], const float *a, const float *b, const float *c)
{
	double normal[3];
	across(a, b, c, normal);
	return dot(normal, front) > 0;
}

/* A triangle with the front, none of its corners as good as on the opposite side. */
static bool is_sound(const double front[3], const float *a, const float *b, const float *c)
{
	double normal[3], longest = distance_squared(a, b), second = distance_squared(b, c), third = distance_squared(c, a);
	if (second > longest) longest = second;
	if (third > longest) longest = third;
	across(a, b, c, normal);
	return !(dot(normal, normal) <= STRAIGHT * STRAIGHT * longest) && dot(normal, front) > 0;
}

static bool fan_is_sound(const float *const *corners, uint32_t count, const double front[3])
{
	for (uint32_t i = 1; i + 1 < count; i++) {
		if (!is_sound(front, corners[0], corners[i], corners[i + 1])) return false;
	}
	return true;
}

static void write_fan(bspi_mesh_writer *writer, uint32_t count)
{
	for (uint32_t i = 1; i + 1 < count; i++) bspi_write_triangle(writer, 0, i, i + 1);
}

/* The corners without sides that run out to a point and back, as numbers of `corners`. Returns how many are left. */
static uint32_t leave_spikes(const float *const *corners, uint32_t count, uint8_t *left)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		const float *corner = corners[i];
		if (kept && bspi_equal3(corners[left[kept - 1]], corner)) continue;
		if (kept > 1 && bspi_equal3(corners[left[kept - 2]], corner)) kept--;
		else left[kept++] = (uint8_t)i;
	}
	while (kept > 2 && bspi_equal3(corners[left[kept - 1]], corners[left[0]])) kept--;
	return kept;
}

/* The smallest ear with an area comes first: had we cut the only corner off a straight line, the rest would have no
 * area left, and its ear is never the smallest. Without any, the largest that is left; `count` without that. */
static uint32_t choose_ear(const float *const *corners, const uint8_t *left, uint32_t count, const double front[3])
{
	uint32_t best = count, fallback = count;
	double smallest = INFINITY, largest = 0;
	for (uint32_t i = 0; i < count; i++) {
		const float *before = corners[left[(i + count - 1) % count]], *after = corners[left[(i + 1) % count]];
		if (!bspi_looks_along(front, before, corners[left[i]], after)) continue;
		double area = area_squared(before, corners[left[i]], after);
		bool corner = area > STRAIGHT * STRAIGHT * distance_squared(before, after);
		if (corner && area < smallest) {
			smallest = area;
			best = i;
		} else if (!corner && area > largest) {
			largest = area;
			fallback = i;
		}
	}
	return best < count ? best : fallback;
}

static void write_ears(bspi_mesh_writer *writer, const float *const *corners, uint32_t count, const double front[3])
{
	uint8_t left[BSPI_LARGEST_CUT];
	for (count = leave_spikes(corners, count, left); count > 3; count--) {
		uint32_t ear = choose_ear(corners, left, count, front);
		if (ear == count) return;
		bspi_write_triangle(writer, left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]);
		memmove(left + ear, left + ear + 1, count - ear - 1);
	}
	bool last = count == 3 && bspi_looks_along(front, corners[left[0]], corners[left[1]], corners[left[2]]);
	if (last) bspi_write_triangle(writer, left[0], left[1], left[2]);
}

void bspi_cut_polygon(bspi_mesh_writer *writer, const float *const *corners, uint32_t count, const double front[3])
{
	if (count > BSPI_LARGEST_CUT || fan_is_sound(corners, count, front)) write_fan(writer, count);
	else write_ears(writer, corners, count, front);
}
