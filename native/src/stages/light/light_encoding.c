/* light_encoding.c - converts luxels and vertex light from how maps store them to how pages store them, row by row.
 *
 * There are three units of light. Stored bytes are n / 255. Display light is what engines multiply textures with:
 * stored light times `overbright`, clamped like in the engine; the picture is texture x display light x `intensity`.
 * Linear light is (display light x intensity) to the power of 2.2. Floats in files (E5BGR9, RGBEXP32) already include
 * the intensity. For display pages they are divided by it, so these pages keep more range above white. */
#include "stages/light/light.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "images/images.h"

#define GAMMA BSPI_LIGHT_GAMMA
#define LARGEST_HALF 65504.0f
#define ONE 65536.0                    /* 1 in 16.16 fixed point */
#define EVERY_BYTE 0x0101010101010101u
#define LARGEST_FLOAT_FACTOR 1e30      /* limit that keeps mantissa x exponent finite */

enum { E5BGR9_BIAS = 24, RGBEXP32_EXPONENTS = 256 };

/* ---- Rows ------------------------------------------------------------------------------------------------- */

static void copy_luxels(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	memcpy(out, in, (size_t)count * encoder->in_size);
}

/* Copies the first part_size bytes of each luxel and leaves out the rest. */
static void copy_parts(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	uint8_t *to = out;
	for (uint32_t i = 0; i < count; i++, in += encoder->in_size, to += encoder->part_size) {
		memcpy(to, in, encoder->part_size);
	}
}

static void gray_to_bytes(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	uint8_t *rgb = out;
	/* Writing four equal bytes at once is faster than three. The next luxel overwrites the fourth byte. */
	for (uint32_t i = 0; i + 1 < count; i++, rgb += 3) memset(rgb, encoder->bytes[in[i]], 4);
	if (count) memset(rgb, encoder->bytes[in[count - 1]], 3);
}

static void rgb_to_bytes(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	uint8_t *rgb = out;
	for (size_t i = 0; i < (size_t)count * 3; i++) rgb[i] = encoder->bytes[in[i]];
}

/* Multiplies a luxel by overbright. If a channel would exceed 255, all channels get a smaller factor, so that the color
 * keeps its hue (tr_bsp.c R_ColorShiftLightingBytes). */
static void luxel_by_hue(const bspi_light_encoder *encoder, const uint8_t *in, uint8_t *out)
{
	uint8_t red = in[0], green = in[1], blue = in[2], largest = red > green ? red : green;
	uint32_t factor = encoder->multipliers[blue > largest ? blue : largest];
	out[0] = (uint8_t)(red * factor >> 16);
	out[1] = (uint8_t)(green * factor >> 16);
	out[2] = (uint8_t)(blue * factor >> 16);
}

static inline uint64_t load_eight(const uint8_t *in)
{
	uint64_t eight;
	memcpy(&eight, in, sizeof eight);
	return eight;
}

static inline void store_eight(uint8_t *out, uint64_t eight)
{
	memcpy(out, &eight, sizeof eight);
}

/* Handles eight luxels at a time. If none of them needs a clamp, multiplying by overbright is a bit shift, which works
 * on eight bytes at once. */
static void rgb_to_bytes_by_hue(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	enum { LUXELS = 8, SIZE = 3 * LUXELS };
	uint8_t *rgb = out;
	uint32_t shift = encoder->shift, left = count;
	for (; shift && left >= LUXELS; left -= LUXELS, in += SIZE, rgb += SIZE) {
		uint64_t first = load_eight(in), second = load_eight(in + 8), third = load_eight(in + 16);
		if ((first | second | third) & encoder->clamped_bits) {
			for (int i = 0; i < SIZE; i += 3) luxel_by_hue(encoder, in + i, rgb + i);
		} else {
			store_eight(rgb, first << shift);
			store_eight(rgb + 8, second << shift);
			store_eight(rgb + 16, third << shift);
		}
	}
	for (; left; left--, in += 3, rgb += 3) luxel_by_hue(encoder, in, rgb);
}

