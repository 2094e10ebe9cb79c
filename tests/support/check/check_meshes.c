/* check_meshes.c - the promises about vertices, triangles, sections and faces. See check_scene.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"

static void check_vertices(const bspscene_mesh *mesh, bspt_report *report)
{
	size_t count = mesh->vertex_count;
	if (!count) {
		BSPT_EXPECT(report, bspt_is_empty_box(&mesh->bounds), "mesh \"%.40s\" is empty but has bounds", mesh->name);
		return;
	}
	BSPT_EXPECT_FINITE(report, mesh->positions, count * 3, "mesh.positions");
	BSPT_EXPECT_FINITE(report, mesh->uvs, count * 2, "mesh.uvs");
	bspscene_bounds seen = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	bool unit = true, inside = true, blends = true;
	for (size_t i = 0; i < count; i++) {
		const float *n = &mesh->normals[3 * i];
		float length = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
		unit = unit && fabsf(length - 1) < 1e-4f;
		for (int k = 0; k < 3; k++) {
			seen.min[k] = fminf(seen.min[k], mesh->positions[3 * i + (size_t)k]);
			seen.max[k] = fmaxf(seen.max[k], mesh->positions[3 * i + (size_t)k]);
		}
		for (size_t k = 2 * i; mesh->lightmap_uvs && k < 2 * i + 2; k++) {
			inside = inside && mesh->lightmap_uvs[k] >= 0 && mesh->lightmap_uvs[k] <= 1;
		}
		if (mesh->blend_alphas) blends = blends && mesh->blend_alphas[i] >= 0 && mesh->blend_alphas[i] <= 1;
		for (size_t k = 4 * i; mesh->blend_weights && k < 4 * i + 4; k++) {
			blends = blends && mesh->blend_weights[k] >= 0 && mesh->blend_weights[k] <= 1;
		}
	}
	BSPT_EXPECT(report, unit, "mesh \"%.40s\" has a normal that is not of unit length", mesh->name);
	BSPT_EXPECT(report, inside, "mesh \"%.40s\" has a lightmap uv outside of its page", mesh->name);
	BSPT_EXPECT(report, blends, "mesh \"%.40s\" has a blend alpha or weight outside of 0..1", mesh->name);
	bool exact = true;
	for (int k = 0; k < 3; k++) {
		exact = exact && seen.min[k] == mesh->bounds.min[k] && seen.max[k] == mesh->bounds.max[k];
	}
	BSPT_EXPECT(report, exact, "mesh \"%.40s\" has bounds that are not those of its vertices", mesh->name);
}

static void check_face(const bspscene_scene *scene, uint32_t index, const bspscene_section *section,
                       bspt_report *report)
{
	const bspscene_face *face = &scene->faces[index];
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	BSPT_EXPECT(report, section->surface_kind == BSPSCENE_SURFACE_COLLISION || face->record < scene->counts->faces,
	            "face %u is record %u of %u", index, face->record, scene->counts->faces);
	BSPT_EXPECT(report, face->index_count % 3 == 0, "face %u has %u indices", index, face->index_count);
	BSPT_EXPECT(report, bspt_is_range(face->first_vertex, face->vertex_count, mesh->vertex_count) &&
	            face->first_vertex >= section->first_vertex &&
	            face->first_vertex - section->first_vertex + face->vertex_count <= section->vertex_count,
	            "face %u has vertices outside of its section", index);
	for (uint32_t i = 0; i < face->index_count; i++) {
		uint32_t vertex = mesh->indices[face->first_index + i];
		BSPT_EXPECT(report, vertex >= face->first_vertex && vertex - face->first_vertex < face->vertex_count,
		            "face %u has triangles with others' vertices", index);
	}
	BSPT_EXPECT_INDEX(report, face->leaf, scene->tree->leaf_count, "face.leaf");
	BSPT_EXPECT_INDEX(report, face->area, scene->area_count, "face.area");
	if (face->leaf < scene->tree->leaf_count) {
		const bspscene_leaf *leaf = &scene->tree->leafs[face->leaf];
		BSPT_EXPECT(report, face->cluster == leaf->cluster && face->area == leaf->area, "face %u and its leaf disagree",
		            index);
	}
	bool ended = false;
	for (int i = 0; i < 4; i++) {
		BSPT_EXPECT(report, !ended || face->styles[i] == 255, "face %u has a style behind the end of the list", index);
		ended = ended || face->styles[i] == 255;
	}
	BSPT_EXPECT(report, face->lightmap_page == section->lightmap_page, "face %u and its section name two pages", index);
	if (face->lightmap_page >= scene->lightmap_page_count || !scene->lightmap_set_count) return;
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[face->lightmap_page];
	BSPT_EXPECT(report,
	            face->lightmap_width && face->lightmap_height &&
	                bspt_is_range(face->lightmap_x, face->lightmap_width, page->width) &&
	                bspt_is_range(face->lightmap_y, face->lightmap_height, page->height),
	            "face %u has a rectangle %u,%u %ux%u on a page of %ux%u", index, face->lightmap_x, face->lightmap_y,
	            face->lightmap_width, face->lightmap_height, page->width, page->height);
}

/* Checks that a section's faces, with their vertices and triangles, follow each other without gaps. */
static void check_section_faces(const bspscene_scene *scene, uint32_t mesh, uint32_t number, bspt_report *report)
{
	const bspscene_section *section = scene->meshes[mesh]->sections[number];
	uint32_t next_index = section->first_index;
	for (uint32_t i = 0; i < section->face_count; i++) {
		const bspscene_face *face = &scene->faces[section->first_face + i];
		BSPT_EXPECT(report, face->mesh == mesh && face->section == number, "face %u does not know its section",
		            section->first_face + i);
		BSPT_EXPECT(report,
		            face->first_index == next_index && bspt_is_range(face->first_index, face->index_count,
		                                                             section->first_index + section->index_count),
		            "face %u has triangles %u + %u", section->first_face + i, face->first_index, face->index_count);
		if (report->failures) return;
		next_index += face->index_count;
		check_face(scene, section->first_face + i, section, report);
	}
	BSPT_EXPECT(report, !section->face_count || next_index == section->first_index + section->index_count,
	            "section %u of mesh %u has triangles without a face", number, mesh);
}

