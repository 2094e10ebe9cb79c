/* gltf_primitive.c - makes primitives (the triangles of one draw call) of the scene's triangles.
 *
 * There are two passes over all sections. The first one assigns each triangle to a primitive and creates materials and
 * meshes of the document. The second one collects vertices; equal ones are stored once. Triangles without area are
 * dropped. */
#include "writers/gltf/gltf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/material.h>

#include "base/text.h"

/* With WRITE_MERGE_NONE, each area or cluster of the world whose number is at most this is a part of its own. Those
 * with larger numbers share one part. Nearly all formats have 16-bit numbers for areas and clusters. */
#define MOST_PARTS 65535u
#define SLOTS_PER_VERTEX 2u

/* A slot of the hash table that finds equal vertices by their bytes (open addressing). Each primitive has its own range
 * of slots, so that searches stay in the cache. */
typedef struct stored {
	uint32_t hash, index; /* index: 1 plus the index of the vertex in its primitive; 0: the slot is free */
} stored;

/* Where a vertex of the mesh was stored most recently: in which primitive, and at which index. */
typedef struct last_place {
	uint32_t primitive, index;
} last_place;

typedef struct walk {
	bspi_gltf *gltf;
	uint32_t *owners;
	size_t owner_count; /* number of triangles that the current pass has visited so far */
	last_place *places; /* for each vertex of the current mesh, where it was stored last */
	uint32_t *parts;
	uint32_t part_count; /* number of the world's parts */
	uint32_t world; /* index of the mesh that is split into parts, or NO_INDEX */
	bool by_area;
	uint32_t merged; /* index of the group for all merged meshes, or NO_INDEX */
	stored *slots;
} walk;

/* ---- Sources ---------------------------------------------------------------------------------------------- */

static const bspscene_mesh *mesh_of(const walk *w, const bspi_gltf_source *source)
{
	return w->gltf->scene->meshes[source->mesh];
}

static bool has_area(const bspscene_mesh *mesh, const uint32_t *corners)
{
	double edges[2][3], longest = 0, cross = 0;
	if (!bspi_is_triangle(corners)) return false;
	if (mesh->rig) return true; /* a moving triangle may have an area in another frame */
	for (int e = 0; e < 2; e++) {
		double length = 0;
		for (size_t i = 0; i < 3; i++) {
			edges[e][i] = (double)mesh->positions[3 * (size_t)corners[e + 1] + i] -
			              (double)mesh->positions[3 * (size_t)corners[0] + i];
			length += edges[e][i] * edges[e][i];
		}
		longest = fmax(longest, length);
	}
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		double part = edges[0][j] * edges[1][k] - edges[0][k] * edges[1][j];
		cross += part * part;
	}
	return cross > 1e-14 * longest * longest;
}

/* ---- Meshes of the document ------------------------------------------------------------------------------- */

static bool add_group(bspi_gltf *gltf, const char *name, uint32_t node, uint32_t *out)
{
	bspi_gltf_group *groups =
		bspi_writer_grow(gltf->writer, gltf->groups, gltf->group_count, &gltf->group_capacity, sizeof *groups);
	BSPI_TRY(groups);
	gltf->groups = groups;
	json_t *mesh = json_object(), *primitives = json_array();
	*out = gltf->group_count++;
	groups[*out] = (bspi_gltf_group) { .name = name, .node = node, .primitives = primitives };
	bspi_gltf_set(gltf, mesh, "name", json_string(name));
	bspi_gltf_set(gltf, mesh, "primitives", primitives);
	bspi_gltf_append(gltf, gltf->meshes, mesh);
	return !gltf->writer->failure.status;
}

static uint32_t node_of_kind(const bspscene_scene *scene, bspscene_node_kind kind)
{
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (scene->nodes[i]->kind == kind) return i;
	}
	return 0;
}

static uint32_t part_of(const walk *w, const bspscene_face *face)
{
	uint32_t part = !face ? BSPSCENE_NO_INDEX : w->by_area ? face->area : face->cluster;
	return part < w->part_count - 1 ? part : w->part_count - 1;
}

