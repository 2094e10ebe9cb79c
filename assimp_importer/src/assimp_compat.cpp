/* assimp_compat.cpp - lets a library that was built with Assimp before 5.4 run with later ones of the same SONAME.
 *
 * Until 5.3, BaseImporter's destructor is a function of libassimp; from 5.4 on it is inline and not exported. The
 * destructor in this file is hidden. It calls the one of libassimp if that exists, else it does what the inline one
 * does. It is weak, so that a program with a static libassimp uses the destructor of that library. */
#if defined(__ELF__)

#include <assimp/BaseImporter.h>

#include <dlfcn.h>
#include <exception>
#include <string>

namespace {

struct Members : Assimp::BaseImporter {
	static void Destroy(Assimp::BaseImporter *importer)
	{
		using std::string;
		(importer->*&Members::m_Exception).~exception_ptr();
		(importer->*&Members::m_ErrorText).~string();
	}
};

} // namespace

extern "C" {
__attribute__((weak, visibility("hidden"))) void destroy_base_importer(Assimp::BaseImporter *importer)
	__asm__("_ZN6Assimp12BaseImporterD2Ev");

void destroy_base_importer(Assimp::BaseImporter *importer)
{
	using Destructor = void (*)(Assimp::BaseImporter *);
	static const auto original = reinterpret_cast<Destructor>(dlsym(RTLD_DEFAULT, "_ZN6Assimp12BaseImporterD2Ev"));
	if (original && original != destroy_base_importer) original(importer);
	else Members::Destroy(importer);
}
}

#endif
