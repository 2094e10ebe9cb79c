/* source_eyes.c - eyeballs of Source's and Bloodlines' studio models: a white ball, and a layer in front of it with the
 * iris. The game projects the iris's texture along the viewing direction.
 *
 * The record is the SDK's (studio.h mstudioeyeball_t). Readers of both games' models show how the game uses it
 * (Pragma's engine, Source.NET and Elysium agree). The SDK's shaders show how `$iris` is blended over the white
 * (stdshaders/eyes.cpp, eye_refract.cpp). Here eyes look straight ahead, and eyelids stay as they were modeled. */
#include "models/source/source_mdl.h"

#include <math.h>
#include <stdio.h>

#include "base/pose.h"
#include "base/text.h"
#include "base/vec.h"
#include "io/io.h"
#include "materials/vmt/vmt.h"
#include "models/skeleton/bones.h"

enum { MOST_EYES = 64 };

#define EYEBALL_ROWS \
	SKIP("name", 0, 4), FIELD(bspi_source_eyeball, bone, 4, I32), FIELD(bspi_source_eyeball, origin, 8, F32), \
		FIELD(bspi_source_eyeball, squint, 20, F32), FIELD(bspi_source_eyeball, radius, 24, F32), \
		FIELD(bspi_source_eyeball, up, 28, F32), FIELD(bspi_source_eyeball, forward, 40, F32), \
		SKIP("texture, iris", 52, 8), FIELD(bspi_source_eyeball, iris_scale, 60, F32)
static const bspi_field eyeball_rows[] = { EYEBALL_ROWS, SKIP("glint, lids", 64, 108) };
static const bspi_field vampire_rows[] = { EYEBALL_ROWS, SKIP("glint, lids", 64, 76) };
const bspi_layout bspi_source_eyeball_layout = LAYOUT("eyeballs", bspi_source_eyeball, eyeball_rows, 172);
const bspi_layout bspi_vampire_eyeball_layout = LAYOUT("eyeballs", bspi_source_eyeball, vampire_rows, 140);

/* ---- The iris's material ------------------------------------------------------------------------------------ */

/* Name of an invisible material, which the iris layer gets in skins without an iris. */
static const char unseen[] = "tools/toolsnodraw";

/* Finds the image of an iris, such as "materials/models/a/pupil_l.vtf" for "models/a/pupil_l". *out is "" if there is
 * none. */
static bool name_picture(bspi_ctx *ctx, const char *iris, const char **out)
{
	char path[BSPI_PATH_SIZE * 2], safe[BSPI_PATH_SIZE];
	snprintf(path, sizeof path, "materials/%.*s%s", BSPI_PATH_SIZE, iris, bspi_text_ends(iris, ".vtf") ? "" : ".vtf");
	*out = "";
	if (!bspi_text_path(path, true, safe, sizeof safe)) return true;
	bspi_sibling file;
	if (!bspi_find_sibling(ctx, safe, BSPSCENE_FILE_TEXTURE, &file)) {
		return !ctx->error.status && bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("models"),
		                                       "%s, the picture of an eye's iris, was not found", safe);
	}
	*out = bspi_text_format(ctx, &ctx->scratch, "%s", safe);
	return *out != NULL;
}

/* Makes the material of the iris layer. Its image is projected onto the eyeball. With the shader Eyes, its alpha blends
 * it over the white. With EyeRefract, it hides the white. */
static bool make_iris(bspi_model_reader *reader, const bspi_model_material *white, bspi_model_material *out)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_vmt vmt;
	bool found = false;
	*out = (bspi_model_material) { .name = unseen, .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES };
	if (!*white->name || ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	BSPI_TRY(bspi_open_vmt(ctx, white->name, &vmt, &found));
	const char *shader = found ? bspi_shader_of_vmt(&vmt) : "";
	bool refracts = bspi_text_starts(shader, "eyerefract"), is_eye = refracts || bspi_text_starts(shader, "eyes");
	const char *iris = is_eye ? bspi_vmt_value(&vmt, "$iris") : NULL;
	const char *picture = "";
	if (iris && *iris) BSPI_TRY(name_picture(ctx, iris, &picture));
	if (!*picture) return true;
	out->name = picture;
	out->picture_file = true;
	out->flags = BSPI_MODEL_CLAMPED | (refracts ? 0 : BSPI_MODEL_BLENDED);
	return true;
}

/* Doubles the number of materials and the number of slots, unless that was done before. The second half of each is
 * for irises. The material of an iris has an empty name until make_iris fills it in. */
static bool add_slots(bspi_model_reader *reader, bspi_studio *source)
{
	bspi_prop_model *model = &reader->model;
	bspi_ctx *ctx = reader->ctx;
	if (source->has_irises) return true;
	uint32_t slots = model->slot_count, count = model->material_count;
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, 2 * (size_t)count);
	uint32_t *skins = bspi_push(ctx, &ctx->scratch, uint32_t, 2 * (size_t)slots * model->skin_count);
	BSPI_TRY(materials && skins);
	for (uint32_t i = 0; i < count; i++) {
		materials[i] = model->materials[i];
		materials[count + i] = (bspi_model_material) { .name = "", .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES };
	}
	for (uint32_t i = 0; i < slots * model->skin_count; i++) {
		uint32_t *row = skins + (size_t)(i / slots) * 2 * slots, number = model->skins[i];
		row[i % slots] = number;
		row[slots + i % slots] = number < count ? count + number : number;
	}
	model->materials = materials;
	model->material_count = 2 * count;
	model->skins = skins;
	model->slot_count = 2 * slots;
	source->has_irises = true;
	return true;
}

