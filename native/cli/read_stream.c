/* read_stream.c - see read_stream.h. */
#include "cli/read_stream.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

void *cli_read_stream(bspscene_stream *stream, uint64_t most, size_t *size)
{
	size_t room = 65536, got = 0;
	char *data = NULL;
	bool ok = stream->data == NULL || stream->size <= most;
	if (stream->data && ok) {
		got = (size_t)stream->size;
		data = cli_allocate(got, 1);
		memcpy(data, stream->data, got);
	}
	while (!stream->data && ok) {
		data = cli_resize(data, room, 1);
		size_t part = stream->read(stream->user, data + got, room - got);
		ok = part <= room - got && got + part <= most;
		if (!ok || !part) break;
		got += part;
		if (got == room) room *= 2;
	}
	if (stream->close) stream->close(stream->user);
	*size = got;
	if (ok) return data;
	free(data);
	return NULL;
}
