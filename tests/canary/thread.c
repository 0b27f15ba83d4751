/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads count without a lock: ThreadSanitizer must end this program. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *count(void *argument)
{
    long *counter = argument;
    for (int i = 0; i < 100000; i++)
        (*counter)++;
    return NULL;
}

int main(void)
{
    long counter = 0;
    pthread_t first, second;
    if (pthread_create(&first, NULL, count, &counter) != 0 || pthread_create(&second, NULL, count, &counter) != 0)
        return EXIT_SUCCESS;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%ld\n", counter);
    return EXIT_SUCCESS;
}
