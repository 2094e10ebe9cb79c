/* build_moving_source.h - an animated Source model; its triangles are those of build_model.h. */
#ifndef BSPT_BUILD_MOVING_SOURCE_H
#define BSPT_BUILD_MOVING_SOURCE_H

#include "support/make/bytes_writer.h"

enum { BSPT_SOURCE_CHECKSUM = 0x1234567 };
extern const uint32_t bspt_moving_source_frames_at;
void bspt_build_moving_source(bspt_writer *out);
/* Copies the vertices of build_model.h and binds them to this model's bones. */
void bspt_bind_moving_source(bspi_bytes vertices, bspt_writer *out);

#endif
