/* gltf_source.c - chooses the sections that are shown, and those that are merged into one mesh. */
#include "writers/gltf/gltf.h"

#include <bspscene/material.h>

#include "writers/light/drawn.h"

static void add_source(bspi_gltf *gltf, uint32_t mesh_index, uint32_t section_index, const float *place, bool glow)
{
	const bspscene_mesh *mesh = gltf->scene->meshes[mesh_index];
	const bspscene_section *section = mesh->sections[section_index];
	const bspscene_material *material = gltf->scene->materials[section->material];
	bspi_gltf_source *source = &gltf->sources[gltf->source_count++];
	*source = (bspi_gltf_source) { .mesh = mesh_index, .section = section_index, .place = place, .glow = glow };
	source->flip = material->cull == BSPSCENE_CULL_FRONT;
	source->color = bspi_vertex_color_of(gltf->scene, gltf->writer->options.lighting, mesh, section);
	if (place) {
		const float *m = place;
		float turns = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
		              m[2] * (m[4] * m[9] - m[5] * m[8]);
		source->mirrored = turns < 0;
	}
}

/* True if a section's glow needs a surface of its own, because its material is unlit and unlit materials have no
 * emission. */
static bool has_glow(const bspi_gltf *gltf, uint32_t mesh, uint32_t section)
{
	uint32_t image = gltf->scene->materials[gltf->scene->meshes[mesh]->sections[section]->material]->emissive_image;
	const bspi_gltf_source source = { .mesh = mesh, .section = section };
	bspscene_write_lighting lighting = gltf->writer->options.lighting;
	bool hidden = lighting == BSPSCENE_WRITE_LIGHTING_BAKED && !bspi_gltf_lit_section(gltf, &source).in_picture;
	return (lighting == BSPSCENE_WRITE_LIGHTING_VERTEX || hidden) && image != BSPSCENE_NO_INDEX &&
	       gltf->scene->images[image]->data && gltf->scene->images[image]->format != BSPSCENE_IMAGE_MISSING;
}

/* Finds the transform to the world for each mesh that is merged: that of the only node that shows the mesh. It is
 * NULL for meshes that are not merged, because several nodes show them or because they have a rig. */
static bool places_of_meshes(bspi_gltf *gltf, const float ***out)
{
	const bspscene_scene *scene = gltf->scene;
	uint32_t *users = bspi_writer_push(gltf->writer, uint32_t, scene->mesh_count);
	*out = bspi_writer_push(gltf->writer, const float *, scene->mesh_count);
	BSPI_TRY(users && *out);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (scene->nodes[i]->mesh != BSPSCENE_NO_INDEX) users[scene->nodes[i]->mesh]++;
	}
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh;
		if (mesh == BSPSCENE_NO_INDEX || users[mesh] != 1 || scene->meshes[mesh]->rig) continue;
		float *place = bspi_writer_push(gltf->writer, float, 12);
		BSPI_TRY(place);
		bspscene_node_world_transform(scene, i, place);
		(*out)[mesh] = place;
	}
	return true;
}

bool bspi_gltf_choose_sources(bspi_gltf *gltf, size_t *triangle_count, uint32_t *most_vertices)
{
	const bspscene_scene *scene = gltf->scene;
	size_t section_count = 0;
	const float **places = NULL;
	bool *shown;
	BSPI_TRY(bspi_mark_shown(gltf->writer, &shown));
	if (gltf->writer->options.merge == BSPSCENE_WRITE_MERGE_MATERIAL) BSPI_TRY(places_of_meshes(gltf, &places));
	for (uint32_t m = 0; m < scene->mesh_count; m++) section_count += scene->meshes[m]->section_count;
	gltf->sources = bspi_writer_push(gltf->writer, bspi_gltf_source, 2 * section_count);
	BSPI_TRY(gltf->sources);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		for (uint32_t s = 0; shown[m] && s < mesh->section_count; s++) {
			bool glows = has_glow(gltf, m, s);
			add_source(gltf, m, s, places ? places[m] : NULL, false);
			if (glows) add_source(gltf, m, s, places ? places[m] : NULL, true);
			*triangle_count += (glows ? 2 : 1) * (size_t)(mesh->sections[s]->index_count / 3);
		}
		if (mesh->vertex_count > *most_vertices) *most_vertices = mesh->vertex_count;
	}
	return true;
}
