/* BspProperties.h - the table of IMPORT_BSP_* properties: names, types and what they set. */
#ifndef BSP_PROPERTIES_H
#define BSP_PROPERTIES_H

#include <string>
#include <vector>

#include "BspToAssimp.h"

namespace Assimp {
class Importer;
}

namespace bspscene {

/* The values of the properties. */
struct Settings {
	std::string map;                 /* map in an archive, "oa_dm1" or "maps/oa_dm1.bsp"; "": the only one */
	std::vector<std::string> games;  /* directories and archives to search before the map's own */
	bool siblings = true;            /* search for files around the map */
	std::string palette;
	bspscene_load_options load{};
	ConvertOptions convert;

	Settings() { bspscene_load_options_init(&load); }
};

/* Throws ImportError for a value that is not valid. */
Settings ReadProperties(const Assimp::Importer &importer);
/* Sets a property of the importer from text such as "IMPORT_BSP_MAP=oa_dm1". Throws ImportError for an unknown name or
 * a bad number. */
void SetProperty(Assimp::Importer &importer, const std::string &assignment);

} // namespace bspscene

#endif
