/* within_limit.c - divides all meshes into at most `limit` triangles. See vertex_light.h. If there are many half
 * luxels, they may make too many triangles. Then a small sample of the charts is divided first, to estimate an error
 * with which all fit. Then the charts are divided in parts. Each part is an even selection of all charts. The error of
 * a part depends on how many triangles the parts before it made. If there are a few triangles too many in the end, the
 * parts with the smallest errors are divided again with larger ones. Edges between charts keep the error of the first
 * part. */
#include "baking/vertex_light/whole_light.h"

#include <math.h>

/* Default limit for added triangles: BASE_TRIANGLES, and one more for each BYTES_PER_TRIANGLE bytes of the map's file.
 * All maps of two games were measured, and each keeps the requested error within this limit. The 113 of OpenArena
 * (deflated in their archives) use at most an eighth of the limit, the 34 of Nexuiz at most a quarter. */
#define BASE_TRIANGLES 131072u
#define BYTES_PER_TRIANGLE 4u
/* AIM: the error is chosen so that the added triangles are this fraction of the limit. NEAR_ENOUGH: the search ends if
 * they exceed it by at most this fraction. */
#define AIM 0.985
#define NEAR_ENOUGH 0.08
/* The number of added triangles is proportional to error ^ -growth. These are the usual, the smallest and the largest
 * growth, and the largest factor from one error to the next. */
#define USUAL_GROWTH 1.3
#define LEAST_GROWTH 0.6
#define MOST_GROWTH 3.0
#define LARGEST_STEP 16.0
#define MOST_SAMPLES 3
#define MOST_TRIES 8
#define MOST_IN_PARTS 3                /* the first so many tries may divide in parts; later ones divide the whole at
                                        * once */
/* After try n, counted from 0, the error is at least multiplied by 1 + LEAST_STEP * n * n. */
#define LEAST_STEP 0.05f
/* The first try takes no sample if there are fewer half luxels than this for each triangle that may be added. For
 * comparison: with an error of 14 steps of 255, Nexuiz's largest map needs one triangle for 31 half luxels. */
#define SAFE_HALF_LUXELS 8.0
/* The first try also takes no sample if all meshes together have at most this many half luxels. A sample of few charts
 * would be too inexact. */
#define SMALL_MAP (1u << 20)
/* A sample has about this many charts. Its share of all work is at least LEAST_SAMPLED, and about MOST_SAMPLED at
 * most. */
#define SAMPLED_CHARTS 300
#define LEAST_SAMPLED 0.03
#define MOST_SAMPLED 0.12
/* If a sample predicts more than SAFE_SHARE of the allowed triangles, the charts are divided in PARTS parts. Each part
 * consists of RUNS_PER_PART runs of charts. */
#define SAFE_SHARE 0.8
#define PARTS 16u
#define RUNS_PER_PART 64u
/* MOST_DRIFT: the error of a part differs from that of the first part at most by this factor. LEAST_REPEATED and
 * MOST_REPEATED: a repeated part gets an error that is larger by a factor between these. */
#define MOST_DRIFT 1.1
#define LEAST_REPEATED 1.05
#define MOST_REPEATED 1.25
/* If one of the first EARLY_PARTS parts shows that the first error is wrong by more than the factor FAR_OFF, the
 * division begins again. This happens at most MOST_STARTS times. */
#define FAR_OFF 1.3
#define EARLY_PARTS 4u
#define MOST_STARTS 2u
/* If the added triangles exceed the limit by more than this fraction, repeating single parts does not help, so none is
 * repeated. */
#define MOST_OVER 0.15
/* Limits for the added triangles of all tries together, as multiples of the default limit. Above MADE_BEFORE_DOUBLING,
 * the error doubles with each try. Above MOST_MADE, nothing is divided any more. */
#define MADE_BEFORE_DOUBLING 2u
#define MOST_MADE 3.5

/* An error and the number of triangles it adds. */
typedef struct error_fit {
	double error, added, growth;
	double share;                      /* the sample from which `added` was estimated has this share of all work */
} error_fit;

/* ---- With given errors ------------------------------------------------------------------------------------ */

static bool begin_error(bspi_whole_light *w, bspi_light_tables *tables)
{
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		bspi_light_mesh *mesh = &w->meshes[i];
		mesh->error = tables->error;
		for (uint32_t s = 0; s < mesh->mesh->section_count; s++) {
			BSPI_TRY(bspi_light_find_steps(w->ctx, tables, &mesh->sources[s]));
		}
	}
	return true;
}