static bool part_group(walk *w, const bspscene_face *face, uint32_t *out)
{
	bspi_gltf *gltf = w->gltf;
	uint32_t part = part_of(w, face);
	if (w->parts[part] == BSPSCENE_NO_INDEX) {
		char *name = bspi_writer_push(gltf->writer, char, 32);
		BSPI_TRY(name);
		if (part + 1 == w->part_count) snprintf(name, 32, "world.elsewhere");
		else snprintf(name, 32, "world.%s%u", w->by_area ? "area" : "cluster", part);
		BSPI_TRY(add_group(gltf, name, node_of_kind(gltf->scene, BSPSCENE_NODE_WORLD), &w->parts[part]));
	}
	*out = w->parts[part];
	return true;
}

static bool find_group(walk *w, const bspi_gltf_source *source, const bspscene_face *face, uint32_t *out)
{
	bspi_gltf *gltf = w->gltf;
	if (source->mesh == w->world) return part_group(w, face, out);
	uint32_t *number = source->place ? &w->merged : &gltf->mesh_numbers[source->mesh];
	if (*number == BSPSCENE_NO_INDEX) {
		uint32_t node = source->place ? node_of_kind(gltf->scene, BSPSCENE_NODE_ROOT) : BSPSCENE_NO_INDEX;
		BSPI_TRY(add_group(gltf, source->place ? "map" : mesh_of(w, source)->name, node, number));
	}
	*out = *number;
	return true;
}

/* ---- Primitives ------------------------------------------------------------------------------------------- */

static void choose_streams(const walk *w, const bspi_gltf_source *source, const bspi_gltf_look *look, bool *uses)
{
	const bspscene_mesh *mesh = mesh_of(w, source);
	const bspscene_material *material = w->gltf->scene->materials[look->material];
	memset(uses, 0, BSPI_GLTF_STREAM_COUNT * sizeof *uses);
	uses[BSPI_GLTF_POSITION] = true;
	uses[BSPI_GLTF_TEXCOORD_0] = look->uses_uv || look->uses_lightmap_uv;
	if (source->glow) return;
	bool baked = mesh->baked_light || w->gltf->writer->options.lighting == BSPSCENE_WRITE_LIGHTING_BAKED;
	uses[BSPI_GLTF_NORMAL] = !(look->unlit && baked); /* hosts need no normals for unlit materials with baked light */
	uses[BSPI_GLTF_TANGENT] = look->uses_normals;
	uses[BSPI_GLTF_TEXCOORD_1] = look->uses_lightmap_uv;
	uses[BSPI_GLTF_COLOR] = !bspi_vertex_color_is_white(&source->color);
	uses[BSPI_GLTF_BLEND] = mesh->blend_alphas && material->second_image != BSPSCENE_NO_INDEX;
	uses[BSPI_GLTF_BLEND_WEIGHTS] = mesh->blend_weights && material->layer_count;
	uses[BSPI_GLTF_JOINTS] = uses[BSPI_GLTF_WEIGHTS] = mesh->joints != NULL;
}

static bool find_primitive(walk *w, const bspi_gltf_source *source, uint32_t group, uint32_t look, uint32_t *out)
{
	bspi_gltf *gltf = w->gltf;
	const bspscene_section *section = mesh_of(w, source)->sections[source->section];
	bool uses[BSPI_GLTF_STREAM_COUNT];
	choose_streams(w, source, &gltf->looks[look], uses);
	uint32_t number = gltf->looks[look].number;
	uint32_t *first = &gltf->looks[gltf->looks[look].alike].first_primitive;
	for (*out = *first; *out != BSPSCENE_NO_INDEX; *out = gltf->primitives[*out].next) {
		const bspi_gltf_primitive *p = &gltf->primitives[*out];
		if (p->group == group && p->section->surface_kind == section->surface_kind && p->section->fog == section->fog &&
		    !memcmp(p->uses, uses, sizeof uses)) {
			return true;
		}
	}
	bspi_gltf_primitive *primitives = bspi_writer_grow(gltf->writer, gltf->primitives, gltf->primitive_count,
	                                                   &gltf->primitive_capacity, sizeof *primitives);
	BSPI_TRY(primitives);
	gltf->primitives = primitives;
	*out = gltf->primitive_count++;
	primitives[*out] = (bspi_gltf_primitive) {
		.group = group, .material = number, .section = section, .next = *first, .level = gltf->looks[look].level
	};
	memcpy(primitives[*out].uses, uses, sizeof uses);
	*first = *out;
	return true;
}

