/* pictures.h - the pictures that archives keep of a map, and the functions that `render` shares. */
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "archive/companions/level_shot.h"
#include "archive/pictures/picture_kinds.h"
#include "cli/output.h"

/* Sets options for loading a scene that is drawn: with the sky, and curves at the engine's finest subdivision. */
void cli_picture_load_options(bspscene_load_options *options);

/* Draws and commits the pictures of `sizes`: overview and roofs (as --overview and --roofs), plan (as --plan), start
 * (the player's first view), sheet (up to 12 spawn points), tile (a small start) and turn (as --turn), each with
 * metadata. A tile may be one of `shots`. A sheet without spawn points and a plan without surfaces are not made. False
 * after an error, which is printed, also if this build has no renderer. */
bool cli_write_pictures(const bspscene_scene *scene, const cli_level_shots *shots,
                        const cli_picture_size sizes[CLI_PICTURE_KINDS], const cli_args *args, cli_output *output);
/* True if this build has a renderer. */
bool cli_can_draw(void);

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

/* Returns the player's first view: the intermission, else the first start, else a view from above. *overview: set if it
 * is from above. */
bspscene_view cli_first_view(const bspscene_scene *scene, uint32_t width, uint32_t height, bool *overview);
/* Returns candidate number `number` for the first view. Callers try them until one shows something: number 0 is that of
 * cli_first_view, then come further starts, and the last one is from above. False after the last. */
bool cli_start_view(const bspscene_scene *scene, uint32_t number, uint32_t width, uint32_t height,
                    bspscene_view *view, bool *overview);
/* True if a picture is black, or has one color in all but a few pixels. */
bool cli_shows_nothing(const uint8_t *rgb, uint32_t width, uint32_t height);
#define CLI_START_ELSEWHERE "from another start: what a player sees first is of one color"
#define CLI_START_FROM_ABOVE "from above: what players see first is of one color"
const char *cli_describe_overview(bool roofs, bool turning);
/* Prepares a view from above: no sky or fog hides the map, and a light background shows where it ends. */
void cli_prepare_overview(bspscene_render_options *options);
#endif

#endif
