/* obj.c - Wavefront OBJ and MTL. The format has no nodes, so every node's mesh is written at its position in the world.
 * A surface has one uv and one picture: the texture, the baked picture of texture times light, or the lightmap page.
 * With baked light, surfaces outside of the picture have a color. Vertex light is written as colors after the
 * positions, which most readers know. */
#include "writers/writers.h"
#include "writers/sky/written_sky.h"
#include "writers/writer_costs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/costs.h"
#include "base/vec.h"
#include "images/display.h"
#include "writers/light/drawn.h"
#include "writers/lit/lit.h"
#include "writers/light/place_uv.h"
#include "writers/light/vertex_color.h"
#include "writers/words.h"

#define POSITION_DIGITS 7
#define UV_DIGITS 6
#define NORMAL_DIGITS 4
#define NUMBER_SIZE 16                 /* bytes that are reserved for a number at the end of a name */

/* A material of the file: a scene material together with one kind of light. */
typedef struct obj_material {
	uint32_t material;                 /* index of the scene material */
	uint32_t page;                     /* lightmap page that replaces the texture, or NO_INDEX */
	bspi_lit_section lit;
	const char *name;
	uint32_t next;                     /* index of the next obj_material of the same scene material */
} obj_material;

typedef struct obj {
	bspi_writer *writer;
	const bspscene_scene *scene;
	obj_material *materials; uint32_t material_count;
	uint32_t *first_materials;         /* for each scene material, the index of its first obj_material */
	bspi_names names;                  /* names of materials that are in use */
	bool baked;
	bspi_lit lit;
	const char *lit_names[BSPI_LIT_MOST_SHEETS]; /* file names of baked pictures */
	const char **page_names;           /* file name of each page; NULL: the page is not written */
	bool colored;                      /* all vertices have colors, because readers cannot handle files in which only
	                                    * some have */
	uint64_t first;                    /* index of the next vertex that is written; OBJ counts from 1 through the whole
	                                    * file */
} obj;

/* ---- Names ------------------------------------------------------------------------------------------------ */

/* Returns a name that readers accept. They split lines at spaces and read '#' as the start of a comment, so these
 * become '_'. Letters beyond ASCII stay. */
static char *clean_name(bspi_writer *writer, const char *name)
{
	size_t size = strlen(name);
	char *out = bspi_writer_push(writer, char, size + NUMBER_SIZE);
	if (!out) return NULL;
	for (size_t i = 0; i < size; i++) {
		out[i] = (unsigned char)name[i] <= ' ' || name[i] == '#' || name[i] == 0x7F ? '_' : name[i];
	}
	return out;
}

static bool reserve_materials(obj *o)
{
	const bspscene_scene *scene = o->scene;
	size_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) count += scene->meshes[m]->section_count;
	o->materials = bspi_writer_push(o->writer, obj_material, count);
	o->first_materials = bspi_writer_push(o->writer, uint32_t, scene->material_count);
	BSPI_TRY(o->materials && o->first_materials && bspi_names_init(o->writer, &o->names, count));
	for (uint32_t i = 0; i < scene->material_count; i++) o->first_materials[i] = BSPSCENE_NO_INDEX;
	return true;
}

static bool find_material(obj *o, uint32_t material, uint32_t page, const bspi_lit_section *lit,
                          const obj_material **out)
{
	uint32_t *first = &o->first_materials[material];
	for (uint32_t i = *first; i != BSPSCENE_NO_INDEX; i = o->materials[i].next) {
		*out = &o->materials[i];
		if ((*out)->page == page && bspi_lit_is_alike(&(*out)->lit, lit)) return true;
	}
	char *name = clean_name(o->writer, o->scene->materials[material]->name);
	BSPI_TRY(name);
	size_t length = strlen(name);
	for (uint32_t n = o->material_count; !bspi_names_take(&o->names, name); n++) {
		snprintf(name + length, NUMBER_SIZE, "_%" PRIu32, n);
	}
	o->materials[o->material_count] = (obj_material){ material, page, *lit, name, *first };
	*out = &o->materials[*first = o->material_count++];
	return true;
}

