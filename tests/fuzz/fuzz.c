/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef FUZZ_REPLAYS
const bool fuzz_replays = true;
#else
const bool fuzz_replays = false;
#endif

void fuzz_require(bool holds, const char *sentence)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s\n", sentence);
    abort();
}

uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (input->count == 0)
        return 0;
    input->count--;
    return *input->bytes++;
}

double fuzz_double(struct fuzz_input *input)
{
    uint8_t bytes[sizeof(double)];
    double value;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = fuzz_byte(input);
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* In memory: thousands a second would wear a disk out. */
const char *fuzz_file(const uint8_t *bytes, size_t count)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    bool written =
        descriptor >= 0 && ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, count, 0) == (ssize_t)count;
    fuzz_require(written, "the input cannot be written into memory");
    return path;
}
