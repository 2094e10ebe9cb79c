/* hostile.c - one load of a hostile file, and the variations of a file's bytes. See hostile.h. */
#include "support/hostile/hostile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/make/build_map.h"
#include "support/check/check_scene.h"

/* True for repairs that a strict load refuses; missing siblings and unsupported features stay warnings (bspscene.h,
 * `strict`). */
static bool is_repair(bspscene_warning_code code)
{
	switch (code) {
	case BSPSCENE_WARNING_FILE_MISSING: case BSPSCENE_WARNING_FILE_STALE: case BSPSCENE_WARNING_TEXTURE_MISSING:
	case BSPSCENE_WARNING_IMAGE_BAD: case BSPSCENE_WARNING_SHADER_BAD: case BSPSCENE_WARNING_UNSUPPORTED: return false;
	default: return true;
	}
}

/* Every scene with warnings that is written, except one in SKY_STRIDE, is written without a sky, because drawing the
 * sky takes longest. */
#define SKY_STRIDE 64

static void write_all(const bspscene_scene *scene, bool with_sky, bspt_report *report)
{
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	if (!with_sky) options.sky = BSPSCENE_WRITE_SKY_NONE;
	for (uint32_t i = 0; bspscene_writers()[i]; i++) {
		bspt_sink sink;
		bspscene_output output = bspt_sink_output(&sink);
		bspscene_error error;
		bool written = bspscene_write(scene, bspscene_writers()[i]->name, &options, &output, &error);
		BSPT_EXPECT(report, written, "%s: %s", bspscene_writers()[i]->name, error.message);
		BSPT_EXPECT(report, !written || (sink.files && !sink.open_files), "%s leaves %u files open",
		            bspscene_writers()[i]->name, sink.open_files);
	}
}

bool bspt_hostile_load(const bspt_victim *victim, const void *data, size_t size, const bspscene_load_options *options,
                       bool *repaired, bspt_tally *tally, bspt_report *report)
{
	bspscene_error error;
	memset(&error, 0x5a, sizeof error);
	size_t before = bspt_heap_now();
	bspscene_scene *scene = bspscene_load_memory(data, size, options, &error);
	bool loaded = scene != NULL;
	bool repairs = false;
	tally->loads++;
	if (scene) {
		const char *status = bspscene_status_name(error.status);
		BSPT_EXPECT(report, error.status == BSPSCENE_OK, "a scene with the status %s", status);
		bspt_check_scene(scene, options, report);
		for (uint32_t i = 0; i < scene->warning_count; i++) repairs = repairs || is_repair(scene->warnings[i]->code);
		/* Only scenes with warnings are written here, by all writers. bspt_hostile_outputs writes the scene of the
		 * unchanged file. */
		bool spoilt = scene->warning_count && victim->write_stride && tally->repaired % victim->write_stride == 0;
		bool with_sky = spoilt && !victim->no_sky && tally->repaired / victim->write_stride % SKY_STRIDE == 0;
		if (spoilt && !report->failures) write_all(scene, with_sky, report);
		tally->scenes++;
		tally->repaired += scene->warning_count > 0;
	} else {
		bspt_check_error(&error, report);
		if ((unsigned)error.status <= BSPSCENE_ERROR_OUTPUT_LIMIT) tally->errors[error.status]++;
	}
	bspscene_scene_free(scene);
	BSPT_EXPECT(report, bspt_heap_now() == before, "%zu bytes are not given back", bspt_heap_now() - before);
	if (repaired) *repaired = repairs;
	return loaded;
}

void bspt_tally_print(const bspt_victim *victim, const bspt_tally *tally)
{
	fprintf(stderr, "%s: %" PRIu64 " loads, %" PRIu64 " scenes, %" PRIu64 " of them with warnings", victim->name,
	        tally->loads, tally->scenes, tally->repaired);
	for (int i = 1; i <= BSPSCENE_ERROR_OUTPUT_LIMIT; i++) {
		if (!tally->errors[i]) continue;
		fprintf(stderr, ", %" PRIu64 " %s", tally->errors[i], bspscene_status_name((bspscene_status)i));
	}
	fprintf(stderr, "\n");
}

/* Files of this size and more are cut only at every second byte, files of twice this size at every third, and so on. */
#define CUT_EVERYWHERE ((size_t)1 << 18)

/* Truncates the file at every size, or at every n-th size if the victim has a stride. With a stride, steps grow while
 * truncated files still give scenes, because these take time. AddressSanitizer can make the bytes after the cut
 * unreadable in place. Without it, a copy is placed in front of an unreadable page. */