static bool find_colors(const obj *o)
{
	for (uint32_t m = 0; m < o->scene->mesh_count; m++) {
		const bspscene_mesh *mesh = o->scene->meshes[m];
		for (uint32_t i = 0; i < mesh->section_count; i++) {
			const bspscene_section *section = mesh->sections[i];
			bspi_vertex_color rule = bspi_vertex_color_of(o->scene, o->writer->options.lighting, mesh, section);
			if (!bspi_vertex_color_is_white(&rule)) return true;
		}
	}
	return false;
}

/* ---- Geometry --------------------------------------------------------------------------------------------- */

static bool put_numbers(bspi_writer *writer, const char *word, const float *values, uint32_t count, int digits)
{
	BSPI_TRY(bspi_put_text(writer, word));
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(bspi_put_text(writer, " ") && bspi_put_number(writer, (double)values[i], digits));
	}
	return true;
}

/* Converts from game axes to Y up. */
static void turn(float out[3], const float v[3], float scale)
{
	float y = v[1];
	out[0] = v[0] * scale;
	out[1] = v[2] * scale;
	out[2] = -y * scale;
}

/* Computes the matrix for normals, which is the inverse transpose of the transform up to a factor. Its rows are the
 * cross products of the transform's rows. */
static void make_normal_transform(const float m[12], float out[3][3])
{
	const float *rows[3] = { m, m + 4, m + 8 };
	for (int i = 0; i < 3; i++) bspi_cross(out[i], rows[(i + 1) % 3], rows[(i + 2) % 3]);
	float determinant = bspi_dot(rows[0], out[0]);
	for (int i = 0; determinant < 0 && i < 9; i++) out[i / 3][i % 3] = -out[i / 3][i % 3];
}

static bool put_vertex(obj *o, const bspscene_mesh *mesh, const float transform[12], const bspi_vertex_color *rule,
                       uint32_t vertex)
{
	float world[3], position[3];
	bspi_transform_point(world, transform, mesh->positions + 3 * (size_t)vertex);
	turn(position, world, o->scene->meters_per_unit);
	BSPI_TRY(put_numbers(o->writer, "v", position, 3, POSITION_DIGITS));
	if (o->colored) {
		float color[4];
		bspi_vertex_color_at(rule, vertex, color);
		for (int i = 0; i < 3; i++) color[i] = fminf(bspi_display_from_linear(color[i]), 1);
		BSPI_TRY(put_numbers(o->writer, "", color, 3, NORMAL_DIGITS));
	}
	return bspi_put_text(o->writer, "\n");
}

static bool put_vertices(obj *o, const bspscene_mesh *mesh, const bspscene_section *section, const float *light_uvs,
                         const float transform[12])
{
	const bspscene_material *material = o->scene->materials[section->material];
	float matrix[3][3];
	bspi_vertex_color rule = bspi_vertex_color_of(o->scene, o->writer->options.lighting, mesh, section);
	make_normal_transform(transform, matrix);
	uint32_t end = section->first_vertex + section->vertex_count;
	for (uint32_t v = section->first_vertex; v < end; v++) BSPI_TRY(put_vertex(o, mesh, transform, &rule, v));
	for (uint32_t v = section->first_vertex; v < end; v++) {
		float uv[2];
		if (light_uvs) memcpy(uv, light_uvs + 2 * (size_t)v, sizeof uv);
		else bspi_placed_base_uv(o->scene, mesh, material, v, uv);
		uv[1] = 1 - uv[1];
		BSPI_TRY(put_numbers(o->writer, "vt", uv, 2, UV_DIGITS) && bspi_put_text(o->writer, "\n"));
	}
	for (uint32_t v = section->first_vertex; v < end; v++) {
		const float *n = mesh->normals + 3 * (size_t)v;
		float world[3] = { bspi_dot(matrix[0], n), bspi_dot(matrix[1], n), bspi_dot(matrix[2], n) }, normal[3];
		if (!bspi_normalize(world)) bspi_copy3(world, n);
		turn(normal, world, 1);
		BSPI_TRY(put_numbers(o->writer, "vn", normal, 3, NORMAL_DIGITS) && bspi_put_text(o->writer, "\n"));
	}
	return true;
}

