/* check_scene.c - promises about a scene as a whole: arrays, text, warnings, counts. See check_scene.h. */
#include "support/check/check_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_continuation(unsigned char c) { return (c & 0xc0) == 0x80; }

/* Returns the length of the UTF-8 sequence at `p`, or 0; overlong forms, surrogates and numbers beyond U+10FFFF are
 * invalid. */
static size_t sequence_length(const unsigned char *p)
{
	if (p[0] < 0x80) return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf) return is_continuation(p[1]) ? 2 : 0;
	if (p[0] >= 0xe0 && p[0] <= 0xef) {
		bool overlong = p[0] == 0xe0 && p[1] < 0xa0, surrogate = p[0] == 0xed && p[1] > 0x9f;
		return is_continuation(p[1]) && is_continuation(p[2]) && !overlong && !surrogate ? 3 : 0;
	}
	if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		bool overlong = p[0] == 0xf0 && p[1] < 0x90, beyond = p[0] == 0xf4 && p[1] > 0x8f;
		return is_continuation(p[1]) && is_continuation(p[2]) && is_continuation(p[3]) && !overlong && !beyond ? 4 : 0;
	}
	return 0;
}

bool bspt_is_text(const char *text)
{
	if (!text) return false;
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		size_t length = sequence_length(p);
		if (!length) return false;
		p += length;
	}
	return true;
}

static bool is_line(const char *text)
{
	return bspt_is_text(text) && text[0] && !strpbrk(text, "\r\n");
}

bool bspt_is_safe_path(const char *path)
{
	if (!bspt_is_text(path) || path[0] == '/' || strpbrk(path, "\\:")) return false;
	for (const char *part = path; *part;) {
		size_t length = strcspn(part, "/");
		if (length == 2 && part[0] == '.' && part[1] == '.') return false;
		for (size_t i = 0; i < length; i++) {
			if ((unsigned char)part[i] < 32) return false;
		}
		part += length + (part[length] == '/');
	}
	return true;
}

bool bspt_are_finite(const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) return false;
	}
	return true;
}

bool bspt_is_empty_box(const bspscene_bounds *b)
{
	return b->min[0] > b->max[0] && b->min[1] > b->max[1] && b->min[2] > b->max[2];
}

bool bspt_is_box(const bspscene_bounds *b)
{
	if (!bspt_are_finite(b->min, 3) || !bspt_are_finite(b->max, 3)) return false;
	return bspt_is_empty_box(b) || (b->min[0] <= b->max[0] && b->min[1] <= b->max[1] && b->min[2] <= b->max[2]);
}

void bspt_check_error(const bspscene_error *error, bspt_report *report)
{
	BSPT_EXPECT(report, error->status != BSPSCENE_OK, "a failed load has no status");
	BSPT_EXPECT(report, strcmp(bspscene_status_name(error->status), "unknown") != 0, "status %d has no name",
	            (int)error->status);
	BSPT_EXPECT(report, memchr(error->message, 0, sizeof error->message) && is_line(error->message),
	            "the message of %s is not one line of UTF-8", bspscene_status_name(error->status));
	BSPT_EXPECT(report, memchr(error->lump, 0, sizeof error->lump) && bspt_is_text(error->lump),
	            "error.lump is no text");
}

static void check_warnings(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		const bspscene_warning *warning = scene->warnings[i];
		BSPT_EXPECT(report, (unsigned)warning->code <= BSPSCENE_WARNING_UNSUPPORTED, "warning %u: code %d", i,
		            (int)warning->code);
		BSPT_EXPECT(report, strcmp(bspscene_warning_name(warning->code), "unknown") != 0, "warning %u has no name", i);
		BSPT_EXPECT(report, warning->count > 0, "warning %u never happened", i);
		BSPT_EXPECT(report, warning->lump, "warning %u has no lump", i);
		BSPT_EXPECT(report, warning->occurrence_count > 0 && warning->occurrence_count <= warning->count,
		            "warning %u keeps %u of %u", i, warning->occurrence_count, warning->count);
		BSPT_EXPECT(report, warning->message == warning->occurrences[0]->message, "warning %u begins with another", i);
		for (uint32_t k = 0; k < warning->occurrence_count; k++) {
			BSPT_EXPECT(report, is_line(warning->occurrences[k]->message), "warning %u is not one line of UTF-8", i);
		}
	}
}

