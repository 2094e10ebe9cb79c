/* picture_fact.h - one entry of a picture's metadata. */
#ifndef CLI_PICTURE_FACT_H
#define CLI_PICTURE_FACT_H

#include <bspscene/image.h>

typedef bspscene_picture_text cli_picture_fact;

#endif