static bool put_faces(obj *o, const bspscene_mesh *mesh, const bspscene_section *section, bool flip)
{
	const uint32_t *indices = mesh->indices + section->first_index;
	for (uint32_t i = 0; i < section->index_count; i += 3) {
		uint64_t n[3];
		for (uint32_t c = 0; c < 3; c++) n[c] = o->first + (indices[i + (flip ? 2 - c : c)] - section->first_vertex);
		if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
		BSPI_TRY(bspi_put_text(o->writer, "f"));
		for (int c = 0; c < 3; c++) {
			BSPI_TRY(bspi_put_format(o->writer, " %" PRIu64 "/%" PRIu64 "/%" PRIu64, n[c], n[c], n[c]));
		}
		BSPI_TRY(bspi_put_text(o->writer, "\n"));
	}
	return true;
}

/* True if the transform mirrors. The winding of triangles must then be reversed. */
static bool is_mirrored(const float m[12])
{
	float cross[3];
	bspi_cross(cross, m + 4, m + 8);
	return bspi_dot(m, cross) < 0;
}

/* Returns the lightmap page that a section shows in place of its texture, or NO_INDEX. */
static uint32_t page_of(const obj *o, const bspscene_mesh *mesh, const bspscene_section *section)
{
	bool shows_page = o->writer->options.lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP && mesh->lightmap_uvs;
	return shows_page ? bspi_page_of(o->scene, section) : BSPSCENE_NO_INDEX;
}

static bool put_section(obj *o, uint32_t mesh_index, uint32_t index, const char *name, const float transform[12])
{
	static const bspi_lit_section as_it_is = { .light = { 1, 1, 1 } };
	const bspscene_mesh *mesh = o->scene->meshes[mesh_index];
	const bspscene_section *section = mesh->sections[index];
	const bspi_lit_section *lit = o->baked ? &o->lit.sections[mesh_index][index] : &as_it_is;
	const obj_material *material;
	bool flip = is_mirrored(transform) != (o->scene->materials[section->material]->cull == BSPSCENE_CULL_FRONT);
	if (!section->index_count) return true;
	uint32_t page = page_of(o, mesh, section);
	const float *light_uvs = lit->in_picture ? o->lit.uvs[mesh_index] : NULL;
	if (page != BSPSCENE_NO_INDEX) light_uvs = mesh->lightmap_uvs;
	BSPI_TRY(find_material(o, section->material, page, lit, &material));
	BSPI_TRY(bspi_put_format(o->writer, "g %s_%" PRIu32 "\n", name, index));
	if (section->surface_kind != BSPSCENE_SURFACE_VISIBLE) {
		BSPI_TRY(bspi_put_format(o->writer, "# hidden in the game: %s\n", bspi_include_word(section->surface_kind)));
	}
	if (section->lightmap_page != BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_put_format(o->writer, "# lightmap page %" PRIu32 "\n", section->lightmap_page));
	}
	BSPI_TRY(put_vertices(o, mesh, section, light_uvs, transform));
	BSPI_TRY(bspi_put_format(o->writer, "usemtl %s\n", material->name));
	BSPI_TRY(put_faces(o, mesh, section, flip));
	o->first += section->vertex_count;
	return true;
}

static bool put_node(obj *o, uint32_t index)
{
	const bspscene_node *node = o->scene->nodes[index];
	const bspscene_mesh *mesh = o->scene->meshes[node->mesh];
	const char *name = clean_name(o->writer, node->name);
	float transform[12];
	bspscene_node_world_transform(o->scene, index, transform);
	BSPI_TRY(name && bspi_put_format(o->writer, "\no %s\n", name));
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		BSPI_TRY(put_section(o, node->mesh, i, name, transform));
		double cost = bspi_cost_of_triangles(o->writer, mesh->sections[i]->index_count / 3);
		BSPI_TRY(bspi_writer_worked(o->writer, "write", cost));
	}
	return true;
}

