/* display.c - see display.h.
 *
 * For the vertex light and material colors of a map, these curves are computed a million times. With the function
 * pow, this took a sixth of the time to write a GLB with default options. Here a power is the product of three
 * factors: the power of the octave, that of one of 64 parts of the octave, and a binomial series for the remainder,
 * which is below 1/128. The error is at most 4e-16. So rounding to float gives the same result as pow, on all
 * systems. */
#include "images/display.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_OCTAVE = -16, OCTAVES = 32, PARTS = 64, SERIES = 7, PART_BITS = 6, MANTISSA_BITS = 52, BIAS = 1023 };

typedef struct power {
	double exponent;
	double series[SERIES];             /* coefficients of the binomial series; element k is for power k + 1 of the
	                                    * remainder */
	double octaves[OCTAVES], parts[PARTS];
} power;

static const power to_linear = {
	.exponent = 0x1.333334p+1,
	.series = { 0x1.333334p+1, 0x1.ae147deb852p+0, 0x1.cac08d7b90194p-3, -0x1.13405205bbf99p-5,
	            0x1.60525321e5f53p-7, -0x1.315869728a52dp-8, 0x1.3a11cb002b583p-9 },
	.octaves = {
		0x1.8405e555dce9ep-39, 0x1.ffffdeba9c964p-37, 0x1.51cb30bed3d25p-34, 0x1.bdb8b493912eep-32,
		0x1.261109221dec7p-29, 0x1.8405edbd85155p-27, 0x1.ffffe9d1bd7cp-25, 0x1.51cb380ff42d2p-22,
		0x1.bdb8be3b2c206p-20, 0x1.26110f80c4b19p-17, 0x1.8405f6252d6f6p-15, 0x1.fffff4e8de9f4p-13,
		0x1.51cb3f6114b07p-10, 0x1.bdb8c7e2c7475p-8, 0x1.261115df6b9ap-5, 0x1.8405fe8cd5f81p-3,
		0x1p+0, 0x1.51cb46b2355c6p+2, 0x1.bdb8d18a62a3dp+4, 0x1.26111c3e12a5dp+7,
		0x1.840606f47eaf5p+9, 0x1.0000058b90cf2p+12, 0x1.51cb4e035630ep+14, 0x1.bdb8db31fe35ep+16,
		0x1.2611229cb9d4ep+19, 0x1.84060f5c27953p+21, 0x1.00000b1721bdp+24, 0x1.51cb5554772ep+26,
		0x1.bdb8e4d999fd8p+28, 0x1.261128fb61275p+31, 0x1.840617c3d0a9bp+33, 0x1.000010a2b2c9ap+36,
	},
	.parts = {
		0x1.04d386ec2ef33p+0, 0x1.0ea31188cb228p+0, 0x1.18a8dec5566cdp+0, 0x1.22e54313b0241p+0,
		0x1.2d58922386603p+0, 0x1.38031ee6eb5b9p+0, 0x1.42e53b96be76bp+0, 0x1.4dff39b6eb2a7p+0,
		0x1.59516a1a800e4p+0, 0x1.64dc1ce79ff1fp+0, 0x1.709fa19b4eebfp+0, 0x1.7c9c470d1d1dap+0,
		0x1.88d25b72b0d4cp+0, 0x1.95422c633196ap+0, 0x1.a1ec06da958a3p+0, 0x1.aed0373cd2a04p+0,
		0x1.bbef0958f4c45p+0, 0x1.c948c86c1a4d1p+0, 0x1.d6ddbf2457d36p+0, 0x1.e4ae37a38483cp+0,
		0x1.f2ba7b81eff0dp+0, 0x1.008169e8812f4p+1, 0x1.07c3c48ee437bp+1, 0x1.0f2471b9b5889p+1,
		0x1.16a3952eca3e4p+1, 0x1.1e41527561859p+1, 0x1.25fdccd745523p+1, 0x1.2dd92761e2b82p+1,
		0x1.35d384e75a3e3p+1, 0x1.3ded07ff8879dp+1, 0x1.4625d30907404p+1, 0x1.4e7e082a27b74p+1,
		0x1.56f5c951e5897p+1, 0x1.5f8d3838d3808p+1, 0x1.6844766201c4cp+1, 0x1.711ba51bddfd8p+1,
		0x1.7a12e5810d8aep+1, 0x1.832a58794210cp+1, 0x1.8c621eba08857p+1, 0x1.95ba58c792f7p+1,
		0x1.9f3326f57d358p+1, 0x1.a8cca9678c909p+1, 0x1.b28700126ad28p+1, 0x1.bc624abc5ca3bp+1,
		0x1.c65ea8fdf37c5p+1, 0x1.d07c3a42bb4c4p+1, 0x1.dabb1dc9e3fbcp+1, 0x1.e51b72a6e6e8dp+1,
		0x1.ef9d57c228825p+1, 0x1.fa40ebd996211p+1, 0x1.028326c0a01e9p+2, 0x1.07f6cd91f88ecp+2,
		0x1.0d7b7981e00eap+2, 0x1.1311399d50d1cp+2, 0x1.18b81cdd79f29p+2, 0x1.1e70322804469p+2,
		0x1.2439884f55afcp+2, 0x1.2a142e12d2f91p+2, 0x1.3000321f20471p+2, 0x1.35fda30e6029p+2,
		0x1.3c0c8f687153bp+2, 0x1.422d05a32b10cp+2, 0x1.485f1422986b4p+2, 0x1.4ea2c93932237p+2,
	},
};

