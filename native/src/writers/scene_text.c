/* scene_text.c - a scene as lines, for people and for golden tests: equal scenes give equal text on every machine.
 *
 * Arrays are a count, bounds and a hash. Before hashing, floats become whole steps (1/1024 unit for positions), so
 * that the last bits, which compilers and processors differ in, do not show; printed floats have six digits for the
 * same reason. */
#include "writers/writers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "writers/words.h"

#define POSITION_STEPS 1024
#define NORMAL_STEPS 1024
#define UV_STEPS 4096
#define PAGE_UV_STEPS 65536            /* a quarter luxel of the largest page */

/* ---- Words of a line -------------------------------------------------------------------------------------- */

/* What is not 0 but only by rounding errors is 0. */
static bool put_floats(bspi_writer *writer, const char *word, const float *values, uint32_t count)
{
	BSPI_TRY(bspi_put_text(writer, word));
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(bspi_put_text(writer, " "));
		BSPI_TRY(bspi_put_number(writer, fabsf(values[i]) < 1e-5f ? 0 : (double)values[i], 6));
	}
	return true;
}

/* One line whatever is in it. */
static bool put_quoted(bspi_writer *writer, const char *text)
{
	BSPI_TRY(bspi_put_text(writer, "\""));
	for (const char *p = text; *p; p++) {
		const char *special = strchr("\"\\", *p);
		if (*p == '\n') BSPI_TRY(bspi_put_text(writer, "\\n"));
		else if (special) BSPI_TRY(bspi_put_format(writer, "\\%c", *p));
		else if ((unsigned char)*p < 0x20) BSPI_TRY(bspi_put_format(writer, "\\x%02x", (unsigned)*p));
		else BSPI_TRY(bspi_put(writer, p, 1));
	}
	return bspi_put_text(writer, "\"");
}

static bool put_index(bspi_writer *writer, const char *word, uint32_t index)
{
	return index == BSPSCENE_NO_INDEX || bspi_put_format(writer, " %s %" PRIu32, word, index);
}

static bool put_word(bspi_writer *writer, const char *word, bool is_so)
{
	return !is_so || (bspi_put_text(writer, " ") && bspi_put_text(writer, word));
}

static bool put_bounds(bspi_writer *writer, const bspscene_bounds *bounds)
{
	if (!(bounds->min[0] <= bounds->max[0])) return bspi_put_text(writer, " empty");
	return put_floats(writer, "", bounds->min, 3) && put_floats(writer, " to", bounds->max, 3);
}

/* ---- Hashes ----------------------------------------------------------------------------------------------- */

#define HASH_START 0xcbf29ce484222325u