static bool put_geometry(obj *o, const char *mtl_name)
{
	const bspscene_scene *scene = o->scene;
	BSPI_TRY(bspi_begin(o->writer, o->writer->main_name));
	BSPI_TRY(bspi_put_format(o->writer, "# %s (%s), by bspscene " BSPSCENE_VERSION_STRING "\n", scene->name,
	                         scene->variant));
	BSPI_TRY(bspi_put_text(o->writer, "# Y is up, lengths are meters: (x, y, z) of the game is (x, z, -y) * "));
	BSPI_TRY(bspi_put_number(o->writer, (double)scene->meters_per_unit, POSITION_DIGITS));
	BSPI_TRY(bspi_put_format(o->writer, "\nmtllib %s\n", mtl_name));
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (scene->nodes[i]->mesh != BSPSCENE_NO_INDEX) BSPI_TRY(put_node(o, i));
	}
	return bspi_end(o->writer);
}

/* ---- Materials -------------------------------------------------------------------------------------------- */

/* For each image and use, the name of its file. Images without bytes have none. */
typedef struct image_files {
	const char **names;
	bool *transparent;
} image_files;

static bspi_picture_use use_of(const obj *o, const bspscene_material *material)
{
	return bspi_picture_use_of(o->scene->images[material->base_image], bspi_base_picture_use(material));
}

static size_t slot_of(const obj *o, const bspscene_material *material)
{
	return BSPI_PICTURE_USE_COUNT * (size_t)material->base_image + use_of(o, material);
}

/* Data that the tasks share. The pictures of base images are in the order in which materials first use them. */
typedef struct image_job {
	obj *o;
	image_files *files;
	bspi_names taken;
	const bspscene_material **materials; uint32_t count;
	bspi_picture *pictures;
} image_job;

static bool make_image(void *user, bspi_task *task)
{
	const image_job *job = user;
	const bspscene_material *material = job->materials[task->index];
	return bspi_picture_make(job->o->writer, job->o->scene->images[material->base_image], use_of(job->o, material),
	                         NULL, &job->pictures[task->index], &task->error);
}

static void drop_image(void *user, bspi_task *task)
{
	bspi_picture_free(&((image_job *)user)->pictures[task->index]);
}

static bool put_image(void *user, bspi_task *task)
{
	image_job *job = user;
	obj *o = job->o;
	const bspscene_material *material = job->materials[task->index];
	const bspscene_image *image = o->scene->images[material->base_image];
	bspi_picture *picture = &job->pictures[task->index];
	size_t slot = slot_of(o, material);
	const char *name = bspi_picture_file_name(o->writer, &job->taken, image->name, material->base_image,
	                                          picture->extension);
	bool written = name && bspi_begin(o->writer, name) && bspi_put(o->writer, picture->data, picture->size) &&
	               bspi_end(o->writer);
	job->files->names[slot] = name;
	job->files->transparent[slot] = picture->transparent;
	bspi_picture_free(picture);
	return written && bspi_writer_worked(o->writer, "textures", bspi_cost_of_picture(o->writer, image, false));
}

/* True if the file has a material that comes from this scene material and shows its texture. */
static bool shows_texture(const obj *o, uint32_t material)
{
	for (uint32_t i = o->first_materials[material]; i != BSPSCENE_NO_INDEX; i = o->materials[i].next) {
		if (!o->materials[i].lit.in_picture && o->materials[i].page == BSPSCENE_NO_INDEX) return true;
	}
	return false;
}

static bool put_lit_picture(obj *o, bspi_names *taken, uint32_t sheet)
{
	const bspi_picture *picture = &o->lit.sheets[sheet].picture;
	char words[BSPI_LIT_NAME_SIZE];
	bspi_lit_sheet_name(sheet, words);
	const char *name = bspi_picture_file_name(o->writer, taken, words, 0, picture->extension);
	o->lit_names[sheet] = name;
	return name && bspi_begin(o->writer, name) && bspi_put(o->writer, picture->data, picture->size) &&
	       bspi_end(o->writer);
}

