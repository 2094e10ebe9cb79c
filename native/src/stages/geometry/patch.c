/* patch.c - makes triangles of curved patches. A patch is a grid of control points. Every three by three of them are a
 * biquadratic Bézier sub-patch. Neighboring sub-patches share a row or column of control points
 * (docs/formats/quake3.md, "Patches").
 *
 * A band is the columns or rows from one shared line to the next. It is divided into equal strips, so the vertices form
 * a grid. patch_levels.c decides how many strips there are.
 *
 * Two patches that share a border must compute exactly the same points on it, in whichever direction each of them runs.
 * So such a point depends only on the border's control points. It is (w0 c0 + w2 c2) + w1 c1, in which w0 and w2 are
 * exchanged exactly if the direction is reversed. */
#include "stages/geometry/geometry.h"
#include "stages/light/light.h"

#include "base/vec.h"

/* Offsets of the numbers of a vertex that are interpolated together: position, uv, lightmap uv and colors. */
enum { AT_POSITION = 0, AT_UV = 3, AT_LIGHTMAP = 5, AT_COLORS = 7, CHANNELS = AT_COLORS + 4 * BSPI_MAX_STYLES };

/* A row or column of vertices in a patch. In each line of control points that it crosses, its position follows from
 * three of them. The tangent across it follows from differences between control points. */
typedef struct station {
	uint32_t first;                    /* the three control points are `first`, `first` + 1 and `first` + 2 */
	double weights[3];                 /* weights of the three control points */
	double inside;                     /* where it is in its band, 0 to 1 */
	uint32_t tangent[2][2];            /* pairs of control points; the tangent is the weighted sum of their
	                                    * differences */
	double tangent_weights[2];         /* weights of these differences */
} station;

typedef struct patch {
	const bspi_draw_vertex *controls;
	uint32_t width, height;            /* number of control points */
	uint32_t column_count, row_count;  /* number of columns and rows of vertices */
	uint32_t channel_count;            /* how many numbers are used: fewer than CHANNELS if the face has only one
	                                    * light style */
	station columns[BSPI_PATCH_VERTICES], rows[BSPI_PATCH_VERTICES];
	/* encoded colors of each control point */
	uint8_t colors[BSPI_PATCH_CONTROLS * BSPI_PATCH_CONTROLS][BSPI_MAX_STYLES][4];
	uint32_t sources[BSPI_PATCH_CONTROLS * BSPI_PATCH_CONTROLS];
	/* for each control point, its uv on the stored lightmap */
	float lightmaps[BSPI_PATCH_CONTROLS * BSPI_PATCH_CONTROLS][2];
} patch;

/* ---- Stations ---- */

static void set_tangent(station *s, uint32_t end, bool closed)
{
	uint32_t at = s->first;
	bool first = at == 0 && s->inside <= 0, last = at + 2 == end && s->inside >= 1;
	s->tangent_weights[0] = 1;
	if (closed && (first || last)) {
		s->tangent[0][0] = end - 1;
		s->tangent[0][1] = 1;
	} else if (s->inside <= 0 && !first) {
		/* Here two bands meet. The surface is meant to be smooth, so the tangent is the difference across both bands.
		 * (The case above is the seam of a closed patch.) */
		s->tangent[0][0] = at - 1;
		s->tangent[0][1] = at + 1;
	} else {
		s->tangent[0][0] = at;
		s->tangent[0][1] = s->tangent[1][0] = at + 1;
		s->tangent[1][1] = at + 2;
		s->tangent_weights[0] = 1 - s->inside;
		s->tangent_weights[1] = s->inside;
	}
}

/* Lists the columns or rows of vertices of all bands. The last one of a band is the first one of the next band. Returns
 * their number. */
static uint32_t place_stations(station *stations, const uint8_t *levels, uint32_t control_count, bool closed)
{
	uint32_t count = 0, bands = (control_count - 1) / 2;
	for (uint32_t band = 0; band < bands; band++) {
		uint32_t strips = 1u << levels[band], end = band + 1 == bands ? strips : strips - 1;
		for (uint32_t i = 0; i <= end; i++) {
			double a = strips - i, b = i, all = (double)strips * strips;
			station *s = &stations[count++];
			*s = (station){
				.first = 2 * band, .weights = { a * a / all, 2 * a * b / all, b * b / all }, .inside = b / strips,
			};
			set_tangent(s, control_count - 1, closed);
		}
	}
	return count;
}

static bool same_position(const bspi_draw_vertex *a, const bspi_draw_vertex *b)
{
	return a->position[0] == b->position[0] && a->position[1] == b->position[1] && a->position[2] == b->position[2];
}

/* True if the patch is closed like a tube. Then its last column has the positions of its first column, or its last row
 * those of its first row. */
static bool is_closed(const patch *p, uint32_t lines, uint32_t line_stride, uint32_t end)
{
	for (uint32_t i = 0; i < lines; i++) {
		const bspi_draw_vertex *first = &p->controls[i * line_stride];
		if (!same_position(first, first + end)) return false;
	}
	return true;
}

