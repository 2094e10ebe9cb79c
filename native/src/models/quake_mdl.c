/* quake_mdl.c - reads Quake's models (IDPO 6), and those of Hexen II's mission pack (RAPO 50). Only RAPO stores a
 * separate index of texture coordinates for each corner of a triangle. The file stores no offsets, because each
 * record begins where the record before it ends. In some files, an editor's own data follow the last frame. */
#include "models/model.h"

#include "base/vec.h"
#include "models/rig/model_rig.h"

enum { VERSION = 6, MOST_SKINS = 1024, MOST_VERTICES = 65536, MOST_TRIANGLES = 65536, MOST_FRAMES = 65536,
       MOST_IN_GROUP = 1024, EFFECT_HOLEY = 0x4000, FRAME_HEAD = 24, NAME_AT = 8 };
#define FRAMES_PER_SECOND 10.0f

typedef struct mdl_header {
	float scale[3], origin[3];
	int32_t skin_count, skin_width, skin_height, vertex_count, triangle_count, frame_count, effects;
	int32_t coordinate_count;          /* RAPO only */
} mdl_header;

typedef struct mdl_coordinate {
	int32_t on_seam, s, t;
} mdl_coordinate;

typedef struct mdl_triangle {
	int32_t faces_front, vertices[3];
	int32_t coordinates[3];            /* RAPO only */
} mdl_triangle;

typedef struct mdl_vertex {
	uint8_t position[3], normal;
} mdl_vertex;

#define HEADER_ROWS \
	SKIP("ident", 0, 4), SKIP("version", 4, 4), FIELD(mdl_header, scale, 8, F32), FIELD(mdl_header, origin, 20, F32), \
	SKIP("radius", 32, 4), SKIP("eye", 36, 12), FIELD(mdl_header, skin_count, 48, I32), \
	FIELD(mdl_header, skin_width, 52, I32), FIELD(mdl_header, skin_height, 56, I32), \
	FIELD(mdl_header, vertex_count, 60, I32), FIELD(mdl_header, triangle_count, 64, I32), \
	FIELD(mdl_header, frame_count, 68, I32), SKIP("synctype", 72, 4), FIELD(mdl_header, effects, 76, I32), \
	SKIP("size", 80, 4)
static const bspi_field header_rows[] = { HEADER_ROWS };
static const bspi_field wide_header_rows[] = { HEADER_ROWS, FIELD(mdl_header, coordinate_count, 84, I32) };
static const bspi_field coordinate_rows[] = {
	FIELD(mdl_coordinate, on_seam, 0, I32), FIELD(mdl_coordinate, s, 4, I32), FIELD(mdl_coordinate, t, 8, I32),
};
static const bspi_field triangle_rows[] = {
	FIELD(mdl_triangle, faces_front, 0, I32), FIELD(mdl_triangle, vertices, 4, I32),
};
static const bspi_field wide_triangle_rows[] = {
	FIELD(mdl_triangle, faces_front, 0, I32), FIELD(mdl_triangle, vertices, 4, U16),
	FIELD(mdl_triangle, coordinates, 10, U16),
};
static const bspi_field vertex_rows[] = {
	FIELD(mdl_vertex, position, 0, U8), FIELD(mdl_vertex, normal, 3, U8),
};
static const bspi_layout header_layout = LAYOUT("header", mdl_header, header_rows, 84);
static const bspi_layout wide_header_layout = LAYOUT("header", mdl_header, wide_header_rows, 88);
static const bspi_layout coordinate_layout = LAYOUT("stverts", mdl_coordinate, coordinate_rows, 12);
static const bspi_layout triangle_layout = LAYOUT("triangles", mdl_triangle, triangle_rows, 16);
static const bspi_layout wide_triangle_layout = LAYOUT("triangles", mdl_triangle, wide_triangle_rows, 16);
static const bspi_layout vertex_layout = LAYOUT("vertices", mdl_vertex, vertex_rows, 4);
static const bspi_layout *const layouts[] = {
	&header_layout, &wide_header_layout, &coordinate_layout, &triangle_layout, &wide_triangle_layout, &vertex_layout,
	NULL,
};