static void gray_to_halves(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	uint16_t *rgb = out;
	for (uint32_t i = 0; i < count; i++, rgb += 3) rgb[0] = rgb[1] = rgb[2] = encoder->halves[in[i]];
}

static void rgb_to_halves(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out)
{
	uint16_t *rgb = out;
	for (size_t i = 0; i < (size_t)count * 3; i++) rgb[i] = encoder->halves[in[i]];
}

static void store_bytes(const bspi_light_encoder *encoder, const float light[3], uint8_t *out)
{
	float scale = 1;
	if (encoder->clamp_hue) {
		float largest = fmaxf(light[0], fmaxf(light[1], light[2]));
		if (largest > 255) scale = 255 / largest;
	}
	for (int i = 0; i < 3; i++) {
		float value = light[i] * scale;
		out[i] = (uint8_t)((value < 255 ? value : 255) + 0.5f);
	}
}

static void store_halves(const float light[3], uint16_t *out)
{
	for (int i = 0; i < 3; i++) out[i] = bspi_half_from_float(fminf(light[i], LARGEST_HALF));
}

/* Decodes a 32-bit luxel. From the lowest bit up: 9 bits each of red, green and blue, then 5 bits of exponent. */
static void decode_e5bgr9(const bspi_light_encoder *encoder, const uint8_t *in, float light[3])
{
	uint32_t bits = bspi_load_u32(in);
	float exponent = encoder->exponents[bits >> 27];
	for (int i = 0; i < 3; i++) light[i] = encoder->mantissas[bits >> 9 * i & 0x1ff] * exponent;
}

static void decode_rgbexp32(const bspi_light_encoder *encoder, const uint8_t *in, float light[3])
{
	float exponent = encoder->exponents[in[3]];
	for (int i = 0; i < 3; i++) light[i] = encoder->mantissas[in[i]] * exponent;
}

double bspi_light_share(const uint8_t direction[3])
{
	double v[3], length = 0;
	for (int i = 0; i < 3; i++) {
		v[i] = direction[i] / 127.5 - 1;
		length += v[i] * v[i];
	}
	return v[2] > 0 ? v[2] / sqrt(length) : 0;
}

static void decode_rgb8_from(const bspi_light_encoder *encoder, const uint8_t *in, float light[3])
{
	double whole = bspi_light_share(in + BSPI_DIRECTION_AT);
	float share = (float)(encoder->power == 1 ? whole : pow(whole, (double)encoder->power));
	for (int i = 0; i < 3; i++) light[i] = encoder->mantissas[in[i]] * share;
}

#define FLOAT_ROW(name, decode, type, store) \
	static void name(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out) \
	{ \
		type *rgb = out; \
		for (uint32_t i = 0; i < count; i++, in += encoder->in_size, rgb += 3) { \
			float light[3]; \
			decode(encoder, in, light); \
			store; \
		} \
	}
FLOAT_ROW(e5bgr9_to_bytes, decode_e5bgr9, uint8_t, store_bytes(encoder, light, rgb))
FLOAT_ROW(e5bgr9_to_halves, decode_e5bgr9, uint16_t, store_halves(light, rgb))
FLOAT_ROW(rgbexp32_to_bytes, decode_rgbexp32, uint8_t, store_bytes(encoder, light, rgb))
FLOAT_ROW(rgbexp32_to_halves, decode_rgbexp32, uint16_t, store_halves(light, rgb))
FLOAT_ROW(rgb8_from_to_bytes, decode_rgb8_from, uint8_t, store_bytes(encoder, light, rgb))
FLOAT_ROW(rgb8_from_to_halves, decode_rgb8_from, uint16_t, store_halves(light, rgb))
#undef FLOAT_ROW

/* ---- Tables ----------------------------------------------------------------------------------------------- */

