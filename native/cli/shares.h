/* shares.h - the share of a command's time that each part takes, for one progress bar. Measured on ten maps by
 * tests/bench/bench_progress.c. The library has its own table (base/costs.h, bspscene_load_share). */
#ifndef CLI_SHARES_H
#define CLI_SHARES_H

/* render: where the load ends, and where the renderer is ready */
#define CLI_RENDER_LOADED 0.06
#define CLI_RENDER_BEGUN 0.1
/* relight: where reading the atlas ends */
#define CLI_RELIGHT_READ 0.4

#endif