static void check_arrays(const bspscene_scene *scene, bspt_report *report)
{
#define EXPECT_ARRAY(array, count) \
	BSPT_EXPECT(report, scene->array || !scene->count, #array " is NULL with %u elements", scene->count)
	EXPECT_ARRAY(nodes, node_count);
	EXPECT_ARRAY(entities, entity_count);
	EXPECT_ARRAY(pairs, pair_count);
	EXPECT_ARRAY(meshes, mesh_count);
	EXPECT_ARRAY(faces, face_count);
	EXPECT_ARRAY(materials, material_count);
	EXPECT_ARRAY(material_passes, material_pass_count);
	EXPECT_ARRAY(frame_images, frame_image_count);
	EXPECT_ARRAY(images, image_count);
	EXPECT_ARRAY(lightmap_sets, lightmap_set_count);
	EXPECT_ARRAY(light_styles, light_style_count);
	EXPECT_ARRAY(lights, light_count);
	EXPECT_ARRAY(cameras, camera_count);
	EXPECT_ARRAY(props, prop_count);
	EXPECT_ARRAY(overlays, overlay_count);
	EXPECT_ARRAY(fogs, fog_count);
	EXPECT_ARRAY(cubemaps, cubemap_count);
	EXPECT_ARRAY(ambients, ambient_count);
	EXPECT_ARRAY(detail_props, detail_prop_count);
	EXPECT_ARRAY(area_portals, area_portal_count);
	EXPECT_ARRAY(warnings, warning_count);
	EXPECT_ARRAY(tree->planes, tree->node_count);
	EXPECT_ARRAY(tree->children, tree->node_count);
	EXPECT_ARRAY(tree->leafs, tree->leaf_count);
#undef EXPECT_ARRAY
}

static void check_counts(const bspscene_scene *scene, bspt_report *report)
{
	const bspscene_counts *counts = scene->counts;
	uint64_t vertices = 0, triangles = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		vertices += scene->meshes[i]->vertex_count;
		triangles += scene->meshes[i]->index_count / 3;
	}
	BSPT_EXPECT(report, counts->vertices == vertices, "counts.vertices is %u of %llu", counts->vertices,
	            (unsigned long long)vertices);
	BSPT_EXPECT(report, counts->triangles == triangles, "counts.triangles is %u of %llu", counts->triangles,
	            (unsigned long long)triangles);
	uint64_t kinds = (uint64_t)counts->polygons + counts->patches + counts->meshes;
	kinds += (uint64_t)counts->displacements + counts->billboards;
	BSPT_EXPECT(report, kinds <= counts->faces, "%llu faces by kind, %u in the file", (unsigned long long)kinds,
	            counts->faces);
	BSPT_EXPECT(report, counts->lightmap_faces <= counts->faces, "more lit faces than faces");
	BSPT_EXPECT(report, counts->brush_entities <= scene->entity_count, "more brush entities than entities");
}

void bspt_check_scene(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report)
{
	bspscene_load_options defaults;
	if (!options) {
		bspscene_load_options_init(&defaults);
		options = &defaults;
	}
	BSPT_EXPECT_TEXT(report, scene->name, "scene.name");
	BSPT_EXPECT_TEXT(report, scene->family, "scene.family");
	BSPT_EXPECT_TEXT(report, scene->variant, "scene.variant");
	BSPT_EXPECT_TEXT(report, scene->variant_title, "scene.variant_title");
	BSPT_EXPECT(report, isfinite(scene->meters_per_unit) && scene->meters_per_unit > 0, "meters_per_unit is %g",
	            scene->meters_per_unit);
	BSPT_EXPECT(report, isfinite(scene->overbright) && scene->overbright > 0, "overbright is %g", scene->overbright);
	BSPT_EXPECT(report, bspt_is_box(&scene->bounds), "scene.bounds is no box");
	BSPT_EXPECT_INDEX(report, scene->sky_material, scene->material_count, "sky_material");
	BSPT_EXPECT_FINITE(report, scene->sky_camera_origin, 3, "sky_camera_origin");
	BSPT_EXPECT_FINITE(report, &scene->sky_camera_scale, 1, "sky_camera_scale");
	check_arrays(scene, report);
	/* The checks below would read arrays that are missing. */
	if (report->failures) return;
	check_warnings(scene, report);
	check_counts(scene, report);
	bspt_check_tree(scene, report);
	bspt_check_materials(scene, options, report);
	bspt_check_light(scene, options, report);
	bspt_check_meshes(scene, options, report);
	bspt_check_world(scene, report);
}
