/* sha256.c - SHA-256 by FIPS 180-4. The working variables have the same names as in that standard. */
#include "base/sha256.h"

#include <string.h>

#include "base/bytes.h"

#define BLOCK_SIZE 64u
#define SIZE_OFFSET 56u                /* offset of the message's size in bits in the last block */
#define ROUNDS 64

/* FIPS 180-4, section 4.2.2: the first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t round_constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, int bits)
{
	return x >> bits | x << (32 - bits);
}

static void write_be32(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void make_schedule(const uint8_t block[BLOCK_SIZE], uint32_t w[ROUNDS])
{
	for (int t = 0; t < 16; t++) {
		const uint8_t *p = block + 4 * (size_t)t;
		w[t] = bspi_load_u32_be(p);
	}
	for (int t = 16; t < ROUNDS; t++) {
		uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = s1 + w[t - 7] + s0 + w[t - 16];
	}
}

static void add_block(uint32_t state[8], const uint8_t block[BLOCK_SIZE])
{
	uint32_t w[ROUNDS];
	make_schedule(block, w);
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	for (int t = 0; t < ROUNDS; t++) {
		uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25), choice = (e & f) ^ (~e & g);
		uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22), majority = (a & b) ^ (a & c) ^ (b & c);
		uint32_t t1 = h + s1 + choice + round_constants[t] + w[t], t2 = s0 + majority;
		h = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + t2;
	}
	const uint32_t added[8] = { a, b, c, d, e, f, g, h };
	for (int i = 0; i < 8; i++) state[i] += added[i];
}

void bspi_sha256_begin(bspi_sha256 *hash)
{
	/* FIPS 180-4, section 5.3.3: the first 32 bits of the fractions of the square roots of the first eight primes. */
	*hash = (bspi_sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void bspi_sha256_add(bspi_sha256 *hash, const void *data, size_t size)
{
	const uint8_t *at = data;
	size_t used = (size_t)(hash->size % BLOCK_SIZE);
	hash->size += size;
	while (size) {
		if (!used && size >= BLOCK_SIZE) {
			add_block(hash->state, at);
			at += BLOCK_SIZE;
			size -= BLOCK_SIZE;
			continue;
		}
		size_t count = BLOCK_SIZE - used < size ? BLOCK_SIZE - used : size;
		memcpy(hash->block + used, at, count);
		at += count;
		size -= count;
		used = (used + count) % BLOCK_SIZE;
		if (!used) add_block(hash->state, hash->block);
	}
}

void bspi_sha256_end(bspi_sha256 *hash, uint8_t out[BSPI_SHA256_SIZE])
{
	static const uint8_t padding[BLOCK_SIZE] = { 0x80 };
	uint64_t bits = hash->size * 8;
	size_t used = (size_t)(hash->size % BLOCK_SIZE);
	uint8_t size[8];
	write_be32(size, (uint32_t)(bits >> 32));
	write_be32(size + 4, (uint32_t)bits);
	bspi_sha256_add(hash, padding, used < SIZE_OFFSET ? SIZE_OFFSET - used : BLOCK_SIZE + SIZE_OFFSET - used);
	bspi_sha256_add(hash, size, sizeof size);
	for (size_t i = 0; i < 8; i++) write_be32(out + 4 * i, hash->state[i]);
}

void bspi_sha256_end_text(bspi_sha256 *hash, char out[BSPI_SHA256_TEXT_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[BSPI_SHA256_SIZE];
	bspi_sha256_end(hash, bytes);
	for (size_t i = 0; i < BSPI_SHA256_SIZE; i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 15];
	}
	out[BSPI_SHA256_TEXT_SIZE - 1] = 0;
}
