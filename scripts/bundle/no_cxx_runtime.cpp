// no_cxx_runtime.cpp - the functions of the C++ runtime that meshoptimizer needs, so that the runtime is not linked.
// Memory comes from malloc.
#include <cstdlib>

void *operator new(std::size_t size)
{
	void *data = std::malloc(size ? size : 1);
	if (!data) std::abort();
	return data;
}
void operator delete(void *data) noexcept { std::free(data); }
void operator delete(void *data, std::size_t) noexcept { std::free(data); }
