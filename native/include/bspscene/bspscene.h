/* bspscene.h - compiled game maps (BSP) to scenes: the whole public API and its documentation.
 *
 *     bspscene_error error;
 *     bspscene_scene *scene = bspscene_open("baseq3/maps/atrium.bsp", NULL, &error);
 *     if (!scene || !bspscene_write_file(scene, "atrium.glb", NULL, &error)) fprintf(stderr, "%s\n", error.message);
 *     for (uint32_t i = 0; scene && i < scene->mesh_count; i++) puts(scene->meshes[i]->name);
 *     bspscene_scene_free(scene);
 *
 * That is a map with its textures: its game's directory and archives are found around it. Which door when:
 *
 *     bspscene_open            (place.h)       files of this machine: a map file, an archive or a game, all around it
 *     bspscene_source_open      (place.h)       the same in steps: list the maps, choose, be told what was left out,
 *                                              ask for further files (the command line, the Blender add-on)
 *     bspscene_file_system_mount...  (game_files.h)  directories and archives of the caller's choice, for options.open_file
 *     bspscene_load_file       (load.h)        one file, and only what options.open_file gives
 *     bspscene_load_memory     (load.h)        bytes that the caller has: a download, a pak of its own
 *     bspscene_load_stream     (load.h)        a file system of the caller's own
 *     bspscene_write_file      (formats.h)     the way out: to a path, by its ending
 *     bspscene_write           (writer.h)      by a writer's name to the caller's own output
 *
 * What is promised for every file, hostile ones included:
 *   - a load ends in a scene or in NULL plus an error; it never crashes, hangs or exceeds `memory_limit`;
 *   - every index in a scene is in range or BSPSCENE_NO_INDEX, every float is finite, every string is
 *     NUL-terminated UTF-8, every array whose count is not 0 is non-NULL;
 *   - what was repaired or left out is counted in `warnings`;
 *   - the library opens no file but those the caller named or answered through `open_file`; what lies around a map only
 *     by bspscene_open or as a place (place.h).
 *
 * Conventions: right-handed game space, Z up, X forward, Y left, lengths in game units (multiply by
 * `metres_per_unit`); front faces counter-clockwise; texture and lightmap v grows downward, 0 is the top row.
 * `count` and `first` are elements, `size` and `offset` are bytes. Every text and every `path`, in and out, is UTF-8.
 * "NULL" is always allowed where it is said, and nowhere else: wrong arguments are programming errors, at which builds
 * with assertions stop and others do as C does; wrong data never is one. `error` may be NULL everywhere.
 * What a call returns by a pointer to const belongs to what was asked (a scene, a place, a set of files) and lives as
 * long; without one it is static. What is to be freed says by which call.
 *
 * Threads: no global state. A scene is immutable after loading, so any number of threads may read one. Loads, bakes,
 * writings and pictures work in several threads where their options allow it, or in those of the host
 * (bspscene_thread_pool), and what comes out is the same for any number of them.
 * Game facts are stated where they matter; the reader of each family (native/src/families) says where they come from.
 *
 * Versions. A program runs with every later version of the library in the same series, which the SONAME names (0.9;
 * from 1.0 on the major version), without being compiled again; docs/abi.md says why it is done like this.
 *   - What the library makes grows at the end of its structs. Nothing depends on their size, because they are only ever
 *     reached by a pointer: arrays of them are arrays of pointers, scene->meshes[i]->name. Programs take no sizeof of
 *     them, and copy none of them whole.
 *   - Frozen structs never change in a series, and are held by value: bspscene_allocator, _ambient, _area_portal,
 *     _bounds, _color_set, _detail, _error, _face, _leaf, _light_list, _light_place, _light_probe, _luxel_source,
 *     _new_corner, _new_entity, _page, _page_set, _pair, _parallel, _pixels, _point_light, _pose, _tc_mod, _wave. What
 *     becomes known of their records later is in arrays beside them.
 *   - What the caller makes (options, streams, outputs, reports) begins with struct_size, the sizeof in the caller's
 *     header, and grows at its end: the inline ..._init functions zero it and set the size, as `= { sizeof options }`
 *     does; bindings write the size of their own declaration, which has all fields of some version, or that of
 *     bspscene_struct_size bytes of zeroes, of which they declare the first fields alone. The library reads what the
 *     caller has and takes zero, the default, for the rest. What a newer header has and this library does not know must
 *     be zero, else the call is refused with BSPSCENE_ERROR_BAD_OPTIONS, and so is a struct_size of 0.
 *   - Enums get new values at their end: a program treats one that it does not know as the kind of thing that it least
 *     understands, and does not fail.
 *   - What is called unstable here may change with any version.
 */
#ifndef BSPSCENE_H
#define BSPSCENE_H

#include <bspscene/common.h>
#include <bspscene/rig.h>
#include <bspscene/mesh.h>
#include <bspscene/material.h>
#include <bspscene/lighting.h>
#include <bspscene/scene.h>
#include <bspscene/load.h>
#include <bspscene/bake.h>
#include <bspscene/image.h>
#include <bspscene/sky.h>
#include <bspscene/writer.h>
#include <bspscene/formats.h>
#include <bspscene/relight.h>
#include <bspscene/rewrite.h>
#include <bspscene/file_system.h>
#include <bspscene/source.h>
#include <bspscene/binding.h>

#endif
