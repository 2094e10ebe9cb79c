// no_cxx_runtime.cpp - what objects of meshoptimizer name of the C++ runtime, so that it is not linked: it takes its
// memory here.
#include <cstdlib>

void *operator new(std::size_t size)
{
	void *data = std::malloc(size ? size : 1);
	if (!data) std::abort();
	return data;
}
void operator delete(void *data) noexcept { std::free(data); }
void operator delete(void *data, std::size_t) noexcept { std::free(data); }