static bool begin_all(bspi_whole_light *w, bspi_light_total *total)
{
	total->triangles = w->triangles;
	total->charts = w->chart_count;
	total->left_out = w->left_out;
	bspi_fraction_rest(&w->ctx->fraction);
	bspi_arena_reset(&w->ctx->scratch);
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		bspi_light_mesh *mesh = &w->meshes[i];
		mesh->divided = bspi_push(w->ctx, &w->ctx->scratch, bspi_divided_chart, mesh->chart_count);
		BSPI_TRY(mesh->divided);
	}
	return true;
}

/* Divides one part of the charts of all meshes with one error. With `edges`, divides the edges of all charts first. */
static bool divide_part(bspi_whole_light *w, float error, bool edges, bspi_light_total *part)
{
	bspi_light_tables tables = { .stop_at_white = w->stop_at_white, .error = error };
	uint64_t along_edges = w->edges;
	double before = (double)part->triangles;
	BSPI_TRY(begin_error(w, &tables));
	for (uint32_t i = 0; part->divides && !part->over && i < w->scene->mesh_count; i++) {
		if (edges) BSPI_TRY(bspi_find_edge_points(w->ctx, &w->meshes[i], part->sampling_rate, &along_edges));
		BSPI_TRY(bspi_divide_charts(w->ctx, &w->meshes[i], part));
		if (w->meshes[i].left_out) part->left_out = true;
	}
	w->made += (double)part->triangles - before;
	return true;
}

/* ---- In parts --------------------------------------------------------------------------------------------- */

/* All charts in parts, each with its error and the triangles that it added. */
typedef struct divided_parts {
	bspi_light_total *totals;
	double errors[PARTS], added[PARTS], sum;
	bool has_edges;
	double first, growth;              /* error of the first part; the growth by which the number of triangles depends
	                                    * on the error */
	double even, sampled, done;        /* triangles that the sample and the parts so far would have with the first
	                                    * error; work of the sample; work of the parts so far */
} divided_parts;

static bool divide_again(bspi_whole_light *w, divided_parts *parts, uint32_t part, double error, uint64_t limit)
{
	bspi_light_total *total = &parts->totals[part];
	double others = parts->sum - parts->added[part];
	*total = (bspi_light_total){ .limit = limit, .part = part, .part_count = PARTS, .divides = true,
		                         .triangles = w->triangles + (uint64_t)others, .charts = w->chart_count };
	BSPI_TRY(divide_part(w, (float)error, !parts->has_edges, total));
	parts->has_edges = true;
	parts->errors[part] = error;
	parts->sum = (double)(total->triangles - w->triangles);
	parts->added[part] = parts->sum - others;
	return true;
}

/* Returns the factor from the first part's error to the error of the next part. If the parts that are left have this
 * error, all parts together add the wanted number of triangles. */
static double next_step(const bspi_whole_light *w, const divided_parts *parts, double wanted)
{
	double left = fmax(w->size - parts->done, 0) * parts->even / fmax(parts->done + parts->sampled, 1);
	return pow(left / fmax(wanted - parts->sum, 1), 1 / parts->growth);
}

/* Begins again with a better first error. The parts that were divided so far are used as a larger sample. */
static void start_again(divided_parts *parts, double error)
{
	parts->even *= pow(parts->first / error, parts->growth);
	parts->sampled += parts->done;
	parts->done = parts->sum = 0;
	parts->first = error;
	parts->has_edges = false;
	memset(parts->added, 0, sizeof parts->added);
	memset(parts->totals, 0, PARTS * sizeof *parts->totals);
}

/* Divides the parts one after the other. Returns false if memory is out. *over is set if the limit is exceeded by too
 * much to repeat single parts. */
static bool divide_each(bspi_whole_light *w, divided_parts *parts, double least, double wanted, uint64_t limit,
                        bool *over)
{
	double next = parts->first;
	uint32_t starts = 0;
	*over = false;
	for (uint32_t i = 0; i < PARTS && !*over; i++) {
		BSPI_TRY(divide_again(w, parts, i, next, limit));
		parts->even += parts->added[i] * pow(next / parts->first, parts->growth);
		parts->done += parts->totals[i].size;
		*over = parts->totals[i].over;
		double step = next_step(w, parts, wanted);
		bool is_far = step > FAR_OFF || (step < 1 / FAR_OFF && parts->first > LEAST_REPEATED * least);
		if (is_far && i < EARLY_PARTS && starts++ < MOST_STARTS && !*over) {
			start_again(parts, fmax(parts->first * step, least));
			next = parts->first;
			i = UINT32_MAX;            /* the first one is next */
			continue;
		}
		next = fmax(parts->first * fmin(fmax(step, 1 / MOST_DRIFT), MOST_DRIFT), least);
	}
	return true;
}

