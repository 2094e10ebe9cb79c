/* gltf.c - writes the glTF 2.0 document and its bytes: one .glb, or .gltf with .bin and pictures next to it. See
 * gltf.h. Geometry is described first, and its bytes are generated while they are written, so that there is no second
 * copy in memory. */
#include "writers/gltf/gltf.h"

#include <string.h>

#include "base/costs.h"

#define GLB_MAGIC 0x46546C67u
#define GLB_JSON 0x4E4F534Au
#define GLB_BIN 0x004E4942u
#define GLB_OVERHEAD 28u               /* bytes of the file's header and of two chunk headers */

/* Extensions that a document may use. If one is `required`, viewers without it would show nothing, or something
 * wrong. */
static const struct { bspi_gltf_extension bit; const char *name; bool required; } extensions[] = {
	{ BSPI_GLTF_UNLIT, "KHR_materials_unlit", false },
	{ BSPI_GLTF_EMISSIVE_STRENGTH, "KHR_materials_emissive_strength", false },
	{ BSPI_GLTF_LIGHTS, "KHR_lights_punctual", false },
	{ BSPI_GLTF_TEXTURE_TRANSFORM, "KHR_texture_transform", false },
	{ BSPI_GLTF_MOZ_LIGHTMAP, "MOZ_lightmap", false },
	{ BSPI_GLTF_MESHOPT, "EXT_meshopt_compression", true },
	{ BSPI_GLTF_QUANTIZATION, "KHR_mesh_quantization", true },
	{ BSPI_GLTF_WEBP, "EXT_texture_webp", true },
};

/* ---- The document ----------------------------------------------------------------------------------------- */

/* Adds an array to the document and takes ownership of it. An empty array is left out, because glTF does not allow
 * it. */
static void set_array(bspi_gltf *gltf, const char *key, json_t *array)
{
	if (!array || json_array_size(array)) bspi_gltf_set(gltf, gltf->document, key, array);
	else json_decref(array);
}

static void set_asset(bspi_gltf *gltf)
{
	json_t *asset = json_object();
	bspi_gltf_set(gltf, asset, "version", json_string("2.0"));
	bspi_gltf_set(gltf, asset, "generator", json_string("bspscene " BSPSCENE_VERSION_STRING));
	bspi_gltf_set(gltf, asset, "extras", bspi_asset_facts(gltf->writer));
	bspi_gltf_set(gltf, gltf->document, "asset", asset);
}

static void set_scene(bspi_gltf *gltf)
{
	json_t *scene = json_object(), *roots = json_array(), *scenes = json_array();
	json_t *facts = bspi_scene_facts(gltf->writer);
	for (uint32_t i = 0; i < gltf->scene->node_count; i++) {
		uint32_t number = gltf->node_numbers[i];
		bool is_root = gltf->scene->nodes[i]->parent == BSPSCENE_NO_INDEX && number != BSPSCENE_NO_INDEX;
		if (is_root) bspi_gltf_append(gltf, roots, json_integer(number));
	}
	bspi_gltf_add_skinned_roots(gltf, roots);
	bspi_gltf_add_sky_root(gltf, roots);
	bspi_gltf_set(gltf, scene, "name", json_string(gltf->scene->name));
	if (!roots || json_array_size(roots)) bspi_gltf_set(gltf, scene, "nodes", roots);
	else json_decref(roots);
	if (facts) bspi_gltf_set(gltf, scene, "extras", facts);
	bspi_gltf_append(gltf, scenes, scene);
	bspi_gltf_set(gltf, gltf->document, "scene", json_integer(0));
	bspi_gltf_set(gltf, gltf->document, "scenes", scenes);
}

static void set_extensions(bspi_gltf *gltf)
{
	json_t *used = json_array(), *required = json_array();
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
		if (!(gltf->extensions & extensions[i].bit)) continue;
		bspi_gltf_append(gltf, used, json_string(extensions[i].name));
		if (extensions[i].required) bspi_gltf_append(gltf, required, json_string(extensions[i].name));
	}
	set_array(gltf, "extensionsUsed", used);
	set_array(gltf, "extensionsRequired", required);
	if (!json_array_size(gltf->lights)) return;
	json_t *punctual = json_object(), *objects = json_object();
	bspi_gltf_set(gltf, punctual, "lights", json_incref(gltf->lights));
	bspi_gltf_set(gltf, objects, "KHR_lights_punctual", punctual);
	bspi_gltf_set(gltf, gltf->document, "extensions", objects);
}

