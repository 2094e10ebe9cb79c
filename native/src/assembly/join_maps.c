/* join_maps.c - see join_maps.h. The joined map has two copies of a part's records. The first copy is translated and
 * belongs to the world. The second is not translated and belongs to the models of entities, because the origins of
 * entities move them. */
#include "assembly/join_maps.h"

#include "base/vec.h"

/* The arrays that are joined. Their records refer only to records in these arrays. */
static const bspi_array_id joined[] = {
	BSPI_ARRAY_planes, BSPI_ARRAY_vertices, BSPI_ARRAY_vertex_normals, BSPI_ARRAY_edges, BSPI_ARRAY_surfedges,
	BSPI_ARRAY_texinfos, BSPI_ARRAY_textures, BSPI_ARRAY_nodes, BSPI_ARRAY_leafs, BSPI_ARRAY_leaf_brushes,
	BSPI_ARRAY_brushes, BSPI_ARRAY_brush_sides,
};
enum { JOINED_COUNT = sizeof joined / sizeof *joined };

/* One of the two copies of a part's records in the joined map. */
typedef struct copy {
	bspi_map_part *part;
	bool of_models;                    /* true: the copy for models, not translated; false: the copy for the world,
	                                    * translated */
	uint32_t base[BSPI_ARRAY_COUNT];
	uint32_t light_base;
} copy;

typedef struct joining {
	bspi_ctx *ctx;
	copy *copies; uint32_t copy_count;
	bspi_map *out;
	uint64_t light_size;
} joining;

static uint32_t count_of(const bspi_map *map, bspi_array_id id)
{
	uint32_t count;
	memcpy(&count, (const uint8_t *)map + bspi_array_infos[id].count_offset, sizeof count);
	return count;
}

static void *data_of(const bspi_map *map, bspi_array_id id)
{
	void *data;
	memcpy(&data, (const uint8_t *)map + bspi_array_infos[id].data_offset, sizeof data);
	return data;
}

const char *bspi_why_not_joined(const bspi_map *map, const bspi_map *first)
{
	for (bspi_array_id id = 0; id < BSPI_ARRAY_COUNT; id++) {
		bool known = id == BSPI_ARRAY_faces || id == BSPI_ARRAY_models;
		for (int i = 0; i < JOINED_COUNT; i++) known = known || joined[i] == id;
		if (!known && count_of(map, id)) return "maps of this format cannot be tiles";
	}
	if (map->cluster_count || map->rules.light_storage != BSPI_STORAGE_BLOCKS || map->rules.light_offset_in_luxels) {
		return "maps of this format cannot be tiles";
	}
	if (strcmp(map->variant, first->variant) != 0) return "it has another format than the tiles before it";
	if (map->rules.luxel_size != first->rules.luxel_size) return "its luxels have another size than those before it";
	return NULL;
}

/* ---- Counting ---------------------------------------------------------------------------------------------- */

static bool add_count(joining *j, uint64_t *total, uint64_t more, const char *what)
{
	BSPI_CHECK(j->ctx, more <= INT32_MAX - *total, BSPSCENE_ERROR_LIMIT, BSPI_LUMP(what),
	           "the tiles together have more of these than a map can have");
	*total += more;
	return true;
}

/* Reserves room for a part's light. Parts that place the same map share one copy of its light. */
static bool place_light(joining *j, uint32_t index)
{
	copy *c = &j->copies[index];
	for (uint32_t i = 0; i < index; i++) {
		if (j->copies[i].part->map != c->part->map) continue;
		c->light_base = j->copies[i].light_base;
		return true;
	}
	c->light_base = (uint32_t)j->light_size;
	return add_count(j, &j->light_size, c->part->map->lighting.size, "light");
}

/* Computes the index of the first record of each copy in each joined array. The first nodes are new ones, one for each
 * part, which link the trees of the parts. */
static bool place_copies(joining *j, uint32_t part_count)
{
	uint64_t totals[BSPI_ARRAY_COUNT] = { [BSPI_ARRAY_nodes] = part_count };
	for (uint32_t i = 0; i < j->copy_count; i++) {
		copy *c = &j->copies[i];
		for (int k = 0; k < JOINED_COUNT; k++) {
			bspi_array_id id = joined[k];
			/* The joined map needs a normal for each vertex. So a part without normals reserves room for them too. */
			uint32_t count = count_of(c->part->map, id == BSPI_ARRAY_vertex_normals ? BSPI_ARRAY_vertices : id);
			c->base[id] = (uint32_t)totals[id];
			BSPI_TRY(add_count(j, &totals[id], count, bspi_array_infos[id].name));
		}
		BSPI_TRY(place_light(j, i));
	}
	for (int k = 0; k < JOINED_COUNT; k++) {
		const bspi_array_info *info = &bspi_array_infos[joined[k]];
		uint32_t count = (uint32_t)totals[joined[k]];
		void *data = bspi_push_zeroed(j->ctx, &j->ctx->scratch, count, info->size);
		BSPI_TRY(data);
		memcpy((uint8_t *)j->out + info->data_offset, &data, sizeof data);
		memcpy((uint8_t *)j->out + info->count_offset, &count, sizeof count);
	}
	return true;
}

