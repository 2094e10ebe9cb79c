/* BspError.h - the exception of the importer, whose text Assimp gives to the host. */
#ifndef BSP_ERROR_H
#define BSP_ERROR_H

#include <stdexcept>
#include <string>

namespace bspscene {

/* Not DeadlyImportError: Assimp before 5.4 does not export its constructor. */
class ImportError : public std::runtime_error {
public:
	explicit ImportError(const std::string &what) : std::runtime_error("BSP: " + what) {}
};

} // namespace bspscene

#endif