static void count_triangle(walk *w, const uint32_t *corners, uint32_t owner)
{
	bspi_gltf_primitive *primitive = &w->gltf->primitives[owner];
	primitive->index_limit += 3;
	for (int i = 0; i < 3; i++) {
		if (w->places[corners[i]].primitive == owner) continue;
		w->places[corners[i]].primitive = owner;
		primitive->vertex_limit++;
	}
}

static void forget_places(walk *w, const bspscene_section *section)
{
	for (uint32_t i = 0; i < section->vertex_count; i++) {
		w->places[section->first_vertex + i] = (last_place) { BSPSCENE_NO_INDEX, 0 };
	}
}

/* Returns the face that a triangle belongs to, or NULL. The search begins with face number *face, because triangles and
 * faces have the same order. */
static const bspscene_face *face_of(const bspscene_scene *scene, const bspscene_section *section, uint32_t index,
                                    uint32_t *face)
{
	for (; *face < section->face_count; ++*face) {
		const bspscene_face *f = &scene->faces[section->first_face + *face];
		if (index < f->first_index) return NULL;
		if (index - f->first_index < f->index_count) return f;
	}
	return NULL;
}

/* Returns the variant of the material's picture that a triangle uses. */
static bspi_tone_level level_of(const walk *w, const bspi_gltf_source *source, const uint32_t *indices)
{
	const bspscene_mesh *mesh = mesh_of(w, source);
	const float *corners[3];
	if (!source->color.baked || source->glow) return (bspi_tone_level) { { 0 } };
	for (int i = 0; i < 3; i++) corners[i] = mesh->baked_light + 3 * (size_t)indices[i];
	return bspi_gltf_choose_level(w->gltf, mesh->sections[source->section]->material, corners);
}

/* Assigns a section's triangles to primitives. */
static bool choose_owners(walk *w, bspi_gltf_source *source)
{
	bspi_gltf *gltf = w->gltf;
	const bspscene_mesh *mesh = mesh_of(w, source);
	const bspscene_section *section = mesh->sections[source->section];
	uint32_t face = 0, owner = BSPSCENE_NO_INDEX, look = BSPSCENE_NO_INDEX, group;
	bspi_tone_level last_level = { { 0 } };
	bool bumpy = false;
	forget_places(w, section);
	for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3) {
		w->owners[w->owner_count++] = BSPSCENE_NO_INDEX;
		if (!has_area(mesh, mesh->indices + i)) continue;
		bspi_tone_level level = level_of(w, source, mesh->indices + i);
		BSPI_TRY(find_group(w, source, face_of(gltf->scene, section, i, &face), &group));
		if (owner == BSPSCENE_NO_INDEX || !bspi_tone_is_same(level, last_level) ||
		    group != gltf->primitives[owner].group) {
			BSPI_TRY(bspi_gltf_find_look(gltf, (uint32_t)(source - gltf->sources), level, &look));
			BSPI_TRY(find_primitive(w, source, group, look, &owner));
		}
		last_level = level;
		bumpy = bumpy || gltf->looks[look].uses_normals;
		w->owners[w->owner_count - 1] = owner;
		count_triangle(w, mesh->indices + i, owner);
	}
	return !bumpy || bspi_gltf_make_tangents(gltf, source);
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

/* Writes the bytes of a vertex for all streams of a primitive to `out`. Returns the number of bytes. */
static size_t bytes_of(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, bspi_gltf_vertex vertex,
                       uint8_t *out)
{
	size_t size = 0;
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		if (!primitive->streams[s]) continue;
		bspi_gltf_store_vertex(gltf, primitive, s, vertex, out + size);
		size += bspi_gltf_stream_kind_of(gltf, s)->size;
	}
	return size;
}

static uint64_t movement_of(const bspi_gltf *gltf, bspi_gltf_vertex vertex)
{
	const uint64_t *movements = gltf->movements[gltf->sources[vertex.source].mesh];
	return movements ? movements[vertex.vertex] : 0;
}