void bspt_hostile_truncate(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	size_t shortest = victim->stride * (1 + victim->size / CUT_EVERYWHERE), step = shortest;
	bspt_guard guard = bspt_guard_make(victim->size);
	uint8_t *copy = malloc(victim->size + 1);
	if (!copy) bspt_die("allocate", victim->name);
	memcpy(copy, victim->data, victim->size);
	for (size_t size = victim->size; !report->failures; size -= step) {
		bspt_context(report, "%s cut after %zu bytes", victim->name, size);
		bool forbidden = bspt_forbid(copy + size, step < victim->size + 1 - size ? step : victim->size + 1 - size);
		const uint8_t *data = forbidden ? copy : bspt_guard_place(&guard, victim->data, size);
		bool loaded = bspt_hostile_load(victim, data, size, &victim->options, NULL, tally, report);
		if (size < step) break;
		step = loaded && victim->stride > 1 ? step + step / 8 + 1 : shortest;
	}
	bspt_allow(copy, victim->size + 1);
	free(copy);
	bspt_guard_free(&guard);
}

/* Loads the file at every alignment. */
void bspt_hostile_shift(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	for (size_t shift = 1; shift < 8 && !report->failures; shift++) {
		bspt_context(report, "%s, %zu bytes after an aligned address", victim->name, shift);
		uint8_t *shifted = malloc(victim->size + shift);
		if (!shifted) bspt_die("allocate", victim->name);
		memcpy(shifted + shift, victim->data, victim->size);
		bspt_hostile_load(victim, shifted + shift, victim->size, &victim->options, NULL, tally, report);
		free(shifted);
	}
}

/* ---- Regions ---------------------------------------------------------------------------------------------- */

bool bspt_find_lumps(const void *data, size_t size, const bspi_variant **variant, bspi_lump *lumps)
{
	bspi_bytes file = bspi_bytes_of(data, size);
	const bspi_family *family = bspi_find_family(file, variant);
	if (!family) return false;
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) lumps[i] = (bspi_lump){ .name = "", .bytes = BSPI_NO_BYTES };
	bspi_ctx *ctx = calloc(1, sizeof *ctx);
	if (!ctx) bspt_die("allocate", "a context");
	ctx->file = "victim";
	ctx->budget.limit = UINT64_MAX;
	bspi_begin_memory(ctx);
	bool found = family->directory(ctx, file, *variant, lumps);
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		bool inside = lumps[i].bytes.size && lumps[i].bytes.data == file.data + lumps[i].offset;
		if (!inside) lumps[i].bytes = BSPI_NO_BYTES;
	}
	bspi_end_memory(ctx);
	free(ctx);
	return found;
}

uint32_t bspt_find_regions(const void *data, size_t size, bspt_region *regions, uint32_t capacity)
{
	const bspi_variant *variant;
	bspi_lump lumps[BSPI_MAX_LUMPS];
	if (!bspt_find_lumps(data, size, &variant, lumps)) {
		regions[0] = (bspt_region){ 0, size };
		return 1;
	}
	uint32_t count = 1;
	regions[0] = (bspt_region){ 0, size };
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS && count < capacity; i++) {
		if (!lumps[i].bytes.size) continue;
		size_t offset = (size_t)lumps[i].offset;
		if (offset < regions[0].size) regions[0].size = offset;
		regions[count++] = (bspt_region){ offset, lumps[i].bytes.size };
	}
	return count;
}

void bspt_hostile_patch(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	bspt_region regions[BSPI_MAX_LUMPS + 1];
	uint32_t region_count = bspt_find_regions(victim->data, victim->size, regions, BSPI_MAX_LUMPS + 1);
	uint8_t *copy = malloc(victim->size);
	if (!copy) bspt_die("allocate", victim->name);
	memcpy(copy, victim->data, victim->size);
	for (uint32_t r = 0; r < region_count; r++) {
		size_t size = regions[r].size < 1024 ? regions[r].size : 1024;
		for (size_t i = 0; i < size && !report->failures; i += victim->stride) {
			uint8_t *byte = &copy[regions[r].offset + i], original = *byte;
			const uint8_t patches[] = { (uint8_t)(original + 1), (uint8_t)(original - 1), 0, 0xff };
			for (size_t p = 0; p < sizeof patches && !report->failures; p++) {
				if (patches[p] == original) continue;
				*byte = patches[p];
				bspt_context(report, "%s with 0x%02x at byte %zu", victim->name, *byte, regions[r].offset + i);
				bspt_hostile_load(victim, copy, victim->size, &victim->options, NULL, tally, report);
			}
			*byte = original;
		}
	}
	free(copy);
}

