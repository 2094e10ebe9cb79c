// header_cpp.cpp - checks the headers in C++: their functions are C functions, and zeroed structs are valid.
#include <bspscene/bspscene_assimp.h>
#include <bspscene/binding.h>
#include <bspscene/bspscene.h>
#include <bspscene/bspscene.h>

#include <type_traits>

extern "C" {
typedef const char *(*assimp_error_pointer)();
typedef bspscene_scene *(*load_file_pointer)(const char *, const bspscene_load_options *, bspscene_error *);
}
static_assert(std::is_same<decltype(&bspscene_load_file), load_file_pointer>::value, "a C function");
static_assert(std::is_same<decltype(&bspscene_assimp_error), assimp_error_pointer>::value, "a C function");
static_assert(std::is_standard_layout<bspscene_scene>::value, "plain data");
static_assert(std::is_trivial<bspscene_load_options>::value, "plain data");

bool probe();
bool probe()
{
	bspscene_load_options options{};
	bspscene_load_options_init(&options);
	return bspscene_probe(nullptr, 0, nullptr);
}
