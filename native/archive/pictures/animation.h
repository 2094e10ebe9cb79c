/* animation.h - pictures as one animated WebP, by libwebpmux, which a build may lack. */
#ifndef CLI_ANIMATION_H
#define CLI_ANIMATION_H

#include <bspscene/bspscene.h>

#include "archive/pictures/picture_fact.h"

#define CLI_LARGEST_FRAME_SIDE 16383u  /* of WebP */
#define CLI_FRAMES_PER_SECOND 12u
#define CLI_TURN_FRAMES 72u            /* of a map that turns, when nothing else is said */

typedef struct cli_animation {
	uint32_t width, height;            /* of a frame, 1 to CLI_LARGEST_FRAME_SIDE */
	uint32_t frame_count;              /* at least 1; frames that are equal become one that is shown for longer */
	const uint8_t *rgb;                /* frame after frame, each width * height pixels, top row first */
	const cli_picture_fact *facts;     /* become XMP */
	uint32_t fact_count;
} cli_animation;

bool cli_can_animate(void);
/* An animation that begins again when it ends; the same frames give the same bytes. False: `error` is set, unless
 * `write` failed, which knows why. */
bool cli_write_animation(const cli_animation *animation, bspscene_write_fn *write, void *user, bspscene_error *error);

#endif
