/* scene_text_mesh.c - meshes with their sections, and faces, in a scene's text. */
#include "support/text/scene_text.h"

#include <inttypes.h>

#include "base/text.h"
#include "writers/words.h"

#define POSITION_STEPS 1024            /* number of steps in a game unit */
#define UV_STEPS 4096
#define PAGE_UV_STEPS 65536            /* one step is a quarter luxel of the largest page */

static bool put_section(bspi_writer *writer, const bspscene_section *section)
{
	BSPI_TRY(bspi_put_format(writer, "\t\tmaterial %" PRIu32 " %s", section->material,
	                         bspi_lighting_word(section->lighting)));
	BSPI_TRY(bspt_say_index(writer, "page", section->lightmap_page) && bspt_say_index(writer, "fog", section->fog));
	BSPI_TRY(bspt_say_word(writer, bspi_include_word(section->surface_kind),
	                       section->surface_kind != BSPSCENE_SURFACE_VISIBLE));
	BSPI_TRY(bspi_put_format(writer, " vertices %" PRIu32 "+%" PRIu32, section->first_vertex, section->vertex_count));
	BSPI_TRY(bspi_put_format(writer, " indices %" PRIu32 "+%" PRIu32, section->first_index, section->index_count));
	return bspi_put_format(writer, " faces %" PRIu32 "+%" PRIu32 "\n", section->first_face, section->face_count);
}

bool bspt_say_meshes(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "meshes %" PRIu32 "\n", scene->mesh_count));
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const bspscene_mesh *m = scene->meshes[i];
		size_t count = m->vertex_count;
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && bspt_say_quoted(writer, m->name) &&
		         bspt_say_index(writer, "model", m->model));
		BSPI_TRY(bspi_put_format(writer, " vertices %" PRIu32 " triangles %" PRIu32 " bounds", m->vertex_count,
		                         m->index_count / 3));
		BSPI_TRY(bspt_say_bounds(writer, &m->bounds) && bspi_put_text(writer, "\n\t\thashes"));
		BSPI_TRY(bspt_say_hash(writer, "positions", m->positions,
		                       bspt_hash_floats(m->positions, 3 * count, POSITION_STEPS)));
		BSPI_TRY(bspt_say_hash(writer, "normals", m->normals,
		                       bspt_hash_floats(m->normals, 3 * count, BSPT_NORMAL_STEPS)));
		BSPI_TRY(bspt_say_hash(writer, "uvs", m->uvs, bspt_hash_floats(m->uvs, 2 * count, UV_STEPS)));
		if (m->lightmap_uvs) {
			BSPI_TRY(bspt_say_hash(writer, "lightmap_uvs", m->lightmap_uvs,
			                       bspt_hash_floats(m->lightmap_uvs, 2 * count, PAGE_UV_STEPS)));
		}
		if (m->map_page_uvs) {
			BSPI_TRY(bspt_say_hash(writer, "map_page_uvs", m->map_page_uvs,
			                       bspt_hash_floats(m->map_page_uvs, 2 * count, PAGE_UV_STEPS)));
		}
		if (m->colors) BSPI_TRY(bspt_say_hash(writer, "colors", m->colors, bspi_hash(m->colors, 4 * count)));
		if (m->blend_alphas) {
			BSPI_TRY(bspt_say_hash(writer, "blend_alphas", m->blend_alphas,
			                       bspt_hash_floats(m->blend_alphas, count, BSPT_NORMAL_STEPS)));
		}
		if (m->blend_weights) {
			BSPI_TRY(bspt_say_hash(writer, "blend_weights", m->blend_weights,
			                       bspt_hash_floats(m->blend_weights, 4 * count, BSPT_NORMAL_STEPS)));
		}
		if (m->triangle_tags) {
			BSPI_TRY(bspt_say_hash(writer, "tags", m->triangle_tags, bspi_hash(m->triangle_tags, m->index_count / 3)));
		}
		if (m->vertex_records) {
			BSPI_TRY(bspt_say_hash(writer, "records", m->vertex_records, bspt_hash_indices(m->vertex_records, count)));
		}
		for (uint32_t s = 0; s < m->vertex_color_set_count; s++) {
			const bspscene_vertex_color_set *set = &m->vertex_color_sets[s];
			BSPI_TRY(bspi_put_format(writer, " style %" PRIu32, set->style));
			BSPI_TRY(bspt_say_hash(writer, "colors", set->colors, bspi_hash(set->colors, 4 * count)));
		}
		BSPI_TRY(bspt_say_hash(writer, "indices", m->indices, bspt_hash_indices(m->indices, m->index_count)) &&
		         bspi_put_text(writer, "\n"));
		for (uint32_t s = 0; s < m->section_count; s++) BSPI_TRY(put_section(writer, m->sections[s]));
	}
	return true;
}

bool bspt_say_faces(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	uint64_t hash = BSPT_HASH_START;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *f = &scene->faces[i];
		const uint32_t values[] = {
			f->record,          f->mesh,         f->section,      f->first_index,
			f->index_count,     f->first_vertex, f->vertex_count, f->surface_flags,
			f->content_flags,   f->leaf,         f->cluster,      f->area,
			f->lightmap_page,   f->lightmap_x,   f->lightmap_y,   f->lightmap_width,
			f->lightmap_height, f->styles[0],    f->styles[1],    f->styles[2],
			f->styles[3],
		};
		for (size_t v = 0; v < sizeof values / sizeof *values; v++) hash = bspt_hash_integer(hash, values[v]);
	}
	return bspi_put_format(writer, "faces %" PRIu32 " hash %016" PRIx64 "\n", scene->face_count, hash);
}
