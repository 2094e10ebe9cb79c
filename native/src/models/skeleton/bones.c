/* bones.c - see bones.h. */
#include "models/skeleton/bones.h"

#include <math.h>

#include "base/vec.h"

float bspi_animated_value(bspi_bytes file, int64_t offset, uint32_t frame)
{
	enum { HEAD = 2, VALUE = 2 };
	bspi_bytes run, value;
	if (offset < 0) return 0;
	uint64_t at = (uint64_t)offset;
	while (bspi_slice(file, at, HEAD, &run)) {
		uint32_t stored = run.data[0], frames = run.data[1];
		if (!frames) return 0;
		if (frame < frames) {
			uint32_t number = frame < stored ? frame : stored - 1;
			bool there = stored && bspi_slice(file, at + HEAD + VALUE * (uint64_t)number, VALUE, &value);
			return there ? (float)bspi_load_i16(value.data) : 0;
		}
		frame -= frames;
		at += HEAD + VALUE * (uint64_t)stored;
	}
	return 0;
}

void bspi_bone_from_angles(float out[12], const float angles[3], const float place[3])
{
	const float degrees = 57.29577951308232f;
	bspi_transform_angles(out, place, angles[1] * degrees, angles[2] * degrees, angles[0] * degrees);
}

void bspi_bone_from_quaternion(float out[12], const float quaternion[4], const float place[3])
{
	float x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
	float length = sqrtf(x * x + y * y + z * z + w * w);
	bool usable = length > 1e-6f && isfinite(length);
	x = usable ? x / length : 0;
	y = usable ? y / length : 0;
	z = usable ? z / length : 0;
	w = usable ? w / length : 1;
	const float m[12] = {
		1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     place[0],
		2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     place[1],
		2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), place[2],
	};
	memcpy(out, m, sizeof m);
}

void bspi_turn_normal(float out[3], const float bone[12], const float normal[3])
{
	float x = normal[0], y = normal[1], z = normal[2];
	for (int i = 0; i < 3; i++) out[i] = bone[4 * i] * x + bone[4 * i + 1] * y + bone[4 * i + 2] * z;
}
