/* pictures.h - the pictures that archives keep of a map, and the functions that `render` shares. */
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "archive/companions/level_shot.h"
#include "archive/pictures/picture_kinds.h"
#include "cli/output.h"

/* Sets options for loading a scene to be drawn: with the sky, and with curves subdivided as finely as engines do at
 * most. */
void cli_picture_load_options(bspscene_load_options *options);

/* Draws the pictures for which `sizes` has a size, and commits them to the output. The kinds are overview and roofs (as
 * --overview and --roofs), plan (as --plan), start (the player's first view), sheet (views from up to 12 spawn points),
 * tile (a small start), and turn (as --turn). Each picture has metadata. The tile may be one of `shots`. A sheet
 * without spawn points and a plan without surfaces are not made. Returns false after an error, which is printed. It is
 * an error too if this build has no renderer. */
bool cli_write_pictures(const bspscene_scene *scene, const cli_level_shots *shots,
                        const cli_picture_size sizes[CLI_PICTURE_KINDS], const cli_args *args, cli_output *output);
/* True if this build has a renderer. */
bool cli_can_draw(void);

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

/* Returns the player's first view: the intermission, else the first start, else a view from above. Sets *overview if
 * the view is from above. */
bspscene_view cli_first_view(const bspscene_scene *scene, uint32_t width, uint32_t height, bool *overview);
/* Gets candidate number `number` for the first view. Callers try candidates until one shows something. Number 0 is the
 * view of cli_first_view. Then come views from further starts. The last candidate is a view from above. Returns false
 * if there is no such candidate. */
bool cli_start_view(const bspscene_scene *scene, uint32_t number, uint32_t width, uint32_t height,
                    bspscene_view *view, bool *overview);
/* True if a picture is black, or has one color in all but a few pixels. */
bool cli_shows_nothing(const uint8_t *rgb, uint32_t width, uint32_t height);
#define CLI_START_ELSEWHERE "from another start, because the first view has only one color"
#define CLI_START_FROM_ABOVE "from above, because the views of players have only one color"
const char *cli_describe_overview(bool roofs, bool turning);
/* Prepares a view from above: no sky or fog hides the map, and a light background shows where it ends. */
void cli_prepare_overview(bspscene_render_options *options);
#endif

#endif