static uint64_t hash_integer(uint64_t hash, int64_t value)
{
	for (int i = 0; i < 8; i++) hash = (hash ^ ((uint64_t)value >> 8 * i & 0xFF)) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_floats(const float *values, size_t count, double steps)
{
	uint64_t hash = HASH_START;
	for (size_t i = 0; i < count; i++) {
		double step = floor((double)values[i] * steps + 0.5);
		hash = hash_integer(hash, (int64_t)fmin(fmax(step, -9e15), 9e15));
	}
	return hash;
}

static uint64_t hash_indices(const uint32_t *values, size_t count)
{
	uint64_t hash = HASH_START;
	for (size_t i = 0; i < count; i++) hash = hash_integer(hash, values[i]);
	return hash;
}

static bool put_hash(bspi_writer *writer, const char *word, const void *array, uint64_t hash)
{
	return !array || bspi_put_format(writer, " %s %016" PRIx64, word, hash);
}

/* ---- Sections of the text --------------------------------------------------------------------------------- */

static bool put_head(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_counts *c = &scene->counts;
	const struct { const char *word; uint32_t value; } counts[] = {
		{ "models", c->models }, { "faces", c->faces }, { "polygons", c->polygons }, { "patches", c->patches },
		{ "meshes", c->meshes }, { "displacements", c->displacements }, { "billboards", c->billboards },
		{ "vertices", c->vertices }, { "triangles", c->triangles }, { "brush_entities", c->brush_entities },
		{ "lightmap_faces", c->lightmap_faces }, { "textures_found", c->textures_found },
		{ "textures_missing", c->textures_missing }, { "static_props", c->static_props },
		{ "source_vertices", c->source_vertices }, { "source_lightmaps", c->source_lightmaps },
	};
	BSPI_TRY(bspi_put_text(writer, "scene ") && put_quoted(writer, scene->name));
	BSPI_TRY(bspi_put_format(writer, " %s %s %" PRId32 "\n", scene->family, scene->variant, scene->version));
	BSPI_TRY(put_floats(writer, "metres_per_unit", &scene->metres_per_unit, 1));
	BSPI_TRY(put_floats(writer, "\noverbright", &scene->overbright, 1));
	BSPI_TRY(put_word(writer, "first_value_wins", scene->first_value_wins));
	BSPI_TRY(put_index(writer, "sky", scene->sky_material));
	BSPI_TRY(bspi_put_text(writer, "\nbounds") && put_bounds(writer, &scene->bounds) &&
	         bspi_put_text(writer, "\ncounts"));
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (counts[i].value) BSPI_TRY(bspi_put_format(writer, " %s %" PRIu32, counts[i].word, counts[i].value));
	}
	BSPI_TRY(bspi_put_text(writer, "\n"));
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		const bspscene_warning *warning = &scene->warnings[i];
		BSPI_TRY(bspi_put_format(writer, "warning %s %" PRIu32 " ", bspscene_warning_name(warning->code),
		                         warning->count));
		BSPI_TRY(put_quoted(writer, warning->message) && bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_transform(bspi_writer *writer, const float m[12])
{
	const float at[3] = { m[3], m[7], m[11] };
	const float axes[9] = { m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10] };
	static const float straight[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	bool turned = false;
	for (int i = 0; i < 9; i++) turned = turned || fabsf(axes[i] - straight[i]) > 1e-5f;
	return put_floats(writer, " at", at, 3) && (!turned || put_floats(writer, " axes", axes, 9));
}

static bool put_nodes(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "nodes %" PRIu32 "\n", scene->node_count));
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = &scene->nodes[i];
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && put_quoted(writer, node->name));
		BSPI_TRY(bspi_put_format(writer, " %s", bspi_node_word(node->kind)) &&
		         put_index(writer, "parent", node->parent));
		BSPI_TRY(put_index(writer, "mesh", node->mesh) && put_index(writer, "light", node->light));
		BSPI_TRY(put_index(writer, "camera", node->camera) && put_index(writer, "prop", node->prop));
		BSPI_TRY(put_index(writer, "entity", node->entity) && put_index(writer, "material", node->material));
		BSPI_TRY(put_transform(writer, node->transform) && put_word(writer, "hidden", node->hidden));
		if (node->kind == BSPSCENE_NODE_FLARE) BSPI_TRY(put_floats(writer, " color", node->color, 3));
		if (node->color_alpha != 1) BSPI_TRY(put_floats(writer, " alpha", &node->color_alpha, 1));
		BSPI_TRY(bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_entities(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "entities %" PRIu32 "\n", scene->entity_count));
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = &scene->entities[i];
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && put_quoted(writer, entity->classname));
		BSPI_TRY(put_index(writer, "node", entity->node) && put_index(writer, "model", entity->model));
		BSPI_TRY(put_index(writer, "target", entity->target_entity));
		BSPI_TRY(put_floats(writer, " at", entity->origin, 3) && bspi_put_text(writer, "\n"));
		for (uint32_t p = 0; p < entity->pair_count; p++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + p];
			BSPI_TRY(bspi_put_text(writer, "\t\t") && put_quoted(writer, pair->key) && bspi_put_text(writer, " "));
			BSPI_TRY(put_quoted(writer, pair->value) && bspi_put_text(writer, "\n"));
		}
	}
	return true;
}

static bool put_section(bspi_writer *writer, const bspscene_section *section)
{
	BSPI_TRY(bspi_put_format(writer, "\t\tmaterial %" PRIu32 " %s", section->material,
	                         bspi_lighting_word(section->lighting)));
	BSPI_TRY(put_index(writer, "page", section->lightmap_page) && put_index(writer, "fog", section->fog));
	BSPI_TRY(put_word(writer, bspi_include_word(section->kind), section->kind != BSPSCENE_VISIBLE));
	BSPI_TRY(bspi_put_format(writer, " vertices %" PRIu32 "+%" PRIu32, section->first_vertex, section->vertex_count));
	BSPI_TRY(bspi_put_format(writer, " indices %" PRIu32 "+%" PRIu32, section->first_index, section->index_count));
	return bspi_put_format(writer, " faces %" PRIu32 "+%" PRIu32 "\n", section->first_face, section->face_count);
}