static void check_section(const bspscene_scene *scene, const bspscene_load_options *options, const bspscene_mesh *mesh,
                          const bspscene_section *section, bspt_report *report)
{
	BSPT_EXPECT(report, section->material < scene->material_count, "a section has material %u", section->material);
	BSPT_EXPECT_INDEX(report, section->lightmap_page, scene->lightmap_page_count, "section.lightmap_page");
	BSPT_EXPECT_INDEX(report, section->fog, scene->fog_count, "section.fog");
	BSPT_EXPECT(report, (unsigned)section->lighting <= BSPSCENE_LIGHTING_BLACK, "a section has lighting %d",
	            (int)section->lighting);
	BSPT_EXPECT(report, section->lighting != BSPSCENE_LIGHTING_LIGHTMAP || section->lightmap_page != BSPSCENE_NO_INDEX,
	            "a section is lit by no page");
	uint32_t kind = (uint32_t)section->surface_kind;
	BSPT_EXPECT(report, !(kind & (kind - 1)) && !(kind & ~options->include_mask),
	            "a section of kind 0x%x was not asked for", kind);
	BSPT_EXPECT(report, section->index_count % 3 == 0, "a section has %u indices", section->index_count);
	for (uint32_t i = 0; i < section->index_count; i++) {
		uint32_t vertex = mesh->indices[section->first_index + i];
		BSPT_EXPECT(report, vertex >= section->first_vertex && vertex - section->first_vertex < section->vertex_count,
		            "a section has triangles with others' vertices");
	}
	bool unlit = true;
	for (uint32_t i = 0; mesh->lightmap_uvs && section->lightmap_page == BSPSCENE_NO_INDEX &&
	     i < section->vertex_count * 2; i++) {
		unlit = unlit && mesh->lightmap_uvs[section->first_vertex * 2 + i] == 0;
	}
	BSPT_EXPECT(report, unlit, "a section without a page has lightmap uvs");
	BSPT_EXPECT(report, section->lightmap_page == BSPSCENE_NO_INDEX || mesh->lightmap_uvs,
	            "a lit section without lightmap uvs");
}

/* Checks that sections partition the mesh in order, so that no vertex, index or face is left over or shared. Returns
 * the number of faces of the mesh. */