/* Hashes the bytes of a vertex, whose number is a multiple of four. */
static uint64_t hash_of(const uint8_t *bytes, size_t size, uint64_t start)
{
	uint64_t hash = start;
	for (size_t i = 0; i < size; i += 4) {
		uint32_t word;
		memcpy(&word, bytes + i, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

static bool is_stored(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, uint32_t index, const uint8_t *bytes)
{
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		if (!primitive->streams[s]) continue;
		size_t size = bspi_gltf_stream_kind_of(gltf, s)->size;
		if (memcmp(primitive->streams[s] + index * size, bytes, size)) return false;
		bytes += size;
	}
	return true;
}

static void add_vertex(const bspi_gltf *gltf, bspi_gltf_primitive *primitive, bspi_gltf_vertex vertex,
                       const uint8_t *bytes)
{
	uint32_t index = primitive->vertex_count++;
	primitive->vertices[index] = vertex;
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		if (!primitive->streams[s]) continue;
		size_t size = bspi_gltf_stream_kind_of(gltf, s)->size;
		memcpy(primitive->streams[s] + index * size, bytes, size);
		bytes += size;
	}
}

static uint32_t find_vertex(walk *w, uint32_t owner, bspi_gltf_vertex vertex)
{
	bspi_gltf *gltf = w->gltf;
	bspi_gltf_primitive *primitive = &gltf->primitives[owner];
	uint8_t bytes[BSPI_GLTF_STREAM_COUNT * BSPI_GLTF_LARGEST_ELEMENT];
	size_t size = bytes_of(gltf, primitive, vertex, bytes);
	uint64_t movement = movement_of(gltf, vertex), wide = hash_of(bytes, size, movement);
	uint32_t hash = (uint32_t)(wide >> 32);
	stored *slots = w->slots + primitive->first_slot;
	size_t count = SLOTS_PER_VERTEX * (size_t)primitive->vertex_limit;
	size_t at = (size_t)((wide & 0x7fffffff) * count >> 31);
	for (; slots[at].index; at = at + 1 < count ? at + 1 : 0) {
		if (slots[at].hash != hash) continue;
		uint32_t index = slots[at].index - 1;
		if (movement != movement_of(gltf, primitive->vertices[index])) continue;
		if (is_stored(gltf, primitive, index, bytes)) return index;
	}
	add_vertex(gltf, primitive, vertex, bytes);
	slots[at] = (stored) { hash, primitive->vertex_count };
	return primitive->vertex_count - 1;
}

static uint32_t place_vertex(walk *w, uint32_t owner, bspi_gltf_vertex vertex)
{
	last_place *place = &w->places[vertex.vertex];
	if (place->primitive != owner) *place = (last_place) { owner, find_vertex(w, owner, vertex) };
	return place->index;
}

/* Adds a triangle unless rounding has made two of its vertices equal. `turned` reverses its winding. */
static void add_triangle(bspi_gltf_primitive *primitive, const uint32_t corners[3], bool turned)
{
	if (!bspi_is_triangle(corners)) return;
	uint32_t *out = primitive->indices + primitive->index_count;
	for (int c = 0; c < 3; c++) out[turned ? 2 - c : c] = corners[c];
	primitive->index_count += 3;
}

static void gather(walk *w, uint32_t number)
{
	const bspi_gltf_source *source = &w->gltf->sources[number];
	const bspscene_mesh *mesh = mesh_of(w, source);
	const bspscene_section *section = mesh->sections[source->section];
	forget_places(w, section);
	for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3) {
		uint32_t owner = w->owners[w->owner_count++], corners[3];
		if (owner == BSPSCENE_NO_INDEX) continue;
		for (uint32_t c = 0; c < 3; c++) {
			corners[c] = place_vertex(w, owner, (bspi_gltf_vertex) { number, mesh->indices[i + c] });
		}
		add_triangle(&w->gltf->primitives[owner], corners, source->flip != source->mirrored);
	}
}