/* Repeats the parts with the smallest errors with larger ones, until all triangles fit. */
static bool thin_parts(bspi_whole_light *w, divided_parts *parts, double wanted, uint64_t limit)
{
	for (uint32_t i = 0; i < PARTS && parts->sum > wanted; i++) {
		uint32_t finest = 0;
		for (uint32_t k = 1; k < PARTS; k++) if (parts->errors[k] < parts->errors[finest]) finest = k;
		double before = parts->added[finest], after = fmax(before - (parts->sum - wanted), 1);
		double step = fmin(fmax(pow(before / after, 1 / parts->growth), LEAST_REPEATED), MOST_REPEATED);
		BSPI_TRY(divide_again(w, parts, finest, parts->errors[finest] * step, limit));
	}
	return true;
}

static void add_parts(const divided_parts *parts, float *error, bspi_light_total *total)
{
	*error = 0;
	for (uint32_t i = 0; i < PARTS; i++) {
		const bspi_light_total *part = &parts->totals[i];
		for (uint32_t k = 0; k < BSPI_MEASURE_BINS; k++) total->measure.counts[k] += part->measure.counts[k];
		total->measure.count += part->measure.count;
		total->measure.most_on_edges = fmaxf(total->measure.most_on_edges, part->measure.most_on_edges);
		total->left_out = total->left_out || part->left_out;
		total->over = total->over || part->over; /* a part that stopped early makes the whole incomplete */
		total->added += part->added;
		total->size += part->size;
		*error = fmaxf(*error, (float)parts->errors[i]);
	}
}

/* Divides the charts part by part. On entry, *error is the error allowed for the first part. On return, it is the
 * largest error that was allowed for a part. */
static bool divide_parts(bspi_whole_light *w, const error_fit *fit, double least, float *error, bspi_light_total *total)
{
	double room = (double)(total->limit - w->triangles), wanted = AIM * room;
	uint64_t most = total->limit + (uint64_t)(MOST_OVER * room);
	divided_parts parts = { .first = (double)*error, .growth = fit->growth, .sampled = fit->share * w->size };
	parts.even = fit->share * fit->added * pow(fit->error / parts.first, fit->growth);
	parts.totals = bspi_push(w->ctx, &w->ctx->scratch, bspi_light_total, PARTS);
	BSPI_TRY(parts.totals);
	bool over;
	BSPI_TRY(divide_each(w, &parts, least, wanted, most, &over));
	if (!over) BSPI_TRY(thin_parts(w, &parts, room, most));
	add_parts(&parts, error, total);
	total->triangles = w->triangles + (uint64_t)parts.sum;
	total->over = total->over || parts.sum > room;
	return true;
}

/* ---- The error with which they fit ------------------------------------------------------------------------ */

/* Extrapolates the error that adds the wanted number of triangles. */
static double fitting_error(const error_fit *fit, double added)
{
	double step = pow(fit->added / fmax(added, 1), 1 / fit->growth);
	return fit->error * fmin(fmax(step, 1 / LARGEST_STEP), LARGEST_STEP);
}

/* Records the result of another error. */
static void learn(error_fit *fit, double error, double added)
{
	double across = log(error / fit->error), down = log(fmax(fit->added, 1) / fmax(added, 1));
	if (fabs(across) > 0.02) fit->growth = fmin(fmax(down / across, LEAST_GROWTH), MOST_GROWTH);
	fit->error = error;
	fit->added = added;
}

/* Estimates the added triangles of all charts from those so far. */
static double all_added(const bspi_whole_light *w, const bspi_light_total *total)
{
	return total->added * (total->size > 0 ? w->size / total->size : 1);
}

/* Returns which share of all work a sample has, if charts are sampled with this probability per unit of work. */
static double sampled_share(const bspi_whole_light *w, double sampling_rate)
{
	double size = 0;
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		for (uint32_t k = 0; k < w->meshes[i].chart_count; k++) {
			const bspi_light_chart *chart = &w->meshes[i].charts[k];
			size += bspi_chart_size(chart) * bspi_chart_chance(chart, sampling_rate);
		}
	}
	return size / fmax(w->size, 1);
}

