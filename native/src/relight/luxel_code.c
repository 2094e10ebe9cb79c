/* luxel_code.c - converts luxels of pages to linear light, and linear light to luxels of the map. This is the inverse
 * of stages/light/light_encoding.c, which documents the units of light. */
#include "relight/relight_parts.h"

#include <math.h>
#include <string.h>

#include "images/images.h"

#define GAMMA BSPI_LIGHT_GAMMA
#define LARGEST_HALF 65504.0

enum { E5BGR9_BIAS = 24, E5BGR9_LARGEST = 511, E5BGR9_LARGEST_EXPONENT = 31 };

/* Returns the factor by which the engine multiplies light of a steady style ('m'). Luxels that are stored as floats
 * need this factor. See the function with the same name in light_encoding.c. */
static double steady_style(const bspi_rules *rules)
{
	return rules->light_limit > 0 ? (double)rules->intensity / (double)rules->light_limit : 1;
}

void bspi_init_luxel_code(bspi_luxel_code *code, const bspi_rules *rules, bspi_light_encoding encoding,
                          float overbright)
{
	*code = (bspi_luxel_code){ .encoding = encoding, .clamp_hue = rules->light_clamp == BSPI_CLAMP_HUE };
	switch (encoding) {
	case BSPI_LIGHT_E5BGR9: code->scale = steady_style(rules); break;
	case BSPI_LIGHT_RGBEXP32: code->scale = pow(steady_style(rules), GAMMA); break;
	default: code->scale = (double)overbright * (double)rules->intensity; break;
	}
}

void bspi_direct_luxel_code(bspi_luxel_code *code, const uint8_t *luxel)
{
	const double least = 1 / 255.0;    /* lower limit for the share of light that falls on the surface; the share is
	                                    * smaller if the light comes from behind */
	if (code->encoding == BSPI_LIGHT_RGB8_FROM) code->scale *= fmax(bspi_light_share(luxel + BSPI_DIRECTION_AT), least);
}

void bspi_luxel_to_light(const bspi_luxel_code *code, const uint8_t *luxel, double out[3])
{
	uint32_t bits;
	switch (code->encoding) {
	case BSPI_LIGHT_RGBEXP32:
		for (int i = 0; i < 3; i++) out[i] = ldexp(luxel[i] / 255.0, (int8_t)luxel[3]) * code->scale;
		break;
	case BSPI_LIGHT_E5BGR9:
		bits = bspi_load_u32(luxel);
		for (int i = 0; i < 3; i++) {
			out[i] = pow(ldexp(bits >> 9 * i & 0x1ff, (int)(bits >> 27) - E5BGR9_BIAS) * code->scale, GAMMA);
		}
		break;
	default:
		for (int i = 0; i < 3; i++) {
			out[i] = pow(luxel[code->encoding == BSPI_LIGHT_GRAY8 ? 0 : i] / 255.0 * code->scale, GAMMA);
		}
		break;
	}
}

static double largest_of(const double light[3])
{
	return fmax(light[0], fmax(light[1], light[2]));
}

/* Stores light as RGBEXP32. Like the compilers, uses the smallest exponent with which the largest channel fits. So the
 * mantissa of that channel is 128 or more. */
static double store_rgbexp32(const double light[3], uint8_t *out)
{
	int exponent;
	double largest = largest_of(light);
	memset(out, 0, 4);
	if (!(largest > 0)) return 1;
	frexp(largest, &exponent);
	if (round(ldexp(largest * 255, 1 - exponent)) <= 255) exponent--;
	exponent = exponent < -128 ? -128 : exponent > 127 ? 127 : exponent;
	for (int i = 0; i < 3; i++) out[i] = (uint8_t)fmin(round(ldexp(light[i] * 255, -exponent)), 255);
	out[3] = (uint8_t)(int8_t)exponent;
	if (!(out[0] | out[1] | out[2])) out[3] = 0;
	return fmax(1, ldexp(largest * 255, -exponent) / 255.5);
}

static double store_e5bgr9(const double display[3], uint8_t *out)
{
	int exponent;
	double largest = largest_of(display);
	frexp(largest, &exponent);
	exponent += E5BGR9_BIAS - 9;
	if (round(ldexp(largest, E5BGR9_BIAS - exponent)) > E5BGR9_LARGEST) exponent++;
	if (!(largest > 0) || exponent < 0) exponent = 0;
	if (exponent > E5BGR9_LARGEST_EXPONENT) exponent = E5BGR9_LARGEST_EXPONENT;
	uint32_t bits = (uint32_t)exponent << 27;
	for (int i = 0; i < 3; i++) {
		bits |= (uint32_t)fmin(round(ldexp(display[i], E5BGR9_BIAS - exponent)), E5BGR9_LARGEST) << 9 * i;
	}
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(bits >> 8 * i);
	return fmax(1, ldexp(largest, E5BGR9_BIAS - exponent) / (E5BGR9_LARGEST + 0.5));
}