/* Finds the slot of the iris for a mesh that uses `slot`. *found is true if any skin has an iris there. */
static bool find_iris(bspi_model_reader *reader, bspi_studio *source, int32_t slot, uint32_t *out, bool *found)
{
	*found = false;
	const bspi_prop_model *model = &reader->model;
	uint32_t slots = source->has_irises ? model->slot_count / 2 : model->slot_count;
	if (slot < 0 || (uint32_t)slot >= slots) return true;
	BSPI_TRY(add_slots(reader, source));
	bspi_model_material *materials = (bspi_model_material *)model->materials;
	uint32_t count = model->material_count / 2;
	*out = slots + (uint32_t)slot;
	for (uint32_t i = 0; i < model->skin_count; i++) {
		uint32_t white = model->skins[(size_t)i * model->slot_count + (uint32_t)slot];
		if (white >= count) continue;
		bspi_model_material *iris = &materials[count + white];
		if (!*iris->name) BSPI_TRY(make_iris(reader, &materials[white], iris));
		*found |= iris->name != unseen;
	}
	return true;
}

/* ---- Eyeball ------------------------------------------------------------------------------------------------- */

/* Computes the directions of an eye. Returns false if one of them has length zero. */
static bool aim(const bspi_source_eyeball *ball, const float to_map[12], bspi_source_eye *out)
{
	float forward[3], up[3], right[3];
	bspi_transform_point(out->origin, to_map, ball->origin);
	bspi_turn_normal(forward, to_map, ball->forward);
	bspi_turn_normal(up, to_map, ball->up);
	bspi_cross(right, forward, up);
	if (!bspi_normalize(right)) return false;
	for (int k = 0; k < 3; k++) forward[k] += 2 * ball->squint * right[k];
	bspi_cross(right, forward, up);
	bspi_copy3(out->up, up);
	bspi_cross(up, right, forward);
	if (!bspi_normalize(out->up) || !bspi_normalize(right) || !bspi_normalize(up)) return false;
	for (int k = 0; k < 3; k++) {
		out->iris[0][k] = -ball->iris_scale * right[k];
		out->iris[1][k] = -ball->iris_scale * up[k];
	}
	for (int i = 0; i < 2; i++) out->iris[i][3] = 0.5f - bspi_dot(out->iris[i], out->origin);
	return isfinite(out->iris[0][3]) && isfinite(out->iris[1][3]);
}

bool bspi_find_source_eye(bspi_model_reader *reader, bspi_studio *source, int64_t model_at,
                          const bspi_source_model *model, const bspi_source_mesh *mesh, bspi_source_eye *out,
                          bool *found, bool *has_iris)
{
	const float lift = 0.01f; /* distance of the iris layer from the white, divided by the ball's radius */
	float to_bone[12], to_map[12];
	*found = *has_iris = false;
	*out = (bspi_source_eye) { .lift = 0 };
	if (mesh->eye < 0 || mesh->eye >= model->eye_count) return true;
	const bspi_source_eyeball *balls = bspi_take_records(reader, reader->file, source->tables->eyeball,
	                                                     model_at + model->eyes_at, model->eye_count, MOST_EYES);
	BSPI_TRY(balls);
	const bspi_source_eyeball *ball = &balls[mesh->eye];
	if (ball->bone < 0 || ball->bone >= source->header->bone_count) return true;
	BSPI_TRY(source->tables->take_to_bone(reader, source->header, ball->bone, to_bone));
	if (!bspi_transform_invert(to_bone, to_map) || !aim(ball, to_map, out)) return true;
	*found = true;
	out->lift = isfinite(ball->radius) ? lift * fabsf(ball->radius) : 0;
	return find_iris(reader, source, mesh->slot, &out->slot, has_iris);
}

/* Replaces the normal: it points away from the ball's center, but its component along the eye's up direction is halved
 * (eyes_vs20.fxc). */
void bspi_shape_eye(const bspi_source_eye *eye, bspi_source_vertex *vertex)
{
	float normal[3];
	for (int k = 0; k < 3; k++) normal[k] = vertex->position[k] - eye->origin[k];
	float upwards = 0.5f * bspi_dot(normal, eye->up);
	for (int k = 0; k < 3; k++) normal[k] -= upwards * eye->up[k];
	if (bspi_normalize(normal)) bspi_copy3(vertex->normal, normal);
	if (!eye->is_iris) return;
	for (int i = 0; i < 2; i++) vertex->uv[i] = bspi_dot(eye->iris[i], vertex->position) + eye->iris[i][3];
	for (int k = 0; k < 3; k++) vertex->position[k] += eye->lift * vertex->normal[k];
}
