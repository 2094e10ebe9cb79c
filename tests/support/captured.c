/* captured.c - see captured.h. */
#include "support/captured.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Output ----------------------------------------------------------------------------------------------- */

static bool may_go_on(bspt_captured *captured)
{
	if (captured->fail_at_call && captured->calls >= captured->fail_at_call) captured->called_after_failure = true;
	return ++captured->calls != captured->fail_at_call;
}

static bool begin(void *user, const char *name)
{
	bspt_captured *captured = user;
	if (!may_go_on(captured)) return false;
	if (captured->file_count == BSPT_MAX_FILES) bspt_die("capture", "too many files");
	if (captured->file_count && !captured->files[captured->file_count - 1].closed) {
		bspt_die("capture", "two files open at once");
	}
	snprintf(captured->files[captured->file_count].name, sizeof captured->files->name, "%s", name);
	captured->files[captured->file_count++].bytes.data = malloc(1);
	return true;
}

static bool write_bytes(void *user, const void *data, size_t size)
{
	bspt_captured *captured = user;
	if (!may_go_on(captured)) return false;
	bspt_bytes *bytes = &captured->files[captured->file_count - 1].bytes;
	size_t *capacity = &captured->files[captured->file_count - 1].capacity;
	if (bytes->size + size > *capacity) {
		*capacity = 2 * (bytes->size + size);
		bytes->data = realloc(bytes->data, *capacity);
		if (!bytes->data) bspt_die("capture", "out of memory");
	}
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
	return true;
}

static bool end(void *user)
{
	bspt_captured *captured = user;
	if (!may_go_on(captured)) return false;
	captured->files[captured->file_count - 1].closed = true;
	return true;
}

bspscene_output bspt_capture(bspt_captured *captured)
{
	memset(captured, 0, sizeof *captured);
	return (bspscene_output){ sizeof(bspscene_output), captured, begin, write_bytes, end };
}

void bspt_captured_free(bspt_captured *captured)
{
	for (uint32_t i = 0; i < captured->file_count; i++) free(captured->files[i].bytes.data);
	captured->file_count = 0;
}

const bspt_bytes *bspt_captured_file(const bspt_captured *captured, const char *name)
{
	for (uint32_t i = 0; i < captured->file_count; i++) {
		if (!strcmp(captured->files[i].name, name)) return &captured->files[i].bytes;
	}
	return NULL;
}

void bspt_captured_save(const bspt_captured *captured, const char *directory)
{
	for (uint32_t i = 0; i < captured->file_count; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", directory, captured->files[i].name);
		bspt_write_file(path, captured->files[i].bytes.data, captured->files[i].bytes.size);
	}
}

/* ---- glTF ------------------------------------------------------------------------------------------------- */

static uint32_t load_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void open_glb(bspt_gltf *gltf, const bspt_bytes *file, bspt_report *report)
{
	BSPT_EXPECT(report, file->size >= 20 && !memcmp(file->data, "glTF\2\0\0\0", 8), "not a GLB");
	if (report->failures) return;
	size_t json_size = load_u32(file->data + 12);
	BSPT_EXPECT(report, load_u32(file->data + 8) == file->size, "length %u of %zu", load_u32(file->data + 8),
	            file->size);
	BSPT_EXPECT(report, json_size % 4 == 0 && json_size <= file->size - 20, "JSON chunk of %zu", json_size);
	BSPT_EXPECT(report, !memcmp(file->data + 16, "JSON", 4), "first chunk is not JSON");
	if (report->failures) return;
	gltf->document = json_loadb((const char *)file->data + 20, json_size, 0, NULL);
	size_t at = 20 + json_size;
	if (at == file->size) return;
	BSPT_EXPECT(report, file->size - at > 8 && !memcmp(file->data + at + 4, "BIN\0", 4), "second chunk is not BIN");
	BSPT_EXPECT(report, load_u32(file->data + at) == file->size - at - 8 && (file->size - at) % 4 == 0,
	            "BIN chunk size");
	gltf->binary = file->data + at + 8;
	gltf->binary_size = file->size - at - 8;
}

static void open_gltf(bspt_gltf *gltf, const bspt_captured *captured, bspt_report *report)
{
	const bspt_bytes *json = &captured->files[0].bytes;
	gltf->document = json_loadb((const char *)json->data, json->size, 0, NULL);
	if (!bspt_gltf_at(gltf, "buffers/0/uri")) return;
	bool has_bin = captured->file_count > 1 && strstr(captured->files[1].name, ".bin");
	BSPT_EXPECT(report, has_bin, "the second file is not the buffer");
	if (!has_bin) return;
	gltf->binary = captured->files[1].bytes.data;
	gltf->binary_size = captured->files[1].bytes.size;
}