static bool make_streams(bspi_gltf *gltf, bspi_gltf_primitive *primitive)
{
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		if (!primitive->uses[s] || bspi_gltf_is_index(s)) continue;
		uint32_t size = bspi_gltf_stream_kind_of(gltf, s)->size;
		primitive->streams[s] = bspi_arena_alloc_unset(&gltf->writer->arena, primitive->vertex_limit, size);
		if (!primitive->streams[s]) return bspi_writer_fail_memory(gltf->writer);
	}
	return true;
}

static bool make_room(walk *w)
{
	bspi_gltf *gltf = w->gltf;
	size_t slot_count = 0;
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		bspi_gltf_primitive *p = &gltf->primitives[i];
		p->first_slot = slot_count;
		slot_count += SLOTS_PER_VERTEX * (size_t)p->vertex_limit;
		p->vertices = bspi_writer_push(gltf->writer, bspi_gltf_vertex, p->vertex_limit);
		p->indices = bspi_writer_push(gltf->writer, uint32_t, p->index_limit);
		BSPI_TRY(p->vertices && p->indices && make_streams(gltf, p));
	}
	w->slots = bspi_writer_push(gltf->writer, stored, slot_count);
	return w->slots != NULL;
}

/* ---- Parts ------------------------------------------------------------------------------------------------- */

/* Splits the world into its areas, which engines show and hide as a whole. If there is only one area, splits it into
 * clusters. */
static bool split_world(walk *w)
{
	const bspscene_scene *scene = w->gltf->scene;
	uint32_t most_area = 0, most_cluster = 0, first_area = BSPSCENE_NO_INDEX;
	w->world = w->merged = BSPSCENE_NO_INDEX;
	if (w->gltf->writer->options.merge != BSPSCENE_WRITE_MERGE_NONE) return true;
	w->world = scene->nodes[node_of_kind(scene, BSPSCENE_NODE_WORLD)]->mesh;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		if (face->mesh != w->world) continue;
		if (face->cluster != BSPSCENE_NO_INDEX && face->cluster > most_cluster) most_cluster = face->cluster;
		if (face->area == BSPSCENE_NO_INDEX) continue;
		if (first_area == BSPSCENE_NO_INDEX) first_area = face->area;
		w->by_area = w->by_area || face->area != first_area;
		if (face->area > most_area) most_area = face->area;
	}
	uint32_t most = w->by_area ? most_area : most_cluster;
	w->part_count = (most < MOST_PARTS ? most : MOST_PARTS) + 2;
	w->parts = bspi_writer_push(w->gltf->writer, uint32_t, w->part_count);
	for (uint32_t i = 0; w->parts && i < w->part_count; i++) w->parts[i] = BSPSCENE_NO_INDEX;
	return w->parts != NULL;
}

/* Keeps one triangle in each primitive that has only triangles without area, because primitives must not be empty. */
static void keep_specks(bspi_gltf *gltf)
{
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		if (!gltf->primitives[i].index_count) gltf->primitives[i].index_count = 3;
	}
}

bool bspi_gltf_choose_primitives(bspi_gltf *gltf)
{
	walk w = { .gltf = gltf };
	size_t triangle_count = 0;
	uint32_t most_vertices = 0;
	gltf->mesh_numbers = bspi_writer_push(gltf->writer, uint32_t, gltf->scene->mesh_count);
	BSPI_TRY(gltf->mesh_numbers && bspi_gltf_choose_sources(gltf, &triangle_count, &most_vertices) && split_world(&w));
	BSPI_TRY(bspi_gltf_find_movements(gltf));
	for (uint32_t m = 0; m < gltf->scene->mesh_count; m++) gltf->mesh_numbers[m] = BSPSCENE_NO_INDEX;
	w.owners = bspi_writer_push(gltf->writer, uint32_t, triangle_count);
	w.places = bspi_writer_push(gltf->writer, last_place, most_vertices);
	BSPI_TRY(w.owners && w.places);
	for (uint32_t i = 0; i < gltf->source_count; i++) BSPI_TRY(choose_owners(&w, &gltf->sources[i]));
	if (gltf->meshopt) bspi_gltf_choose_steps(gltf);
	BSPI_TRY(make_room(&w));
	w.owner_count = 0;
	for (uint32_t i = 0; i < gltf->source_count; i++) gather(&w, i);
	keep_specks(gltf);
	return !gltf->writer->failure.status;
}