static void prepare_patch(patch *p, const bspi_build *build, const bspi_face *face, const uint8_t *levels)
{
	p->controls = &build->map->draw_vertices[face->first_vertex];
	p->width = (uint32_t)face->patch_width;
	p->height = (uint32_t)face->patch_height;
	p->channel_count = bspi_has_slots(build) ? CHANNELS : AT_COLORS + 4;
	bool tube = is_closed(p, p->height, p->width, p->width - 1);
	bool ring = is_closed(p, p->width, 1, (p->height - 1) * p->width);
	p->column_count = place_stations(p->columns, levels, p->width, tube);
	p->row_count = place_stations(p->rows, levels + (p->width - 1) / 2, p->height, ring);
	for (uint32_t i = 0; i < p->width * p->height; i++) {
		bspi_corner corner;
		bspi_draw_corner(build, (uint32_t)face->first_vertex + i, &corner);
		memcpy(p->colors[i], corner.colors, sizeof p->colors[i]);
		memcpy(p->lightmaps[i], corner.lightmap, sizeof p->lightmaps[i]);
		p->sources[i] = corner.source;
	}
}

/* ---- Interpolation ---- */

static void load_control(const patch *p, uint32_t index, double out[CHANNELS])
{
	const bspi_draw_vertex *v = &p->controls[index];
	const uint8_t *colors = &p->colors[index][0][0];
	for (int i = 0; i < 3; i++) out[AT_POSITION + i] = (double)v->position[i];
	for (int i = 0; i < 2; i++) out[AT_UV + i] = (double)v->uv[i];
	for (int i = 0; i < 2; i++) out[AT_LIGHTMAP + i] = (double)p->lightmaps[index][i];
	for (uint32_t i = AT_COLORS; i < p->channel_count; i++) out[i] = colors[i - AT_COLORS];
}

static void blend(const station *s, uint32_t count, const double *c0, const double *c1, const double *c2, double *out)
{
	for (uint32_t i = 0; i < count; i++) {
		double start = s->weights[0] * c0[i], end = s->weights[2] * c2[i];
		double ends = start + end;
		out[i] = ends + s->weights[1] * c1[i];
	}
}

/* Computes a curve along a row of vertices. It has one control point for each column of control points. Also computes
 * the tangents across the row at these points. */
static void cut_row(const patch *p, const station *row, double line[][CHANNELS], double tangents[][3])
{
	double c[3][CHANNELS];
	for (uint32_t x = 0; x < p->width; x++) {
		for (uint32_t k = 0; k < 3; k++) load_control(p, (row->first + k) * p->width + x, c[k]);
		blend(row, p->channel_count, c[0], c[1], c[2], line[x]);
		for (int i = 0; i < 3; i++) {
			tangents[x][i] = 0;
			for (int k = 0; k < 2; k++) {
				const float *from = p->controls[row->tangent[k][0] * p->width + x].position;
				const float *to = p->controls[row->tangent[k][1] * p->width + x].position;
				tangents[x][i] += row->tangent_weights[k] * ((double)to[i] - (double)from[i]);
			}
		}
	}
}

/* ---- Normals ---- */

/* Computes the normal as the cross product of the two tangents. It points to the front. Returns false if it is zero. */
static bool cross_tangents(const double along_x[3], const double along_y[3], float out[3])
{
	double n[3], area = 0, x = 0, y = 0;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		n[i] = along_x[j] * along_y[k] - along_x[k] * along_y[j];
		area += n[i] * n[i];
		x += along_x[i] * along_x[i];
		y += along_y[i] * along_y[i];
	}
	if (!(area > 1e-8 * x * y) || !(area > 1e-12)) return false;
	for (int i = 0; i < 3; i++) out[i] = (float)(n[i] / sqrt(area));
	return true;
}

/* Computes the normal of a sub-patch at u (across) and v (down), both from 0 to 1. */
static bool sub_patch_normal(const patch *p, uint32_t column, uint32_t row, double u, double v, float out[3])
{
	double across[2][3] = { { (1 - u) * (1 - u), 2 * u * (1 - u), u * u }, { u - 1, 1 - 2 * u, u } };
	double down[2][3] = { { (1 - v) * (1 - v), 2 * v * (1 - v), v * v }, { v - 1, 1 - 2 * v, v } };
	double along_x[3] = { 0, 0, 0 }, along_y[3] = { 0, 0, 0 };
	for (uint32_t y = 0; y < 3; y++) {
		for (uint32_t x = 0; x < 3; x++) {
			const float *c = p->controls[(row + y) * p->width + column + x].position;
			for (int i = 0; i < 3; i++) {
				along_x[i] += across[1][x] * down[0][y] * (double)c[i];
				along_y[i] += across[0][x] * down[1][y] * (double)c[i];
			}
		}
	}
	return cross_tangents(along_x, along_y, out);
}