typedef struct mdl {
	const mdl_header *header;
	bool wide;                         /* the file is RAPO */
	const mdl_coordinate *coordinates; uint32_t coordinate_count;
	const mdl_triangle *triangles;
	const mdl_vertex *vertices;
	uint64_t at;                       /* byte offset of the next record */
	uint32_t *corners;                 /* for each corner of each triangle, the index of its position */
	float *positions, *normals;        /* position and normal of each vertex in the frame that was read */
} mdl;

static bool bid(bspi_bytes file)
{
	enum { MISSION_PACK = 50 };
	if (file.size < 8) return false;
	int32_t version = bspi_load_i32(file.data + 4);
	return (!memcmp(file.data, "IDPO", 4) && version == VERSION) ||
	       (!memcmp(file.data, "RAPO", 4) && version == MISSION_PACK);
}

static bool take_i32(bspi_model_reader *reader, mdl *m, const char *what, int32_t *out)
{
	bspi_bytes bytes;
	BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)m->at, 4, what, &bytes));
	*out = bspi_load_i32(bytes.data);
	m->at += 4;
	return true;
}

/* Reads the skins. If a skin is a group of pictures, its first picture is used. */
static bool read_skins(bspi_model_reader *reader, mdl *m)
{
	const mdl_header *h = m->header;
	uint64_t size = (uint64_t)h->skin_width * (uint64_t)h->skin_height;
	uint32_t count = (uint32_t)h->skin_count;
	bspi_model_material *materials = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_model_material, count);
	BSPI_TRY(materials);
	for (uint32_t i = 0; i < count; i++) {
		int32_t group, pictures = 1;
		BSPI_TRY(take_i32(reader, m, "skins", &group));
		if (group) {
			BSPI_TRY(take_i32(reader, m, "skins", &pictures));
			if (pictures < 1 || pictures > MOST_IN_GROUP) {
				return bspi_refuse_model(reader, "skin %u is a group of %d pictures, which is not possible", i,
				                         pictures);
			}
			m->at += 4 * (uint64_t)pictures;
		}
		materials[i] = (bspi_model_material){
			.name = "", .flags = BSPI_MODEL_GLOWING, .width = (uint32_t)h->skin_width,
			.height = (uint32_t)h->skin_height, .palette = BSPI_NO_BYTES,
		};
		if (h->effects & EFFECT_HOLEY) materials[i].flags |= BSPI_MODEL_MASKED;
		BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)m->at, size, "skins", &materials[i].pixels));
		m->at += size * (uint64_t)pictures;
	}
	return bspi_set_skins(reader, materials, count);
}

/* A frame of the file, or a group of frames that the game shows as an animation. */
typedef struct mdl_frames {
	bool group;
	uint32_t count;
	float time;                        /* for a group: seconds until its second frame is shown */
	uint64_t at;                       /* offset of the first frame; the other frames of a group follow it */
} mdl_frames;

static uint64_t frame_size_of(const mdl *m)
{
	return FRAME_HEAD + (uint64_t)m->header->vertex_count * vertex_layout.file_size;
}

static bool take_frames(bspi_model_reader *reader, mdl *m, uint32_t number, mdl_frames *out)
{
	int32_t group, count = 1;
	bspi_bytes time = BSPI_NO_BYTES;
	if (m->at > reader->file.size) {
		return bspi_refuse_model(reader, "the file ends before frame %u", number);
	}
	BSPI_TRY(take_i32(reader, m, "frames", &group));
	if (group) {
		BSPI_TRY(take_i32(reader, m, "frames", &count));
		if (count < 1 || count > MOST_IN_GROUP) {
			return bspi_refuse_model(reader, "frame %u is a group of %d frames, which is not possible", number, count);
		}
		BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)m->at + 8, 4, "frames", &time));
		m->at += 8 + 4 * (uint64_t)count;
	}
	*out = (mdl_frames) { .group = group, .count = (uint32_t)count, .at = m->at };
	if (group) out->time = bspi_load_f32(time.data);
	m->at += frame_size_of(m) * out->count;
	return true;
}

static bool read_vertices(bspi_model_reader *reader, mdl *m, uint64_t at)
{
	m->vertices = bspi_take_records(reader, reader->file, &vertex_layout, (int64_t)at + FRAME_HEAD,
	                                m->header->vertex_count, MOST_VERTICES);
	return m->vertices != NULL;
}

