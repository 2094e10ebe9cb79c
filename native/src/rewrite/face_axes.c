/* face_axes.c - computes the axes of a texture projection (texinfo) from texture coordinates of corners, for faces
 * whose corners store none. An affine map on the face's plane is fitted to the difference from the old coordinates. It
 * is added to the old axes. So if no corner changes, no bit of the axes changes. */
#include "rewrite/face_axes.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "stages/geometry/geometry.h"

#define RECORD(index) BSPI_RECORD("new corners", (index))
#define NEAR 0.125                     /* largest allowed error of a corner's coordinates, in texels; so small an
                                        * error is invisible */
#define STILL 0.001                    /* texels; if luxels move by less, that does not count as movement */

/* ---- A face ----------------------------------------------------------------------------------------------- */

static const float *corner_of(const bspi_map *map, const bspi_face *face, uint32_t corner)
{
	return bspi_surfedge_position(map, face->first_edge + (int32_t)corner);
}

static double texel_of(const double axis[4], const float p[3])
{
	return (double)p[0] * axis[0] + (double)p[1] * axis[1] + (double)p[2] * axis[2] + axis[3];
}

static void find_middle(const bspi_map *map, const bspi_face *face, uint32_t count, double out[3])
{
	for (int i = 0; i < 3; i++) out[i] = 0;
	for (uint32_t k = 0; k < count; k++) {
		const float *p = corner_of(map, face, k);
		for (int i = 0; i < 3; i++) out[i] += (double)p[i] / count;
	}
}

/* Finds two orthogonal directions in the face's plane. */
static void find_plane(const bspi_map *map, const bspi_face *face, double out[2][3])
{
	const float *n = map->planes[face->plane].normal;
	int least = fabsf(n[0]) < fabsf(n[1]) ? (fabsf(n[0]) < fabsf(n[2]) ? 0 : 2) : (fabsf(n[1]) < fabsf(n[2]) ? 1 : 2);
	float axis[3] = { 0 }, one[3], other[3];
	axis[least] = 1;
	bspi_cross(one, n, axis);
	bspi_normalize(one);
	bspi_cross(other, n, one);
	for (int i = 0; i < 3; i++) {
		out[0][i] = (double)one[i];
		out[1][i] = (double)other[i];
	}
}

/* Fits an affine map to the changes at the corners, by least squares. Returns false if all corners are on a line. */
static bool solve(const bspi_map *map, const bspi_wanted_face *wanted, int axis, double out[4])
{
	const bspi_face *face = &map->faces[wanted->face];
	const uint32_t count = wanted->count;
	double middle[3], plane[2][3], m[3] = { 0 }, v[2] = { 0 }, mean = 0;
	find_middle(map, face, count, middle);
	find_plane(map, face, plane);
	for (uint32_t k = 0; k < count; k++) mean += wanted->changes[k][axis] / count;
	for (uint32_t k = 0; k < count; k++) {
		const float *p = corner_of(map, face, k);
		double at[2] = { 0 };
		for (int i = 0; i < 3; i++) {
			for (int d = 0; d < 2; d++) at[d] += ((double)p[i] - middle[i]) * plane[d][i];
		}
		m[0] += at[0] * at[0];
		m[1] += at[0] * at[1];
		m[2] += at[1] * at[1];
		for (int d = 0; d < 2; d++) v[d] += at[d] * (wanted->changes[k][axis] - mean);
	}
	double determinant = m[0] * m[2] - m[1] * m[1];
	if (!(determinant > 1e-9 * (m[0] + m[2]) * (m[0] + m[2]))) return false;
	double along[2] = { (v[0] * m[2] - v[1] * m[1]) / determinant, (v[1] * m[0] - v[0] * m[1]) / determinant };
	out[3] = mean;
	for (int i = 0; i < 3; i++) {
		out[i] = along[0] * plane[0][i] + along[1] * plane[1][i];
		out[3] -= out[i] * middle[i];
	}
	return true;
}

bool bspi_axes_fit(const bspi_map *map, const bspi_wanted_face *wanted, const bspi_axes *axes)
{
	const bspi_face *face = &map->faces[wanted->face];
	const float (*old)[4] = (const float (*)[4])map->texinfos[face->texinfo].texture_vectors;
	for (uint32_t k = 0; k < wanted->count; k++) {
		const float *p = corner_of(map, face, k);
		for (int i = 0; i < 2; i++) {
			double before[4], after[4];
			for (int c = 0; c < 4; c++) {
				before[c] = (double)old[i][c];
				after[c] = (double)axes->vectors[i][c];
			}
			double aside = texel_of(after, p) - texel_of(before, p) - wanted->changes[k][i];
			if (!(fabs(aside) <= NEAR)) return false;
		}
	}
	return true;
}

/* Fails if the change would move the face's light. Most engines compute luxels from the texture's axes. Then only
 * shifts by whole luxels are allowed. A face that has its own projection for light allows any change. */
static bool light_stays(bspi_ctx *ctx, const bspi_map *map, const bspi_wanted_face *wanted, double changes[2][4])
{
	const bspi_face *face = &map->faces[wanted->face];
	bool own = face->light_projection >= 0 && (uint32_t)face->light_projection < map->light_projections_count;
	bool lit = face->light_offset >= 0 && !face->fullbright && map->rules.light_storage == BSPI_STORAGE_BLOCKS;
	if (own || !lit) return true;
	bool shifted = face->luxel_shift > 0 && face->luxel_shift < 16;
	double luxel = shifted ? (double)(1 << face->luxel_shift) : (double)map->rules.luxel_size;
	for (int i = 0; i < 2; i++) {
		double by = wanted->changes[0][i], whole = luxel * floor(by / luxel + 0.5);
		bool same = fabs(by - whole) < STILL;
		for (uint32_t k = 1; k < wanted->count; k++) same = same && fabs(wanted->changes[k][i] - by) < STILL;
		BSPI_CHECK(ctx, same, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, RECORD(wanted->first),
		           "face %u: its lightmap follows the projection of its texture, so its texture may be moved by whole "
		           "luxels (%g texels) only", wanted->face, luxel);
		memset(changes[i], 0, 3 * sizeof *changes[i]);
		changes[i][3] = whole;
	}
	return true;
}

bool bspi_find_axes(bspi_ctx *ctx, const bspi_map *map, const bspi_wanted_face *wanted, bspi_axes *out)
{
	const bspi_face *face = &map->faces[wanted->face];
	double changes[2][4];
	for (int i = 0; i < 2; i++) {
		BSPI_CHECK(ctx, solve(map, wanted, i, changes[i]), BSPSCENE_ERROR_BAD_DATA, RECORD(wanted->first),
		           "face %u: its corners lie on one line, so they determine no projection", wanted->face);
	}
	BSPI_TRY(light_stays(ctx, map, wanted, changes));
	for (int i = 0; i < 2; i++) {
		const float *old = map->texinfos[face->texinfo].texture_vectors[i];
		for (int c = 0; c < 4; c++) out->vectors[i][c] = (float)((double)old[c] + changes[i][c]);
	}
	BSPI_CHECK(ctx, bspi_axes_fit(map, wanted, out), BSPSCENE_ERROR_BAD_DATA, RECORD(wanted->first),
	           "face %u: no projection of a texture gives its corners these coordinates", wanted->face);
	return true;
}
