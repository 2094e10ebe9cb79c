/* source_vvd.c - reads the vertices of a Source model from its VVD file (version 4), and puts them in the order to
 * which the indices of triangles refer. */
#include "models/source/source_mdl.h"

enum { VERSION = 4, MOST_FIXUPS = 65536 };

typedef struct vvd_header {
	uint32_t checksum;
	int32_t vertex_counts[8], fixup_count, fixups_at, vertices_at;
} vvd_header;

typedef struct vvd_fixup {
	int32_t lod, first, count;
} vvd_fixup;

static const bspi_field header_rows[] = {
	SKIP("id version", 0, 8),
	FIELD(vvd_header, checksum, 8, U32),
	SKIP("numLODs", 12, 4),
	FIELD(vvd_header, vertex_counts, 16, I32),
	FIELD(vvd_header, fixup_count, 48, I32),
	FIELD(vvd_header, fixups_at, 52, I32),
	FIELD(vvd_header, vertices_at, 56, I32),
	SKIP("tangents", 60, 4),
};
static const bspi_field fixup_rows[] = {
	FIELD(vvd_fixup, lod, 0, I32),
	FIELD(vvd_fixup, first, 4, I32),
	FIELD(vvd_fixup, count, 8, I32),
};
static const bspi_field vertex_rows[] = {
	FIELD(bspi_source_vertex, weights, 0, F32),    FIELD(bspi_source_vertex, bones, 12, U8),
	FIELD(bspi_source_vertex, bone_count, 15, U8), FIELD(bspi_source_vertex, position, 16, F32),
	FIELD(bspi_source_vertex, normal, 28, F32),    FIELD(bspi_source_vertex, uv, 40, F32),
};
static const bspi_layout header_layout = LAYOUT("vertex header", vvd_header, header_rows, 64);
static const bspi_layout fixup_layout = LAYOUT("fixups", vvd_fixup, fixup_rows, 12);
static const bspi_layout vertex_layout = LAYOUT("vertices", bspi_source_vertex, vertex_rows, 48);
const bspi_layout *const bspi_source_vertex_layouts[] = { &header_layout, &fixup_layout, &vertex_layout, NULL };

/* Copies the range of vertices that each fixup names, one range after the other. The result has the order to which
 * the indices of triangles refer. */
static bool reorder(bspi_model_reader *reader, const vvd_fixup *fixups, uint32_t fixup_count, bspi_studio *source)
{
	uint32_t written = 0, count = source->vertex_count;
	bspi_source_vertex *out = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_source_vertex, count);
	BSPI_TRY(out);
	for (uint32_t i = 0; i < fixup_count; i++) {
		const vvd_fixup *fixup = &fixups[i];
		if (fixup->lod < 0 || !fixup->count) continue;
		bool fits = fixup->first >= 0 && fixup->count >= 0 && (uint32_t)fixup->first <= count &&
		            (uint32_t)fixup->count <= count - (uint32_t)fixup->first &&
		            (uint32_t)fixup->count <= count - written;
		if (!fits) {
			return bspi_refuse_model(
				reader,
				"fixup %u of the .vvd file copies %d vertices from number %d on, but there are %u, of which %u "
				"are copied already",
				i, fixup->count, fixup->first, count, written);
		}
		memcpy(out + written, source->vertices + fixup->first, (size_t)fixup->count * sizeof *out);
		written += (uint32_t)fixup->count;
	}
	source->vertices = out;
	source->vertex_count = written;
	return true;
}

bool bspi_read_source_vertices(bspi_model_reader *reader, bspi_studio *source)
{
	bspi_bytes file;
	bool found;
	BSPI_TRY(bspi_open_model_sibling(reader, ".vvd", &file, &found));
	if (!found) return bspi_refuse_model(reader, "the file with its vertices (.vvd) was not found");
	if (file.size < 8 || memcmp(file.data, "IDSV", 4) != 0 || bspi_load_i32(file.data + 4) != VERSION) {
		return bspi_refuse_model(reader, "its .vvd file is damaged or not of version %d", VERSION);
	}
	const vvd_header *h = bspi_take_records(reader, file, &header_layout, 0, 1, 1);
	BSPI_TRY(h);
	if (h->checksum != source->header->checksum) {
		BSPI_TRY(bspi_warn(
			reader->ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("models"),
			"%s: its vertices (.vvd) have another checksum than the model: they may belong to another version of it",
			reader->path));
	}
	source->vertices =
		bspi_take_records(reader, file, &vertex_layout, h->vertices_at, h->vertex_counts[0], BSPI_MODEL_MAX_VERTICES);
	BSPI_TRY(source->vertices);
	source->vertex_count = (uint32_t)h->vertex_counts[0];
	if (!h->fixup_count) return true;
	const vvd_fixup *fixups = bspi_take_records(reader, file, &fixup_layout, h->fixups_at, h->fixup_count, MOST_FIXUPS);
	return fixups && reorder(reader, fixups, (uint32_t)h->fixup_count, source);
}
