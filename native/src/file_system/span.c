/* span.c - streams of uncompressed entries: loose files, and files in pak and VPK archives. */
#include "file_system/mounts.h"


typedef struct span_stream {
	const bspi_mount *mount;
	bspi_file *volume;                 /* the numbered file that contains the spans with a `volume` above 0; NULL:
	                                    * there is none */
	bspi_span left[2];
} span_stream;

static bool read_part(const span_stream *stream, const bspi_span *part, void *data, size_t size)
{
	if (part->volume) return stream->volume && bspi_file_read(stream->volume, part->offset, data, size) == size;
	return bspi_mount_read(stream->mount, part->offset, data, size);
}

static size_t span_read(void *user, void *data, size_t size)
{
	span_stream *stream = user;
	size_t done = 0;
	for (int i = 0; i < 2; i++) {
		bspi_span *part = &stream->left[i];
		size_t wanted = size - done < part->size ? size - done : (size_t)part->size;
		if (!wanted) continue;
		if (!read_part(stream, part, (uint8_t *)data + done, wanted)) return SIZE_MAX;
		part->offset += wanted;
		part->size -= wanted;
		done += wanted;
	}
	return done;
}

static void span_close(void *user)
{
	span_stream *stream = user;
	bspi_file_close(stream->volume);
	bspi_heap_give(bspi_mount_heap(stream->mount), stream);
}

bool bspi_open_spans(const bspi_mount *mount, const bspi_span spans[2], bspi_file *volume, bspscene_stream *out)
{
	bspi_bytes lent;
	bool whole = !spans[0].volume && !spans[1].size;
	*out = (bspscene_stream){ .size = spans[0].size + spans[1].size, .origin = mount->origin };
	if (whole && mount->in_memory && bspi_slice(mount->memory, spans[0].offset, spans[0].size, &lent)) {
		bspi_file_close(volume);
		out->data = lent.data;
		return true;
	}
	span_stream *stream = bspi_heap_take(bspi_mount_heap(mount), sizeof *stream);
	if (!stream) {
		bspi_file_close(volume);
		return false;
	}
	*stream = (span_stream){ mount, volume, { spans[0], spans[1] } };
	out->user = stream;
	out->read = span_read;
	out->close = span_close;
	return true;
}
