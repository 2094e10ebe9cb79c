/* skeleton_mesh.c - reads meshes of TIKIs: SKB 3 and 4 (FAKK2, Elite Force II), SKD 5 and 6 (Medal of Honor). A vertex
 * has a position relative to each of its bones. The versions of a format differ only after the fields that are read
 * here (qfiles.h of the games' SDKs; openmohaa's tiki_skel.cpp). */
#include "models/tiki/tiki.h"

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "models/skeleton/bones.h"

enum {
	SKB_OLDEST = 3,
	SKB_NEWEST = 4,
	SKD_OLDEST = 5,
	SKD_NEWEST = 6,
	MOST_SURFACES = 256,
	MOST_TRIANGLES = 262144,
	MOST_VERTICES = 65536,
	MOST_WEIGHTS = 256,
	MORPH_SIZE = 16,
	SURFACE_SIZE = 96,
	BONE_SIZE = 84
};

/* Kinds of bones in an SKD. All except the first two get their pose from other bones. */
enum { BONE_TURNS, BONE_TURNS_AND_MOVES, BONE_SHOULDER, BONE_ELBOW, BONE_WRIST, BONE_HOSE, BONE_BETWEEN, BONE_KINDS };

typedef struct skeleton_header {
	int32_t version, surface_count, bone_count, bones_at, surfaces_at;
} skeleton_header;

typedef struct skb_bone {
	int32_t parent;
	char name[BSPI_TIKI_NAME_SIZE];
} skb_bone;

typedef struct skd_bone {
	char name[32], parent[32];
	int32_t kind, numbers_at, channels_at, end; /* byte offsets relative to the record */
} skd_bone;

typedef struct skeleton_surface {
	char name[BSPI_TIKI_NAME_SIZE];
	int32_t triangle_count, vertex_count, triangles_at, vertices_at, end; /* byte offsets relative to the record */
} skeleton_surface;

typedef struct skeleton_triangle {
	uint32_t vertices[3];
} skeleton_triangle;

typedef struct skeleton_vertex {
	float normal[3], st[2];
	int32_t weight_count, morph_count;
} skeleton_vertex;

typedef struct skeleton_weight {
	uint32_t bone;
	float weight, place[3]; /* weight of the bone; position relative to the bone */
} skeleton_weight;

typedef struct skeleton_numbers {
	float values[3];
} skeleton_numbers;

static const bspi_field header_rows[] = {
	SKIP("ident", 0, 4),
	FIELD(skeleton_header, version, 4, I32),
	SKIP("name", 8, 64),
	FIELD(skeleton_header, surface_count, 72, I32),
	FIELD(skeleton_header, bone_count, 76, I32),
	FIELD(skeleton_header, bones_at, 80, I32),
	FIELD(skeleton_header, surfaces_at, 84, I32),
};
/* `parent` is read as 16 bits: Medal of Honor has another field in the upper half. */
static const bspi_field skb_bone_rows[] = {
	FIELD(skb_bone, parent, 0, I16),
	SKIP("box", 2, 2),
	SKIP("flags", 4, 4),
	FIELD(skb_bone, name, 8, CHARS),
};
static const bspi_field skd_bone_rows[] = {
	FIELD(skd_bone, name, 0, CHARS),      FIELD(skd_bone, parent, 32, CHARS),    FIELD(skd_bone, kind, 64, I32),
	FIELD(skd_bone, numbers_at, 68, I32), FIELD(skd_bone, channels_at, 72, I32), SKIP("ofsBoneNames", 76, 4),
	FIELD(skd_bone, end, 80, I32),
};
static const bspi_field surface_rows[] = {
	SKIP("ident", 0, 4),
	FIELD(skeleton_surface, name, 4, CHARS),
	FIELD(skeleton_surface, triangle_count, 68, I32),
	FIELD(skeleton_surface, vertex_count, 72, I32),
	SKIP("minLod", 76, 4),
	FIELD(skeleton_surface, triangles_at, 80, I32),
	FIELD(skeleton_surface, vertices_at, 84, I32),
	SKIP("ofsCollapse", 88, 4),
	FIELD(skeleton_surface, end, 92, I32),
};
static const bspi_field triangle_rows[] = { FIELD(skeleton_triangle, vertices, 0, U32) };
static const bspi_field skb_vertex_rows[] = {
	FIELD(skeleton_vertex, normal, 0, F32),
	FIELD(skeleton_vertex, st, 12, F32),
	FIELD(skeleton_vertex, weight_count, 20, I32),
};
static const bspi_field skd_vertex_rows[] = {
	FIELD(skeleton_vertex, normal, 0, F32),
	FIELD(skeleton_vertex, st, 12, F32),
	FIELD(skeleton_vertex, weight_count, 20, I32),
	FIELD(skeleton_vertex, morph_count, 24, I32),
};
static const bspi_field weight_rows[] = {
	FIELD(skeleton_weight, bone, 0, U32),
	FIELD(skeleton_weight, weight, 4, F32),
	FIELD(skeleton_weight, place, 8, F32),
};
static const bspi_field numbers_rows[] = { FIELD(skeleton_numbers, values, 0, F32) };
static const bspi_layout header_layout = LAYOUT("header", skeleton_header, header_rows, 88);
static const bspi_layout skb_bone_layout = LAYOUT("bones", skb_bone, skb_bone_rows, 72);
static const bspi_layout skd_bone_layout = LAYOUT("bones", skd_bone, skd_bone_rows, BONE_SIZE);
static const bspi_layout surface_layout = LAYOUT("surfaces", skeleton_surface, surface_rows, SURFACE_SIZE);
static const bspi_layout triangle_layout = LAYOUT("triangles", skeleton_triangle, triangle_rows, 12);
static const bspi_layout skb_vertex_layout = LAYOUT("vertices", skeleton_vertex, skb_vertex_rows, 24);
static const bspi_layout skd_vertex_layout = LAYOUT("vertices", skeleton_vertex, skd_vertex_rows, 28);
static const bspi_layout weight_layout = LAYOUT("weights", skeleton_weight, weight_rows, 20);
static const bspi_layout numbers_layout = LAYOUT("bones' numbers", skeleton_numbers, numbers_rows, 12);
const bspi_layout *const bspi_skeleton_mesh_layouts[] = {
	&header_layout,     &skb_bone_layout,   &skd_bone_layout, &surface_layout, &triangle_layout,
	&skb_vertex_layout, &skd_vertex_layout, &weight_layout,   &numbers_layout, NULL,
};

