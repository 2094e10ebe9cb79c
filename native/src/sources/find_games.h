/* find_games.h - finds installed games, for bspscene_find_games and its tests. */
#ifndef BSPI_FIND_GAMES_H
#define BSPI_FIND_GAMES_H

#include <bspscene/source.h>

/* Where games are searched. Each list ends with NULL. A path may begin with an environment variable, as in
 * "$NAME/folder". If the variable is not set, the path is skipped. */
typedef struct bspi_game_places {
	const char *const *steam;          /* folders in which Steam itself is installed */
	const char *const *usual;
} bspi_game_places;

/* See bspscene_find_games. */
bool bspi_find_games(const bspi_game_places *places, bspscene_found_game_fn *found, void *user);

#endif
