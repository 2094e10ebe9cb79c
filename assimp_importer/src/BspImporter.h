/* BspImporter.h - the importer for hosts: Assimp::Importer::RegisterLoader(new bspscene::BspImporter). */
#ifndef BSP_IMPORTER_H
#define BSP_IMPORTER_H

#include <assimp/BaseImporter.h>

#include "BspFiles.h"
#include "BspProperties.h"

#if defined(__GNUC__)
	#define BSPSCENE_ASSIMP_CLASS __attribute__((visibility("default")))
#else
	#define BSPSCENE_ASSIMP_CLASS
#endif

namespace bspscene {

class BSPSCENE_ASSIMP_CLASS BspImporter final : public Assimp::BaseImporter {
public:
	bool CanRead(const std::string &file, Assimp::IOSystem *io, bool check_signature) const override;
	const aiImporterDesc *GetInfo() const override;
	void SetupProperties(const Assimp::Importer *importer) override;

protected:
	void InternReadFile(const std::string &file, aiScene *out, Assimp::IOSystem *io) override;

private:
	uint32_t FindMap(const bspscene_source &place) const;
	void Load(const std::string &file, const bspscene_source &place, Assimp::IOSystem &io, aiScene &out);

	/* SetupProperties sets these before every read, so that nothing remains of the last map. */
	Settings settings_;
	std::string bad_property_;
	bool default_io_ = false, default_progress_ = true;
};

/* Registers a BspImporter unless there is one. Throws ImportError if this build does not fit the Assimp in use. */
void Register(Assimp::Importer &importer);

} // namespace bspscene

#endif