static const power to_display = {
	.exponent = 0x1.aaaaaap-2,
	.series = { 0x1.aaaaaap-2, -0x1.f1c71c38e38ep-4, 0x1.06b74f00ca456p-4, -0x1.535770cc3f359p-5,
	            0x1.e663bb5d829p-6, -0x1.738c2f2dd4ba5p-6, 0x1.285a7affb00fap-6 },
	.octaves = {
		0x1.428a31ed05473p-7, 0x1.ae89fc7fbe6fap-7, 0x1.1f59ae0d3bea4p-6, 0x1.7f910fb6992b2p-6,
		0x1.00000162e430ep-5, 0x1.55b812414dcdep-5, 0x1.c823e283e03d4p-5, 0x1.306fe1dfa2fefp-4,
		0x1.965febcb68cc3p-4, 0x1.0f38fa08ec11cp-3, 0x1.6a09e762e5efcp-3, 0x1.e3437f882613ap-3,
		0x1.428a302de2affp-2, 0x1.ae89fa2ae3deap-2, 0x1.1f59ac7ee1c7p-1, 0x1.7f910da2dcafdp-1,
		0x1p+0, 0x1.55b8106794aep+0, 0x1.c823e00b880a5p+0, 0x1.306fe03998ed1p+1,
		0x1.965fe9980df02p+1, 0x1.0f38f890ed878p+2, 0x1.6a09e56d018a8p+2, 0x1.e3437cea33fc8p+2,
		0x1.428a2e6ec01bp+3, 0x1.ae89f7d60950cp+3, 0x1.1f59aaf087a5ep+4, 0x1.7f910b8f20376p+4,
		0x1.fffffd3a37a21p+4, 0x1.55b80e8ddb90bp+5, 0x1.c823dd932fdaep+5, 0x1.306fde938edd8p+6,
	},
	.parts = {
		0x1.00d4d965ebdf5p+0, 0x1.027bada4de9eep+0, 0x1.041ec21d56efcp+0, 0x1.05be2d903f4f6p+0,
		0x1.075a05e084a3dp+0, 0x1.08f2601ea6d05p+0, 0x1.0a87509386d63p+0, 0x1.0c18eaca81d7ep+0,
		0x1.0da7419ae6edbp+0, 0x1.0f326730d477cp+0, 0x1.10ba6d1588781p+0, 0x1.123f64372e7a9p+0,
		0x1.13c15cf034a8p+0, 0x1.1540670e30cd2p+0, 0x1.16bc91d85d603p+0, 0x1.1835ec15b5e59p+0,
		0x1.19ac8412b974ap+0, 0x1.1b2067a6d994ap+0, 0x1.1c91a4399b26ap+0, 0x1.1e0046c76e9f4p+0,
		0x1.1f6c5be64467ap+0, 0x1.20d5efc9e1ddcp+0, 0x1.223d0e47fb141p+0, 0x1.23a1c2dc15203p+0,
		0x1.250418ab347fdp+0, 0x1.26641a875ad7p+0, 0x1.27c1d2f2d70f1p+0, 0x1.291d4c236aa3bp+0,
		0x1.2a76900546b99p+0, 0x1.2bcda83de3699p+0, 0x1.2d229e2eb3815p+0, 0x1.2e757af7b6d03p+0,
		0x1.2fc64779ecf47p+0, 0x1.31150c59aa796p+0, 0x1.3261d200d1f9p+0, 0x1.33aca0a0f2d57p+0,
		0x1.34f580354f047p+0, 0x1.363c7884c94f8p+0, 0x1.37819123bd516p+0, 0x1.38c4d175c268fp+0,
		0x1.3a0640af5ac09p+0, 0x1.3b45e5d78f7c1p+0, 0x1.3c83c7c97b0a8p+0, 0x1.3dbfed35c28b3p+0,
		0x1.3efa5ca3ff266p+0, 0x1.40331c74182d4p+0, 0x1.416a32df8ec5bp+0, 0x1.429fa5fabbde1p+0,
		0x1.43d37bb601175p+0, 0x1.4505b9deed4b4p+0, 0x1.463666215549fp+0, 0x1.4765860861621p+0,
		0x1.48931eff903d2p+0, 0x1.49bf3653af93ap+0, 0x1.4ae9d133cb335p+0, 0x1.4c12f4b212cccp+0,
		0x1.4d3aa5c4b6f58p+0, 0x1.4e60e946bdc7cp+0, 0x1.4f85c3f8cf817p+0, 0x1.50a93a81fb7fap+0,
		0x1.51cb517075ef5p+0, 0x1.52ec0d3a4e864p+0, 0x1.540b723e20937p+0, 0x1.552984c3bcb22p+0,
	},
};