/* Describes a second buffer, for which the file has no bytes. Hosts decompress the streams into it. */
static json_t *unpacked_buffer(bspi_gltf *gltf)
{
	json_t *buffer = json_object(), *objects = json_object(), *extension = json_object();
	bspi_gltf_set(gltf, extension, "fallback", json_true());
	bspi_gltf_set(gltf, objects, "EXT_meshopt_compression", extension);
	bspi_gltf_set(gltf, buffer, "byteLength", json_integer((json_int_t)gltf->unpacked_size));
	bspi_gltf_set(gltf, buffer, "extensions", objects);
	return buffer;
}

static void set_buffer(bspi_gltf *gltf, const char *bin_name)
{
	if (!gltf->binary_size) return;
	json_t *buffer = json_object(), *buffers = json_array();
	if (bin_name) bspi_gltf_set(gltf, buffer, "uri", bspi_gltf_uri(gltf, bin_name));
	bspi_gltf_set(gltf, buffer, "byteLength", json_integer((json_int_t)gltf->binary_size));
	bspi_gltf_append(gltf, buffers, buffer);
	if (gltf->unpacked_size) bspi_gltf_append(gltf, buffers, unpacked_buffer(gltf));
	bspi_gltf_set(gltf, gltf->document, "buffers", buffers);
}

static bool start_document(bspi_gltf *gltf)
{
	json_t **const arrays[] = {
		&gltf->accessors, &gltf->buffer_views, &gltf->images, &gltf->textures, &gltf->samplers, &gltf->materials,
		&gltf->meshes, &gltf->nodes, &gltf->lights, &gltf->cameras, &gltf->skins,
	};
	gltf->document = json_object();
	gltf->looks_by_text = json_object();
	bool whole = gltf->document && gltf->looks_by_text;
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) whole = (*arrays[i] = json_array()) && whole;
	for (int i = 0; i < BSPI_GLTF_SAMPLER_COUNT; i++) gltf->sampler_numbers[i] = BSPSCENE_NO_INDEX;
	return whole || bspi_writer_fail(gltf->writer, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
}

static bool build_document(bspi_gltf *gltf, const char *bin_name)
{
	BSPI_TRY(start_document(gltf) && bspi_gltf_can_compress(gltf));
	set_asset(gltf);
	BSPI_TRY(bspi_gltf_make_lit(gltf) && bspi_gltf_find_tones(gltf));
	BSPI_TRY(bspi_gltf_build_meshes(gltf) && bspi_gltf_build_sky(gltf));
	BSPI_TRY(bspi_gltf_place_pictures(gltf));
	BSPI_TRY(bspi_gltf_build_nodes(gltf) && bspi_gltf_build_motion(gltf));
	BSPI_TRY(bspi_gltf_check_size(gltf, gltf->binary_size));
	set_extensions(gltf);
	set_scene(gltf);
	set_array(gltf, "nodes", json_incref(gltf->nodes));
	set_array(gltf, "meshes", json_incref(gltf->meshes));
	set_array(gltf, "materials", json_incref(gltf->materials));
	set_array(gltf, "textures", json_incref(gltf->textures));
	set_array(gltf, "images", json_incref(gltf->images));
	set_array(gltf, "samplers", json_incref(gltf->samplers));
	set_array(gltf, "cameras", json_incref(gltf->cameras));
	set_array(gltf, "skins", json_incref(gltf->skins));
	set_array(gltf, "accessors", json_incref(gltf->accessors));
	set_array(gltf, "bufferViews", json_incref(gltf->buffer_views));
	set_buffer(gltf, bin_name);
	return !gltf->writer->failure.status;
}

static void free_document(bspi_gltf *gltf)
{
	json_t *const values[] = {
		gltf->document, gltf->accessors, gltf->buffer_views, gltf->images, gltf->textures, gltf->samplers,
		gltf->materials, gltf->meshes, gltf->nodes, gltf->lights, gltf->cameras, gltf->skins, gltf->looks_by_text,
	};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) json_decref(values[i]);
	bspi_gltf_free_pictures(gltf);
	bspi_lit_free(&gltf->lit);
	bspi_gltf_free_compressed(gltf);
	bspi_buffer_free(&gltf->motion);
}

/* ---- The bytes -------------------------------------------------------------------------------------------- */

static bool put_words(bspi_writer *writer, const uint32_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint8_t bytes[4];
		for (int b = 0; b < 4; b++) bytes[b] = (uint8_t)(words[i] >> 8 * b);
		BSPI_TRY(bspi_put(writer, bytes, sizeof bytes));
	}
	return true;
}

