/* planted_race.c - a deliberate race: two threads write one number without synchronization. ThreadSanitizer must report
 * it. If it did not, the other tests with ThreadSanitizer would prove nothing. */
#include <pthread.h>
#include <stdio.h>

#define TIMES 100000

static long counted;

static void *count(void *user)
{
	(void)user;
	for (int i = 0; i < TIMES; i++) counted++;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&threads[i], NULL, count, NULL)) return 2;
	}
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	printf("%ld of %d\n", counted, 2 * TIMES);
	return 0;
}