static void init_bytes(bspi_light_encoder *encoder, const bspi_rules *rules, bool gray, float overbright)
{
	encoder->format = BSPSCENE_LIGHTMAP_PAGE_RGB8;
	encoder->out_size = 3;
	for (uint32_t i = 0; i < 256; i++) {
		double light = i * (double)overbright;
		encoder->bytes[i] = (uint8_t)fmin(light + 0.5, 255);
		/* The factor is rounded up. Then shifting the product right gives the same result as the engine's integer
		 * division. */
		encoder->multipliers[i] = (uint32_t)(light <= 255 ? overbright * ONE : ceil(255 * ONE / i));
	}
	for (uint32_t shift = 1; shift < 8; shift++) {
		if (overbright != (float)(1u << shift)) continue;
		encoder->shift = shift;
		encoder->clamped_bits = (0xff00u >> shift & 0xffu) * EVERY_BYTE;
	}
	if (gray) encoder->row = gray_to_bytes;
	else if (overbright == 1) encoder->row = copy_luxels;
	else encoder->row = rules->light_clamp == BSPI_CLAMP_HUE ? rgb_to_bytes_by_hue : rgb_to_bytes;
}

static void init_halves(bspi_light_encoder *encoder, const bspi_rules *rules, bool gray, float overbright)
{
	encoder->format = BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	encoder->out_size = 6;
	encoder->row = gray ? gray_to_halves : rgb_to_halves;
	for (uint32_t i = 0; i < 256; i++) {
		double linear = pow(i / 255.0 * (double)overbright * (double)rules->intensity, GAMMA);
		encoder->halves[i] = bspi_half_from_float(fminf((float)linear, LARGEST_HALF));
	}
}

/* Fills tables of mantissa^power and exponent^power, so that decoding a luxel needs no pow(). */
static void init_float_tables(bspi_light_encoder *encoder, bspi_light_encoding light, double power, double scale)
{
	if (light == BSPI_LIGHT_E5BGR9) {
		for (int i = 0; i < 512; i++) encoder->mantissas[i] = (float)pow(i, power);
		for (int i = 0; i < 32; i++) encoder->exponents[i] = (float)(exp2((i - E5BGR9_BIAS) * power) * scale);
		return;
	}
	for (int i = 0; i < 256; i++) encoder->mantissas[i] = (float)pow(i / 255.0, power);
	for (int i = 0; i < RGBEXP32_EXPONENTS; i++) {
		int exponent = i < 128 ? i : i - 256;
		encoder->exponents[i] = (float)fmin(exp2(exponent * power) * scale, LARGEST_FLOAT_FACTOR);
	}
}

/* Returns the factor by which the engine multiplies light of a steady style ('m'). It is above 1 in some engines:
 * there, rules->intensity is rules->light_limit times this factor. Light that is stored as floats has no limit, so it
 * is multiplied by this factor and not by `intensity`. */
static double steady_style(const bspi_rules *rules)
{
	return rules->light_limit > 0 ? (double)rules->intensity / (double)rules->light_limit : 1;
}

static void init_floats(bspi_light_encoder *encoder, const bspi_rules *rules, bspi_light_encoding light, bool hdr)
{
	bool is_linear = light == BSPI_LIGHT_RGBEXP32;
	encoder->clamp_hue = rules->light_clamp == BSPI_CLAMP_HUE;
	if (hdr) {
		encoder->format = BSPSCENE_LIGHTMAP_PAGE_RGB16F;
		encoder->out_size = 6;
		encoder->row = is_linear ? rgbexp32_to_halves : e5bgr9_to_halves;
		init_float_tables(encoder, light, is_linear ? 1 : GAMMA, pow(steady_style(rules), GAMMA));
	} else {
		encoder->format = BSPSCENE_LIGHTMAP_PAGE_RGB8;
		encoder->out_size = 3;
		encoder->row = is_linear ? rgbexp32_to_bytes : e5bgr9_to_bytes;
		double shown = 255 * steady_style(rules) / (double)rules->intensity;
		init_float_tables(encoder, light, is_linear ? 1 / GAMMA : 1, shown);
	}
}

/* Prepares encoding of RGB luxels that store the direction of their light. The direction decides which share of the
 * light reaches the surface. */
