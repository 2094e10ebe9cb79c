/* map_companions.h - lists the files next to a map that belong to it by their names. The list tells which files were
 * used, and why others were not. */
#ifndef BSPI_MAP_COMPANIONS_H
#define BSPI_MAP_COMPANIONS_H

#include <bspscene/scene.h>

#include "base/ctx.h"

/* A companion file, which may be used or unused. It is in the result arena. */
typedef struct bspi_companion {
	bspscene_companion_file public;
	struct bspi_companion *next;
} bspi_companion;

/* Notes that a sibling was read, if it is one of the map's companions. False if the load failed. */
bool bspi_use_companion(bspi_ctx *ctx, bspscene_file_kind kind, const char *path, const char *archive);
/* Notes that a companion was read, but that its content is not used. `why` is a static string. */
void bspi_reject_companion(bspi_ctx *ctx, const char *path, const char *why);
/* If the caller can list files, adds the companions that nothing opened. Stores the list in the scene. False if the
 * load failed. */
bool bspi_list_companions(bspi_ctx *ctx, bspscene_scene *scene);

#endif