/* Reads the vertices of a frame, or of a group's first frame. */
static bool read_frame(bspi_model_reader *reader, mdl *m)
{
	uint32_t wanted = reader->state.frame < (uint32_t)m->header->frame_count ? reader->state.frame : 0;
	mdl_frames frames;
	for (uint32_t i = 0; i <= wanted; i++) BSPI_TRY(take_frames(reader, m, i, &frames));
	return read_vertices(reader, m, frames.at);
}

static bool is_back_of_seam(const mdl *m, const mdl_triangle *triangle, uint32_t coordinate)
{
	return !m->wide && !triangle->faces_front && m->coordinates[coordinate].on_seam;
}

static bool add_corner(bspi_model_reader *reader, const mdl *m, const mdl_triangle *triangle, uint32_t corner,
                       const float *position, const float *normal)
{
	const mdl_header *h = m->header;
	int32_t number = m->wide ? triangle->coordinates[corner] : triangle->vertices[corner];
	uint32_t coordinate = number >= 0 && (uint32_t)number < m->coordinate_count ? (uint32_t)number : 0;
	const mdl_coordinate *st = &m->coordinates[coordinate];
	float s = (float)st->s;
	if (is_back_of_seam(m, triangle, coordinate)) s += (float)h->skin_width / 2;
	bspi_model_vertex vertex = {
		.uv = { (s + 0.5f) / (float)h->skin_width, ((float)st->t + 0.5f) / (float)h->skin_height },
	};
	bspi_copy3(vertex.position, position);
	bspi_copy3(vertex.normal, normal);
	return bspi_add_vertex(reader, &vertex);
}

static float *place_vertices(bspi_model_reader *reader, const mdl *m)
{
	const mdl_header *h = m->header;
	float *positions = bspi_push(reader->ctx, &reader->ctx->scratch, float, 3 * (size_t)h->vertex_count);
	for (size_t i = 0; positions && i < (size_t)h->vertex_count; i++) {
		for (size_t axis = 0; axis < 3; axis++) {
			positions[3 * i + axis] = (float)m->vertices[i].position[axis] * h->scale[axis] + h->origin[axis];
		}
	}
	return positions;
}

static bool list_corners(bspi_model_reader *reader, const mdl *m, uint32_t *out)
{
	for (int32_t i = 0; i < m->header->triangle_count; i++) {
		for (int k = 0; k < 3; k++) {
			int32_t vertex = m->triangles[i].vertices[k];
			if (vertex < 0 || vertex >= m->header->vertex_count) {
				return bspi_refuse_model(reader, "triangle %d names vertex %d, but there are %d", i, vertex,
				                         m->header->vertex_count);
			}
			*out++ = (uint32_t)vertex;
		}
	}
	return true;
}

/* Computes positions and normals of all vertices of the frame that was read. */
static bool place_frame(bspi_model_reader *reader, mdl *m)
{
	m->positions = place_vertices(reader, m);
	BSPI_TRY(m->positions);
	m->normals = bspi_smooth_normals(reader, m->positions, (uint32_t)m->header->vertex_count, m->corners,
	                                 (uint32_t)m->header->triangle_count);
	return m->normals != NULL;
}

/* Writes the triangles. A texture has a front half and a back half, so a vertex on the seam has two different texture
 * coordinates. Therefore each triangle gets three vertices of its own. They keep the normals of the shared vertices. */
static bool write_triangles(bspi_model_reader *reader, mdl *m)
{
	uint32_t count = (uint32_t)m->header->triangle_count;
	m->corners = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, 3 * (size_t)count);
	BSPI_TRY(m->corners && list_corners(reader, m, m->corners) && place_frame(reader, m));
	BSPI_TRY(bspi_begin_section(reader, 0));
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < 3; k++) {
			size_t vertex = 3 * (size_t)m->corners[3 * i + k];
			BSPI_TRY(add_corner(reader, m, &m->triangles[i], k, m->positions + vertex, m->normals + vertex));
		}
		BSPI_TRY(bspi_add_triangle(reader, 3 * i, 3 * i + 1, 3 * i + 2));
	}
	return true;
}

/* ---- Animation ---- */

