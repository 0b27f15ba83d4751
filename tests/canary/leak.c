/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forgets what it allocated: LeakSanitizer must make this program fail. */
#include <stdio.h>
#include <stdlib.h>

/* A frame of its own, so that no register or stack slot still points at the block when the program ends. */
__attribute__((noinline)) static void forget(size_t count)
{
    double *volatile samples = calloc(count, sizeof *samples);
    printf("%d\n", samples != NULL);
    samples = NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    forget((size_t)argc + 1000);
    return EXIT_SUCCESS;
}
