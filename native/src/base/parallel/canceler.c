/* canceler.c - see canceler.h. */
#include "base/parallel/canceler.h"

#include "base/parallel/threads.h"

#define PIXELS_BETWEEN ((double)(1 << 18)) /* encoding so many pixels as PNG takes about 15 ms */

void bspi_canceler_begin(bspi_canceler *canceler, bspscene_progress_fn *progress, void *user, const char *stage)
{
	canceler->progress = progress;
	canceler->user = user;
	canceler->caller = bspi_thread_id();
	canceler->stage = stage;
	canceler->fraction = 0;
	atomic_init(&canceler->canceled, false);
}

bool bspi_canceled(const bspi_canceler *canceler)
{
	return atomic_load_explicit(&canceler->canceled, memory_order_relaxed);
}

bool bspi_canceler_tell(bspi_canceler *canceler, const char *stage, double fraction)
{
	if (bspi_canceled(canceler)) return false;
	canceler->stage = stage;
	canceler->fraction = fraction;
	if (!canceler->progress) return true;
	bool goes_on = canceler->progress(canceler->user, stage, fraction) == BSPSCENE_PROGRESS_CONTINUE;
	if (!goes_on) atomic_store_explicit(&canceler->canceled, true, memory_order_relaxed);
	return goes_on;
}

bspscene_progress_result bspi_check_cancel(void *user, const char *stage, double fraction)
{
	bspi_cancel_check *check = user;
	bspi_canceler *canceler = check->canceler;
	const double encoded = fraction * check->pixels;
	bool goes_on = !bspi_canceled(canceler);
	(void)stage;
	if (goes_on && encoded - check->reported >= PIXELS_BETWEEN && bspi_thread_id() == canceler->caller) {
		check->reported = encoded;
		goes_on = bspi_canceler_tell(canceler, canceler->stage, canceler->fraction);
	}
	return goes_on ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}
