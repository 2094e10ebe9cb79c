/* shares.h - fractions of a command's time, by which its parts share one progress bar. tests/bench/bench_progress.c
 * measured them on ten maps. The library has its own table (base/costs.h, bspscene_load_share). */
#ifndef CLI_SHARES_H
#define CLI_SHARES_H

/* Positions of the progress bar of `render`, 0 to 1: when the map is loaded, and when the renderer is ready. */
#define CLI_RENDER_LOADED 0.06
#define CLI_RENDER_BEGUN 0.1
/* Position of the progress bar of `relight`, 0 to 1, when the atlas is read. */
#define CLI_RELIGHT_READ 0.4

#endif
