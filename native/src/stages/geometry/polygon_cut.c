/* polygon_cut.c - divides polygons into triangles by cutting ears (ear clipping, Meisters 1975). An ear is the triangle
 * of a corner and its two neighbors. Map compilers add vertices on straight sides where other polygons meet the side
 * (T-junctions). All of these vertices are used, because otherwise pixels would flicker through gaps. Each ear that is
 * cut has an area and faces the front. A fan (triangles that share one corner) is simpler. But if rounding made the
 * polygon slightly concave, or if a side is a spike, some triangles of a fan have no area or face backward. */
#include "stages/geometry/geometry.h"

#include "base/vec.h"

/* In game units. A corner that is closer than this to the line between its neighbors counts as lying on the line. */
#define STRAIGHT 0.02

static inline double distance_squared(const float *a, const float *b)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) sum += ((double)b[i] - (double)a[i]) * ((double)b[i] - (double)a[i]);
	return sum;
}

/* Computes the normal of a triangle. Its length is twice the triangle's area. */
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

/* Computes the normals of the fan's triangles, and the sum `front` of these normals. Spikes do not change the sum,
 * because the normals of their triangles cancel each other out. */
void bspi_polygon_front(const float *const *corners, uint32_t count, bspi_polygon_fan *fan)
{
	double *front = fan->front;
	front[0] = front[1] = front[2] = 0;
	for (uint32_t i = 1; i + 1 < count; i++) {
		double *normal = fan->normals[i];
		across(corners[0], corners[i], corners[i + 1], normal);
		for (int k = 0; k < 3; k++) front[k] += normal[k];
	}
}

bool bspi_looks_along(const double front[3], const float *a, const float *b, const float *c)
{
	double normal[3];
	across(a, b, c, normal);
	return dot(normal, front) > 0;
}

/* True if each triangle of the fan faces the front and is not nearly flat. It is flat if its longest side is within
 * STRAIGHT of the opposite corner. */
static bool fan_is_sound(const float *const *corners, uint32_t count, const bspi_polygon_fan *fan)
{
	double spoke = distance_squared(corners[0], corners[1]);
	for (uint32_t i = 1; i + 1 < count; i++) {
		const double *normal = fan->normals[i];
		double longest = spoke, rim = distance_squared(corners[i], corners[i + 1]);
		spoke = distance_squared(corners[0], corners[i + 1]);
		if (rim > longest) longest = rim;
		if (spoke > longest) longest = spoke;
		if (dot(normal, normal) <= STRAIGHT * STRAIGHT * longest || !(dot(normal, fan->front) > 0)) return false;
	}
	return true;
}

static void write_fan(bspi_mesh_writer *writer, uint32_t count)
{
	for (uint32_t i = 1; i + 1 < count; i++) bspi_write_triangle(writer, 0, i, i + 1);
}

/* Drops the corners of spikes, which are sides that go to a point and back. Writes the indices of the other corners to
 * `left`, and returns their number. */
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

/* The triangle of a corner and its two neighbors. */
typedef struct ear {
	double area;                       /* square of twice the area; 0: the triangle faces backward */
	bool corner;                       /* the corner is not on the line between its neighbors */
} ear;

static ear measure_ear(const float *const *corners, const uint8_t *left, uint32_t count, uint32_t i,
                       const double front[3])
{
	const float *before = corners[left[i ? i - 1 : count - 1]], *after = corners[left[i + 1 < count ? i + 1 : 0]];
	double normal[3];
	across(before, corners[left[i]], after, normal);
	if (!(dot(normal, front) > 0)) return (ear){ 0, false };
	double area = dot(normal, normal);
	return (ear){ area, area > STRAIGHT * STRAIGHT * distance_squared(before, after) };
}

/* Chooses the ear that is cut next: the smallest one whose corner is not on the line between its neighbors. (If all
 * corners but one are on a line, cutting that one would leave a polygon without area. But the ears at the ends of the
 * line are smaller.) If there is no such ear, chooses the largest of the other ears that face the front. Returns
 * `count` if all ears face backward. */
static uint32_t choose_ear(const ear *ears, uint32_t count)
{
	uint32_t best = count, fallback = count;
	double smallest = INFINITY, largest = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (ears[i].corner && ears[i].area < smallest) {
			smallest = ears[i].area;
			best = i;
		} else if (!ears[i].corner && ears[i].area > largest) {
			largest = ears[i].area;
			fallback = i;
		}
	}
	return best < count ? best : fallback;
}

static void write_ears(bspi_mesh_writer *writer, const float *const *corners, uint32_t count, const double front[3])
{
	uint8_t left[BSPI_LARGEST_CUT];
	ear ears[BSPI_LARGEST_CUT];
	count = leave_spikes(corners, count, left);
	for (uint32_t i = 0; i < count; i++) ears[i] = measure_ear(corners, left, count, i, front);
	while (count > 3) {
		uint32_t cut = choose_ear(ears, count);
		if (cut == count) return;
		bspi_write_triangle(writer, left[cut ? cut - 1 : count - 1], left[cut], left[cut + 1 < count ? cut + 1 : 0]);
		count--;
		memmove(left + cut, left + cut + 1, count - cut);
		memmove(ears + cut, ears + cut + 1, (count - cut) * sizeof *ears);
		/* The neighbors of the corner that was cut have other ears now. */
		uint32_t before = cut ? cut - 1 : count - 1, after = cut < count ? cut : 0;
		ears[before] = measure_ear(corners, left, count, before, front);
		ears[after] = measure_ear(corners, left, count, after, front);
	}
	bool last = count == 3 && bspi_looks_along(front, corners[left[0]], corners[left[1]], corners[left[2]]);
	if (last) bspi_write_triangle(writer, left[0], left[1], left[2]);
}

void bspi_cut_polygon(bspi_mesh_writer *writer, const float *const *corners, uint32_t count,
                      const bspi_polygon_fan *fan)
{
	if (count > BSPI_LARGEST_CUT || fan_is_sound(corners, count, fan)) write_fan(writer, count);
	else write_ears(writer, corners, count, fan->front);
}