/* Reads one record. The size of what follows depends on the record, so records are read one by one. */
static bool take_record(bspi_model_reader *reader, bspi_bytes file, const bspi_layout *layout, int64_t at, void *out)
{
	bspi_bytes view;
	BSPI_TRY(bspi_take_bytes(reader, file, at, layout->file_size, layout->name, &view));
	memset(out, 0, layout->memory_size);
	bspi_layout_decode(layout, view.data, 1, out);
	return true;
}

static void copy_name(char out[BSPI_TIKI_NAME_SIZE], const char *name, size_t size)
{
	snprintf(out, BSPI_TIKI_NAME_SIZE, "%.*s", (int)(size < BSPI_TIKI_NAME_SIZE ? size : BSPI_TIKI_NAME_SIZE - 1),
	         name);
}

/* Returns the bone with this name, and adds it unless an earlier mesh did. NULL if there are too many bones (the file
 * is refused) or memory is out. */
static bspi_skeleton_bone *add_bone(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_skeleton_mesh *mesh,
                                    const char name[BSPI_TIKI_NAME_SIZE], bool *is_new)
{
	uint32_t number = 0;
	while (number < skeleton->count && !bspi_text_equal(skeleton->bones[number].name, name)) number++;
	*is_new = number == skeleton->count;
	if (number == BSPI_MODEL_MAX_BONES || mesh->bone_count == BSPI_MODEL_MAX_BONES) {
		bspi_refuse_model(reader, "%.100s: more than %u bones", mesh->path, BSPI_MODEL_MAX_BONES);
		return NULL;
	}
	mesh->bones[mesh->bone_count++] = number;
	if (!*is_new) return &skeleton->bones[number];
	if (!bspi_reserve(reader->ctx, (void **)&skeleton->bones, skeleton->count, &skeleton->capacity,
	                  sizeof *skeleton->bones)) {
		return NULL;
	}
	bspi_skeleton_bone *bone = &skeleton->bones[skeleton->count++];
	memset(bone, 0, sizeof *bone);
	memcpy(bone->name, name, BSPI_TIKI_NAME_SIZE);
	bone->turn[3] = 1;
	return bone;
}

static bool read_skb_bones(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_skeleton_mesh *mesh,
                           const skeleton_header *h)
{
	const skb_bone *bones =
		bspi_take_records(reader, mesh->file, &skb_bone_layout, h->bones_at, h->bone_count, BSPI_MODEL_MAX_BONES);
	BSPI_TRY(bones);
	for (int32_t i = 0; i < h->bone_count; i++) {
		char name[BSPI_TIKI_NAME_SIZE];
		bool is_new, child = bones[i].parent >= 0 && bones[i].parent < h->bone_count;
		copy_name(name, bones[i].name, sizeof bones[i].name);
		bspi_skeleton_bone *bone = add_bone(reader, skeleton, mesh, name, &is_new);
		BSPI_TRY(bone);
		if (!is_new) continue;
		if (child) copy_name(bone->parent, bones[bones[i].parent].name, sizeof bone->parent);
		snprintf(bone->turn_channel, sizeof bone->turn_channel, "%.59s rot", name);
		snprintf(bone->place_channel, sizeof bone->place_channel, "%.59s pos", name);
	}
	return true;
}

