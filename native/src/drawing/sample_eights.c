/* sample_eights.c - see sample_eights.h. Operations and their order are those of sample.c, so that the results are the
 * same. */
#include "drawing/sample_eights.h"

/* GCC for Windows does not align vectors of 32 bytes on the stack (GCC bug 54412). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
	#include <immintrin.h>

	#define AVX2 __attribute__((target("avx2")))

typedef __m256 eight;
typedef __m256i eight_whole;

/* For eight coordinates along one axis: the texels on both sides of each, and the weight of the second one. */
typedef struct spots {
	eight_whole low, high;
	eight share;
} spots;

AVX2 static inline eight between(eight a, eight b, eight share)
{
	return _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), share));
}

AVX2 static inline eight if_less(eight a, eight b, eight value)
{
	return _mm256_and_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ), value);
}

AVX2 static inline eight held(eight a, eight least, eight most)
{
	return _mm256_min_ps(_mm256_max_ps(a, least), most);
}

AVX2 static inline eight fold(eight at, bool clamp)
{
	eight absolute = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), at);
	at = if_less(absolute, _mm256_set1_ps(1e7f), at);
	if (clamp) return held(at, _mm256_set1_ps(-1), _mm256_set1_ps(2));
	return _mm256_sub_ps(at, _mm256_floor_ps(at));
}

AVX2 static inline spots find_spots(eight folded, uint32_t size, bool clamp)
{
	const eight none = _mm256_setzero_ps(), one = _mm256_set1_ps(1), sizes = _mm256_set1_ps((float)size);
	eight last = _mm256_sub_ps(sizes, one);
	eight at = _mm256_sub_ps(_mm256_mul_ps(folded, sizes), _mm256_set1_ps(0.5f));
	eight low = _mm256_floor_ps(at), high = _mm256_add_ps(low, one), share = _mm256_sub_ps(at, low);
	if (clamp) {
		low = held(low, none, last);
		high = held(high, none, last);
	} else {
		low = _mm256_add_ps(low, if_less(low, none, sizes));
		high = _mm256_sub_ps(high, if_less(last, high, sizes));
	}
	return (spots){ _mm256_cvttps_epi32(low), _mm256_cvttps_epi32(high), share };
}

AVX2 static inline eight channel_of(eight_whole texels, int channel)
{
	eight_whole shifted = _mm256_srl_epi32(texels, _mm_cvtsi32_si128(8 * channel));
	return _mm256_cvtepi32_ps(_mm256_and_si256(shifted, _mm256_set1_epi32(255)));
}

/* Loads one coordinate of eight points, u if `axis` is 0 or v if it is 1, and passes it to fold(). */
AVX2 static inline eight load_coordinates(const float (*uvs)[2], int axis, bool clamp)
{
	const eight_whole even = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
	return fold(_mm256_i32gather_ps(&uvs[0][axis], even, 4), clamp);
}

/* Texels around eight points, a byte for each channel. */
typedef struct corners {
	eight_whole upper_left, upper_right, lower_left, lower_right;
} corners;

AVX2 static inline void mix_corners(const corners *at, eight across, eight down, eight channels[4])
{
	for (int k = 0; k < 4; k++) {
		eight top = between(channel_of(at->upper_left, k), channel_of(at->upper_right, k), across);
		eight bottom = between(channel_of(at->lower_left, k), channel_of(at->lower_right, k), across);
		channels[k] = between(top, bottom, down);
	}
}

/* Transposes: points[k] has point k and, in its upper half, point k + 4. */
AVX2 static inline void find_points(const eight channels[4], eight points[4])
{
	eight rg_low = _mm256_unpacklo_ps(channels[0], channels[1]), rg_high = _mm256_unpackhi_ps(channels[0], channels[1]);
	eight ba_low = _mm256_unpacklo_ps(channels[2], channels[3]), ba_high = _mm256_unpackhi_ps(channels[2], channels[3]);
	points[0] = _mm256_shuffle_ps(rg_low, ba_low, 0x44);
	points[1] = _mm256_shuffle_ps(rg_low, ba_low, 0xee);
	points[2] = _mm256_shuffle_ps(rg_high, ba_high, 0x44);
	points[3] = _mm256_shuffle_ps(rg_high, ba_high, 0xee);
}