static void init_shares(bspi_light_encoder *encoder, const bspi_rules *rules, float overbright, bool hdr)
{
	double scale = (double)overbright * (hdr ? (double)rules->intensity : 1);
	encoder->clamp_hue = rules->light_clamp == BSPI_CLAMP_HUE;
	encoder->format = hdr ? BSPSCENE_LIGHTMAP_PAGE_RGB16F : BSPSCENE_LIGHTMAP_PAGE_RGB8;
	encoder->out_size = hdr ? 6 : 3;
	encoder->power = hdr ? (float)GAMMA : 1;
	encoder->row = hdr ? rgb8_from_to_halves : rgb8_from_to_bytes;
	for (int i = 0; i < 256; i++) {
		encoder->mantissas[i] = (float)(hdr ? pow(i / 255.0 * scale, GAMMA) : i * scale);
	}
}

/* Prepares copying the light of luxels that also store a direction. The direction is left out. */
static void init_parts(bspi_light_encoder *encoder)
{
	encoder->format = BSPSCENE_LIGHTMAP_PAGE_RGB8;
	encoder->out_size = encoder->part_size;
	encoder->row = copy_parts;
}

static bool is_bytes(bspi_light_encoding light)
{
	return light == BSPI_LIGHT_GRAY8 || light == BSPI_LIGHT_RGB8;
}

void bspi_init_encoder(bspi_light_encoder *encoder, const bspi_rules *rules, bspi_light_encoding light,
                       float overbright, bspscene_lightmap_encoding page)
{
	assert(light != BSPI_LIGHT_NONE && page != BSPSCENE_LIGHTMAP_ENCODING_NONE && overbright > 0 && overbright <= 64);
	bool gray = light == BSPI_LIGHT_GRAY8, hdr = page == BSPSCENE_LIGHTMAP_ENCODING_HDR;
	encoder->in_size = gray ? 1 : light == BSPI_LIGHT_RGB8 ? 3 : light == BSPI_LIGHT_RGB8_FROM ? BSPI_DIRECTED_SIZE : 4;
	encoder->part_size = encoder->in_size;
	if (light == BSPI_LIGHT_RGB8_FROM) {
		encoder->part_size = BSPI_DIRECTION_AT;
		if (page == BSPSCENE_LIGHTMAP_ENCODING_RAW) init_parts(encoder);
		else init_shares(encoder, rules, overbright, hdr);
	} else if (!is_bytes(light) && page == BSPSCENE_LIGHTMAP_ENCODING_RAW) {
		encoder->format = BSPSCENE_LIGHTMAP_PAGE_RAW32;
		encoder->out_size = 4;
		encoder->row = copy_luxels;
	} else if (!is_bytes(light)) {
		init_floats(encoder, rules, light, hdr);
	} else if (hdr) {
		init_halves(encoder, rules, gray, overbright);
	} else {
		init_bytes(encoder, rules, gray, page == BSPSCENE_LIGHTMAP_ENCODING_RAW ? 1 : overbright);
	}
}

void bspi_init_copier(bspi_light_encoder *encoder, bspi_light_encoding light)
{
	encoder->in_size = light == BSPI_LIGHT_RGB8_FROM ? BSPI_DIRECTED_SIZE : 3;
	encoder->part_size = encoder->out_size = 3;
	encoder->format = BSPSCENE_LIGHTMAP_PAGE_RGB8;
	encoder->row = encoder->in_size == 3 ? copy_luxels : copy_parts;
}

float bspi_page_intensity(const bspi_rules *rules, bspi_light_encoding light, float overbright,
                          bspscene_lightmap_encoding page)
{
	if (page == BSPSCENE_LIGHTMAP_ENCODING_DISPLAY) return rules->intensity;
	bool bytes = is_bytes(light) || light == BSPI_LIGHT_RGB8_FROM;
	return page == BSPSCENE_LIGHTMAP_ENCODING_RAW && bytes ? rules->intensity * overbright : 1;
}

void bspi_encode_light(const bspi_build *build, const uint8_t *in, uint32_t count, uint8_t *out)
{
	const bspi_light_encoder *encoder = &build->light->vertices;
	encoder->row(encoder, in, count, out);
}

void bspi_encode_vertex_light(const bspi_build *build, const uint8_t in[4], uint8_t out[4])
{
	uint8_t alpha = in[3], light[3] = { in[0], in[1], in[2] };
	bspi_encode_light(build, light, 1, out);
	out[3] = alpha;
}