/* Reads the names of a bone's channels: that of the rotation, then that of the position. */
static void read_channels(bspi_bytes record, const skd_bone *from, bspi_skeleton_bone *bone)
{
	bspi_bytes rest;
	bool moves = from->kind == BONE_TURNS_AND_MOVES;
	if (from->kind != BONE_TURNS && !moves) return;
	if (from->channels_at < 0 || !bspi_slice(record, (uint64_t)from->channels_at, 0, &rest)) return;
	const char *text = (const char *)rest.data;
	size_t size = record.size - (size_t)from->channels_at;
	const char *end = size ? memchr(text, 0, size) : NULL;
	copy_name(bone->turn_channel, text, end ? (size_t)(end - text) : size);
	if (!end || !moves) return;
	copy_name(bone->place_channel, end + 1, size - (size_t)(end + 1 - text));
}

/* Reads a bone's position relative to its parent. Bones that get their pose from other bones have no rotation here. */
static bool read_place(bspi_model_reader *reader, bspi_bytes record, const skd_bone *from, bspi_skeleton_bone *bone)
{
	static const struct {
		bool known;
		uint8_t at;
	} places[BONE_KINDS] = { [BONE_TURNS] = { true, 0 }, [BONE_SHOULDER] = { true, 16 }, [BONE_ELBOW] = { true, 0 },
		                     [BONE_WRIST] = { true, 0 }, [BONE_HOSE] = { true, 12 },     [BONE_BETWEEN] = { true, 4 } };
	skeleton_numbers numbers;
	if (from->kind < 0 || from->kind >= BONE_KINDS || !places[from->kind].known) return true;
	BSPI_TRY(take_record(reader, record, &numbers_layout, (int64_t)from->numbers_at + places[from->kind].at, &numbers));
	bspi_copy3(bone->place, numbers.values);
	return true;
}

static bool read_skd_bones(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_skeleton_mesh *mesh,
                           const skeleton_header *h)
{
	int64_t at = h->bones_at;
	for (int32_t i = 0; i < h->bone_count; i++) {
		char name[BSPI_TIKI_NAME_SIZE];
		bspi_bytes record;
		skd_bone from;
		bool is_new;
		BSPI_TRY(bspi_take_rest(reader, mesh->file, at, "bones", &record));
		BSPI_TRY(take_record(reader, record, &skd_bone_layout, 0, &from));
		if (from.end < BONE_SIZE) {
			return bspi_refuse_model(reader, "%.100s: bone %d claims a size of %d bytes, which is not possible",
			                         mesh->path, i, from.end);
		}
		copy_name(name, from.name, sizeof from.name);
		bspi_skeleton_bone *bone = add_bone(reader, skeleton, mesh, name, &is_new);
		BSPI_TRY(bone);
		at += from.end;
		if (!is_new) continue;
		copy_name(bone->parent, from.parent, sizeof from.parent);
		read_channels(record, &from, bone);
		BSPI_TRY(read_place(reader, record, &from, bone));
	}
	return true;
}

bool bspi_read_skeleton_bones(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_skeleton_mesh *mesh)
{
	skeleton_header h;
	BSPI_TRY(take_record(reader, mesh->file, &header_layout, 0, &h));
	bool skb = !memcmp(mesh->file.data, "SKL ", 4) && h.version >= SKB_OLDEST && h.version <= SKB_NEWEST;
	bool skd = !memcmp(mesh->file.data, "SKMD", 4) && h.version >= SKD_OLDEST && h.version <= SKD_NEWEST;
	if (!skb && !skd)
		return bspi_refuse_model(reader, "%.100s is not an SKB or SKD file of a known version", mesh->path);
	if (h.surface_count < 0 || h.surface_count > MOST_SURFACES) {
		return bspi_refuse_model(reader, "%.100s: its header claims %d surfaces, which is not possible", mesh->path,
		                         h.surface_count);
	}
	mesh->version = h.version;
	mesh->surface_count = h.surface_count;
	mesh->surfaces_at = h.surfaces_at;
	return skb ? read_skb_bones(reader, skeleton, mesh, &h) : read_skd_bones(reader, skeleton, mesh, &h);
}

/* Computes the position and normal of a vertex in model space. A vertex has a position relative to each of its bones;
 * these are converted to model space, and their weighted sum is taken. The stored normal is relative to the first
 * bone. */
