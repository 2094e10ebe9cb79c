/* bspscene.hpp - bspscene.h for C++17: handles that free themselves, arrays as ranges, errors as exceptions.
 *
 *     auto scene = bspscene::open("baseq3/maps/atrium.bsp");
 *     for (const bspscene_mesh &mesh : scene.meshes()) std::puts(mesh.name);
 *     scene.write("atrium.glb");
 *
 * Names and meanings are those of the C headers, whose functions may be called too. All of it is inline: nothing
 * here is part of the library's ABI. */
#ifndef BSPSCENE_HPP
#define BSPSCENE_HPP

#include <bspscene/files.hpp>
#include <bspscene/scene.hpp>

#endif
