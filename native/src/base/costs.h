/* costs.h - estimated times of all work, so that progress is proportional to time.
 *
 * All costs are microseconds on the machine where they were measured, on maps of OpenArena, Nexuiz, LibreQuake, Quake
 * II and Half-Life (tests/bench/bench_progress.c measures them again); only their ratios matter. Shares are parts of
 * the whole that the heading names. A constant weight for each stage, whatever the size of pictures, was worse: on
 * three maps of OpenArena, half of the progress came after 29, 7 and 54 % of the time of writing a GLB, instead of 58,
 * 62 and 80 %. */
#ifndef BSPI_COSTS_H
#define BSPI_COSTS_H

/* ---- Loading a map, as a share of its whole time ---- */
#define BSPI_SHARE_READ 0.08
#define BSPI_SHARE_CHECKED 0.15 /* after the file is unpacked, sliced into lumps and checked */

/* Cost per item in each stage of the load. Other stages take almost no time. */
#define BSPI_ENTITIES_FACE 0.1f
#define BSPI_FIND_MODELS_ENTITY 8.0f
#define BSPI_EMBEDDED_TEXTURE 200.0f
#define BSPI_TEXTURE_FILE 1000.0f
#define BSPI_PREPARE_LIGHT_FACE 1.0f
#define BSPI_LIGHTMAP_FILE 8000.0f
#define BSPI_PLAN_FACE 0.4f
#define BSPI_LIGHTMAP_FACE 3.5f
#define BSPI_MESH_FACE 1.8f
#define BSPI_NODES_FACE 0.1f
#define BSPI_WORLD_FACE 0.3f
#define BSPI_PLACED_FACE 0.5f
#define BSPI_LIGHT_MODELS_ENTITY 2.0f

/* ---- Loading, as a share of loading and writing ---- */
#define BSPI_USUAL_LOAD_SHARE 0.4
#define BSPI_VERTEX_LOAD_SHARE 0.18 /* if the light goes into vertices */
#define BSPI_OBJ_LOAD_SHARE 0.45
#define BSPI_ATLAS_LOAD_SHARE 0.45 /* if no textures are loaded */

/* ---- Light into vertices and pages, before the writer's own work ---- */
#define BSPI_ADDED_LUXEL 0.002
#define BSPI_LIT_TRIANGLE 3.0
#define BSPI_LIT_LUXEL 0.35
#define BSPI_STYLED_LUXEL 0.02
#define BSPI_DIVIDED_TRIANGLES 5.0 /* triangles that vertex light makes of one, on average */

/* share of dividing charts in the cost of dividing charts and building meshes */
#define BSPI_SHARE_DIVIDED 0.95

/* ---- Writers ---- */
#define BSPI_GLTF_TRIANGLE 1.0
#define BSPI_FBX_TRIANGLE 8.5
#define BSPI_USD_TRIANGLE 9.0
#define BSPI_OBJ_TRIANGLE 2.0
#define BSPI_PACKED_TRIANGLE 0.8 /* added to the cost of the format */

#define BSPI_PICTURE 15.0
#define BSPI_PNG_PIXEL 0.065
#define BSPI_PNG_LUXEL 0.055
#define BSPI_WEBP_PIXEL 0.2
#define BSPI_EXACT_WEBP_PIXEL 0.6
#define BSPI_JPEG_PIXEL 0.03

#define BSPI_LIT_TEXEL 0.12
#define BSPI_LIT_TEXELS_PER_LUXEL 50u
#define BSPI_MOST_LIT_TEXELS 14e6

#define BSPI_SKY_PIXEL 0.15

#define BSPI_TONE 60.0
#define BSPI_BRIGHT_TONE 1100.0
#define BSPI_UNKNOWN_TONE 400.0
#define BSPI_TONE_PIXEL 0.02

#endif