/* ---- Textures --------------------------------------------------------------------------------------------- */

AVX2 static inline eight_whole texels_at(const bspi_mip_level *level, eight_whole row, eight_whole column)
{
	return _mm256_i32gather_epi32((const int *)(const void *)level->rgba, _mm256_add_epi32(row, column), 4);
}

AVX2 static inline void sample_level(const bspi_mip_level *level, eight u, eight v, bool clamp, eight channels[4])
{
	spots x = find_spots(u, level->width, clamp), y = find_spots(v, level->height, clamp);
	eight_whole width = _mm256_set1_epi32((int)level->width);
	eight_whole upper = _mm256_mullo_epi32(y.low, width), lower = _mm256_mullo_epi32(y.high, width);
	mix_corners(&(corners) { texels_at(level, upper, x.low), texels_at(level, upper, x.high),
	                         texels_at(level, lower, x.low), texels_at(level, lower, x.high) },
	            x.share, y.share, channels);
}

/* Samples the points that `which` selects: at `level`, mixed with the next level if their `blend` is above 0. Leaves
 * the channels of the other points unchanged. */
AVX2 static inline void add_points_of_level(const bspi_mips *texture, uint32_t level, eight which, eight u, eight v,
                                            eight blend, bool clamp, eight channels[4])
{
	eight own[4], next[4];
	sample_level(&texture->levels[level], u, v, clamp, own);
	if (_mm256_movemask_ps(if_less(_mm256_setzero_ps(), blend, which))) {
		sample_level(&texture->levels[level + 1], u, v, clamp, next);
		for (int k = 0; k < 4; k++) own[k] = between(own[k], next[k], blend);
	}
	for (int k = 0; k < 4; k++) channels[k] = _mm256_blendv_ps(channels[k], own[k], which);
}

AVX2 static inline void sample_eight(const bspi_mips *texture, const float (*uvs)[2], const float *lods, bool clamp,
                                     float (*out)[4])
{
	const eight none = _mm256_setzero_ps(), last = _mm256_set1_ps((float)(texture->level_count - 1));
	eight u = load_coordinates(uvs, 0, clamp), v = load_coordinates(uvs, 1, clamp);
	eight lod = _mm256_loadu_ps(lods);
	lod = if_less(none, lod, _mm256_min_ps(lod, last));
	eight_whole levels = _mm256_cvttps_epi32(lod);
	eight blend = _mm256_sub_ps(lod, _mm256_cvtepi32_ps(levels)), channels[4] = { none, none, none, none }, points[4];
	int32_t level_of[8];
	_mm256_storeu_si256((eight_whole *)(void *)level_of, levels);
	for (uint32_t left = 0xff; left;) {
		int32_t level = level_of[__builtin_ctz(left)];
		eight which = _mm256_castsi256_ps(_mm256_cmpeq_epi32(levels, _mm256_set1_epi32(level)));
		add_points_of_level(texture, (uint32_t)level, which, u, v, blend, clamp, channels);
		left &= ~(uint32_t)_mm256_movemask_ps(which);
	}
	find_points(channels, points);
	for (int k = 0; k < 4; k++) {
		eight point = _mm256_mul_ps(points[k], _mm256_set1_ps(1 / 255.0f));
		_mm_storeu_ps(out[k], _mm256_castps256_ps128(point));
		_mm_storeu_ps(out[k + 4], _mm256_extractf128_ps(point, 1));
	}
}

AVX2 static uint32_t sample_eights(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                                   bool clamp, float (*out)[4])
{
	uint32_t done = 0;
	for (; done + 8 <= count; done += 8) {
		if (clamp) sample_eight(texture, uvs + done, lods + done, true, out + done);
		else sample_eight(texture, uvs + done, lods + done, false, out + done);
	}
	return done;
}