/* ---- Records ------------------------------------------------------------------------------------------------ */

static void copy_records(joining *j, const copy *c)
{
	for (int k = 0; k < JOINED_COUNT; k++) {
		size_t size = bspi_array_infos[joined[k]].size;
		uint32_t count = count_of(c->part->map, joined[k]);
		uint8_t *to = data_of(j->out, joined[k]);
		if (count) memcpy(to + c->base[joined[k]] * size, data_of(c->part->map, joined[k]), count * size);
	}
}

/* Renumbers the vertices of edges. Only the edges of faces were checked before. If another edge has an invalid vertex,
 * it gets vertex 0. */
static void renumber_outlines(joining *j, const copy *c)
{
	const bspi_map *map = c->part->map;
	uint32_t vertices = c->base[BSPI_ARRAY_vertices];
	int32_t edges = (int32_t)c->base[BSPI_ARRAY_edges];
	bspi_edge *edge = j->out->edges + c->base[BSPI_ARRAY_edges];
	bspi_surfedge *surfedge = j->out->surfedges + c->base[BSPI_ARRAY_surfedges];
	for (uint32_t i = 0; i < map->edges_count; i++) {
		for (int k = 0; k < 2; k++) {
			uint32_t vertex = edge[i].vertices[k];
			edge[i].vertices[k] = vertex < map->vertices_count ? vertices + vertex : 0;
		}
	}
	for (uint32_t i = 0; i < map->surfedges_count; i++) {
		int64_t value = surfedge[i].value, number = value < 0 ? -value : value;
		bool known = number < map->edges_count;
		surfedge[i].value = !known ? 0 : (int32_t)(value < 0 ? value - edges : value + edges);
	}
}

static void renumber_tree(joining *j, const copy *c)
{
	const bspi_map *map = c->part->map;
	bspi_node *node = j->out->nodes + c->base[BSPI_ARRAY_nodes];
	bspi_leaf *leaf = j->out->leafs + c->base[BSPI_ARRAY_leafs];
	bspi_index *listed = j->out->leaf_brushes + c->base[BSPI_ARRAY_leaf_brushes];
	bspi_brush *brush = j->out->brushes + c->base[BSPI_ARRAY_brushes];
	bspi_brush_side *side = j->out->brush_sides + c->base[BSPI_ARRAY_brush_sides];
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		node[i].plane += (int32_t)c->base[BSPI_ARRAY_planes];
		node[i].first_face = node[i].face_count = 0;
		for (int k = 0; k < 2; k++) {
			int32_t child = node[i].children[k];
			node[i].children[k] = child < 0 ? child - (int32_t)c->base[BSPI_ARRAY_leafs]
			                                : child + (int32_t)c->base[BSPI_ARRAY_nodes];
		}
	}
	for (uint32_t i = 0; i < map->leafs_count; i++) leaf[i].first_leaf_brush += c->base[BSPI_ARRAY_leaf_brushes];
	for (uint32_t i = 0; i < map->leaf_brushes_count; i++) {
		bool known = listed[i].value < map->brushes_count;
		listed[i].value = known ? listed[i].value + c->base[BSPI_ARRAY_brushes] : 0;
	}
	for (uint32_t i = 0; i < map->brushes_count; i++) {
		brush[i].first_side += (int32_t)c->base[BSPI_ARRAY_brush_sides];
		if (brush[i].texture >= 0) brush[i].texture += (int32_t)c->base[BSPI_ARRAY_textures];
	}
	for (uint32_t i = 0; i < map->brush_sides_count; i++) {
		side[i].plane += (int32_t)c->base[BSPI_ARRAY_planes];
		bspi_array_id named = map->texinfos_count ? BSPI_ARRAY_texinfos : BSPI_ARRAY_textures;
		if (side[i].texture >= 0) side[i].texture += (int32_t)c->base[named];
	}
}

