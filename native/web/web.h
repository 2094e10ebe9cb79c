/* web.h - what the files of the module share. */
#ifndef WEB_H
#define WEB_H

#include <bspscene/bspscene.h>

/* A load's, a bake's or a writer's progress, told to JavaScript. */
bspscene_progress_result web_tell(void *user, const char *stage, double fraction);

#endif
