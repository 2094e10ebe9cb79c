/* BspError.h - the exception of the importer, whose text Assimp gives to the host. */
#ifndef BSP_ERROR_H
#define BSP_ERROR_H

#include <stdexcept>
#include <string>

namespace bspscene {

/* Not derived from DeadlyImportError, because Assimp before 5.4 does not export the constructor of that class. */
class ImportError : public std::runtime_error {
public:
	explicit ImportError(const std::string &what) : std::runtime_error("BSP: " + what) {}
};

} // namespace bspscene

#endif