/* ---- Fields ----------------------------------------------------------------------------------------------- */

static size_t field_element_size(const bspi_field *field)
{
	switch (field->file_type) {
	case BSPI_U16: case BSPI_I16: return 2;
	case BSPI_U32: case BSPI_I32: case BSPI_F32: return 4;
	default: return 1;
	}
}

/* Returns an extreme value, as bits. */
static uint32_t hostile_value(bool is_float, uint32_t original, uint32_t index)
{
	static const uint32_t floats[] = {
		0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x00000001, 0x80000000, 0x49800000,
		0x4f000000,
	};
	const uint32_t integers[] = {
		original + 1, original - 1, 0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x80000001, 0x7fff, 0xffff,
	};
	return is_float ? floats[index] : integers[index];
}
#define HOSTILE_VALUES 10u

static void store(uint8_t *p, size_t size, uint32_t value)
{
	for (size_t i = 0; i < size; i++) p[i] = (uint8_t)(value >> 8 * i);
}

static void load_both_ways(const bspt_victim *victim, const uint8_t *data, bspt_tally *tally, bspt_report *report)
{
	bspscene_load_options strict = victim->options;
	strict.strict = true;
	bool repaired, ignored;
	bool loaded = bspt_hostile_load(victim, data, victim->size, &victim->options, &repaired, tally, report);
	bool accepted = bspt_hostile_load(victim, data, victim->size, &strict, &ignored, tally, report);
	BSPT_EXPECT(report, accepted == (loaded && !repaired), "the strict load %s where the ordinary one %s",
	            accepted ? "succeeds" : "fails", !loaded ? "fails" : repaired ? "repairs" : "finds nothing to repair");
}

static void attack_element(const bspt_victim *victim, uint8_t *data, uint8_t *place, const bspi_field *field,
                           bspt_tally *tally, bspt_report *report)
{
	size_t size = field_element_size(field);
	uint8_t saved[4];
	uint32_t original = 0;
	memcpy(saved, place, size);
	for (size_t i = 0; i < size; i++) original |= (uint32_t)place[i] << 8 * i;
	for (uint32_t i = 0; i < HOSTILE_VALUES && !report->failures; i++) {
		uint32_t value = hostile_value(field->file_type == BSPI_F32, original, i);
		store(place, size, value);
		if (!memcmp(place, saved, size)) continue;
		bspt_context(report, "%s with %s = 0x%x at byte %zu", victim->name, field->name, value, (size_t)(place - data));
		load_both_ways(victim, data, tally, report);
	}
	memcpy(place, saved, size);
}

/* Replaces the first four elements of every field; names and other bytes are left to bspt_hostile_patch. */
static void attack_record(const bspt_victim *victim, uint8_t *data, uint8_t *record, const bspi_layout *layout,
                          uint32_t *turn, bspt_tally *tally, bspt_report *report)
{
	for (uint16_t i = 0; i < layout->field_count; i++) {
		const bspi_field *field = &layout->fields[i];
		uint16_t count = field->count < 4 ? field->count : 4;
		if (field->file_type == BSPI_SKIP || field->file_type == BSPI_CHARS) continue;
		for (uint16_t k = 0; k < count && !report->failures; k++) {
			if ((*turn)++ % victim->stride) continue;
			uint8_t *element = record + field->file_offset + k * field_element_size(field);
			attack_element(victim, data, element, field, tally, report);
		}
	}
}

void bspt_hostile_fields(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	const bspi_variant *variant;
	bspi_lump lumps[BSPI_MAX_LUMPS];
	uint8_t *copy = malloc(victim->size);
	if (!copy) bspt_die("allocate", victim->name);
	memcpy(copy, victim->data, victim->size);
	bool found = bspt_find_lumps(copy, victim->size, &variant, lumps);
	BSPT_EXPECT(report, found, "%s is no map", victim->name);
	uint32_t turn = 0;
	for (uint32_t i = 0; found && i < variant->lump_row_count; i++) {
		const bspi_layout *layout = variant->lumps[i].layout;
		const bspi_lump *lump = &lumps[variant->lumps[i].slot];
		size_t count = lump->bytes.size / layout->file_size;
		for (size_t r = 0; r < count && !report->failures; r++) {
			if (r >= 4 && r + 2 < count) continue;
			attack_record(victim, copy, copy + lump->offset + r * layout->file_size, layout, &turn, tally, report);
		}
	}
	free(copy);
}
