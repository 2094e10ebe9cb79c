/* sha256.h - SHA-256 (FIPS 180-4) of data in pieces. It identifies maps and their light; it is not used for
 * security. */
#ifndef BSPI_SHA256_H
#define BSPI_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define BSPI_SHA256_SIZE 32
#define BSPI_SHA256_TEXT_SIZE 65       /* hex digits and the final 0 */

typedef struct bspi_sha256 {
	uint32_t state[8];
	uint64_t size;                     /* number of bytes added so far */
	uint8_t block[64];                 /* bytes that do not fill a block yet */
} bspi_sha256;

void bspi_sha256_begin(bspi_sha256 *hash);
/* `data` may be NULL if `size` is 0. */
void bspi_sha256_add(bspi_sha256 *hash, const void *data, size_t size);
/* Stores the hash. Begin again before reusing `hash`. */
void bspi_sha256_end(bspi_sha256 *hash, uint8_t out[BSPI_SHA256_SIZE]);
/* Stores the hash as lower-case hex digits. */
void bspi_sha256_end_text(bspi_sha256 *hash, char out[BSPI_SHA256_TEXT_SIZE]);

#endif