/* Finds the normal of a vertex. Where several control points are at one place (the pole of a dome, doubled points), a
 * tangent is zero. Then uses the normal of a point nearby. If there is none either, the normal is 0,0,0. */
static void find_normal(const patch *p, const station *row, const station *column, const double line[][CHANNELS],
                        const double tangents[][3], float out[3])
{
	static const double nearby[] = { 1.0 / 64, 1.0 / 8, 1.0 / 2, 1 };
	double along_x[3], along_y[3];
	blend(column, 3, tangents[column->first], tangents[column->first + 1], tangents[column->first + 2], along_y);
	for (int i = 0; i < 3; i++) {
		along_x[i] = 0;
		for (int k = 0; k < 2; k++) {
			along_x[i] += column->tangent_weights[k] *
			              (line[column->tangent[k][1]][i] - line[column->tangent[k][0]][i]);
		}
	}
	if (cross_tangents(along_x, along_y, out)) return;
	for (size_t i = 0; i < sizeof nearby / sizeof *nearby; i++) {
		double u = column->inside + (0.5 - column->inside) * nearby[i];
		double v = row->inside + (0.5 - row->inside) * nearby[i];
		if (sub_patch_normal(p, column->first, row->first, u, v, out)) return;
	}
	memset(out, 0, 3 * sizeof *out);
}

/* ---- Writing ---- */

/* Returns the index of the control point at this row or column of vertices. Returns NO_INDEX if it is between two. */
static uint32_t find_control(const station *s)
{
	double steps = 2 * s->inside;
	return steps == floor(steps) ? s->first + (uint32_t)steps : BSPSCENE_NO_INDEX;
}

static uint32_t find_source(const patch *p, const station *row, const station *column)
{
	uint32_t y = find_control(row), x = find_control(column);
	return y == BSPSCENE_NO_INDEX || x == BSPSCENE_NO_INDEX ? BSPSCENE_NO_INDEX : p->sources[y * p->width + x];
}

static void write_point(bspi_mesh_writer *writer, const patch *p, const double values[CHANNELS], const float normal[3],
                        uint32_t source)
{
	bspi_corner corner = { .source = source };
	for (int i = 0; i < 3; i++) corner.position[i] = (float)values[AT_POSITION + i];
	for (int i = 0; i < 2; i++) corner.uv[i] = (float)values[AT_UV + i];
	for (int i = 0; i < 2; i++) corner.lightmap[i] = (float)values[AT_LIGHTMAP + i];
	for (uint32_t i = 0; AT_COLORS + i < p->channel_count; i++) {
		corner.colors[i / 4][i % 4] = (uint8_t)(values[AT_COLORS + i] + 0.5);
	}
	bspi_copy3(corner.normal, normal);
	bspi_write_corner(writer, &corner);
}

static void write_points(bspi_mesh_writer *writer, const patch *p)
{
	double line[BSPI_PATCH_CONTROLS][CHANNELS], tangents[BSPI_PATCH_CONTROLS][3], values[CHANNELS];
	float normal[3];
	for (uint32_t r = 0; r < p->row_count; r++) {
		cut_row(p, &p->rows[r], line, tangents);
		for (uint32_t c = 0; c < p->column_count; c++) {
			const station *column = &p->columns[c];
			blend(column, p->channel_count, line[column->first], line[column->first + 1], line[column->first + 2],
			      values);
			find_normal(p, &p->rows[r], column, (const double (*)[CHANNELS])line, (const double (*)[3])tangents,
			            normal);
			write_point(writer, p, values, normal, find_source(p, &p->rows[r], column));
		}
	}
}

/* Writes a triangle. Skips it if two of its corners are at the same position, as in rows that are collapsed to a
 * point. */
static void write_visible_triangle(bspi_mesh_writer *writer, uint32_t a, uint32_t b, uint32_t c)
{
	const float *positions = writer->positions + 3 * (size_t)writer->first_vertex;
	const float *pa = positions + 3 * (size_t)a, *pb = positions + 3 * (size_t)b, *pc = positions + 3 * (size_t)c;
	size_t size = 3 * sizeof *positions;
	if (memcmp(pa, pb, size) && memcmp(pb, pc, size) && memcmp(pc, pa, size)) bspi_write_triangle(writer, a, b, c);
}

static void write_patch(bspi_mesh_writer *writer, const bspi_face *face)
{
	patch p;
	prepare_patch(&p, writer->build, face, writer->build->plan.band_levels + writer->surface->first_band);
	write_points(writer, &p);
	for (uint32_t r = 0; r + 1 < p.row_count; r++) {
		for (uint32_t c = 0; c + 1 < p.column_count; c++) {
			uint32_t at = r * p.column_count + c, below = at + p.column_count;
			write_visible_triangle(writer, at, below, at + 1);
			write_visible_triangle(writer, at + 1, below, below + 1);
		}
	}
}

/* There is no function to measure a patch: its size depends on its neighbors, so patch_levels.c computes it. */
const bspi_shape bspi_patch_shape = { NULL, write_patch };
