/* md3.c - reads Quake III's models (IDP3 15). Surfaces follow each other. Each has a shader, and vertices for every
 * frame. The parts of a surface may be in any order. Flags and the bounds of frames are not reliable, and some files
 * have no surfaces. */
#include "models/model.h"

#include <math.h>
#include <stdio.h>

#include "base/pose.h"
#include "base/text.h"
#include "base/vec.h"
#include "models/rig/model_rig.h"

enum { VERSION = 15, MOST_SURFACES = 1024, MOST_SHADERS = 256, MOST_VERTICES = 65536, MOST_TRIANGLES = 262144,
       SURFACE_SIZE = 108, MOST_FRAMES = 65536, MOST_TAGS = BSPI_MODEL_MAX_BONES };
#define UNITS 64.0f                    /* a coordinate of 64 is one game unit */
#define FRAMES_PER_SECOND 15.0f        /* the file has no rate; most sequences in the game's animation.cfg have this
                                        * one */

typedef struct md3_header {
	int32_t frame_count, tag_count, surface_count, tags_at, surfaces_at;
} md3_header;

typedef struct md3_surface {
	char name[64];
	int32_t frame_count, shader_count, vertex_count, triangle_count;
	int32_t triangles_at, shaders_at, coordinates_at, vertices_at, end; /* byte offsets relative to the surface */
} md3_surface;

typedef struct md3_tag {
	char name[64];
	float place[3], axes[9];           /* axes: forward, left, up */
} md3_tag;

typedef struct md3_shader {
	char name[64];
} md3_shader;

typedef struct md3_triangle {
	uint32_t vertices[3];
} md3_triangle;

typedef struct md3_coordinate {
	float st[2];
} md3_coordinate;

typedef struct md3_vertex {
	float position[3];
	uint8_t zenith, azimuth;
} md3_vertex;

static const bspi_field header_rows[] = {
	SKIP("ident", 0, 4), SKIP("version", 4, 4), SKIP("name", 8, 64), SKIP("flags", 72, 4),
	FIELD(md3_header, frame_count, 76, I32), FIELD(md3_header, tag_count, 80, I32),
	FIELD(md3_header, surface_count, 84, I32), SKIP("numSkins", 88, 4), SKIP("ofsFrames", 92, 4),
	FIELD(md3_header, tags_at, 96, I32), FIELD(md3_header, surfaces_at, 100, I32),
	SKIP("ofsEnd", 104, 4),
};
static const bspi_field surface_rows[] = {
	SKIP("ident", 0, 4), NAME_FIELD(md3_surface, name, 4, 64), SKIP("flags", 68, 4),
	FIELD(md3_surface, frame_count, 72, I32), FIELD(md3_surface, shader_count, 76, I32),
	FIELD(md3_surface, vertex_count, 80, I32), FIELD(md3_surface, triangle_count, 84, I32),
	FIELD(md3_surface, triangles_at, 88, I32), FIELD(md3_surface, shaders_at, 92, I32),
	FIELD(md3_surface, coordinates_at, 96, I32), FIELD(md3_surface, vertices_at, 100, I32),
	FIELD(md3_surface, end, 104, I32),
};
static const bspi_field tag_rows[] = {
	NAME_FIELD(md3_tag, name, 0, 64), FIELD(md3_tag, place, 64, F32), FIELD(md3_tag, axes, 76, F32),
};
static const bspi_field shader_rows[] = { NAME_FIELD(md3_shader, name, 0, 64), SKIP("index", 64, 4) };
static const bspi_field triangle_rows[] = { FIELD(md3_triangle, vertices, 0, U32) };
static const bspi_field coordinate_rows[] = { FIELD(md3_coordinate, st, 0, F32) };
static const bspi_field vertex_rows[] = {
	FIELD(md3_vertex, position, 0, I16), FIELD(md3_vertex, zenith, 6, U8), FIELD(md3_vertex, azimuth, 7, U8),
};
static const bspi_layout header_layout = LAYOUT("header", md3_header, header_rows, 108);
static const bspi_layout surface_layout = LAYOUT("surfaces", md3_surface, surface_rows, SURFACE_SIZE);
static const bspi_layout tag_layout = LAYOUT("tags", md3_tag, tag_rows, 112);
static const bspi_layout shader_layout = LAYOUT("shaders", md3_shader, shader_rows, 68);
static const bspi_layout triangle_layout = LAYOUT("triangles", md3_triangle, triangle_rows, 12);
static const bspi_layout coordinate_layout = LAYOUT("coordinates", md3_coordinate, coordinate_rows, 8);
static const bspi_layout vertex_layout = LAYOUT("vertices", md3_vertex, vertex_rows, 8);
static const bspi_layout *const layouts[] = {
	&header_layout, &surface_layout, &tag_layout, &shader_layout, &triangle_layout, &coordinate_layout, &vertex_layout,
	NULL,
};

static bool bid(bspi_bytes file)
{
	return file.size >= 8 && !memcmp(file.data, "IDP3", 4) && bspi_load_i32(file.data + 4) == VERSION;
}