/* Writes the pages that materials show. */
static bool put_pages(obj *o, bspi_names *taken)
{
	for (uint32_t i = 0; i < o->material_count; i++) {
		uint32_t page = o->materials[i].page;
		bspi_picture picture;
		char words[NUMBER_SIZE + sizeof "lightmap-"];
		float peak;
		if (page == BSPSCENE_NO_INDEX || o->page_names[page]) continue;
		snprintf(words, sizeof words, "lightmap-%" PRIu32, page);
		BSPI_TRY(bspi_picture_of_page(o->writer, &o->scene->lightmap_sets[0].pages[page], &picture, &peak));
		const char *name = bspi_picture_file_name(o->writer, taken, words, page, picture.extension);
		o->page_names[page] = name;
		bool written = name && bspi_begin(o->writer, name) && bspi_put(o->writer, picture.data, picture.size) &&
		               bspi_end(o->writer);
		bspi_picture_free(&picture);
		double cost = bspi_cost_of_page(o->writer, &o->scene->lightmap_sets[0].pages[page]);
		BSPI_TRY(written && bspi_writer_worked(o->writer, "lightmaps", cost));
	}
	return true;
}

/* Lists each pair of an image and its use once. */
static bool list_images(image_job *job)
{
	const obj *o = job->o;
	bool *listed = bspi_writer_push(o->writer, bool, BSPI_PICTURE_USE_COUNT * (size_t)o->scene->image_count);
	BSPI_TRY(listed);
	for (uint32_t i = 0; i < o->scene->material_count; i++) {
		const bspscene_material *material = o->scene->materials[i];
		if (!shows_texture(o, i) || material->base_image == BSPSCENE_NO_INDEX) continue;
		const bspscene_image *image = o->scene->images[material->base_image];
		bool *known = &listed[slot_of(o, material)];
		if (*known || (image->format != BSPSCENE_IMAGE_MISSING && !image->data)) continue;
		*known = true;
		job->materials[job->count++] = material;
	}
	return true;
}

static bool put_images(obj *o, image_files *files)
{
	image_job images = { .o = o, .files = files };
	size_t count = BSPI_PICTURE_USE_COUNT * (size_t)o->scene->image_count + BSPI_LIT_MOST_SHEETS +
	               o->scene->lightmap_page_count;
	files->names = bspi_writer_push(o->writer, const char *, count);
	files->transparent = bspi_writer_push(o->writer, bool, count);
	images.materials = bspi_writer_push(o->writer, const bspscene_material *, count);
	images.pictures = bspi_writer_push(o->writer, bspi_picture, count);
	o->page_names = bspi_writer_push(o->writer, const char *, o->scene->lightmap_page_count);
	BSPI_TRY(files->names && files->transparent && images.materials && images.pictures && o->page_names);
	BSPI_TRY(bspi_names_init(o->writer, &images.taken, count) && list_images(&images));
	const bspi_job job = { .count = images.count, .work = make_image, .finish = put_image, .drop = drop_image,
	                       .user = &images };
	BSPI_TRY(bspi_run_writer_job(o->writer, &job));
	for (uint32_t i = 0; i < o->lit.sheet_count; i++) BSPI_TRY(put_lit_picture(o, &images.taken, i));
	return put_pages(o, &images.taken);
}

/* Writes colors as display values, because readers expect these. Baked light is written as diffuse color and as
 * emission. Without emission, three.js, Babylon.js and Blender show black if there are no lamps, and no reader supports
 * `illum 0`. F3D reads only the diffuse color. */
static bool put_colors(obj *o, const obj_material *own)
{
	const bspscene_material *material = o->scene->materials[own->material];
	bool has_page = own->page != BSPSCENE_NO_INDEX, shines = o->baked || has_page;
	float color[3];
	for (int i = 0; i < 3; i++) {
		color[i] = own->lit.in_picture || has_page ? 1 : fminf(material->color[i] * own->lit.light[i], 1);
	}
	BSPI_TRY(bspi_put_format(o->writer, "\nnewmtl %s\nillum %d\n", own->name, shines ? 0 : 1));
	BSPI_TRY(put_numbers(o->writer, "Kd", color, 3, NORMAL_DIGITS) && bspi_put_text(o->writer, "\nKs 0 0 0\n"));
	const float *opacity = has_page ? &color[0] : &material->color[3];
	BSPI_TRY(put_numbers(o->writer, "d", opacity, 1, NORMAL_DIGITS) && bspi_put_text(o->writer, "\n"));
	bool glows = material->emissive[0] > 0 || material->emissive[1] > 0 || material->emissive[2] > 0;
	if (!glows && !shines) return true;
	return put_numbers(o->writer, "Ke", shines ? color : material->emissive, 3, NORMAL_DIGITS) &&
	       bspi_put_text(o->writer, "\n");
}

