// header_hpp.cpp - checks that each C++ header can be included first, and that all can be included twice.
#include <bspscene/bspscene.hpp>
#include <bspscene/render.hpp>

#include <type_traits>

static_assert(std::is_copy_constructible<bspscene::scene>::value, "scenes are shared");
static_assert(!std::is_copy_constructible<bspscene::source>::value, "a source has one owner");
static_assert(std::is_nothrow_move_constructible<bspscene::file_system>::value, "it can be moved");
