/* inner_files.c - see inner_files.h. */
#include "file_system/inner_files.h"

#include "file_system/mounts.h"

/* Opens a file inside of the map, or else one of the caller's. A file inside of the map has no origin on disk. */
static bool open_inner(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspi_inner_files *self = user;
	if (bspscene_file_system_open(self->files, stream, path, kind)) {
		stream->origin = NULL;
		/* not 0, which would mean `size`: the budget has already counted these bytes, as a part of the map */
		stream->stored_size = 1;
		return true;
	}
	return self->outer.open_file && self->outer.open_file(self->outer.file_user, stream, path, kind);
}

/* Lists the files inside of the map first. So if two scripts define the same name, the definition in the map counts. */
static void list_inner(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                       void *found_user)
{
	const bspi_inner_files *self = user;
	bspscene_file_system_list(self->files, prefix, suffix, found, found_user);
	if (self->outer.list_files) self->outer.list_files(self->outer.file_user, prefix, suffix, found, found_user);
}

bool bspi_begin_inner_files(bspi_ctx *ctx, bspi_bytes archive, bspi_inner_files *self)
{
	/* An empty zip consists only of its end record. */
	bool empty = archive.size < 4 || !memcmp(archive.data, "PK\5\6", 4);
	bspscene_error why;
	*self = (bspi_inner_files){ .outer = ctx->options };
	if (empty || ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	self->files = bspi_file_system_create_within(&ctx->budget);
	if (!self->files) return bspi_fail_memory(ctx);
	if (!bspscene_file_system_mount_memory(self->files, "its files", archive.data, archive.size, &why)) {
		if (ctx->budget.refused || why.status == BSPSCENE_ERROR_OUT_OF_MEMORY) return bspi_fail_memory(ctx);
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("pakfile"),
		                 "the files inside the map are left out: %s", why.message);
	}
	ctx->options.open_file = open_inner;
	ctx->options.list_files = list_inner;
	ctx->options.file_user = self;
	return true;
}

void bspi_end_inner_files(bspi_ctx *ctx, bspi_inner_files *self)
{
	ctx->options = self->outer;
	bspscene_file_system_free(self->files);
}
