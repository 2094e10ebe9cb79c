/* scene_text.c - writes a scene as text, for people and for golden tests. Equal scenes give equal text on every
 * machine.
 *
 * An array becomes a count, bounds and a hash (scene_text_line.c). */
#include "support/text/scene_text.h"

#include <inttypes.h>
#include <math.h>

#include "base/costs.h"
#include "base/text.h"
#include "writers/words.h"

static bool put_head(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_counts *c = scene->counts;
	const struct { const char *word; uint32_t value; } counts[] = {
		{ "models", c->models }, { "faces", c->faces }, { "polygons", c->polygons }, { "patches", c->patches },
		{ "meshes", c->meshes }, { "displacements", c->displacements }, { "billboards", c->billboards },
		{ "vertices", c->vertices }, { "triangles", c->triangles }, { "brush_entities", c->brush_entities },
		{ "lightmap_faces", c->lightmap_faces }, { "textures_found", c->textures_found },
		{ "textures_missing", c->textures_missing }, { "static_props", c->static_props },
		{ "source_vertices", c->vertex_records }, { "source_lightmaps", c->map_lightmaps },
	};
	BSPI_TRY(bspi_put_text(writer, "scene ") && bspt_say_quoted(writer, scene->name));
	BSPI_TRY(bspi_put_format(writer, " %s %s %" PRId32 "\n", scene->family, scene->variant, scene->version));
	BSPI_TRY(bspt_say_floats(writer, "meters_per_unit", &scene->meters_per_unit, 1));
	BSPI_TRY(bspt_say_floats(writer, "\noverbright", &scene->overbright, 1));
	BSPI_TRY(bspt_say_word(writer, "first_value_wins", scene->first_key_wins));
	BSPI_TRY(bspt_say_index(writer, "sky", scene->sky_material));
	BSPI_TRY(bspi_put_text(writer, "\nbounds") && bspt_say_bounds(writer, &scene->bounds) &&
	         bspi_put_text(writer, "\ncounts"));
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (counts[i].value) BSPI_TRY(bspi_put_format(writer, " %s %" PRIu32, counts[i].word, counts[i].value));
	}
	return bspi_put_text(writer, "\n");
}

static bool put_warnings(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		const bspscene_warning *warning = scene->warnings[i];
		BSPI_TRY(bspi_put_format(writer, "warning %s %" PRIu32 " ", bspscene_warning_name(warning->code),
		                         warning->count));
		BSPI_TRY(bspt_say_quoted(writer, warning->message) && bspi_put_text(writer, "\n"));
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
	return bspt_say_floats(writer, " at", at, 3) && (!turned || bspt_say_floats(writer, " axes", axes, 9));
}

static bool put_nodes(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "nodes %" PRIu32 "\n", scene->node_count));
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && bspt_say_quoted(writer, node->name));
		BSPI_TRY(bspi_put_format(writer, " %s", bspi_node_word(node->kind)) &&
		         bspt_say_index(writer, "parent", node->parent));
		BSPI_TRY(bspt_say_index(writer, "mesh", node->mesh) && bspt_say_index(writer, "light", node->light));
		BSPI_TRY(bspt_say_index(writer, "camera", node->camera) && bspt_say_index(writer, "prop", node->prop));
		BSPI_TRY(bspt_say_index(writer, "entity", node->entity) && bspt_say_index(writer, "material", node->material));
		BSPI_TRY(put_transform(writer, node->transform) && bspt_say_word(writer, "hidden", node->hidden));
		if (node->kind == BSPSCENE_NODE_FLARE) BSPI_TRY(bspt_say_floats(writer, " color", node->color, 3));
		if (node->color_alpha != 1) BSPI_TRY(bspt_say_floats(writer, " alpha", &node->color_alpha, 1));
		BSPI_TRY(bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_entities(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "entities %" PRIu32 "\n", scene->entity_count));
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && bspt_say_quoted(writer, entity->classname));
		BSPI_TRY(bspt_say_index(writer, "node", entity->node) && bspt_say_index(writer, "model", entity->model));
		BSPI_TRY(bspt_say_index(writer, "target", entity->target_entity));
		BSPI_TRY(bspt_say_floats(writer, " at", entity->origin, 3) && bspi_put_text(writer, "\n"));
		for (uint32_t p = 0; p < entity->pair_count; p++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + p];
			BSPI_TRY(bspi_put_text(writer, "\t\t") && bspt_say_quoted(writer, pair->key) && bspi_put_text(writer, " "));
			BSPI_TRY(bspt_say_quoted(writer, pair->value) && bspi_put_text(writer, "\n"));
		}
	}
	return true;
}