static void read_normal(const md3_vertex *vertex, float out[3])
{
	const float turn = 6.283185307179586f / 256;
	float zenith = (float)vertex->zenith * turn, azimuth = (float)vertex->azimuth * turn;
	out[0] = (float)cos(azimuth) * (float)sin(zenith);
	out[1] = (float)sin(azimuth) * (float)sin(zenith);
	out[2] = (float)cos(zenith);
}

/* Reads the vertices of a frame, or of the first frame if the surface lacks the requested one. `part` is the part of
 * the file that begins with the surface. */
static const md3_vertex *take_vertices(bspi_model_reader *reader, bspi_bytes part, const md3_surface *surface,
                                       uint32_t frame)
{
	if (frame >= (uint32_t)surface->frame_count) frame = 0;
	int64_t at = surface->vertices_at + (int64_t)frame * surface->vertex_count * vertex_layout.file_size;
	return bspi_take_records(reader, part, &vertex_layout, at, surface->vertex_count, MOST_VERTICES);
}

static void place_vertex(const md3_vertex *vertex, float position[3], float normal[3])
{
	for (int k = 0; k < 3; k++) position[k] = vertex->position[k] / UNITS;
	read_normal(vertex, normal);
}

static bool write_surface(bspi_model_reader *reader, bspi_bytes part, const md3_surface *surface)
{
	const md3_vertex *vertices = take_vertices(reader, part, surface, reader->state.frame);
	BSPI_TRY(vertices);
	const md3_coordinate *coordinates = bspi_take_records(reader, part, &coordinate_layout, surface->coordinates_at,
	                                                      surface->vertex_count, MOST_VERTICES);
	BSPI_TRY(coordinates);
	const md3_triangle *triangles = bspi_take_records(reader, part, &triangle_layout, surface->triangles_at,
	                                                  surface->triangle_count, MOST_TRIANGLES);
	BSPI_TRY(triangles);
	for (int32_t i = 0; i < surface->vertex_count; i++) {
		bspi_model_vertex vertex = { .uv = { coordinates[i].st[0], coordinates[i].st[1] } };
		place_vertex(&vertices[i], vertex.position, vertex.normal);
		BSPI_TRY(bspi_add_vertex(reader, &vertex));
	}
	for (int32_t i = 0; i < surface->triangle_count; i++) {
		const uint32_t *corners = triangles[i].vertices;
		BSPI_TRY(bspi_add_triangle(reader, corners[0], corners[1], corners[2]));
	}
	return true;
}

/* Returns the shader of a surface that names none: the one in the line "surface,shader" of the .skin file next to the
 * model. */
static const char *shader_by_skin_file(bspi_bytes text, const char *surface, char *out, size_t size)
{
	size_t length = strlen(surface);
	const char *line = (const char *)text.data, *end = line + text.size;
	while (line < end) {
		const char *next = memchr(line, '\n', (size_t)(end - line)), *stop = next ? next : end;
		if ((size_t)(stop - line) > length && line[length] == ',') {
			char name[sizeof((md3_surface *)0)->name];
			snprintf(name, sizeof name, "%.*s", (int)length, line);
			const char *value = line + length + 1;
			while (stop > value && (unsigned char)stop[-1] <= ' ') stop--;
			while (value < stop && (unsigned char)*value <= ' ') value++;
			snprintf(out, size, "%.*s", (int)(stop - value), value);
			if (bspi_text_equal(name, surface)) return out;
		}
		line = next ? next + 1 : end;
	}
	return "";
}

static bool read_material(bspi_model_reader *reader, bspi_bytes part, const md3_surface *surface, bspi_bytes skin_file,
                          bspi_model_material *out)
{
	char surface_name[sizeof surface->name], found[BSPI_PATH_SIZE];
	const char *name = "";
	*out = (bspi_model_material){ .name = "", .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES };
	if (surface->shader_count) {
		const md3_shader *shader = bspi_take_records(reader, part, &shader_layout, surface->shaders_at, 1, 1);
		BSPI_TRY(shader);
		name = bspi_text_copy(reader->ctx, bspi_bytes_of(shader->name, sizeof shader->name), NULL);
	}
	memcpy(surface_name, surface->name, sizeof surface_name);
	surface_name[sizeof surface_name - 1] = 0;
	if (name && !*name) name = shader_by_skin_file(skin_file, surface_name, found, sizeof found);
	out->name = name ? bspi_text_format(reader->ctx, &reader->ctx->scratch, "%s", name) : NULL;
	return out->name != NULL;
}

/* ---- Animation ---- */

static bspscene_bone_pose pose_of_tag(const md3_tag *tag)
{
	float place[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) place[4 * r + c] = tag->axes[3 * c + r];
		place[4 * r + 3] = tag->place[r];
	}
	return bspi_pose_of(place);
}

/* Adds the sequences of a player's model, or one sequence with all frames of another model. *kept
 * receives, for each frame of the sequences, its number in the file. */
