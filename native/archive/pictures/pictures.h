/* pictures.h - the pictures that archives keep of a map, and what they share with `render`. */
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "archive/companions/level_shot.h"
#include "archive/pictures/picture_kinds.h"
#include "cli/output.h"

/* Scenes for pictures: with the sky, curves at their finest as the engines draw them. */
void cli_picture_load_options(bspscene_load_options *options);

/* The pictures that `sizes` has: overview and roofs (as --overview, and --roofs), plan (as --plan), start (what a
 * player sees first), sheet (from up to 12 spawn points), tile (a small start) and turn (as --turn), each with the
 * map's facts in its text. A tile may be one of `shots`. A sheet without spawn points and a plan of nothing are none.
 * All are committed. False: the error is printed; so is it when this build has no renderer. */
bool cli_write_pictures(const bspscene_scene *scene, const cli_level_shots *shots,
                        const cli_picture_size sizes[CLI_PICTURE_KINDS], const cli_args *args, cli_output *output);
/* True if this build has a renderer. */
bool cli_can_draw(void);

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

/* Chooses the player's first view: the intermission, else the first start, else from above; reports which. */
bspscene_view cli_first_view(const bspscene_scene *scene, uint32_t width, uint32_t height, bool *overview);
/* The views in whose order one that shows something is looked for: that of cli_first_view is number 0, some further
 * starts follow, and the last is from above. Returns false when there are no more. */
bool cli_start_view(const bspscene_scene *scene, uint32_t number, uint32_t width, uint32_t height,
                    bspscene_view *view, bool *overview);
/* True if a picture is black, or of one color but for a strip. */
bool cli_shows_nothing(const uint8_t *rgb, uint32_t width, uint32_t height);
#define CLI_START_ELSEWHERE "from another start: what a player sees first is of one color"
#define CLI_START_FROM_ABOVE "from above: what players see first is of one color"
const char *cli_describe_overview(bool roofs, bool turning);
/* From above: no sky and no haze in the way, and a light background that shows where the map ends. */
void cli_prepare_overview(bspscene_render_options *options);
#endif

#endif