static void renumber_texinfos(joining *j, const copy *c)
{
	bspi_texinfo *info = j->out->texinfos + c->base[BSPI_ARRAY_texinfos];
	for (uint32_t i = 0; i < c->part->map->texinfos_count; i++) {
		info[i].texture += (int32_t)c->base[BSPI_ARRAY_textures];
		if (info[i].next > 0) info[i].next += (int32_t)c->base[BSPI_ARRAY_texinfos];
	}
}

/* ---- Moving ------------------------------------------------------------------------------------------------- */

/* Returns a plane's distance after a translation. Computed in double, so that it is rounded once. */
static float moved_distance(float distance, const float normal[3], const float shift[3], double sign)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) sum += (double)normal[i] * (double)shift[i];
	return (float)((double)distance + sign * sum);
}

static void move(joining *j, const copy *c)
{
	const bspi_map *map = c->part->map;
	const float *shift = c->part->shift;
	bspi_vertex *vertex = j->out->vertices + c->base[BSPI_ARRAY_vertices];
	bspi_plane *plane = j->out->planes + c->base[BSPI_ARRAY_planes];
	bspi_texinfo *info = j->out->texinfos + c->base[BSPI_ARRAY_texinfos];
	bspi_node *node = j->out->nodes + c->base[BSPI_ARRAY_nodes];
	bspi_leaf *leaf = j->out->leafs + c->base[BSPI_ARRAY_leafs];
	for (uint32_t i = 0; i < map->planes_count; i++) {
		plane[i].distance = moved_distance(plane[i].distance, plane[i].normal, shift, 1);
	}
	/* Textures move with the tile. */
	for (uint32_t i = 0; i < map->texinfos_count; i++) {
		for (int k = 0; k < 2; k++) {
			float *vector = info[i].texture_vectors[k];
			vector[3] = moved_distance(vector[3], vector, shift, -1);
		}
	}
	for (int k = 0; k < 3; k++) {
		for (uint32_t i = 0; i < map->vertices_count; i++) vertex[i].position[k] += shift[k];
		for (uint32_t i = 0; i < map->nodes_count; i++) {
			node[i].mins[k] += shift[k];
			node[i].maxs[k] += shift[k];
		}
		for (uint32_t i = 0; i < map->leafs_count; i++) {
			leaf[i].mins[k] += shift[k];
			leaf[i].maxs[k] += shift[k];
		}
	}
}

/* ---- Faces and models --------------------------------------------------------------------------------------- */

static void join_face(const copy *c, const bspi_face *from, bspi_face *to)
{
	*to = *from;
	to->texture += (int32_t)c->base[BSPI_ARRAY_textures];
	to->leaf = -1;
	if (from->kind == BSPI_FACE_DROPPED) return;
	to->plane += (int32_t)c->base[BSPI_ARRAY_planes];
	to->texinfo += (int32_t)c->base[BSPI_ARRAY_texinfos];
	to->first_edge += (int32_t)c->base[BSPI_ARRAY_surfedges];
	if (to->light_offset < 0) return;
	/* If a face's light offset is outside of its part's light, it must not point into the light of another part. */
	bool there = (size_t)to->light_offset < c->part->map->lighting.size;
	to->light_offset = there ? to->light_offset + (int32_t)c->light_base : INT32_MAX;
}

static void join_model(joining *j, const copy *c, const bspi_model *from)
{
	bspi_map *out = j->out;
	bspi_model *to = &out->models[out->models_count++];
	*to = *from;
	to->first_face = (int32_t)out->faces_count;
	to->first_brush += (int32_t)c->base[BSPI_ARRAY_brushes];
	bool has_tree = from->head_nodes[0] >= 0 && (uint32_t)from->head_nodes[0] < c->part->map->nodes_count;
	to->head_nodes[0] = has_tree ? from->head_nodes[0] + (int32_t)c->base[BSPI_ARRAY_nodes] : -1;
	for (int32_t i = 0; i < from->face_count; i++) {
		join_face(c, &c->part->map->faces[from->first_face + i], &out->faces[out->faces_count++]);
	}
}