static bool rig_sequences(bspi_model_reader *reader, uint32_t frame_count, uint32_t **kept)
{
	BSPI_TRY(bspi_rig_player(reader, frame_count, kept));
	if (*kept) return true;
	BSPI_TRY(bspi_rig_sequence(reader, bspi_rig_name(reader, "frames", 6, "", 0), FRAMES_PER_SECOND, false,
	                           frame_count));
	*kept = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, frame_count);
	for (uint32_t i = 0; *kept && i < frame_count; i++) (*kept)[i] = i;
	return *kept != NULL;
}

/* Adds the tags as bones to which no vertex belongs. The file has all tags for each frame. */
static bool rig_tags(bspi_model_reader *reader, const md3_header *h, uint32_t **kept)
{
	bspi_rig *rig = reader->rig;
	uint32_t count = h->tag_count > 0 ? (uint32_t)h->tag_count : 0, frames = (uint32_t)h->frame_count;
	BSPI_TRY(bspi_rig_bones(reader, count) && rig_sequences(reader, frames, kept));
	const md3_tag *tags = bspi_take_records(reader, reader->file, &tag_layout, h->tags_at, (int64_t)count * frames,
	                                        MOST_TAGS * MOST_FRAMES);
	BSPI_TRY(tags);
	uint32_t rest = reader->state.frame < frames ? reader->state.frame : 0;
	for (uint32_t i = 0; i < count; i++) {
		bspscene_bone *bone = &rig->bones[i];
		bone->name = bspi_rig_name(reader, tags[i].name, sizeof tags[i].name, "tag", i);
		BSPI_TRY(bone->name);
		bone->rest = pose_of_tag(&tags[(size_t)rest * count + i]);
		bone->is_tag = true;
	}
	BSPI_TRY(bspi_rig_poses(reader));
	for (size_t i = 0; i < (size_t)count * rig->frame_count; i++) {
		rig->poses[i] = pose_of_tag(&tags[(size_t)(*kept)[i / count] * count + i % count]);
	}
	return true;
}

/* Adds the vertices of all frames. `surfaces` are the surfaces that became sections. For each of them, `parts` has
 * the part of the file that begins with this surface. */
static bool rig_frames(bspi_model_reader *reader, const md3_header *h, const md3_surface *const *surfaces,
                       const bspi_bytes *parts)
{
	uint32_t *kept;
	if (h->frame_count < 1 || h->frame_count > MOST_FRAMES) {
		return bspi_refuse_model(reader, "its header claims %d frames, which is not possible", h->frame_count);
	}
	BSPI_TRY(rig_tags(reader, h, &kept) && bspi_rig_frames(reader));
	for (uint32_t s = 0; s < reader->section_count; s++) {
		const bspi_model_section *section = &reader->sections[s];
		for (uint32_t frame = 0; frame < reader->rig->frame_count; frame++) {
			const md3_vertex *vertices = take_vertices(reader, parts[s], surfaces[s], kept[frame]);
			size_t to = 3 * ((size_t)frame * reader->vertex_count + section->first_vertex);
			BSPI_TRY(vertices);
			for (size_t i = 0; i < section->vertex_count; i++) {
				place_vertex(&vertices[i], reader->rig->frame_positions + to + 3 * i,
				             reader->rig->frame_normals + to + 3 * i);
			}
		}
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	const md3_header *h = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1);
	BSPI_TRY(h);
	if (h->surface_count < 0 || h->surface_count > MOST_SURFACES) {
		return bspi_refuse_model(reader, "its header claims %d surfaces, which is not possible", h->surface_count);
	}
	uint32_t count = (uint32_t)h->surface_count;
	int64_t at = h->surfaces_at;
	bspi_bytes skin_file;
	bool has_skin_file;
	bspi_model_material *materials = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_model_material, count);
	const md3_surface **surfaces = bspi_push(reader->ctx, &reader->ctx->scratch, const md3_surface *, count);
	bspi_bytes *parts = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_bytes, count);
	BSPI_TRY(materials && surfaces && parts);
	BSPI_TRY(bspi_open_model_sibling(reader, "_default.skin", &skin_file, &has_skin_file));
	for (uint32_t i = 0; i < count; i++) {
		bspi_bytes part;
		BSPI_TRY(bspi_take_rest(reader, reader->file, at, "surfaces", &part));
		const md3_surface *surface = bspi_take_records(reader, part, &surface_layout, 0, 1, 1);
		BSPI_TRY(surface && read_material(reader, part, surface, skin_file, &materials[i]));
		BSPI_TRY(bspi_begin_section(reader, i) && write_surface(reader, part, surface));
		if (surface->end < SURFACE_SIZE && i + 1 < count) {
			return bspi_refuse_model(reader, "surface %u claims a size of %d bytes, which is not possible", i,
			                         surface->end);
		}
		at += surface->end;
		surfaces[i] = surface;
		parts[i] = part;
	}
	return bspi_set_materials(reader, materials, count) && (!reader->rig || rig_frames(reader, h, surfaces, parts));
}

const bspi_model_format bspi_model_format_md3 = {
	"md3", "MD3 (IDP3 15, Quake III)", bid, read, { layouts }, ".md3",
};
