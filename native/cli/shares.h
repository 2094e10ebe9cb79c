/* shares.h - of the time of a command, what its parts take, for the one bar of progress: measured on ten maps by
 * tests/bench/bench_progress.c. What the library takes is in its own table (base/costs.h, bspscene_load_share). */
#ifndef CLI_SHARES_H
#define CLI_SHARES_H

/* render: up to here the map is loaded, up to there the renderer is ready */
#define CLI_RENDER_LOADED 0.06
#define CLI_RENDER_BEGUN 0.1
/* relight: up to here the atlas is read */
#define CLI_RELIGHT_READ 0.4

#endif