static bool put_meshes(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "meshes %" PRIu32 "\n", scene->mesh_count));
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const bspscene_mesh *m = &scene->meshes[i];
		size_t count = m->vertex_count;
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && put_quoted(writer, m->name) &&
		         put_index(writer, "model", m->model));
		BSPI_TRY(bspi_put_format(writer, " vertices %" PRIu32 " triangles %" PRIu32 " bounds", m->vertex_count,
		                         m->index_count / 3));
		BSPI_TRY(put_bounds(writer, &m->bounds) && bspi_put_text(writer, "\n\t\thashes"));
		BSPI_TRY(put_hash(writer, "positions", m->positions, hash_floats(m->positions, 3 * count, POSITION_STEPS)));
		BSPI_TRY(put_hash(writer, "normals", m->normals, hash_floats(m->normals, 3 * count, NORMAL_STEPS)));
		BSPI_TRY(put_hash(writer, "uvs", m->uvs, hash_floats(m->uvs, 2 * count, UV_STEPS)));
		if (m->lightmap_uvs) {
			BSPI_TRY(put_hash(writer, "lightmap_uvs", m->lightmap_uvs,
			                  hash_floats(m->lightmap_uvs, 2 * count, PAGE_UV_STEPS)));
		}
		if (m->colors) BSPI_TRY(put_hash(writer, "colors", m->colors, bspi_hash(m->colors, 4 * count)));
		if (m->blend_alphas) {
			BSPI_TRY(put_hash(writer, "blend_alphas", m->blend_alphas,
			                  hash_floats(m->blend_alphas, count, NORMAL_STEPS)));
		}
		if (m->blend_weights) {
			BSPI_TRY(put_hash(writer, "blend_weights", m->blend_weights,
			                  hash_floats(m->blend_weights, 4 * count, NORMAL_STEPS)));
		}
		if (m->triangle_tags) {
			BSPI_TRY(put_hash(writer, "tags", m->triangle_tags, bspi_hash(m->triangle_tags, m->index_count / 3)));
		}
		for (uint32_t s = 0; s < m->color_set_count; s++) {
			const bspscene_color_set *set = &m->color_sets[s];
			BSPI_TRY(bspi_put_format(writer, " style %" PRIu32, set->style));
			BSPI_TRY(put_hash(writer, "colors", set->colors, bspi_hash(set->colors, 4 * count)));
		}
		BSPI_TRY(put_hash(writer, "indices", m->indices, hash_indices(m->indices, m->index_count)) &&
		         bspi_put_text(writer, "\n"));
		for (uint32_t s = 0; s < m->section_count; s++) BSPI_TRY(put_section(writer, &m->sections[s]));
	}
	return true;
}

static bool put_faces(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	uint64_t hash = HASH_START;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *f = &scene->faces[i];
		const uint32_t values[] = {
			f->source, f->mesh, f->section, f->first_index, f->index_count, f->first_vertex, f->vertex_count,
			f->surface_flags, f->content_flags, f->leaf, f->cluster, f->area, f->page, f->x, f->y, f->width, f->height,
			f->styles[0], f->styles[1], f->styles[2], f->styles[3],
		};
		for (size_t v = 0; v < sizeof values / sizeof *values; v++) hash = hash_integer(hash, values[v]);
	}
	return bspi_put_format(writer, "faces %" PRIu32 " hash %016" PRIx64 "\n", scene->face_count, hash);
}

