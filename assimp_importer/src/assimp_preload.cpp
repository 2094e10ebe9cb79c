/* assimp_preload.cpp - preloaded into unchanged hosts (LD_PRELOAD, see bspscene-assimp). It replaces Assimp::Importer's
 * constructor by one that calls the original and registers the importer. Properties come from
 * BSPSCENE_ASSIMP_PROPERTIES, one per line. It also replaces Exporter::Export, see UvSource.h. */
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <bspscene/bspscene_assimp.h>

#include "BspProperties.h"
#include "UvSource.h"

namespace {

void SetProperties(Assimp::Importer &importer)
{
	const char *text = std::getenv("BSPSCENE_ASSIMP_PROPERTIES");
	std::string lines = text ? text : "";
	for (size_t at = 0; at < lines.size();) {
		size_t end = lines.find('\n', at);
		if (end == std::string::npos) end = lines.size();
		if (end > at) bspscene::SetProperty(importer, lines.substr(at, end - at));
		at = end + 1;
	}
}

void Construct(const char *name, void *importer) noexcept
{
	auto *original = reinterpret_cast<void (*)(void *)>(dlsym(RTLD_NEXT, name));
	if (!original) {
		std::fputs("bspscene-assimp: the host has another Assimp than this library\n", stderr);
		std::abort();
	}
	original(importer);
	try {
		if (!bspscene_assimp_register(importer)) std::fprintf(stderr, "bspscene-assimp: %s\n", bspscene_assimp_error());
		SetProperties(*static_cast<Assimp::Importer *>(importer));
	} catch (const std::exception &exception) {
		std::fprintf(stderr, "bspscene-assimp: %s\n", exception.what());
	}
}

using Export = aiReturn(Assimp::Exporter *, const aiScene *, const char *, const char *, unsigned,
                        const Assimp::ExportProperties *);
constexpr const char *export_name = "_ZN6Assimp8Exporter6ExportEPK7aiScenePKcS5_jPKNS_16ExportPropertiesE";

} // namespace

extern "C" {
__attribute__((visibility("default"))) Export export_repaired
	__asm__("_ZN6Assimp8Exporter6ExportEPK7aiScenePKcS5_jPKNS_16ExportPropertiesE");

aiReturn export_repaired(Assimp::Exporter *exporter, const aiScene *scene, const char *format, const char *path,
                         unsigned steps, const Assimp::ExportProperties *properties)
{
	auto *original = reinterpret_cast<Export *>(dlsym(RTLD_NEXT, export_name));
	if (!original) return aiReturn_FAILURE;
	/* With validation, "$tex.uvwsrc" must stay an integer. */
	if (!scene || !format || (steps & aiProcess_ValidateDataStructure)) {
		return original(exporter, scene, format, path, steps, properties);
	}
	bspscene::UvSourceAsBuffer repair(*scene, format);
	return original(exporter, scene, format, path, steps, properties);
}

__attribute__((visibility("default"))) void construct_complete(void *importer) __asm__("_ZN6Assimp8ImporterC1Ev");
__attribute__((visibility("default"))) void construct_base(void *importer) __asm__("_ZN6Assimp8ImporterC2Ev");

void construct_complete(void *importer) { Construct("_ZN6Assimp8ImporterC1Ev", importer); }
void construct_base(void *importer) { Construct("_ZN6Assimp8ImporterC2Ev", importer); }
}