static uint32_t check_sections(const bspscene_scene *scene, const bspscene_load_options *options, uint32_t number,
                               bspt_report *report)
{
	const bspscene_mesh *mesh = scene->meshes[number];
	uint32_t vertices = 0, indices = 0, faces = 0;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *section = mesh->sections[i];
		BSPT_EXPECT(report, section->first_vertex == vertices && bspt_is_range(vertices, section->vertex_count,
		            mesh->vertex_count),
		            "section %u of mesh %u has vertices %u + %u", i, number, section->first_vertex,
		            section->vertex_count);
		BSPT_EXPECT(report, section->first_index == indices && bspt_is_range(indices, section->index_count,
		            mesh->index_count),
		            "section %u of mesh %u has indices %u + %u", i, number, section->first_index, section->index_count);
		BSPT_EXPECT(report, bspt_is_range(section->first_face, section->face_count, scene->face_count),
		            "section %u of mesh %u has faces %u + %u", i, number, section->first_face, section->face_count);
		if (report->failures) return 0;
		vertices += section->vertex_count;
		indices += section->index_count;
		faces += section->face_count;
		check_section(scene, options, mesh, section, report);
		if (report->failures) return 0;
		check_section_faces(scene, number, i, report);
	}
	BSPT_EXPECT(report, vertices == mesh->vertex_count && indices == mesh->index_count,
	            "mesh %u has more than its sections", number);
	return faces;
}

static bool is_pose(const bspscene_bone_pose *pose)
{
	float length = 0;
	for (int i = 0; i < 4; i++) length += pose->rotation[i] * pose->rotation[i];
	return bspt_are_finite(pose->translation, 3) && bspt_are_finite(pose->scale, 3) && fabsf(length - 1) < 1e-4f;
}

static void check_bones(const bspscene_rig *rig, bspt_report *report)
{
	bool tags = false;
	for (uint32_t i = 0; i < rig->bone_count; i++) {
		const bspscene_bone *bone = rig->bones[i];
		BSPT_EXPECT_TEXT(report, bone->name, "bone.name");
		BSPT_EXPECT(report, bone->parent < i || bone->parent == BSPSCENE_NO_INDEX, "bone %u is below %u", i,
		            bone->parent);
		BSPT_EXPECT(report, bone->is_tag || !tags, "bone %u is behind a tag", i);
		BSPT_EXPECT(report, is_pose(&bone->rest), "bone %u has no pose at rest", i);
		BSPT_EXPECT_FINITE(report, bone->inverse_rest, 12, "bone.inverse_rest");
		tags = tags || bone->is_tag;
	}
	BSPT_EXPECT(report, rig->still_frame < rig->frame_count || rig->still_frame == BSPSCENE_NO_INDEX,
	            "it stands in frame %u", rig->still_frame);
	for (size_t i = 0; i < (size_t)rig->frame_count * rig->bone_count; i++) {
		BSPT_EXPECT(report, is_pose(&rig->poses[i]), "pose %zu is none", i);
	}
}

static void check_rig(const bspscene_mesh *mesh, bspt_report *report)
{
	const bspscene_rig *rig = mesh->rig;
	uint32_t frames = 0;
	BSPT_EXPECT(report, !mesh->joints == !mesh->weights && !mesh->frame_positions == !mesh->frame_normals,
	            "half of what moves a mesh");
	BSPT_EXPECT(report, rig ? mesh->joints || mesh->frame_positions : !mesh->joints && !mesh->frame_positions,
	            "a rig that moves nothing, or movement without a rig");
	if (!rig || report->failures) return;
	check_bones(rig, report);
	for (uint32_t i = 0; i < rig->sequence_count; i++) {
		const bspscene_sequence *sequence = rig->sequences[i];
		BSPT_EXPECT_TEXT(report, sequence->name, "sequence.name");
		BSPT_EXPECT(report, sequence->first_frame == frames && sequence->frames_per_second > 0,
		            "sequence %u begins at %u", i, sequence->first_frame);
		frames += sequence->frame_count;
	}
	BSPT_EXPECT(report, frames == rig->frame_count, "%u frames of %u", frames, rig->frame_count);
	for (size_t i = 0; mesh->joints && i < mesh->vertex_count; i++) {
		float sum = 0;
		for (size_t k = 4 * i; k < 4 * i + 4; k++) {
			uint32_t bone = mesh->joints[k];
			sum += mesh->weights[k];
			BSPT_EXPECT(report, mesh->weights[k] >= 0 && bone < rig->bone_count && !rig->bones[bone]->is_tag,
			            "vertex %zu is moved by bone %u", i, bone);
		}
		BSPT_EXPECT(report, fabsf(sum - 1) < 1e-5f, "vertex %zu has weights of %g", i, (double)sum);
	}
	size_t floats = 3 * (size_t)mesh->vertex_count * rig->frame_count;
	if (mesh->frame_positions) BSPT_EXPECT_FINITE(report, mesh->frame_positions, floats, "frame_positions");
	if (mesh->frame_normals) BSPT_EXPECT_FINITE(report, mesh->frame_normals, floats, "frame_normals");
}

