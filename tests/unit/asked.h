/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_ASKED_H
#define FRICID_TESTS_ASKED_H

#include <stdlib.h>

/* The whole number that a variable of the environment asks for; otherwise, where it is not set, the one given. */
static inline unsigned long asked(const char *variable, unsigned long otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

#endif
