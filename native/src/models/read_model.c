/* read_model.c - recognizes the format of a model and reads it. If the format is known but not supported, the message
 * says which one it is. */
#include "models/model.h"

#include <assert.h>
#include <stdio.h>

#include "base/text.h"
#include "models/rig/model_rig.h"

const bspi_model_format *const bspi_model_formats[] = {
#define BSPI_MODEL_FORMAT(name) &bspi_model_format_##name,
#include "models/formats.def"
#undef BSPI_MODEL_FORMAT
};
const uint32_t bspi_model_format_count = sizeof bspi_model_formats / sizeof *bspi_model_formats;

/* Unsupported formats, by their first bytes. */
static const struct { const char *magic, *title; } foreign[] = {
	{ "IDSQ", "a file of GoldSrc sequences" }, { "TSDI", "an Xbox 360 model" }, { "IDPX", "a Kingpin MDX" },
	{ "IDPC", "an MDC (Return to Castle Wolfenstein)" }, { "MDSW", "an MDS (Return to Castle Wolfenstein)" },
	{ "RDM5", "an MDR" }, { "2LGM", "a Ghoul 2 model" }, { "SKL ", "an SKB, the mesh of a TIKI," },
	{ "SKMD", "an SKD, the mesh of a TIKI," }, { "SKM1", "an SKM" }, { "ZYMO", "a ZYM" }, { "DARK", "a DPM" },
	{ "IDST", "a studio model" },
	{ "IDS2", "a Quake II sprite" }, { "head", "a Heretic II model" },
};

/* Extensions that count as models although no format in bspi_model_formats lists them. ".vmt" is a material that is a
 * sprite (sprite_material.c). The others are models of unsupported formats. */
static const char further_endings[] = ".vmt .mdr .mds .mdc .ase .obj .glm .sp2 .md5mesh";

/* True if the path ends with one of the endings, which are separated by spaces. */
static bool has_ending(const char *path, const char *endings)
{
	char ending[16];
	for (const char *at = endings; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");
		assert(length < sizeof ending);
		memcpy(ending, at, length);
		ending[length] = 0;
		if (bspi_text_ends(path, ending)) return true;
		at += length;
	}
	return false;
}

bool bspi_is_model_path(const char *path)
{
	if (path[0] == '*') return false;
	for (uint32_t i = 0; i < bspi_model_format_count; i++) {
		if (has_ending(path, bspi_model_formats[i]->endings)) return true;
	}
	return has_ending(path, further_endings);
}

static bool refuse_foreign(bspi_model_reader *reader)
{
	const bspi_bytes file = reader->file;
	const size_t magic_size = 4;
	for (size_t i = 0; file.size >= 2 * magic_size && i < sizeof foreign / sizeof *foreign; i++) {
		if (memcmp(file.data, foreign[i].magic, magic_size) != 0) continue;
		int32_t version = bspi_load_i32(file.data + magic_size);
		return bspi_refuse_model(reader, "%s of version %d, which is not supported", foreign[i].title, version);
	}
	return bspi_refuse_model(reader, "its model format is unknown");
}

bool bspi_read_model(bspi_ctx *ctx, const char *path, bspi_bytes file, const bspi_model_state *state,
                     bspi_prop_model *out, const char **why)
{
	bspi_model_reader reader = { .ctx = ctx, .path = path, .state = *state, .file = file };
	for (uint32_t i = 0; i < bspi_model_format_count && !reader.model.format; i++) {
		if (bspi_model_formats[i]->bid(file)) reader.model.format = bspi_model_formats[i];
	}
	bspi_rig rig = { .still_frame = BSPSCENE_NO_INDEX };
	if (state->rigged) reader.rig = &rig;
	bool read = reader.model.format ? reader.model.format->read(&reader) : refuse_foreign(&reader);
	if (read) return bspi_check_model(&reader, out);
	if (ctx->error.status) return false;
	*why = bspi_text_format(ctx, &ctx->scratch, "%s", reader.why);
	return false;
}