static uint8_t to_byte(double value)
{
	return (uint8_t)((value < 255 ? value : 255) + 0.5);
}

/* Stores light as bytes. It runs for each luxel that changes, so it calls no slow function. */
static double store_bytes(const bspi_luxel_code *code, const double display[3], uint8_t *out)
{
	double largest = display[0] > display[1] ? display[0] : display[1];
	largest = (largest > display[2] ? largest : display[2]) * 255;
	if (code->encoding == BSPI_LIGHT_GRAY8) {
		double luma = 255 * (0.299 * display[0] + 0.587 * display[1] + 0.114 * display[2]);
		double gray = code->luma ? luma : largest;
		*out = to_byte(gray);
		return gray > 255.5 ? gray / 255.5 : 1;
	}
	double scale = code->clamp_hue && largest > 255 ? 255 / largest : 1;
	for (int i = 0; i < 3; i++) out[i] = to_byte(display[i] * scale * 255);
	return largest > 255.5 ? largest / 255.5 : 1;
}

double bspi_light_to_luxel(const bspi_luxel_code *code, const double light[3], uint8_t *out)
{
	double stored[3];
	bool is_linear = code->encoding == BSPI_LIGHT_RGBEXP32;
	for (int i = 0; i < 3; i++) stored[i] = (is_linear ? light[i] : pow(light[i], 1 / GAMMA)) / code->scale;
	switch (code->encoding) {
	case BSPI_LIGHT_RGBEXP32: return store_rgbexp32(stored, out);
	case BSPI_LIGHT_E5BGR9: return store_e5bgr9(stored, out);
	default: return store_bytes(code, stored, out);
	}
}

bool bspi_is_byte_code(const bspi_luxel_code *code)
{
	return code->encoding == BSPI_LIGHT_GRAY8 || code->encoding == BSPI_LIGHT_RGB8;
}

static double scale_bytes(const bspi_luxel_code *code, double scale, const uint8_t *bytes, uint8_t *out)
{
	double display[3];
	for (int i = 0; i < 3; i++) display[i] = bytes[i] * scale / (255 * code->scale);
	return store_bytes(code, display, out);
}

void bspi_init_byte_table(bspi_byte_table *table, const bspi_luxel_code *code, double scale)
{
	table->code = *code;
	table->scale = scale;
	table->end = 0;
	while (code->encoding == BSPI_LIGHT_RGB8 && table->end < 256 && table->end * scale <= 255 * code->scale) {
		const uint8_t byte = (uint8_t)table->end, gray[3] = { byte, byte, byte };
		uint8_t out[3];
		scale_bytes(code, scale, gray, out);
		table->stored[table->end++] = out[0];
	}
}

double bspi_bytes_to_luxel(const bspi_byte_table *table, const uint8_t *bytes, uint8_t *out)
{
	if (bytes[0] >= table->end || bytes[1] >= table->end || bytes[2] >= table->end) {
		return scale_bytes(&table->code, table->scale, bytes, out);
	}
	for (int i = 0; i < 3; i++) out[i] = table->stored[bytes[i]];
	return 1;
}

double bspi_luxel_to_luxel(const bspi_luxel_code *from, const uint8_t *luxel, const bspi_luxel_code *to, uint8_t *out)
{
	double light[3];
	if (bspi_is_byte_code(from) && bspi_is_byte_code(to)) {
		const uint8_t gray[3] = { luxel[0], luxel[0], luxel[0] };
		return scale_bytes(to, from->scale, from->encoding == BSPI_LIGHT_GRAY8 ? gray : luxel, out);
	}
	bspi_luxel_to_light(from, luxel, light);
	return bspi_light_to_luxel(to, light, out);
}

/* Turns NaN and negative light into 0, and infinite light into the largest float. */
static double repair(float value, bool *repaired)
{
	if (value >= 0 && value <= (float)LARGEST_HALF) return (double)value;
	*repaired = true;
	return value > 0 ? LARGEST_HALF : 0;
}

void bspi_page_to_light(const bspi_luxel_code *code, float intensity, bspscene_lightmap_encoding encoding,
                        const void *luxel, double out[3], bool *repaired)
{
	bool floats = code->encoding == BSPI_LIGHT_RGBEXP32 || code->encoding == BSPI_LIGHT_E5BGR9;
	const uint8_t *bytes = luxel;
	if (encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR) {
		uint16_t halves[3];
		memcpy(halves, luxel, sizeof halves);
		for (int i = 0; i < 3; i++) out[i] = repair(bspi_half_to_float(halves[i]), repaired);
	} else if (encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW && floats) {
		bspi_luxel_to_light(code, bytes, out);
	} else {
		double scale = encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW ? code->scale : (double)intensity;
		for (int i = 0; i < 3; i++) out[i] = pow(bytes[i] / 255.0 * scale, GAMMA);
	}
}