/* Writes the texture of a material. `-clamp on` is left out, because three.js and F3D read options as part of the file
 * name. */
static bool put_pictures(obj *o, const char *image, bool shines)
{
	return bspi_put_format(o->writer, "map_Kd %s\n", image) &&
	       (!shines || bspi_put_format(o->writer, "map_Ke %s\n", image));
}

static bool put_material(obj *o, const obj_material *own, const image_files *files)
{
	const bspscene_material *material = o->scene->materials[own->material];
	size_t slot = material->base_image == BSPSCENE_NO_INDEX ? 0 : slot_of(o, material);
	const char *image = material->base_image == BSPSCENE_NO_INDEX ? NULL : files->names[slot];
	BSPI_TRY(put_colors(o, own));
	if (own->lit.in_picture) return put_pictures(o, o->lit_names[own->lit.sheet], true);
	if (own->page != BSPSCENE_NO_INDEX) return put_pictures(o, o->page_names[own->page], true);
	if (!image) return true;
	BSPI_TRY(put_pictures(o, image, o->baked));
	return material->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE || !files->transparent[slot] ||
	       bspi_put_format(o->writer, "map_d %s\n", image);
}

/* Writes the MTL file. Images are written before it, because it contains their file names. */
static bool put_library(obj *o, const char *mtl_name)
{
	image_files files;
	BSPI_TRY(put_images(o, &files));
	BSPI_TRY(bspi_begin(o->writer, mtl_name));
	BSPI_TRY(bspi_put_format(o->writer, "# by bspscene " BSPSCENE_VERSION_STRING "\n"));
	for (uint32_t m = 0; m < o->scene->material_count; m++) {
		for (uint32_t i = o->first_materials[m]; i != BSPSCENE_NO_INDEX; i = o->materials[i].next) {
			BSPI_TRY(put_material(o, &o->materials[i], &files));
		}
	}
	return bspi_end(o->writer);
}

static bool bake(obj *o)
{
	bool *shown;
	o->baked = o->writer->options.lighting == BSPSCENE_WRITE_LIGHTING_BAKED;
	if (!o->baked) return true;
	BSPI_TRY(bspi_mark_shown(o->writer, &shown) && bspi_lit_make(o->writer, shown, true, &o->lit));
	o->scene = o->writer->scene;
	return true;
}

static bool write_obj(bspi_writer *writer)
{
	obj o = { .writer = writer, .scene = writer->scene, .first = 1 };
	const char *mtl_name = bspi_sibling_name(writer, ".mtl");
	o.colored = find_colors(&o);
	bool written = mtl_name && bake(&o) && reserve_materials(&o) && put_geometry(&o, mtl_name) &&
	               put_library(&o, mtl_name) && bspi_put_panorama(writer);
	bspi_lit_free(&o.lit);
	return written;
}

const bspi_writer_format bspi_writer_obj = {
	.about = {
		.name = "obj", .title = "Wavefront OBJ", .extension = "obj", .chosen_by_extension = true,
		.lighting = BSPSCENE_WRITE_LIGHTING_BAKED,
		.lightings = BSPI_USUAL_LIGHTINGS | 1u << BSPSCENE_WRITE_LIGHTING_BAKED,
	},
	.write = write_obj, .stops_at_white = true,
	.contents = BSPI_WRITES_PICTURES | BSPI_WRITES_PAGES | BSPI_WRITES_NODES | BSPI_WRITES_LIT | BSPI_WRITES_SKY |
	            BSPI_WRITES_PANORAMA,
	.triangle_cost = BSPI_OBJ_TRIANGLE, .load_share = BSPI_OBJ_LOAD_SHARE,
};
