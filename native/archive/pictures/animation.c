/* animation.c - see animation.h. */
#include "archive/pictures/animation.h"

#include <stdio.h>

static bool fail(bspscene_error *error, bspscene_status status, const char *what)
{
	*error = (bspscene_error){ .status = status, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
	snprintf(error->message, sizeof error->message, "%s", what);
	return false;
}

#ifdef CLI_HAVE_WEBPMUX

	#include <stdlib.h>
	#include <string.h>
	#include <webp/encode.h>
	#include <webp/mux.h>

	#include "archive/pictures/xmp.h"

enum { PIXEL = 3, QUALITY = 80, MILLISECONDS = 1000 };

bool cli_can_animate(void)
{
	return true;
}

/* Returns when frame `index` begins, in milliseconds. For the number of frames, returns when the animation ends. */
static int time_of(uint32_t index)
{
	return (int)(((uint64_t)index * MILLISECONDS + CLI_FRAMES_PER_SECOND / 2) / CLI_FRAMES_PER_SECOND);
}

static bool add_frame(WebPAnimEncoder *encoder, const cli_animation *a, const WebPConfig *config, uint32_t index)
{
	WebPPicture picture;
	if (!WebPPictureInit(&picture)) return false;
	picture.use_argb = 1;
	picture.width = (int)a->width;
	picture.height = (int)a->height;
	const uint8_t *rgb = a->rgb + (size_t)index * a->width * a->height * PIXEL;
	bool ok = WebPPictureImportRGB(&picture, rgb, (int)(a->width * PIXEL)) &&
	          WebPAnimEncoderAdd(encoder, &picture, time_of(index), config);
	WebPPictureFree(&picture);
	return ok;
}

/* Encodes all frames without metadata into `out`, which the caller clears. */
static bool encode(const cli_animation *a, WebPData *out)
{
	WebPAnimEncoderOptions options;
	WebPConfig config;
	if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, QUALITY)) return false;
	options.anim_params.loop_count = 0; /* loops forever */
	WebPAnimEncoder *encoder = WebPAnimEncoderNew((int)a->width, (int)a->height, &options);
	bool ok = encoder != NULL;
	for (uint32_t i = 0; ok && i < a->frame_count; i++) ok = add_frame(encoder, a, &config, i);
	ok = ok && WebPAnimEncoderAdd(encoder, NULL, time_of(a->frame_count), NULL);
	ok = ok && WebPAnimEncoderAssemble(encoder, out);
	WebPAnimEncoderDelete(encoder);
	return ok;
}

/* Adds the metadata to `file`, and stores the result in `out`, which the caller clears. */
static bool add_facts(const cli_animation *a, const WebPData *file, WebPData *out)
{
	char *xmp = cli_xmp(a->facts, a->fact_count);
	const WebPData packet = { (const uint8_t *)xmp, strlen(xmp) };
	WebPMux *mux = WebPMuxCreate(file, 0);
	bool ok = mux && WebPMuxSetChunk(mux, "XMP ", &packet, 0) == WEBP_MUX_OK;
	ok = ok && WebPMuxAssemble(mux, out) == WEBP_MUX_OK;
	WebPMuxDelete(mux);
	free(xmp);
	return ok;
}

bool cli_write_animation(const cli_animation *animation, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	WebPData file, described;
	WebPDataInit(&file);
	WebPDataInit(&described);
	bool made = encode(animation, &file) && add_facts(animation, &file, &described);
	if (!made) fail(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "libwebp failed, perhaps for lack of memory");
	bool ok = made && write(user, described.bytes, described.size);
	WebPDataClear(&file);
	WebPDataClear(&described);
	return ok;
}

#else

bool cli_can_animate(void)
{
	return false;
}

bool cli_write_animation(const cli_animation *animation, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	(void)animation;
	(void)write;
	(void)user;
	return fail(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "this build of bspscene makes no animations");
}

#endif
