/* header_c.c - checks that each header can be included alone and twice, and that its functions have prototypes. */
#include <bspscene/binding.h>
#include <bspscene/binding.h>
#include <bspscene/bspscene_assimp.h>
#include <bspscene/bspscene_assimp.h>
#include <bspscene/bspscene.h>
#include <bspscene/bspscene.h>

bspscene_scene *(*const load)(const char *, const bspscene_load_options *, bspscene_error *) = bspscene_load_file;
const char *(*const assimp_error)(void) = bspscene_assimp_error;
void (*const hash_bytes)(const void *, size_t, char *) = bspscene_hash_bytes;
bspscene_open_file_fn *const open_file = bspscene_file_system_open;

_Static_assert(sizeof(bspscene_status) == 4, "enums are 32 bits wide in every compiler");
