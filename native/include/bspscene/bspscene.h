/* bspscene.h - Compiled game maps (BSP) to scenes. Includes the whole public API.
 *
 *     bspscene_error error;
 *     bspscene_scene *scene = bspscene_open("baseq3/maps/atrium.bsp", NULL, &error);
 *     if (!scene || !bspscene_write_file(scene, "atrium.glb", NULL, &error)) fprintf(stderr, "%s\n", error.message);
 *     for (uint32_t i = 0; scene && i < scene->mesh_count; i++) puts(scene->meshes[i]->name);
 *     bspscene_scene_free(scene);
 *
 * | to                                                     | call                            | in            |
 * |--------------------------------------------------------|---------------------------------|---------------|
 * | load a map with its game's files                       | bspscene_open                   | source.h      |
 * | load in the background                                 | bspscene_job_load               | job.h         |
 * | list the maps of an archive or game and choose one     | bspscene_source_open            | source.h      |
 * | mount directories and archives yourself                | bspscene_file_system_create     | file_system.h |
 * | load from memory                                       | bspscene_load_memory, ..._stream| load.h        |
 * | give a load your own files                             | open_file of the load options   | load.h        |
 * | read what was loaded                                   | bspscene_scene                  | scene.h       |
 * | find the face, luxel and light at a point              | bspscene_face_at                | scene.h       |
 * | find the light on a model at a point                   | bspscene_sample_light           | scene.h       |
 * | decode an image, write a PNG                           | bspscene_image_decode, ..._write_image_file | image.h |
 * | write a lightmap page                                  | bspscene_write_lightmap_page_file | image.h     |
 * | write glTF, FBX, USD, OBJ, an atlas                    | bspscene_write_file             | formats.h     |
 * | write to memory or callbacks                           | bspscene_write                  | writer.h      |
 * | bake light into vertices or images                     | bspscene_bake_light, ..._textures | bake.h, writer.h |
 * | draw the sky                                           | bspscene_sky_cube               | sky.h         |
 * | write edited light or entities back                    | bspscene_relight, ..._rewrite   | relight.h, rewrite.h |
 * | draw a picture (library bspscene_render)               | bspscene_render                 | render.h      |
 *
 * Conventions
 * - Space is right-handed: X forward, Y left, Z up. Lengths are game units; multiply by scene->meters_per_unit.
 * - Front faces are counter-clockwise. v of texture and lightmap coordinates points down; 0 is the top row.
 * - `count` and `first` are elements, `size` and `offset` are bytes. Strings and paths are UTF-8.
 * - An argument may be NULL only where its comment says so. `error` may always be NULL.
 * - A pointer to const that a call returns belongs to its argument (scene, source) and is valid as long as that, or is
 *   static. The comment on each call that returns owned memory names the function that frees it.
 *
 * Promises, for every input
 * - A load returns a scene, or NULL with an error. It does not crash, hang or exceed memory_limit.
 * - In a scene every index is in range or BSPSCENE_NO_INDEX, every float is finite, every string ends with NUL, and
 *   every array with a count above 0 is non-NULL.
 * - Repairs and losses are counted in scene->warnings.
 * - The library opens only files that the caller named; open_file of a load gives it all others. bspscene_open and
 *   bspscene_source_open also open the files and archives around a map.
 * - Wrong arguments are programming errors, at which builds with assertions stop. Damaged files are not: they give
 *   errors or warnings.
 *
 * Threads
 * - There is no global state. Any number of threads may read a scene.
 * - Results do not depend on the number of threads.
 *
 * Building
 * - Link with bspscene, and with bspscene_render for pictures: CMake's find_package(bspscene COMPONENTS render), or
 *   pkg-config bspscene, bspscene_render. The headers need C11 or C++17.
 *
 * Versions (docs/abi.md)
 * - A program runs with every later library of the same series. The series is 0.9 now, and the major version from 1.0
 *   on.
 * - Structs that the library makes grow at their end. Reach them by pointer; do not copy them or take their sizeof.
 *   Structs marked "Frozen" do not change in a series.
 * - Structs that the caller makes start with struct_size. Call their _init function, which is inline: it zeroes the
 *   struct and sets struct_size to its sizeof. { .struct_size = sizeof options } and bindings may do the same. A field
 *   that is newer than the library must be zero, else the call fails with BSPSCENE_ERROR_BAD_OPTIONS.
 * - Enums grow at their end. Treat an unknown value as the most general kind. */
#ifndef BSPSCENE_H
#define BSPSCENE_H

#include <bspscene/common.h>
#include <bspscene/rig.h>
#include <bspscene/mesh.h>
#include <bspscene/material.h>
#include <bspscene/lighting.h>
#include <bspscene/load.h>
#include <bspscene/image.h>
#include <bspscene/things.h>
#include <bspscene/scene.h>
#include <bspscene/bake.h>
#include <bspscene/sky.h>
#include <bspscene/writer.h>
#include <bspscene/formats.h>
#include <bspscene/relight.h>
#include <bspscene/rewrite.h>
#include <bspscene/file_system.h>
#include <bspscene/source.h>
#include <bspscene/job.h>
#include <bspscene/binding.h>

#endif