/* ---- Lightmap pages --------------------------------------------------------------------------------------- */

/* Loads luxels of three bytes. Each is part of a word of four bytes that lies within the page. */
AVX2 static inline eight_whole luxels_at(const bspscene_lightmap_page *page, eight_whole row, eight_whole column)
{
	const eight_whole last = _mm256_set1_epi32((int)(page->width * page->height * 3 - 4));
	eight_whole luxel = _mm256_add_epi32(row, column), at = _mm256_add_epi32(luxel, _mm256_slli_epi32(luxel, 1));
	eight_whole from = _mm256_min_epi32(at, last);
	eight_whole words = _mm256_i32gather_epi32((const int *)page->data, from, 1);
	return _mm256_srlv_epi32(words, _mm256_slli_epi32(_mm256_sub_epi32(at, from), 3));
}

AVX2 static inline void add_eight(const bspscene_lightmap_page *page, const float (*uvs)[2], float times,
                                  float (*out)[4])
{
	spots x = find_spots(load_coordinates(uvs, 0, true), page->width, true);
	spots y = find_spots(load_coordinates(uvs, 1, true), page->height, true);
	eight_whole width = _mm256_set1_epi32((int)page->width);
	eight_whole upper = _mm256_mullo_epi32(y.low, width), lower = _mm256_mullo_epi32(y.high, width);
	eight channels[4], points[4];
	mix_corners(&(corners) { luxels_at(page, upper, x.low), luxels_at(page, upper, x.high),
	                         luxels_at(page, lower, x.low), luxels_at(page, lower, x.high) },
	            x.share, y.share, channels);
	find_points(channels, points);
	for (int k = 0; k < 4; k++) {
		eight light = _mm256_mul_ps(_mm256_mul_ps(points[k], _mm256_set1_ps(1 / 255.0f)), _mm256_set1_ps(times));
		__m128 low = _mm_loadu_ps(out[k]), high = _mm_loadu_ps(out[k + 4]);
		_mm_storeu_ps(out[k], _mm_blend_ps(_mm_add_ps(low, _mm256_castps256_ps128(light)), low, 8));
		_mm_storeu_ps(out[k + 4], _mm_blend_ps(_mm_add_ps(high, _mm256_extractf128_ps(light, 1)), high, 8));
	}
}

AVX2 static uint32_t add_eights(const bspscene_lightmap_page *page, const float (*uvs)[2], uint32_t count, float times,
                                float (*out)[4])
{
	uint32_t done = 0;
	for (; done + 8 <= count; done += 8) add_eight(page, uvs + done, times, out + done);
	return done;
}

/* ---- Choosing by processor -------------------------------------------------------------------------------- */

uint32_t bspi_mips_sample_eights(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                                 bool clamp, float (*out)[4])
{
	return __builtin_cpu_supports("avx2") ? sample_eights(texture, uvs, lods, count, clamp, out) : 0;
}

uint32_t bspi_page_add_eights(const bspscene_lightmap_page *page, const float (*uvs)[2], uint32_t count, float times,
                              float (*out)[4])
{
	/* Byte offsets must fit in 31 bits. A page of one luxel has only three bytes, but words of four bytes are read. */
	const uint64_t luxels = (uint64_t)page->width * page->height;
	if (luxels < 2 || luxels > INT32_MAX / 3 || !__builtin_cpu_supports("avx2")) return 0;
	return add_eights(page, uvs, count, times, out);
}

#else

uint32_t bspi_mips_sample_eights(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                                 bool clamp, float (*out)[4])
{
	(void)texture, (void)uvs, (void)lods, (void)count, (void)clamp, (void)out;
	return 0;
}

uint32_t bspi_page_add_eights(const bspscene_lightmap_page *page, const float (*uvs)[2], uint32_t count, float times,
                              float (*out)[4])
{
	(void)page, (void)uvs, (void)count, (void)times, (void)out;
	return 0;
}

#endif