static bool put_pair(bspi_writer *writer, const char *word, const uint32_t pair[2])
{
	return (!pair[0] && !pair[1]) || bspi_put_format(writer, " %s %" PRIu32 " %" PRIu32, word, pair[0], pair[1]);
}

/* Members that most props lack are printed only if they are set. */
static bool put_prop(bspi_writer *writer, const bspscene_prop *prop)
{
	const uint32_t flags[2] = { prop->flags, prop->flags_ex };
	const uint32_t luxels[2] = { prop->lightmap_width, prop->lightmap_height };
	const uint32_t leafs[2] = { prop->first_leaf, prop->leaf_count };
	bool colored = false;
	for (int i = 0; i < 4; i++) colored = colored || prop->color[i] != 1;
	BSPI_TRY(bspi_put_text(writer, "prop ") && bspt_say_quoted(writer, prop->model));
	BSPI_TRY(bspt_say_index(writer, "node", prop->node));
	BSPI_TRY(bspi_put_format(writer, " skin %" PRIu32, prop->skin) && bspt_say_word(writer, "static", prop->is_static));
	BSPI_TRY(!prop->name || (bspi_put_text(writer, " name ") && bspt_say_quoted(writer, prop->name)));
	BSPI_TRY(!prop->solid || bspi_put_format(writer, " solid %" PRIu32, prop->solid));
	BSPI_TRY(put_pair(writer, "flags", flags));
	BSPI_TRY(!colored || bspt_say_floats(writer, " color", prop->color, 4));
	BSPI_TRY(prop->fade_far == 0 || bspt_say_floats(writer, " fade", &prop->fade_near, 2));
	BSPI_TRY(prop->fade_scale == 1 || bspt_say_floats(writer, " fade-scale", &prop->fade_scale, 1));
	BSPI_TRY(!(prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN) ||
	         bspt_say_floats(writer, " lit-at", prop->lighting_origin, 3));
	BSPI_TRY(put_pair(writer, "luxels", luxels) && put_pair(writer, "dx", prop->dx_levels));
	BSPI_TRY(put_pair(writer, "cpu", prop->cpu_levels) && put_pair(writer, "gpu", prop->gpu_levels));
	return (!prop->leaf_count || put_pair(writer, "leafs", leafs)) && bspi_put_text(writer, "\n");
}

static bool put_things(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	for (uint32_t i = 0; i < scene->camera_count; i++) {
		const bspscene_camera *camera = scene->cameras[i];
		BSPI_TRY(bspi_put_format(writer, "camera %s", bspi_camera_word(camera->kind)) &&
		         bspt_say_index(writer, "node", camera->node));
		BSPI_TRY(bspt_say_floats(writer, " fov", &camera->fov_degrees, 1) && bspi_put_text(writer, "\n"));
	}
	for (uint32_t i = 0; i < scene->prop_count; i++) BSPI_TRY(put_prop(writer, scene->props[i]));
	for (uint32_t i = 0; i < scene->overlay_count; i++) {
		const bspscene_overlay *overlay = scene->overlays[i];
		BSPI_TRY(bspi_put_format(writer, "overlay %" PRIu32, overlay->record) &&
		         bspt_say_index(writer, "node", overlay->node));
		BSPI_TRY(bspt_say_index(writer, "mesh", overlay->mesh) &&
		         bspt_say_index(writer, "material", overlay->material));
		BSPI_TRY(bspi_put_text(writer, "\n"));
	}
	if (scene->map_fog->density > 0) {
		const bspscene_map_fog *fog = scene->map_fog;
		const float numbers[6] = { fog->density, fog->power, fog->opacity, fog->start, fog->end, fog->sky };
		BSPI_TRY(bspt_say_floats(writer, "map fog", fog->color, 3) && bspt_say_floats(writer, "", numbers, 6) &&
		         bspi_put_text(writer, fog->along_view ? " along view\n" : "\n"));
	}
	for (uint32_t i = 0; i < scene->fog_count; i++) {
		const bspscene_fog *fog = scene->fogs[i];
		BSPI_TRY(bspi_put_text(writer, "fog") && bspt_say_index(writer, "material", fog->material) &&
		         bspt_say_index(writer, "brush", fog->brush));
		BSPI_TRY(bspt_say_floats(writer, " plane", fog->plane, 4) && bspi_put_text(writer, " bounds"));
		BSPI_TRY(bspt_say_bounds(writer, &fog->bounds) && bspi_put_text(writer, "\n"));
	}
	for (uint32_t i = 0; i < scene->cubemap_count; i++) {
		BSPI_TRY(bspt_say_floats(writer, "cubemap at", scene->cubemaps[i]->origin, 3));
		BSPI_TRY(bspi_put_format(writer, " size %" PRIu32 "\n", scene->cubemaps[i]->size));
	}
	return true;
}