bspt_gltf bspt_gltf_open(const bspt_captured *captured, bspt_report *report)
{
	bspt_gltf gltf = { NULL, NULL, 0 };
	const bspt_bytes *main_file = &captured->files[0].bytes;
	if (main_file->size && main_file->data[0] == 'g') open_glb(&gltf, main_file, report);
	else open_gltf(&gltf, captured, report);
	BSPT_EXPECT(report, gltf.document, "the document is no JSON");
	if (gltf.document && gltf.binary) {
		BSPT_EXPECT(report, bspt_gltf_number(&gltf, "buffers/0/byteLength") == (double)gltf.binary_size,
		            "buffer and bytes differ in size");
	}
	return gltf;
}

void bspt_gltf_close(bspt_gltf *gltf)
{
	json_decref(gltf->document);
}

static json_t *walk(json_t *value, char *path)
{
	for (char *part = strtok(path, "/"); part && value; part = strtok(NULL, "/")) {
		if (json_is_array(value)) value = json_array_get(value, (size_t)strtoul(part, NULL, 10));
		else value = json_object_get(value, part);
	}
	return value;
}

#define FORMAT_PATH(path) \
	char path[256]; \
	va_list arguments; \
	va_start(arguments, format); \
	vsnprintf(path, sizeof path, format, arguments); \
	va_end(arguments)

json_t *bspt_gltf_at(const bspt_gltf *gltf, const char *format, ...)
{
	FORMAT_PATH(path);
	return walk(gltf->document, path);
}

double bspt_gltf_number(const bspt_gltf *gltf, const char *format, ...)
{
	FORMAT_PATH(path);
	char whole[256];
	memcpy(whole, path, sizeof whole);
	json_t *value = walk(gltf->document, path);
	if (!json_is_number(value)) bspt_die("no number in glTF", whole);
	return json_number_value(value);
}

const char *bspt_gltf_text(const bspt_gltf *gltf, const char *format, ...)
{
	FORMAT_PATH(path);
	char whole[256];
	memcpy(whole, path, sizeof whole);
	json_t *value = walk(gltf->document, path);
	if (!json_is_string(value)) bspt_die("no text in glTF", whole);
	return json_string_value(value);
}

static double component_at(const uint8_t *p, int type, bool normalized)
{
	float value;
	uint32_t bits = type == 5123 ? (uint32_t)(p[0] | p[1] << 8) : load_u32(p);
	if (type == 5123) return normalized ? bits / 65535.0 : bits;
	if (type == 5125) return bits;
	memcpy(&value, &bits, sizeof value);
	return (double)value;
}

double bspt_gltf_element(const bspt_gltf *gltf, uint32_t accessor, uint32_t element, uint32_t component)
{
	uint32_t view = (uint32_t)bspt_gltf_number(gltf, "accessors/%u/bufferView", accessor);
	int type = (int)bspt_gltf_number(gltf, "accessors/%u/componentType", accessor);
	size_t size = type == 5123 ? 2 : 4, stride = size;
	json_t *step = bspt_gltf_at(gltf, "bufferViews/%u/byteStride", view);
	if (step) stride = (size_t)json_integer_value(step);
	size_t at = (size_t)bspt_gltf_number(gltf, "bufferViews/%u/byteOffset", view) +
	            (size_t)bspt_gltf_number(gltf, "accessors/%u/byteOffset",
	                                     accessor) + stride * element + size * component;
	if (element >= bspt_gltf_number(gltf, "accessors/%u/count", accessor) || at + size > gltf->binary_size) {
		bspt_die("element", "out of range");
	}
	return component_at(gltf->binary + at, type, json_is_true(bspt_gltf_at(gltf, "accessors/%u/normalized", accessor)));
}

bspt_bytes bspt_gltf_image(const bspt_gltf *gltf, uint32_t image)
{
	uint32_t view = (uint32_t)bspt_gltf_number(gltf, "images/%u/bufferView", image);
	size_t at = (size_t)bspt_gltf_number(gltf, "bufferViews/%u/byteOffset", view);
	size_t size = (size_t)bspt_gltf_number(gltf, "bufferViews/%u/byteLength", view);
	if (at > gltf->binary_size || size > gltf->binary_size - at) bspt_die("image", "out of range");
	return (bspt_bytes){ (uint8_t *)(uintptr_t)gltf->binary + at, size };
}
