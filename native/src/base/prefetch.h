/* prefetch.h - loads records into the cache ahead of their use, where they are visited out of order. */
#ifndef BSPI_PREFETCH_H
#define BSPI_PREFETCH_H

/* How many records ahead to prefetch. */
#define BSPI_AHEAD 8u

static inline void bspi_prefetch(const void *record)
{
#if defined(__GNUC__)
	__builtin_prefetch(record);
#else
	(void)record;
#endif
}

#endif