static bool put_stages(bspi_writer *writer, const bspscene_material *material)
{
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const bspscene_stage *s = &writer->scene->stages[material->first_stage + i];
		BSPI_TRY(bspi_put_format(writer, "\t\tstage source %d blend %d %d rgb %d alpha %d tc %d mods %" PRIu32,
		                         (int)s->source, (int)s->src_blend, (int)s->dst_blend, (int)s->color_gen,
		                         (int)s->alpha_gen, (int)s->tc_gen, s->tc_mod_count));
		for (uint32_t f = 0; f < s->frame_count; f++) {
			BSPI_TRY(put_index(writer, "image", writer->scene->frames[s->first_frame + f]));
		}
		if (s->alpha_test != BSPSCENE_ALPHA_OPAQUE) BSPI_TRY(put_floats(writer, " cutoff", &s->alpha_cutoff, 1));
		BSPI_TRY(put_word(writer, "clamp", s->clamp) && put_word(writer, "depth-write", s->depth_write) &&
		         bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_blend_mask(bspi_writer *writer, const bspscene_blend_mask *mask)
{
	if (!mask) return true;
	return put_index(writer, "mask", mask->image) && put_word(writer, "alone", mask->masked) &&
	       put_floats(writer, " scale", mask->uv_scale, 2) && put_floats(writer, " offset", mask->uv_offset, 2);
}

static bool put_detail(bspi_writer *writer, const bspscene_detail_texture *detail)
{
	if (!detail) return true;
	return put_index(writer, "detail", detail->image) &&
	       bspi_put_format(writer, " %s", bspi_detail_word(detail->mode)) &&
	       put_floats(writer, " scale", detail->uv_scale, 2) && put_floats(writer, " color", detail->color, 3) &&
	       put_floats(writer, " factor", &detail->factor, 1);
}

static bool put_animation(bspi_writer *writer, const bspscene_animation *animation)
{
	if (!animation) return true;
	BSPI_TRY(put_floats(writer, "\t\tanimation", &animation->frames_per_second, 1) &&
	         put_word(writer, "once", animation->once));
	for (uint32_t f = 0; f < animation->frame_count; f++) {
		BSPI_TRY(put_index(writer, "image", writer->scene->frames[animation->first_frame + f]));
		if (animation->first_glow == BSPSCENE_NO_INDEX) continue;
		BSPI_TRY(put_index(writer, "glow", writer->scene->frames[animation->first_glow + f]));
	}
	return bspi_put_text(writer, "\n");
}

static bool put_layers(bspi_writer *writer, const bspscene_material *material)
{
	for (uint32_t i = 0; i < material->layer_count; i++) {
		const bspscene_layer *layer = &material->layers[i];
		BSPI_TRY(bspi_put_text(writer, "\t\tlayer") && put_index(writer, "image", layer->image));
		BSPI_TRY(put_floats(writer, " scale", layer->uv_scale, 2));
		BSPI_TRY(put_floats(writer, " luminance", layer->luminance, 2));
		BSPI_TRY(put_floats(writer, " share", &layer->luminance_share, 1));
		BSPI_TRY(put_floats(writer, " blend", layer->blend, 2));
		BSPI_TRY(put_word(writer, "doubled", layer->doubled) && bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_material(bspi_writer *writer, uint32_t index)
{
	const bspscene_material *m = &writer->scene->materials[index];
	BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", index) && put_quoted(writer, m->name));
	BSPI_TRY(bspi_put_format(writer, " %s %s flags %" PRIx32 " %" PRIx32 " size %" PRIu32 " %" PRIu32,
	                         bspi_material_word(m->kind), bspi_alpha_word(m->alpha_mode), m->surface_flags,
	                         m->content_flags, m->width, m->height));
	BSPI_TRY(put_word(writer, bspi_include_word(m->include), m->include != BSPSCENE_VISIBLE));
	BSPI_TRY(put_index(writer, "image", m->base_image) && put_index(writer, "second", m->second_image));
	BSPI_TRY(put_index(writer, "emissive", m->emissive_image) && put_index(writer, "normal", m->normal_image));
	BSPI_TRY(put_word(writer, "unlit", m->unlit) && put_word(writer, "vertex-lit", m->vertex_lit) &&
	         put_word(writer, "clamp", m->clamp));
	BSPI_TRY(put_word(writer, "two-sided", m->cull == BSPSCENE_CULL_NONE) &&
	         put_word(writer, "inside-out", m->cull == BSPSCENE_CULL_FRONT));
	if (m->alpha_mode == BSPSCENE_ALPHA_MASK) BSPI_TRY(put_floats(writer, " cutoff", &m->alpha_cutoff, 1));
	if (m->color[0] != 1 || m->color[1] != 1 || m->color[2] != 1 || m->color[3] != 1) {
		BSPI_TRY(put_floats(writer, " color", m->color, 4));
	}
	if (m->emissive[0] > 0 || m->emissive[1] > 0 || m->emissive[2] > 0) {
		BSPI_TRY(put_floats(writer, " emits", m->emissive, 3));
	}
	if (m->uv_scale[0] != 1 || m->uv_scale[1] != 1) BSPI_TRY(put_floats(writer, " uv_scale", m->uv_scale, 2));
	if (m->uv_offset[0] != 0 || m->uv_offset[1] != 0) BSPI_TRY(put_floats(writer, " uv_offset", m->uv_offset, 2));
	if (m->uv_rotation != 0) BSPI_TRY(put_floats(writer, " uv_rotation", &m->uv_rotation, 1));
	BSPI_TRY(put_blend_mask(writer, m->blend_mask) && put_detail(writer, m->detail));
	if (m->scroll[0] != 0 || m->scroll[1] != 0) BSPI_TRY(put_floats(writer, " scroll", m->scroll, 2));
	if (m->surface_light > 0) BSPI_TRY(put_floats(writer, " light", &m->surface_light, 1));
	if (m->fog) BSPI_TRY(put_floats(writer, " fog", m->fog->color, 3) && put_floats(writer, "", &m->fog->depth, 1));
	if (*m->source_file) BSPI_TRY(bspi_put_text(writer, " from ") && put_quoted(writer, m->source_file) &&
	                              bspi_put_format(writer, ":%" PRIu32, m->source_line));
	return bspi_put_text(writer, "\n") && put_stages(writer, m) && put_layers(writer, m) &&
	       put_animation(writer, m->animation);
}

static bool put_materials(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "materials %" PRIu32 "\n", scene->material_count));
	for (uint32_t i = 0; i < scene->material_count; i++) BSPI_TRY(put_material(writer, i));
	BSPI_TRY(bspi_put_format(writer, "images %" PRIu32 "\n", scene->image_count));
	for (uint32_t i = 0; i < scene->image_count; i++) {
		const bspscene_image *image = &scene->images[i];
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && put_quoted(writer, image->name));
		BSPI_TRY(bspi_put_format(writer, " %s %" PRIu32 " %" PRIu32, bspi_image_word(image->format), image->width,
		                         image->height));
		BSPI_TRY(put_word(writer, "alpha", image->has_alpha) && put_word(writer, "made", image->made));
		if (image->frame) BSPI_TRY(put_index(writer, "frame", image->frame));
		if (image->format == BSPSCENE_IMAGE_MISSING) {
			BSPI_TRY(bspi_put_format(writer, " shown as %u %u %u", image->stand_in[0], image->stand_in[1],
			                         image->stand_in[2]));
		}
		if (*image->path) BSPI_TRY(bspi_put_text(writer, " from ") && put_quoted(writer, image->path));
		if (image->data) BSPI_TRY(put_hash(writer, "hash", image->data, bspi_hash(image->data, image->size)));
		BSPI_TRY(bspi_put_text(writer, "\n"));
	}
	return true;
}

/* Bytes have one right value. Half floats come out of powf, so their last bits are left out. */
static uint64_t hash_page(const bspscene_page *page)
{
	size_t count = (size_t)page->width * page->height;
	if (page->format != BSPSCENE_PAGE_RGB16F) {
		return bspi_hash(page->data, count * (page->format == BSPSCENE_PAGE_RAW32 ? 4 : 3));
	}
	const uint16_t *halfs = page->data;
	uint64_t hash = HASH_START;
	for (size_t i = 0; i < 3 * count; i++) hash = hash_integer(hash, (halfs[i] + 8) >> 4);
	return hash;
}

static bool put_light(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "page_sets %" PRIu32 " pages %" PRIu32 "\n", scene->page_set_count,
	                         scene->page_count));
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		const bspscene_page_set *set = &scene->page_sets[i];
		BSPI_TRY(bspi_put_format(writer, "\t%s style %" PRIu32, bspi_page_kind_word(set->kind), set->style));
		BSPI_TRY(put_floats(writer, " intensity", &set->intensity, 1) && bspi_put_text(writer, "\n"));
		for (uint32_t p = 0; p < scene->page_count; p++) {
			const bspscene_page *page = &set->pages[p];
			BSPI_TRY(bspi_put_format(writer, "\t\t%s %" PRIu32 " %" PRIu32, bspi_page_word(page->format), page->width,
			                         page->height));
			if (page->data) BSPI_TRY(put_hash(writer, "hash", page->data, hash_page(page)));
			BSPI_TRY(bspi_put_text(writer, "\n"));
		}
	}
	BSPI_TRY(bspi_put_format(writer, "lights %" PRIu32 "\n", scene->light_count));
	for (uint32_t i = 0; i < scene->light_count; i++) {
		const bspscene_light *light = &scene->lights[i];
		BSPI_TRY(bspi_put_format(writer, "\t%s %s", bspi_light_word(light->kind), bspi_falloff_word(light->falloff)));
		BSPI_TRY(put_index(writer, "node", light->node) && put_floats(writer, " color", light->color, 3));
		BSPI_TRY(put_floats(writer, " intensity", &light->intensity, 1) &&
		         put_floats(writer, " radius", &light->radius, 1));
		if (light->kind == BSPSCENE_LIGHT_SPOT) {
			BSPI_TRY(put_floats(writer, " angles", &light->inner_angle_degrees, 1) &&
			         put_floats(writer, "", &light->outer_angle_degrees, 1));
		}
		BSPI_TRY(bspi_put_format(writer, " style %" PRIu32 "\n", light->style));
	}
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		const bspscene_light_style *style = &scene->light_styles[i];
		BSPI_TRY(bspi_put_format(writer, "style %" PRIu32 " ", style->style) && put_quoted(writer, style->pattern));
		BSPI_TRY(bspi_put_text(writer, " ") && put_quoted(writer, style->name) &&
		         put_word(writer, "switchable", style->switchable) && put_word(writer, "off", style->start == 0));
		BSPI_TRY(put_index(writer, "entity", style->entity) && bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_pair(bspi_writer *writer, const char *word, const uint32_t pair[2])
{
	return (!pair[0] && !pair[1]) || bspi_put_format(writer, " %s %" PRIu32 " %" PRIu32, word, pair[0], pair[1]);
}

/* What most props do not have is only said of those that do. */
static bool put_prop(bspi_writer *writer, const bspscene_prop *prop)
{
	const uint32_t flags[2] = { prop->flags, prop->flags_ex };
	const uint32_t luxels[2] = { prop->lightmap_width, prop->lightmap_height };
	const uint32_t leafs[2] = { prop->first_leaf, prop->leaf_count };
	bool colored = false;
	for (int i = 0; i < 4; i++) colored = colored || prop->color[i] != 1;
	BSPI_TRY(bspi_put_text(writer, "prop ") && put_quoted(writer, prop->model));
	BSPI_TRY(put_index(writer, "node", prop->node));
	BSPI_TRY(bspi_put_format(writer, " skin %" PRIu32, prop->skin) && put_word(writer, "static", prop->is_static));
	BSPI_TRY(!prop->name || (bspi_put_text(writer, " name ") && put_quoted(writer, prop->name)));
	BSPI_TRY(!prop->solid || bspi_put_format(writer, " solid %" PRIu32, prop->solid));
	BSPI_TRY(put_pair(writer, "flags", flags));
	BSPI_TRY(!colored || put_floats(writer, " color", prop->color, 4));
	BSPI_TRY(prop->fade_far == 0 || put_floats(writer, " fade", &prop->fade_near, 2));
	BSPI_TRY(prop->fade_scale == 1 || put_floats(writer, " fade-scale", &prop->fade_scale, 1));
	BSPI_TRY(!(prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN) || put_floats(writer, " lit-at", prop->lighting_origin, 3));
	BSPI_TRY(put_pair(writer, "luxels", luxels) && put_pair(writer, "dx", prop->dx_levels));
	BSPI_TRY(put_pair(writer, "cpu", prop->cpu_levels) && put_pair(writer, "gpu", prop->gpu_levels));
	return (!prop->leaf_count || put_pair(writer, "leafs", leafs)) && bspi_put_text(writer, "\n");
}

static bool put_things(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	for (uint32_t i = 0; i < scene->camera_count; i++) {
		const bspscene_camera *camera = &scene->cameras[i];
		BSPI_TRY(bspi_put_format(writer, "camera %s", bspi_camera_word(camera->kind)) &&
		         put_index(writer, "node", camera->node));
		BSPI_TRY(put_floats(writer, " fov", &camera->fov_degrees, 1) && bspi_put_text(writer, "\n"));
	}
	for (uint32_t i = 0; i < scene->prop_count; i++) BSPI_TRY(put_prop(writer, &scene->props[i]));
	for (uint32_t i = 0; i < scene->overlay_count; i++) {
		const bspscene_overlay *overlay = &scene->overlays[i];
		BSPI_TRY(bspi_put_format(writer, "overlay %" PRIu32, overlay->source) &&
		         put_index(writer, "node", overlay->node));
		BSPI_TRY(put_index(writer, "mesh", overlay->mesh) && put_index(writer, "material", overlay->material));
		BSPI_TRY(bspi_put_text(writer, "\n"));
	}
	if (scene->map_fog.density > 0) {
		const bspscene_map_fog *fog = &scene->map_fog;
		const float numbers[6] = { fog->density, fog->power, fog->opacity, fog->start, fog->end, fog->sky };
		BSPI_TRY(put_floats(writer, "map fog", fog->color, 3) && put_floats(writer, "", numbers, 6) &&
		         bspi_put_text(writer, fog->along_view ? " along view\n" : "\n"));
	}
	for (uint32_t i = 0; i < scene->fog_count; i++) {
		const bspscene_fog *fog = &scene->fogs[i];
		BSPI_TRY(bspi_put_text(writer, "fog") && put_index(writer, "material", fog->material) &&
		         put_index(writer, "brush", fog->brush));
		BSPI_TRY(put_floats(writer, " plane", fog->plane, 4) && bspi_put_text(writer, " bounds"));
		BSPI_TRY(put_bounds(writer, &fog->bounds) && bspi_put_text(writer, "\n"));
	}
	for (uint32_t i = 0; i < scene->cubemap_count; i++) {
		BSPI_TRY(put_floats(writer, "cubemap at", scene->cubemaps[i].origin, 3));
		BSPI_TRY(bspi_put_format(writer, " size %" PRIu32 "\n", scene->cubemaps[i].size));
	}
	return true;
}

static bool put_world(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_tree *tree = &scene->tree;
	const bspscene_vis *vis = &scene->vis;
	const bspscene_light_grid *grid = &scene->light_grid;
	size_t samples = (size_t)grid->counts[0] * grid->counts[1] * grid->counts[2], sets = samples * grid->set_count;
	BSPI_TRY(bspi_put_format(writer, "tree nodes %" PRIu32 " leafs %" PRIu32, tree->node_count, tree->leaf_count));
	if (tree->node_count) {
		BSPI_TRY(put_hash(writer, "planes", tree->planes,
		                  hash_floats(tree->planes, 4 * (size_t)tree->node_count, NORMAL_STEPS)));
		BSPI_TRY(put_hash(writer, "children", tree->children,
		                  hash_indices((const uint32_t *)tree->children, 2 * (size_t)tree->node_count)));
	}
	BSPI_TRY(bspi_put_format(writer, "\nvis clusters %" PRIu32, vis->cluster_count));
	if (vis->rows) {
		BSPI_TRY(put_hash(writer, "rows", vis->rows, bspi_hash(vis->rows, (size_t)vis->cluster_count * vis->row_size)));
	}
	BSPI_TRY(bspi_put_format(writer, "\nareas %" PRIu32 " portals %" PRIu32, scene->area_count,
	                         scene->area_portal_count));
	BSPI_TRY(bspi_put_format(writer, "\nlight_grid %" PRIu32 " %" PRIu32 " %" PRIu32, grid->counts[0], grid->counts[1],
	                         grid->counts[2]));
	if (samples) {
		BSPI_TRY(put_floats(writer, " origin", grid->origin, 3) && put_floats(writer, " step", grid->step, 3));
		BSPI_TRY(put_hash(writer, "ambient", grid->ambient, bspi_hash(grid->ambient, 3 * sets)));
		BSPI_TRY(put_hash(writer, "directed", grid->directed, bspi_hash(grid->directed, 3 * sets)));
		BSPI_TRY(put_hash(writer, "directions", grid->directions, bspi_hash(grid->directions, 2 * samples)));
	}
	return bspi_put_format(writer, "\nambients %" PRIu32 "\n", scene->ambient_count);
}

bool bspi_write_text(bspi_writer *writer)
{
	return bspi_begin(writer, writer->main_name) && put_head(writer) && put_nodes(writer) && put_entities(writer) &&
	       put_meshes(writer) && put_faces(writer) && put_materials(writer) && put_light(writer) &&
	       put_things(writer) && put_world(writer) && bspi_end(writer);
}