static bool put_world(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_tree *tree = scene->tree;
	const bspscene_vis *vis = scene->vis;
	const bspscene_light_grid *grid = scene->light_grid;
	size_t samples = (size_t)grid->counts[0] * grid->counts[1] * grid->counts[2], sets = samples * grid->style_count;
	BSPI_TRY(bspi_put_format(writer, "tree nodes %" PRIu32 " leafs %" PRIu32, tree->node_count, tree->leaf_count));
	if (tree->node_count) {
		BSPI_TRY(bspt_say_hash(writer, "planes", tree->planes,
		                       bspt_hash_floats(tree->planes, 4 * (size_t)tree->node_count, BSPT_NORMAL_STEPS)));
		BSPI_TRY(bspt_say_hash(writer, "children", tree->children,
		                       bspt_hash_indices((const uint32_t *)tree->children, 2 * (size_t)tree->node_count)));
	}
	BSPI_TRY(bspi_put_format(writer, "\nvis clusters %" PRIu32, vis->cluster_count));
	if (vis->rows) {
		BSPI_TRY(bspt_say_hash(writer, "rows", vis->rows,
		                       bspi_hash(vis->rows, (size_t)vis->cluster_count * vis->row_size)));
	}
	BSPI_TRY(bspi_put_format(writer, "\nareas %" PRIu32 " portals %" PRIu32, scene->area_count,
	                         scene->area_portal_count));
	BSPI_TRY(bspi_put_format(writer, "\nlight_grid %" PRIu32 " %" PRIu32 " %" PRIu32, grid->counts[0], grid->counts[1],
	                         grid->counts[2]));
	if (samples) {
		BSPI_TRY(bspt_say_floats(writer, " origin", grid->origin, 3) &&
		         bspt_say_floats(writer, " step", grid->step, 3));
		BSPI_TRY(bspt_say_hash(writer, "ambient", grid->ambient, bspi_hash(grid->ambient, 3 * sets)));
		BSPI_TRY(bspt_say_hash(writer, "directed", grid->directed, bspi_hash(grid->directed, 3 * sets)));
		BSPI_TRY(bspt_say_hash(writer, "directions", grid->directions, bspi_hash(grid->directions, 2 * samples)));
	}
	return bspi_put_format(writer, "\nambients %" PRIu32 "\n", scene->ambient_count);
}

static bool put_scene(bspi_writer *writer)
{
	return bspi_begin(writer, writer->main_name) && put_head(writer) && put_warnings(writer) && put_nodes(writer) &&
	       put_entities(writer) && bspt_say_meshes(writer) && bspt_say_faces(writer) && bspt_say_materials(writer) &&
	       bspt_say_images(writer) && bspt_say_page_sets(writer) && bspt_say_lights(writer) &&
	       bspt_say_light_styles(writer) && put_things(writer) && put_world(writer) && bspi_end(writer);
}

bool bspt_write_text(const bspscene_scene *scene, const bspscene_write_options *options,
                     const bspscene_output *output, bspscene_error *error)
{
	static const bspi_writer_format format = {
		.about = {
			.name = "text", .title = "text", .extension = "txt",
			.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP, .lightings = BSPI_USUAL_LIGHTINGS,
		},
		.write = put_scene, .raw = true, .stops_at_white = true, .triangle_cost = BSPI_OBJ_TRIANGLE,
	};
	*error = (bspscene_error){ .record = BSPSCENE_NO_INDEX };
	return bspi_write_by(&format, scene, options, output, error);
}
