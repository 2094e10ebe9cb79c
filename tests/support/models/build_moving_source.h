/* build_moving_source.h - a Source model that moves; its triangles are those of build_model.h. */
#ifndef BSPT_BUILD_MOVING_SOURCE_H
#define BSPT_BUILD_MOVING_SOURCE_H

#include "support/make/bytes_writer.h"

enum { BSPT_SOURCE_CHECKSUM = 0x1234567 };
extern const uint32_t bspt_moving_source_frames_at;
void bspt_build_moving_source(bspt_writer *out);
/* The vertices of build_model.h, bound to the bones of this. */
void bspt_bind_moving_source(bspi_bytes vertices, bspt_writer *out);

#endif
