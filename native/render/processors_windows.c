/* processors_windows.c - see processors.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "processors.h"

#include <windows.h>

uint32_t bspr_processors(void)
{
	DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
	return count > 1 ? count : 1;
}
