/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_MADE_RESULT_H
#define FRICID_TESTS_MADE_RESULT_H

#include "store/kept.h"

#include <stddef.h>
#include <stdint.h>

/* A result with made-up figures, for tests of what is done with results. For the caller to release.
 *
 * Sample i of its record is 0.25 i mm at 7.5 s + i/1000 s; zeta is 0.0177 ± 0.0002, x_k at its bound with the upper
 * limit 0.003 mm, and nothing else has a value. */
struct kept_result *made_result(const char *rig, const char *channel, uint64_t id, size_t samples);

/* The same with time stamps 7.5 + i/1000 + i²/1e6 and sample 1 clipped. */
struct kept_result *made_stamped_result(uint64_t id, size_t samples);

#endif