/* Makes the world of all parts one model. A chain of new nodes links the trees of the parts. */
static void join_worlds(joining *j)
{
	enum { LEAF = -1 };
	bspi_map *out = j->out;
	bspi_model *world = &out->models[out->models_count++];
	uint32_t heads = 0;
	for (uint32_t i = 0; i < j->copy_count; i++) {
		const copy *c = &j->copies[i];
		const bspi_map *map = c->part->map;
		const bspi_model *own = &map->models[0];
		if (c->of_models) continue;
		for (int32_t k = 0; k < own->face_count; k++) {
			join_face(c, &map->faces[own->first_face + k], &out->faces[out->faces_count++]);
		}
		if (own->head_nodes[0] < 0 || (uint32_t)own->head_nodes[0] >= map->nodes_count) continue;
		if (heads) out->nodes[heads - 1].children[1] = (int32_t)heads;
		out->nodes[heads].children[0] = own->head_nodes[0] + (int32_t)c->base[BSPI_ARRAY_nodes];
		out->nodes[heads++].children[1] = LEAF;
	}
	*world = (bspi_model){ .face_count = (int32_t)out->faces_count, .head_nodes = { heads ? 0 : LEAF } };
}

static bool join_models(joining *j, bspi_map_part *parts, uint32_t count)
{
	uint64_t faces = 0, models = 1;
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < parts[i].map->models_count; k++) {
			BSPI_TRY(add_count(j, &faces, (uint32_t)parts[i].map->models[k].face_count, "faces"));
		}
		parts[i].first_model = (uint32_t)models;
		BSPI_TRY(add_count(j, &models, parts[i].map->models_count - 1, "models"));
	}
	j->out->faces = bspi_push(j->ctx, &j->ctx->scratch, bspi_face, (size_t)faces);
	j->out->models = bspi_push(j->ctx, &j->ctx->scratch, bspi_model, (size_t)models);
	BSPI_TRY(j->out->faces && j->out->models);
	/* Nodes that belong to no tree keep these empty children. */
	for (uint32_t i = 0; i < count && i < j->out->nodes_count; i++) {
		for (int k = 0; k < 2; k++) j->out->nodes[i].children[k] = -1;
	}
	join_worlds(j);
	for (uint32_t i = 0; i < j->copy_count; i++) {
		const copy *c = &j->copies[i];
		for (uint32_t k = 1; c->of_models && k < c->part->map->models_count; k++) {
			join_model(j, c, &c->part->map->models[k]);
		}
	}
	return true;
}

/* ---- The map ------------------------------------------------------------------------------------------------ */

static bool join_light(joining *j)
{
	uint8_t *light = bspi_push_unset(j->ctx, &j->ctx->scratch, (size_t)j->light_size, 1);
	BSPI_TRY(light);
	for (uint32_t i = 0; i < j->copy_count; i++) {
		bspi_bytes own = j->copies[i].part->map->lighting;
		if (own.size) memcpy(light + j->copies[i].light_base, own.data, own.size);
	}
	j->out->lighting = bspi_bytes_of(light, (size_t)j->light_size);
	return true;
}

static bool list_copies(joining *j, bspi_map_part *parts, uint32_t count)
{
	j->copies = bspi_push(j->ctx, &j->ctx->scratch, copy, 2 * (size_t)count);
	BSPI_TRY(j->copies);
	for (uint32_t i = 0; i < count; i++) {
		j->copies[j->copy_count++] = (copy){ .part = &parts[i] };
		if (parts[i].map->models_count > 1) j->copies[j->copy_count++] = (copy){ .part = &parts[i], .of_models = true };
	}
	return true;
}

bool bspi_join_maps(bspi_ctx *ctx, bspi_map_part *parts, uint32_t count, bspi_map *out)
{
	const bspi_map *first = parts[0].map;
	*out = (bspi_map){
		.family = first->family, .variant = first->variant, .title = first->title, .version = first->version,
		.rules = first->rules, .light_set = first->light_set, .forest = true, .entities = BSPI_NO_BYTES,
		.packed_entities = BSPI_NO_BYTES, .lighting = BSPI_NO_BYTES, .lighting_hdr = BSPI_NO_BYTES,
		.light_directions = BSPI_NO_BYTES, .light_grid = BSPI_NO_BYTES, .light_grid_index = BSPI_NO_BYTES,
		.light_grid_palette = BSPI_NO_BYTES, .light_octree = BSPI_NO_BYTES, .pakfile = BSPI_NO_BYTES,
		.file = BSPI_NO_BYTES, .model_file = BSPI_NO_BYTES,
	};
	joining j = { .ctx = ctx, .out = out };
	BSPI_TRY(list_copies(&j, parts, count) && place_copies(&j, count) && join_light(&j));
	for (uint32_t i = 0; i < j.copy_count; i++) {
		const copy *c = &j.copies[i];
		copy_records(&j, c);
		renumber_outlines(&j, c);
		renumber_tree(&j, c);
		renumber_texinfos(&j, c);
		if (!c->of_models) move(&j, c);
	}
	if (!out->planes_count || !out->leafs_count) out->nodes_count = 0;
	return join_models(&j, parts, count);
}
