/* lit_part.c - splits sections whose faces lie on several sheets, because one draw call shows one texture. */
#include <string.h>

#include "writers/lit/lit.h"

/* True if the vertices of a section are grouped by face, so that the section can be split. */
static bool can_part(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_section *section)
{
	uint32_t next = section->first_vertex;
	for (uint32_t f = 0; f < section->face_count; f++) {
		const bspscene_face *face = &scene->faces[section->first_face + f];
		if (face->first_vertex != next) return false;
		next += face->vertex_count;
		for (uint32_t i = 0; i < face->index_count; i++) {
			uint32_t vertex = mesh->indices[face->first_index + i];
			if (vertex < face->first_vertex || vertex >= next) return false;
		}
	}
	return next == section->first_vertex + section->vertex_count;
}

void bspi_lit_find_parts(const bspscene_scene *scene, const bspscene_section *section, bspi_lit_chart *charts,
                         uint32_t count)
{
	bool can = count && can_part(scene, scene->meshes[charts->mesh], section);
	for (uint32_t i = 0; i < count; i++) charts[i].may_part = !i || can;
}

/* State of splitting one mesh, with its new sections. */
typedef struct parting {
	bspi_lit *lit;
	bspscene_face *faces;              /* the faces of the new scene */
	bspscene_section *sections;
	bspi_lit_section *lit_sections;
	uint32_t count;
} parting;

/* Splits the last of p->sections into two. `face` becomes the first face of the second one. */
static void cut(parting *p, const bspscene_face *face)
{
	bspscene_section *last = &p->sections[p->count - 1], *rest = last + 1;
	*rest = *last;
	last->face_count = (uint32_t)(face - p->faces) - last->first_face;
	last->index_count = face->first_index - last->first_index;
	last->vertex_count = face->first_vertex - last->first_vertex;
	rest->first_face += last->face_count;
	rest->face_count -= last->face_count;
	rest->first_index += last->index_count;
	rest->index_count -= last->index_count;
	rest->first_vertex += last->vertex_count;
	rest->vertex_count -= last->vertex_count;
	p->lit_sections[p->count] = p->lit_sections[p->count - 1];
	p->count++;
}

/* Splits a section where its charts change to another sheet. *chart is the first chart that is not before this section.
 * On return, it is the first one after this section. */
static void part_section(parting *p, const bspscene_section *section, uint32_t number, uint32_t mesh, uint32_t *chart)
{
	const bspi_lit *lit = p->lit;
	uint32_t first = p->count, before = BSPSCENE_NO_INDEX;
	p->sections[p->count++] = *section;
	p->lit_sections[first] = lit->sections[mesh][number];
	for (; *chart < lit->chart_count; ++*chart) {
		bspi_lit_chart *own = &lit->charts[*chart];
		if (own->mesh != mesh || own->section != number) break;
		if (before != BSPSCENE_NO_INDEX && own->sheet != before) cut(p, &p->faces[own->face]);
		before = p->lit_sections[p->count - 1].sheet = own->sheet;
	}
	for (uint32_t s = first; s < p->count; s++) {
		for (uint32_t f = 0; f < p->sections[s].face_count; f++) p->faces[p->sections[s].first_face + f].section = s;
	}
}

/* Returns how many sections the mesh gets in addition by splitting. `chart` is the first chart that is not before this
 * mesh. */
static uint32_t count_cuts(const bspi_lit *lit, uint32_t mesh, uint32_t chart)
{
	uint32_t count = 0;
	for (uint32_t i = chart; i < lit->chart_count && lit->charts[i].mesh == mesh; i++) {
		count += i > chart && lit->charts[i].section == lit->charts[i - 1].section &&
		         lit->charts[i].sheet != lit->charts[i - 1].sheet;
	}
	return count;
}

static const bspscene_mesh *part_mesh(bspi_writer *writer, bspi_lit *lit, bspscene_face *faces, uint32_t index,
                                      uint32_t *chart)
{
	const bspscene_mesh *mesh = writer->scene->meshes[index];
	uint32_t first_chart = *chart, count = mesh->section_count + count_cuts(lit, index, *chart);
	bspscene_mesh *parted = bspi_writer_push(writer, bspscene_mesh, 1);
	const bspscene_section **table = bspi_writer_push(writer, const bspscene_section *, count);
	parting p = { .lit = lit, .faces = faces, .sections = bspi_writer_push(writer, bspscene_section, count),
	              .lit_sections = bspi_writer_push(writer, bspi_lit_section, count) };
	if (!parted || !table || !p.sections || !p.lit_sections) return NULL;
	for (uint32_t s = 0; s < mesh->section_count; s++) part_section(&p, mesh->sections[s], s, index, chart);
	for (uint32_t i = 0; i < count; i++) table[i] = &p.sections[i];
	for (uint32_t i = first_chart; i < *chart; i++) lit->charts[i].section = faces[lit->charts[i].face].section;
	*parted = *mesh;
	parted->sections = table;
	parted->section_count = count;
	lit->sections[index] = p.lit_sections;
	return parted;
}

bool bspi_lit_part_sections(bspi_writer *writer, bspi_lit *lit)
{
	const bspscene_scene *scene = writer->scene;
	uint32_t chart = 0;
	if (lit->sheet_count < 2) return true;
	bspscene_scene *parted = bspi_writer_push(writer, bspscene_scene, 1);
	bspscene_face *faces = bspi_writer_push(writer, bspscene_face, scene->face_count);
	const bspscene_mesh **meshes = bspi_writer_push(writer, const bspscene_mesh *, scene->mesh_count);
	BSPI_TRY(parted && faces && meshes);
	memcpy(faces, scene->faces, scene->face_count * sizeof *faces);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m] = scene->meshes[m];
		if (!lit->sections[m]) continue;
		meshes[m] = part_mesh(writer, lit, faces, m, &chart);
		BSPI_TRY(meshes[m]);
	}
	*parted = *scene;
	parted->faces = faces;
	parted->meshes = meshes;
	writer->scene = parted;
	return true;
}
