/* animation.h - writes pictures as an animated WebP with libwebpmux, which a build may lack. */
#ifndef CLI_ANIMATION_H
#define CLI_ANIMATION_H

#include <bspscene/bspscene.h>

#include "archive/pictures/picture_fact.h"

#define CLI_LARGEST_FRAME_SIDE 16383u  /* largest width and height in WebP */
#define CLI_FRAMES_PER_SECOND 12u
#define CLI_TURN_FRAMES 72u            /* number of pictures of --turn */

typedef struct cli_animation {
	uint32_t width, height;            /* size of each frame in pixels, up to CLI_LARGEST_FRAME_SIDE */
	uint32_t frame_count;              /* at least 1; consecutive equal frames become one that is shown longer */
	const uint8_t *rgb;                /* frame after frame, each width * height pixels, top row first */
	const cli_picture_fact *facts;     /* metadata, which is written as XMP */
	uint32_t fact_count;
} cli_animation;

bool cli_can_animate(void);
/* Writes an animation that loops. The same frames and facts give the same bytes. Returns false on failure, and sets
 * `error` unless `write` failed. */
bool cli_write_animation(const cli_animation *animation, bspscene_write_fn *write, void *user, bspscene_error *error);

#endif
