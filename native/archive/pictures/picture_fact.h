/* picture_fact.h - what the text of a picture's file says of it. */
#ifndef CLI_PICTURE_FACT_H
#define CLI_PICTURE_FACT_H

#include <bspscene/image.h>

typedef bspscene_picture_text cli_picture_fact;

#endif
