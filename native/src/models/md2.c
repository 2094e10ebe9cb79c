/* md2.c - reads Quake II's models (IDP2 8). A corner of a triangle has one index of a position and another one of
 * texture coordinates. */
#include "models/model.h"

#include "base/text.h"
#include "base/vec.h"
#include "models/rig/model_rig.h"

enum { VERSION = 8, MOST_SKINS = 256, MOST_VERTICES = 65536, MOST_TRIANGLES = 65536, FRAME_HEAD = 40 };
#define FRAMES_PER_SECOND 10.0f

typedef struct md2_header {
	int32_t skin_width, skin_height, frame_size, skin_count, vertex_count, coordinate_count, triangle_count,
		frame_count, skins_at, coordinates_at, triangles_at, frames_at;
} md2_header;

typedef struct md2_skin {
	char path[64];
} md2_skin;

typedef struct md2_coordinate {
	int32_t s, t;
} md2_coordinate;

typedef struct md2_triangle {
	uint32_t vertices[3], coordinates[3];
} md2_triangle;

typedef struct md2_frame {
	float scale[3], translate[3];
	char name[16];
} md2_frame;

typedef struct md2_vertex {
	uint8_t position[3];
} md2_vertex;

static const bspi_field header_rows[] = {
	SKIP("ident", 0, 4), SKIP("version", 4, 4), FIELD(md2_header, skin_width, 8, I32),
	FIELD(md2_header, skin_height, 12, I32), FIELD(md2_header, frame_size, 16, I32),
	FIELD(md2_header, skin_count, 20, I32), FIELD(md2_header, vertex_count, 24, I32),
	FIELD(md2_header, coordinate_count, 28, I32), FIELD(md2_header, triangle_count, 32, I32),
	SKIP("num_glcmds", 36, 4), FIELD(md2_header, frame_count, 40, I32), FIELD(md2_header, skins_at, 44, I32),
	FIELD(md2_header, coordinates_at, 48, I32), FIELD(md2_header, triangles_at, 52, I32),
	FIELD(md2_header, frames_at, 56, I32), SKIP("ofs_glcmds", 60, 4), SKIP("ofs_end", 64, 4),
};
static const bspi_field skin_rows[] = { NAME_FIELD(md2_skin, path, 0, 64) };
static const bspi_field coordinate_rows[] = { FIELD(md2_coordinate, s, 0, I16), FIELD(md2_coordinate, t, 2, I16) };
static const bspi_field triangle_rows[] = {
	FIELD(md2_triangle, vertices, 0, U16), FIELD(md2_triangle, coordinates, 6, U16),
};
static const bspi_field frame_rows[] = {
	FIELD(md2_frame, scale, 0, F32), FIELD(md2_frame, translate, 12, F32),
	NAME_FIELD(md2_frame, name, 24, 16),
};
static const bspi_field vertex_rows[] = { FIELD(md2_vertex, position, 0, U8), SKIP("normal", 3, 1) };
static const bspi_layout header_layout = LAYOUT("header", md2_header, header_rows, 68);
static const bspi_layout skin_layout = LAYOUT("skins", md2_skin, skin_rows, 64);
static const bspi_layout coordinate_layout = LAYOUT("coordinates", md2_coordinate, coordinate_rows, 4);
static const bspi_layout triangle_layout = LAYOUT("triangles", md2_triangle, triangle_rows, 12);
static const bspi_layout frame_layout = LAYOUT("frames", md2_frame, frame_rows, FRAME_HEAD);
static const bspi_layout vertex_layout = LAYOUT("vertices", md2_vertex, vertex_rows, 4);
static const bspi_layout *const layouts[] = {
	&header_layout, &skin_layout, &coordinate_layout, &triangle_layout, &frame_layout, &vertex_layout, NULL,
};

typedef struct md2 {
	const md2_header *header;
	const md2_coordinate *coordinates;
	const md2_triangle *triangles;
	uint32_t *corners;
	float *positions, *normals;
} md2;

static bool bid(bspi_bytes file)
{
	return file.size >= 8 && !memcmp(file.data, "IDP2", 4) && bspi_load_i32(file.data + 4) == VERSION;
}

/* Returns the path of a skin. If the name in the file begins with a dot, the rest of it is relative to the model's
 * folder (UFO: Alien Invasion). */
static const char *name_skin(bspi_model_reader *reader, const md2_skin *skin)
{
	bspi_ctx *ctx = reader->ctx;
	const char *name = bspi_text_copy(ctx, bspi_bytes_of(skin->path, sizeof skin->path), NULL);
	const char *slash = strrchr(reader->path, '/');
	if (!name || *name != '.') return name;
	int folder = slash ? (int)(slash - reader->path) + 1 : 0;
	return bspi_text_format(ctx, &ctx->scratch, "%.*s%s", folder, reader->path, name + 1);
}

static bool read_skins(bspi_model_reader *reader, const md2_header *h)
{
	bspi_ctx *ctx = reader->ctx;
	md2_skin *skins = bspi_take_records(reader, reader->file, &skin_layout, h->skins_at, h->skin_count, MOST_SKINS);
	uint32_t count = skins ? (uint32_t)h->skin_count : 0;
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, count);
	BSPI_TRY(skins && materials);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = name_skin(reader, &skins[i]);
		BSPI_TRY(name);
		materials[i] = (bspi_model_material){
			.name = name, .picture_file = true, .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES,
		};
	}
	return bspi_set_skins(reader, materials, count);
}