static const power display_slope = {
	.exponent = -0x1.2aaaacp-1,
	.series = { -0x1.2aaaacp-1, 0x1.d8e3911c71c8p-2, -0x1.9735bd5e06539p-2, 0x1.6ccacf3d6e9fcp-2,
	            -0x1.4e64937e48faep-2, 0x1.372bd081c7f9ep-2, -0x1.24a628c8740e1p-2 },
	.octaves = {
		0x1.428a38e98fbcap+9, 0x1.ae8a053df22c6p+8, 0x1.1f59b37f7776cp+8, 0x1.7f911676bdcfcp+7,
		0x1.0000058b90cf2p+7, 0x1.55b817580af2dp+6, 0x1.c823e8b0bccb7p+5, 0x1.306fe59539af7p+5,
		0x1.965ff0321e8d7p+4, 0x1.0f38fc9ae988ap+4, 0x1.6a09ea53bc8cap+3, 0x1.e34382cd94b5bp+2,
		0x1.428a31ed05473p+2, 0x1.ae89fbea87cb1p+1, 0x1.1f59ad460ed86p+1, 0x1.7f910e27cbce6p+0,
		0x1p+0, 0x1.55b80ff126667p-1, 0x1.c823decf5bf23p-2, 0x1.306fdefd11613p-2,
		0x1.965fe764b3172p-3, 0x1.0f38f6baef5d8p-3, 0x1.6a09e27c2af7dp-4, 0x1.e3437855cc5ccp-5,
		0x1.428a2af07af88p-5, 0x1.ae89f2971d9d8p-6, 0x1.1f59a70ca65c8p-6, 0x1.7f9105d8d9fb1p-7,
		0x1.fffff4e8de9f4p-8, 0x1.55b8088a42031p-8, 0x1.c823d4edfb4fbp-9, 0x1.306fd864e9378p-9,
	},
	.parts = {
		0x1.fdae561d9cda4p-1, 0x1.f92097b57f417p-1, 0x1.f4aeb1440da85p-1, 0x1.f0579122a9a1dp-1,
		0x1.ec1a3406ac14bp-1, 0x1.e7f5a40e3c914p-1, 0x1.e3e8f7e0795bcp-1, 0x1.dff351df278a3p-1,
		0x1.dc13df6852777p-1, 0x1.d849d8266c1cbp-1, 0x1.d4947d6da5484p-1, 0x1.d0f319a555cc9p-1,
		0x1.cd64ffbc6a2dap-1, 0x1.c9e98aa7e6783p-1, 0x1.c6801ceaa533dp-1, 0x1.c32820258e261p-1,
		0x1.bfe104af93261p-1, 0x1.bcaa4134d1d3ep-1, 0x1.b983525c47e3ap-1, 0x1.b66bba7394fdp-1,
		0x1.b363012051279p-1, 0x1.b068b316897fp-1, 0x1.ad7c61d3fe9c5p-1, 0x1.aa9da35fc8dbap-1,
		0x1.a7cc120e0e8c6p-1, 0x1.a5074c477f387p-1, 0x1.a24ef4544da4fp-1, 0x1.9fa2b02a6805ep-1,
		0x1.9d02293eb32c1p-1, 0x1.9a6d0c5912451p-1, 0x1.97e3096b09257p-1, 0x1.9563d368cb0fdp-1,
		0x1.92ef20248b8cdp-1, 0x1.9084a82bea35fp-1, 0x1.8e2426a7555a6p-1, 0x1.8bcd593b42263p-1,
		0x1.897fffeb1b798p-1, 0x1.873bdcfdcaed3p-1, 0x1.8500b4e3c19e4p-1, 0x1.82ce4e1e684a6p-1,
		0x1.80a47128e00e9p-1, 0x1.7e82e861febbfp-1, 0x1.7c697ff773367p-1, 0x1.7a5805d1ffb32p-1,
		0x1.784e4982b8f1cp-1, 0x1.764c1c313ab8ap-1, 0x1.7451508ac2ef5p-1, 0x1.725dbab225b39p-1,
		0x1.707130308daffp-1, 0x1.6e8b87e6fcd55p-1, 0x1.6cac9a008262ep-1, 0x1.6ad43fe51be14p-1,
		0x1.6902542d37647p-1, 0x1.6736b295ce065p-1, 0x1.657137f50e20dp-1, 0x1.63b1c22f8d59fp-1,
		0x1.61f8302dfb119p-1, 0x1.604461d34c399p-1, 0x1.5e9637f35a0f2p-1, 0x1.5ced9449ed92cp-1,
		0x1.5b4a597231fc3p-1, 0x1.59ac6ade88c18p-1, 0x1.5813acd0ba1aap-1, 0x1.568004527d391p-1,
	},
};

