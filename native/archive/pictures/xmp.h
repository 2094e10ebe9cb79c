/* xmp.h - metadata of a picture as XMP, for formats without text chunks. */
#ifndef CLI_XMP_H
#define CLI_XMP_H

#include <stdint.h>

#include "archive/pictures/picture_fact.h"

/* Returns an XMP packet, to be freed: Title and Description are Dublin Core's, Software is xmp:CreatorTool, all others
 * are of the namespace "urn:bspscene:picture:". Characters that XML does not allow become spaces. */
char *cli_xmp(const cli_picture_fact *facts, uint32_t count);

#endif
