/* bspscene.h - compiled game maps (BSP) to scenes: the whole public API and its documentation.
 *
 *     bspscene_error error;
 *     bspscene_scene *scene = bspscene_load_file("maps/atrium.bsp", NULL, &error);
 *     if (!scene) { fprintf(stderr, "%s\n", error.message); return 1; }
 *     for (uint32_t i = 0; i < scene->mesh_count; i++) { ... plain arrays ... }
 *     bspscene_scene_free(scene);
 *
 * What is promised for every file, hostile ones included:
 *   - a load ends in a scene or in NULL plus an error; it never crashes, hangs or exceeds `memory_limit`;
 *   - every index in a scene is in range or BSPSCENE_NO_INDEX, every float is finite, every string is
 *     NUL-terminated UTF-8, every array whose count is not 0 is non-NULL;
 *   - what was repaired or left out is counted in `warnings`;
 *   - the library opens no file but those the caller named or answered through `open_file`; what lies around a map only
 *     when the caller opens it as a place (place.h).
 *
 * Conventions: right-handed game space, Z up, X forward, Y left, lengths in game units (multiply by
 * `metres_per_unit`); front faces counter-clockwise; texture and lightmap v grows downward, 0 is the top row.
 * `count` and `first` are elements, `size` and `offset` are bytes. Every text and every `path`, in and out, is UTF-8.
 * "NULL" is always allowed where it is said, and nowhere else: wrong arguments are programming errors and assert, wrong
 * data never does.
 *
 * Threads: no global state. A scene is immutable after loading, so any number of threads may read one.
 * Game facts are stated where they matter; the reader of each family (native/src/families) says where they come from.
 *
 * Layout, so that a program and a library of different versions never misunderstand each other:
 *   - What the library makes (scenes and all in them) has one layout, BSPSCENE_LAYOUT. A load is told the caller's and
 *     refuses another one in words. The shared library's SOVERSION changes with it: until 1.0 it is the minor version.
 *   - What the caller makes (options, streams, outputs) begins with struct_size, the sizeof in the caller's header: the
 *     inline ..._init functions here set it, so it is the caller's header that counts, and nothing is written behind a
 *     struct. These structs grow at their end in one layout. The library reads what the caller has and takes zero, the
 *     default, for the rest. What a newer header has and this library does not know must be zero, else the call is
 *     refused with BSPSCENE_ERROR_BAD_OPTIONS.
 *   - Bindings zero these structs, set struct_size to the size of their own declaration, and hand BSPSCENE_LAYOUT of
 *     the header they were made from to the functions that end in _as; bspscene_struct_size checks the rest.
 *   - What is called unstable here may change with any version.
 */
#ifndef BSPSCENE_H
#define BSPSCENE_H

#include <bspscene/common.h>
#include <bspscene/mesh.h>
#include <bspscene/material.h>
#include <bspscene/lighting.h>
#include <bspscene/scene.h>
#include <bspscene/load.h>
#include <bspscene/bake.h>
#include <bspscene/image.h>
#include <bspscene/writer.h>
#include <bspscene/relight.h>
#include <bspscene/game_files.h>
#include <bspscene/place.h>
#include <bspscene/binding.h>

#endif