static bool check_frames(bspi_model_reader *reader, const md2_header *h)
{
	int64_t least = FRAME_HEAD + (int64_t)h->vertex_count * vertex_layout.file_size;
	if (h->frame_count >= 1 && h->frame_size >= least) return true;
	return bspi_refuse_model(reader, "%d frames of %d bytes have no room for %d vertices", h->frame_count,
	                         h->frame_size, h->vertex_count);
}

static int64_t frame_at(const md2_header *h, uint32_t number)
{
	return h->frames_at + (int64_t)number * h->frame_size;
}

static bool read_frame(bspi_model_reader *reader, md2 *m, uint32_t number)
{
	const md2_header *h = m->header;
	int64_t at = frame_at(h, number);
	const md2_frame *frame = bspi_take_records(reader, reader->file, &frame_layout, at, 1, 1);
	BSPI_TRY(frame);
	const md2_vertex *vertices = bspi_take_records(reader, reader->file, &vertex_layout, at + FRAME_HEAD,
	                                               h->vertex_count, MOST_VERTICES);
	BSPI_TRY(vertices);
	m->positions = bspi_push(reader->ctx, &reader->ctx->scratch, float, 3 * (size_t)h->vertex_count);
	BSPI_TRY(m->positions);
	for (size_t i = 0; i < (size_t)h->vertex_count; i++) {
		for (size_t axis = 0; axis < 3; axis++) {
			float steps = (float)vertices[i].position[axis];
			m->positions[3 * i + axis] = steps * frame->scale[axis] + frame->translate[axis];
		}
	}
	m->normals = bspi_smooth_normals(reader, m->positions, (uint32_t)h->vertex_count, m->corners,
	                                 (uint32_t)h->triangle_count);
	return m->normals != NULL;
}

/* Lists the indices of the positions of all triangles' corners. */
static bool list_corners(bspi_model_reader *reader, md2 *m)
{
	const md2_header *h = m->header;
	uint32_t vertex_count = (uint32_t)h->vertex_count, coordinate_count = (uint32_t)h->coordinate_count;
	m->corners = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, 3 * (size_t)h->triangle_count);
	BSPI_TRY(m->corners);
	for (size_t i = 0; i < 3 * (size_t)h->triangle_count; i++) {
		uint32_t vertex = m->triangles[i / 3].vertices[i % 3], coordinate = m->triangles[i / 3].coordinates[i % 3];
		if (vertex >= vertex_count || coordinate >= coordinate_count) {
			return bspi_refuse_model(reader,
			                         "triangle %zu names vertex %u and texture coordinate %u, but there are %u and %u",
			                         i / 3, vertex, coordinate, vertex_count, coordinate_count);
		}
		m->corners[i] = vertex;
	}
	return true;
}

static bool write_triangles(bspi_model_reader *reader, const md2 *m)
{
	const md2_header *h = m->header;
	BSPI_TRY(bspi_begin_section(reader, 0));
	for (uint32_t i = 0; i < (uint32_t)h->triangle_count; i++) {
		for (int k = 0; k < 3; k++) {
			const md2_coordinate *st = &m->coordinates[m->triangles[i].coordinates[k]];
			size_t number = 3 * (size_t)m->triangles[i].vertices[k];
			bspi_model_vertex vertex = {
				.uv = { (float)st->s / (float)h->skin_width, (float)st->t / (float)h->skin_height },
			};
			bspi_copy3(vertex.position, m->positions + number);
			bspi_copy3(vertex.normal, m->normals + number);
			BSPI_TRY(bspi_add_vertex(reader, &vertex));
		}
		BSPI_TRY(bspi_add_triangle(reader, 3 * i, 3 * i + 1, 3 * i + 2));
	}
	return true;
}

/* Adds sequences. The file does not list them, but the name of a frame tells to which sequence it belongs. The game
 * shows ten frames a second. */
static bool rig_frames(bspi_model_reader *reader, md2 *m)
{
	const md2_header *h = m->header;
	for (uint32_t i = 0; i < (uint32_t)h->frame_count; i++) {
		const md2_frame *frame = bspi_take_records(reader, reader->file, &frame_layout, frame_at(h, i), 1, 1);
		BSPI_TRY(frame && bspi_rig_named_frames(reader, frame->name, sizeof frame->name, FRAMES_PER_SECOND, false,
		                                        1));
	}
	BSPI_TRY(bspi_rig_frames(reader));
	for (uint32_t i = 0; i < (uint32_t)h->frame_count; i++) {
		BSPI_TRY(read_frame(reader, m, i));
		bspi_rig_corner_frame(reader, i, m->positions, m->normals, m->corners);
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	md2 m = { .header = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1) };
	BSPI_TRY(m.header);
	const md2_header *h = m.header;
	if (h->skin_width < 1 || h->skin_height < 1) {
		return bspi_refuse_model(reader, "its header claims skins of %d x %d pixels, which is not possible",
		                         h->skin_width, h->skin_height);
	}
	m.coordinates = bspi_take_records(reader, reader->file, &coordinate_layout, h->coordinates_at, h->coordinate_count,
	                                  MOST_VERTICES);
	BSPI_TRY(m.coordinates);
	m.triangles = bspi_take_records(reader, reader->file, &triangle_layout, h->triangles_at, h->triangle_count,
	                                MOST_TRIANGLES);
	uint32_t frame = reader->state.frame < (uint32_t)h->frame_count ? reader->state.frame : 0;
	return m.triangles && read_skins(reader, h) && check_frames(reader, h) && list_corners(reader, &m) &&
	       read_frame(reader, &m, frame) && write_triangles(reader, &m) && (!reader->rig || rig_frames(reader, &m));
}

const bspi_model_format bspi_model_format_md2 = {
	"md2", "MD2 (IDP2 8, Quake II)", bid, read, { layouts }, ".md2",
};