static float power_of(const power *p, float value)
{
	double number = (double)value;
	uint64_t bits, middle_bits;
	memcpy(&bits, &number, sizeof bits);
	uint64_t octave = (bits >> MANTISSA_BITS) - (BIAS + FIRST_OCTAVE);
	if (octave >= OCTAVES) return (float)pow(number, p->exponent);
	uint64_t mantissa = bits << (64 - MANTISSA_BITS) >> (64 - MANTISSA_BITS);
	uint64_t part = mantissa >> (MANTISSA_BITS - PART_BITS), one = (uint64_t)BIAS << MANTISSA_BITS;
	middle_bits = one | part << (MANTISSA_BITS - PART_BITS) | UINT64_C(1) << (MANTISSA_BITS - PART_BITS - 1);
	bits = one | mantissa;
	double middle;
	memcpy(&number, &bits, sizeof bits);
	memcpy(&middle, &middle_bits, sizeof middle);
	double rest = (number - middle) / middle, sum = p->series[SERIES - 1];
	for (int i = SERIES - 1; i-- > 0;) sum = sum * rest + p->series[i];
	double near = p->octaves[octave] * p->parts[part];
	return (float)(near + near * (sum * rest));
}

float bspi_linear_from_display(float value)
{
	return value <= 0.04045f ? value / 12.92f : power_of(&to_linear, (value + 0.055f) / 1.055f);
}

float bspi_display_from_linear(float value)
{
	return value <= 0.0031308f ? value * 12.92f : 1.055f * power_of(&to_display, value) - 0.055f;
}

float bspi_display_slope(float linear)
{
	return linear <= 0.0031308f ? 12.92f : 1.055f / 2.4f * power_of(&display_slope, linear);
}

float bspi_clamp_unit(float value)
{
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

float bspi_linear_gain(float intensity)
{
	return intensity == 1 ? 1 : (float)pow(intensity, 2.2f);
}

float bspi_color_intensity(const bspscene_scene *scene)
{
	switch (scene->lightmap_encoding) {
	case BSPSCENE_LIGHTMAP_ENCODING_RAW: return scene->overbright > 0 ? scene->overbright : 1;
	case BSPSCENE_LIGHTMAP_ENCODING_DISPLAY: return scene->lightmap_set_count ? scene->lightmap_sets[0].intensity : 1;
	default: return 1;
	}
}
