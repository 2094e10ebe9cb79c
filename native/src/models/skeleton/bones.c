/* bones.c - see bones.h. */
#include "models/skeleton/bones.h"

#include "base/vec.h"

float bspi_run_value(bspi_value_runs *runs, uint32_t frame)
{
	enum { HEAD = 2, VALUE = 2 };
	bspi_bytes run, value;
	while (runs->at >= 0 && bspi_slice(runs->file, (uint64_t)runs->at, HEAD, &run)) {
		uint32_t stored = run.data[0], frames = run.data[1], number = frame - runs->first;
		if (!frames) return 0;
		if (number < frames) {
			if (number >= stored) number = stored - 1;
			uint64_t at = (uint64_t)runs->at + HEAD + VALUE * (uint64_t)number;
			bool there = stored && bspi_slice(runs->file, at, VALUE, &value);
			return there ? (float)bspi_load_i16(value.data) : 0;
		}
		runs->first += frames;
		runs->at += HEAD + VALUE * (int64_t)stored;
	}
	return 0;
}

float bspi_animated_value(bspi_bytes file, int64_t offset, uint32_t frame)
{
	bspi_value_runs runs = { .file = file, .at = offset };
	return bspi_run_value(&runs, frame);
}

void bspi_bone_from_angles(float out[12], const float angles[3], const float place[3])
{
	const float degrees = 57.29577951308232f;
	bspi_transform_angles(out, place, angles[1] * degrees, angles[2] * degrees, angles[0] * degrees);
}

void bspi_turn_normal(float out[3], const float bone[12], const float normal[3])
{
	float x = normal[0], y = normal[1], z = normal[2];
	for (int i = 0; i < 3; i++) out[i] = bone[4 * i] * x + bone[4 * i + 1] * y + bone[4 * i + 2] * z;
}
