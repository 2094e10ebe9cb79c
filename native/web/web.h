/* web.h - declarations that the files of the module share. */
#ifndef WEB_H
#define WEB_H

#include <bspscene/bspscene.h>

/* Reports the progress of a load, a bake or a writer to JavaScript. */
bspscene_progress_result web_tell(void *user, const char *stage, double fraction);

#endif