static void check_mesh(const bspscene_scene *scene, const bspscene_mesh *mesh, bspt_report *report)
{
	BSPT_EXPECT_TEXT(report, mesh->name, "mesh.name");
	BSPT_EXPECT_INDEX(report, mesh->model, scene->counts->models, "mesh.model");
	BSPT_EXPECT(report, !mesh->vertex_count || (mesh->positions && mesh->normals && mesh->uvs),
	            "a mesh lacks an array");
	BSPT_EXPECT(report, !mesh->index_count || mesh->indices, "a mesh lacks its indices");
	BSPT_EXPECT(report, !mesh->section_count || mesh->sections, "a mesh lacks its sections");
	BSPT_EXPECT(report, !mesh->vertex_color_set_count || mesh->vertex_color_sets, "a mesh lacks its color sets");
	BSPT_EXPECT(report, bspt_is_box(&mesh->bounds), "mesh.bounds is no box");
	if (report->failures) return;
	check_vertices(mesh, report);
	check_rig(mesh, report);
	unsigned sum = 0;
	for (uint32_t i = 0; i < mesh->vertex_color_set_count; i++) {
		BSPT_EXPECT(report, mesh->vertex_color_sets[i].colors || !mesh->vertex_count, "a color set lacks its colors");
		if (mesh->vertex_color_sets[i].colors)
			sum += mesh->vertex_color_sets[i].colors[4 * (size_t)mesh->vertex_count - 1];
	}
	if (mesh->colors && mesh->vertex_count) sum += mesh->colors[4 * (size_t)mesh->vertex_count - 1];
	/* The sum uses the elements that were read, so that a sanitizer checks the ends of arrays. */
	(void)sum;
}

static bool is_in_skybox(const bspscene_scene *scene, uint32_t node)
{
	while (node < scene->node_count && scene->nodes[node]->kind != BSPSCENE_NODE_SKY) node = scene->nodes[node]->parent;
	return node < scene->node_count;
}

/* Checks that the scene's bounds contain everything that is drawn, in world space, except the 3D skybox. */
static void check_bounds(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (is_in_skybox(scene, i)) continue;
		if (node->hidden || node->mesh >= scene->mesh_count || !scene->meshes[node->mesh]->vertex_count) continue;
		const bspscene_mesh *mesh = scene->meshes[node->mesh];
		float m[12];
		bspscene_node_world_transform(scene, i, m);
		bool inside = true;
		for (uint32_t v = 0; v < mesh->vertex_count; v++) {
			const float *p = &mesh->positions[3 * (size_t)v];
			for (int k = 0; k < 3; k++) {
				float x = m[4 * k] * p[0] + m[4 * k + 1] * p[1] + m[4 * k + 2] * p[2] + m[4 * k + 3];
				float slack = 1e-3f + 1e-5f * fabsf(x);
				inside = inside && x >= scene->bounds.min[k] - slack && x <= scene->bounds.max[k] + slack;
			}
		}
		BSPT_EXPECT(report, inside, "node \"%.60s\" reaches out of the scene's bounds", node->name);
	}
}

void bspt_check_meshes(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report)
{
	uint64_t faces = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		check_mesh(scene, scene->meshes[i], report);
		if (report->failures) return;
		faces += check_sections(scene, options, i, report);
		BSPT_EXPECT(report,
		            options->lightmap_encoding != BSPSCENE_LIGHTMAP_ENCODING_NONE || !scene->meshes[i]->lightmap_uvs,
		            "lightmap uvs that nobody asked for");
	}
	BSPT_EXPECT(report, report->failures || faces == scene->face_count, "%llu faces belong to sections, %u exist",
	            (unsigned long long)faces, scene->face_count);
	if (!report->failures) check_bounds(scene, report);
}

static void cross(double out[3], const float a[3], const float b[3], const float c[3])
{
	double u[3], v[3];
	for (int i = 0; i < 3; i++) {
		u[i] = (double)b[i] - (double)a[i];
		v[i] = (double)c[i] - (double)a[i];
	}
	for (int i = 0; i < 3; i++) out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

double bspt_winding_agreement(const bspscene_scene *scene)
{
	uint64_t agree = 0, judged = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
			const uint32_t *corner = &mesh->indices[i];
			double normal[3], dot = 0;
			cross(normal, &mesh->positions[3 * (size_t)corner[0]], &mesh->positions[3 * (size_t)corner[1]],
			      &mesh->positions[3 * (size_t)corner[2]]);
			double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
			if (length < 1e-6) continue;
			for (int k = 0; k < 9; k++) {
				dot += normal[k % 3] * (double)mesh->normals[3 * (size_t)corner[k / 3] + (size_t)(k % 3)];
			}
			judged++;
			agree += dot > 0;
		}
	}
	return judged ? (double)agree / (double)judged : 1;
}
