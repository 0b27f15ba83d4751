/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for libFuzzer where it is not linked: runs the target on each file named on the command line. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/* An array of exactly the file's length, so that a sanitizer sees a step past its end. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    static uint8_t buffer[1 << 20];
    size_t count = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    uint8_t *bytes = malloc(count + (count == 0));
    if (!bytes)
        return -1;
    for (size_t i = 0; i < count; i++)
        bytes[i] = buffer[i];
    LLVMFuzzerTestOneInput(bytes, count);
    free(bytes);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (replay(argv[i]) != 0) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
    }
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