static bool pose_vertex(bspi_model_reader *reader, bspi_bytes weights, const bspi_skeleton *skeleton,
                        const bspi_skeleton_mesh *mesh, const skeleton_vertex *from, bspi_model_vertex *out)
{
	for (int32_t i = 0; i < from->weight_count; i++) {
		skeleton_weight weight;
		float place[3];
		BSPI_TRY(take_record(reader, weights, &weight_layout, (int64_t)i * weight_layout.file_size, &weight));
		if (weight.bone >= mesh->bone_count) {
			return bspi_refuse_model(reader, "%.100s: a weight names bone %u, but there are %u", mesh->path,
			                         weight.bone, mesh->bone_count);
		}
		const bspi_skeleton_bone *bone = &skeleton->bones[mesh->bones[weight.bone]];
		bspi_transform_point(place, bone->to_model, weight.place);
		for (int k = 0; k < 3; k++) out->position[k] += weight.weight * place[k];
		if (!i) bspi_turn_normal(out->normal, bone->to_model, from->normal);
	}
	return true;
}

static bool write_vertices(bspi_model_reader *reader, const bspi_tiki *tiki, const bspi_skeleton *skeleton,
                           const bspi_skeleton_mesh *mesh, bspi_bytes part, const skeleton_surface *surface)
{
	const bspi_layout *layout = mesh->version >= SKD_OLDEST ? &skd_vertex_layout : &skb_vertex_layout;
	int64_t at = surface->vertices_at;
	for (int32_t i = 0; i < surface->vertex_count; i++) {
		skeleton_vertex from;
		bspi_bytes weights;
		BSPI_TRY(take_record(reader, part, layout, at, &from));
		if (from.weight_count < 0 || from.weight_count > MOST_WEIGHTS || from.morph_count < 0) {
			return bspi_refuse_model(reader, "%.100s: vertex %d claims %d weights and %d morphs, which is not possible",
			                         mesh->path, i, from.weight_count, from.morph_count);
		}
		at += layout->file_size + (int64_t)from.morph_count * MORPH_SIZE;
		uint64_t size = (uint64_t)from.weight_count * weight_layout.file_size;
		BSPI_TRY(bspi_take_bytes(reader, part, at, size, weight_layout.name, &weights));
		at += (int64_t)size;
		bspi_model_vertex vertex = { .uv = { from.st[0], from.st[1] } };
		BSPI_TRY(pose_vertex(reader, weights, skeleton, mesh, &from, &vertex));
		for (int k = 0; k < 3; k++) vertex.position[k] = (vertex.position[k] + tiki->origin[k]) * tiki->scale;
		BSPI_TRY(bspi_add_vertex(reader, &vertex));
	}
	return true;
}

static bool write_triangles(bspi_model_reader *reader, bspi_bytes part, const skeleton_surface *surface)
{
	const skeleton_triangle *triangles = bspi_take_records(reader, part, &triangle_layout, surface->triangles_at,
	                                                       surface->triangle_count, MOST_TRIANGLES);
	BSPI_TRY(triangles);
	for (int32_t i = 0; i < surface->triangle_count; i++) {
		const uint32_t *corners = triangles[i].vertices;
		BSPI_TRY(bspi_add_triangle(reader, corners[0], corners[1], corners[2]));
	}
	return true;
}

bool bspi_write_skeleton_mesh(bspi_model_reader *reader, const bspi_tiki *tiki, const bspi_skeleton *skeleton,
                              const bspi_skeleton_mesh *mesh, const bspi_tiki_surface **slots)
{
	int64_t at = mesh->surfaces_at;
	for (int32_t i = 0; i < mesh->surface_count; i++) {
		char name[BSPI_TIKI_NAME_SIZE];
		bspi_bytes part;
		skeleton_surface surface;
		BSPI_TRY(take_record(reader, mesh->file, &surface_layout, at, &surface));
		bool sound = surface.end >= SURFACE_SIZE && surface.vertex_count >= 0 && surface.vertex_count <= MOST_VERTICES;
		if (!sound) {
			return bspi_refuse_model(reader,
			                         "%.100s: surface %d claims %d bytes and %d vertices, which is not possible",
			                         mesh->path, i, surface.end, surface.vertex_count);
		}
		/* Surfaces follow each other without overlap. So the time is linear in the size of the file. */
		BSPI_TRY(bspi_take_bytes(reader, mesh->file, at, (uint64_t)surface.end, surface_layout.name, &part));
		at += surface.end;
		copy_name(name, surface.name, sizeof surface.name);
		const bspi_tiki_surface *said = bspi_find_tiki_surface(tiki, name);
		if (said && said->hidden) continue;
		uint32_t slot = reader->section_count;
		BSPI_TRY(bspi_begin_section(reader, slot));
		slots[slot] = said;
		BSPI_TRY(write_vertices(reader, tiki, skeleton, mesh, part, &surface));
		BSPI_TRY(write_triangles(reader, part, &surface));
	}
	return true;
}
