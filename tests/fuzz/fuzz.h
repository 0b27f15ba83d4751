/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FUZZ_H
#define FRICID_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One target of libFuzzer: what it makes of any bytes. Returns 0. The same function runs the seeds in ordinary builds,
 * see replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Whether seeds are run, without libFuzzer: each of them once, so that they may take their time. */
extern const bool fuzz_replays;

/* What must hold whatever the input is: ends the program with a sentence when it does not. */
void fuzz_require(bool holds, const char *sentence);

/* The input, taken from the front; behind its end everything is 0. */
struct fuzz_input {
    const uint8_t *bytes;
    size_t count;
};

uint8_t fuzz_byte(struct fuzz_input *input);
double fuzz_double(struct fuzz_input *input); /* eight bytes as they are: any double */

/* A file that holds the bytes, as a path below /proc; the same one each time. */
const char *fuzz_file(const uint8_t *bytes, size_t count);

#endif