static bool put_glb(bspi_gltf *gltf, const bspi_buffer *json)
{
	bspi_writer *writer = gltf->writer;
	uint64_t json_chunk = bspi_gltf_align(json->size), size = GLB_OVERHEAD + json_chunk + gltf->binary_size;
	BSPI_TRY(bspi_gltf_check_size(gltf, size));
	if (!gltf->binary_size) size -= 8;
	const uint32_t header[] = { GLB_MAGIC, 2, (uint32_t)size, (uint32_t)json_chunk, GLB_JSON };
	const uint32_t bin[] = { (uint32_t)gltf->binary_size, GLB_BIN };
	BSPI_TRY(bspi_begin(writer, writer->main_name));
	BSPI_TRY(put_words(writer, header, 5));
	BSPI_TRY(bspi_put(writer, json->data, json->size) && bspi_put(writer, "   ", (size_t)(json_chunk - json->size)));
	if (gltf->binary_size) {
		BSPI_TRY(put_words(writer, bin, 2));
		BSPI_TRY(bspi_gltf_put_streams(gltf) && bspi_gltf_put_sky(gltf) && bspi_gltf_put_pictures(gltf));
		BSPI_TRY(bspi_gltf_put_motion(gltf));
	}
	return bspi_end(writer);
}

static bool put_files(bspi_gltf *gltf, const char *bin_name, const bspi_buffer *json)
{
	bspi_writer *writer = gltf->writer;
	BSPI_TRY(bspi_begin(writer, writer->main_name));
	BSPI_TRY(bspi_put(writer, json->data, json->size) && bspi_put_text(writer, "\n") && bspi_end(writer));
	if (gltf->binary_size) {
		BSPI_TRY(bspi_begin(writer, bin_name));
		BSPI_TRY(bspi_gltf_put_streams(gltf) && bspi_gltf_put_sky(gltf) && bspi_gltf_put_motion(gltf));
		BSPI_TRY(bspi_end(writer));
	}
	return bspi_gltf_put_pictures(gltf);
}

static bool write_gltf(bspi_writer *writer, bool binary)
{
	bspi_gltf gltf = { .writer = writer, .scene = writer->scene, .binary = binary,
	                   .meshopt = bspi_compresses_by(writer, BSPSCENE_COMPRESS_MESHOPT) };
	const char *bin_name = binary ? NULL : bspi_sibling_name(writer, ".bin");
	bool written = (binary || bin_name) && build_document(&gltf, bin_name);
	if (written) {
		bspi_buffer json;
		written = bspi_json_text(writer, gltf.document, binary ? JSON_COMPACT : JSON_INDENT(1), &json) &&
		          (binary ? put_glb(&gltf, &json) : put_files(&gltf, bin_name, &json)) &&
		          bspi_put_panorama(writer);
		bspi_buffer_free(&json);
	}
	free_document(&gltf);
	return written;
}

static bool write_one_file(bspi_writer *writer)
{
	return write_gltf(writer, true);
}

static bool write_several_files(bspi_writer *writer)
{
	return write_gltf(writer, false);
}

const bspi_writer_format bspi_writer_glb = {
	.about = {
		.name = "glb", .title = "glTF 2.0, one file", .extension = "glb", .chosen_by_extension = true,
		.lighting = BSPSCENE_WRITE_LIGHTING_VERTEX,
		.lightings = BSPI_USUAL_LIGHTINGS | 1u << BSPSCENE_WRITE_LIGHTING_BAKED,
		.compresses = true, .animates = true,
	},
	.write = write_one_file,
	.contents = BSPI_WRITES_PICTURES | BSPI_WRITES_PAGES | BSPI_WRITES_LIT | BSPI_WRITES_SKY | BSPI_WRITES_CUBE,
	.triangle_cost = BSPI_GLTF_TRIANGLE,
};

const bspi_writer_format bspi_writer_gltf = {
	.about = {
		.name = "gltf", .title = "glTF 2.0 with files next to it", .extension = "gltf", .chosen_by_extension = true,
		.lighting = BSPSCENE_WRITE_LIGHTING_VERTEX,
		.lightings = BSPI_USUAL_LIGHTINGS | 1u << BSPSCENE_WRITE_LIGHTING_BAKED,
		.compresses = true, .animates = true,
	},
	.write = write_several_files,
	.contents = BSPI_WRITES_PICTURES | BSPI_WRITES_PAGES | BSPI_WRITES_LIT | BSPI_WRITES_SKY | BSPI_WRITES_CUBE,
	.triangle_cost = BSPI_GLTF_TRIANGLE,
};
