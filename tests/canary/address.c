/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads one sample past the end of an array: AddressSanitizer must end this program. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    size_t count = (size_t)argc + 3;
    double *samples = calloc(count, sizeof *samples);
    if (samples == NULL)
        return EXIT_SUCCESS;
    volatile double past_the_end = samples[count];
    printf("%g\n", past_the_end);
    free(samples);
    return EXIT_SUCCESS;
}
