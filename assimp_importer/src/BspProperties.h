/* BspProperties.h - the IMPORT_BSP_* properties: one table says their names, kinds and what they set. */
#ifndef BSP_PROPERTIES_H
#define BSP_PROPERTIES_H

#include <string>
#include <vector>

#include "BspToAssimp.h"

namespace Assimp {
class Importer;
}

namespace bspscene {

/* What the properties ask for. */
struct Settings {
	std::string map;                 /* which map of an archive: "oa_dm1" or "maps/oa_dm1.bsp"; "": the only one */
	std::vector<std::string> games;  /* directories and archives to look for files in, before the map's own */
	bool siblings = true;            /* look for files around the map */
	std::string palette;
	bspscene_load_options load{};
	ConvertOptions convert;

	Settings() { bspscene_load_options_init(&load); }
};

/* Throws ImportError for a value that means nothing. */
Settings ReadProperties(const Assimp::Importer &importer);
/* "IMPORT_BSP_MAP=oa_dm1" sets that property of the importer. Throws ImportError for an unknown
 * name or a bad number. */
void SetProperty(Assimp::Importer &importer, const std::string &assignment);

} // namespace bspscene

#endif