/* Divides a sample of the charts with one error. */
static bool divide_sample(bspi_whole_light *w, double sampling_rate, double error, uint64_t limit, double *added)
{
	bspi_light_total some = { .limit = limit, .sampling_rate = sampling_rate, .part_count = 1, .divides = true };
	BSPI_TRY(begin_all(w, &some) && divide_part(w, (float)error, true, &some));
	*added = all_added(w, &some);
	return true;
}

/* Searches an error with which a sample of the charts promises the wanted number of triangles. Begins with `error` and
 * increases it. */
static bool find_error(bspi_whole_light *w, uint64_t limit, double wanted, double error, error_fit *fit)
{
	double sampling_rate = SAMPLED_CHARTS / fmax(w->size, 1);
	while (sampled_share(w, sampling_rate) > MOST_SAMPLED && sampling_rate * w->size > 1) sampling_rate /= 2;
	while (sampled_share(w, sampling_rate) < LEAST_SAMPLED) sampling_rate *= 2;
	double first;
	BSPI_TRY(divide_sample(w, sampling_rate, error, limit, &first));
	/* A sample that adds no triangle contains no large chart, so the result so far is better. */
	if (!(first > 0)) return true;
	*fit = (error_fit){ error, first, USUAL_GROWTH, sampled_share(w, sampling_rate) };
	for (int i = 1; i < MOST_SAMPLES && fit->added > wanted * (1 + NEAR_ENOUGH); i++) {
		double added, larger = fitting_error(fit, wanted);
		if (larger > (double)BSPI_LARGEST_LIGHT_ERROR) break;
		BSPI_TRY(divide_sample(w, sampling_rate, larger, limit, &added));
		learn(fit, larger, added);
	}
	return true;
}

/* Gives each part a run of charts, in turn and repeatedly. The runs have about the same size. So each part has charts
 * from all places of the map. */
static void assign_parts(bspi_whole_light *w)
{
	double run = w->size / (PARTS * RUNS_PER_PART), size = 0;
	uint32_t part = 0;
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		for (uint32_t k = 0; k < w->meshes[i].chart_count; k++) {
			bspi_light_chart *chart = &w->meshes[i].charts[k];
			chart->part = (uint8_t)part;
			size += bspi_chart_size(chart);
			if (size < run) continue;
			part = (part + 1) % PARTS;
			size = 0;
		}
	}
}

uint64_t bspi_most_lit_triangles(const bspscene_scene *scene)
{
	if (!scene->input_size) return UINT64_MAX;
	return scene->counts->triangles + (uint64_t)BASE_TRIANGLES + scene->input_size / BYTES_PER_TRIANGLE;
}

bool bspi_divide_within(bspi_whole_light *w, uint64_t limit, float *error, bspi_light_total *total)
{
	double room = (double)(limit > w->triangles ? limit - w->triangles : 0), wanted = AIM * room;
	double least = (double)*error;
	bool by_size = limit == bspi_most_lit_triangles(w->scene);
	error_fit fit = { .error = least, .growth = USUAL_GROWTH };
	assign_parts(w);
	for (int tries = 0;; tries++) {
		bool sampled = !tries && room > 0 && w->half_luxels > SMALL_MAP &&
		               (double)w->half_luxels > SAFE_HALF_LUXELS * room;
		*total = (bspi_light_total){ .limit = limit };
		if (sampled || tries == 1) BSPI_TRY(find_error(w, limit, wanted, fmax(fit.error, least), &fit));
		if (fit.added > 0) *error = fmaxf((float)fmax(fitting_error(&fit, wanted), least), tries > 1 ? *error : 0);
		total->divides = w->triangles < limit && *error <= BSPI_LARGEST_LIGHT_ERROR && tries < MOST_TRIES;
		if (by_size && w->made > MOST_MADE * room) total->divides = false;
		if (!total->divides) *error = 2 * BSPI_LARGEST_LIGHT_ERROR;
		total->part_count = 1;
		BSPI_TRY(begin_all(w, total));
		bool in_parts = (double)*error > least || fit.added > SAFE_SHARE * wanted;
		if (total->divides && in_parts && tries < MOST_IN_PARTS) BSPI_TRY(divide_parts(w, &fit, least, error, total));
		else BSPI_TRY(divide_part(w, *error, true, total));
		if (!total->over) return true;
		bool doubles = by_size && w->made > MADE_BEFORE_DOUBLING * room;
		fit.error = (double)*error;
		fit.added = all_added(w, total);
		fit.share = 0;
		*error *= doubles ? 2 : 1 + LEAST_STEP * (float)(tries * tries);
	}
}