/* Collects frames into sequences by the names of the frames. Such sequences have ten frames a second. A group of
 * frames becomes a sequence of its own, which loops and has its own rate. */
static bool list_sequences(bspi_model_reader *reader, mdl *m)
{
	for (uint32_t i = 0; i < (uint32_t)m->header->frame_count; i++) {
		mdl_frames frames;
		bspi_bytes head;
		BSPI_TRY(take_frames(reader, m, i, &frames));
		BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)frames.at, FRAME_HEAD, "frames", &head));
		float rate = frames.time > 0 ? 1 / frames.time : FRAMES_PER_SECOND;
		BSPI_TRY(bspi_rig_named_frames(reader, (const char *)head.data + NAME_AT, FRAME_HEAD - NAME_AT, rate,
		                               frames.group, frames.count));
	}
	return true;
}

static bool rig_frames(bspi_model_reader *reader, mdl *m, uint64_t frames_at)
{
	m->at = frames_at;
	BSPI_TRY(list_sequences(reader, m) && bspi_rig_frames(reader));
	m->at = frames_at;
	uint32_t number = 0;
	for (uint32_t i = 0; i < (uint32_t)m->header->frame_count; i++) {
		mdl_frames frames;
		BSPI_TRY(take_frames(reader, m, i, &frames));
		for (uint32_t k = 0; k < frames.count; k++, number++) {
			BSPI_TRY(read_vertices(reader, m, frames.at + k * frame_size_of(m)) && place_frame(reader, m));
			bspi_rig_corner_frame(reader, number, m->positions, m->normals, m->corners);
		}
	}
	return true;
}

static bool check_header(bspi_model_reader *reader, const mdl_header *h)
{
	bool sizes = h->skin_width >= 1 && h->skin_height >= 1 && h->skin_width <= (int32_t)BSPI_MODEL_MAX_PICTURE &&
	             h->skin_height <= (int32_t)BSPI_MODEL_MAX_PICTURE;
	if (!sizes)
		return bspi_refuse_model(reader, "its header claims skins of %d x %d pixels, which is not possible",
		                         h->skin_width, h->skin_height);
	bool counts = h->skin_count >= 0 && h->skin_count <= MOST_SKINS && h->frame_count >= 1 &&
	              h->frame_count <= MOST_FRAMES && h->vertex_count >= 1 && h->triangle_count >= 1;
	if (!counts) {
		return bspi_refuse_model(
			reader, "its header claims %d skins, %d frames, %d vertices and %d triangles, which is not possible",
			h->skin_count, h->frame_count, h->vertex_count, h->triangle_count);
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	bool wide = reader->file.data[0] == 'R';
	const bspi_layout *layout = wide ? &wide_header_layout : &header_layout;
	mdl m = { .header = bspi_take_records(reader, reader->file, layout, 0, 1, 1), .wide = wide };
	BSPI_TRY(m.header && check_header(reader, m.header));
	m.at = layout->file_size;
	BSPI_TRY(read_skins(reader, &m));
	int32_t coordinates = wide ? m.header->coordinate_count : m.header->vertex_count;
	if (coordinates < 1)
		return bspi_refuse_model(reader, "it claims %d texture coordinates, which is not possible", coordinates);
	m.coordinates = bspi_take_records(reader, reader->file, &coordinate_layout, (int64_t)m.at, coordinates,
	                                  MOST_VERTICES);
	BSPI_TRY(m.coordinates);
	m.coordinate_count = (uint32_t)coordinates;
	m.at += (uint64_t)coordinates * coordinate_layout.file_size;
	const bspi_layout *triangles = wide ? &wide_triangle_layout : &triangle_layout;
	m.triangles = bspi_take_records(reader, reader->file, triangles, (int64_t)m.at, m.header->triangle_count,
	                                MOST_TRIANGLES);
	BSPI_TRY(m.triangles);
	m.at += (uint64_t)m.header->triangle_count * triangles->file_size;
	uint64_t frames_at = m.at;
	return read_frame(reader, &m) && write_triangles(reader, &m) && (!reader->rig || rig_frames(reader, &m, frames_at));
}

const bspi_model_format bspi_model_format_quake_mdl = {
	"quake_mdl", "Quake's MDL (IDPO 6, RAPO 50)", bid, read, { layouts }, ".mdl",
};
