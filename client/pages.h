/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PAGES_H
#define FRICID_CLIENT_PAGES_H

#include "client/figures.h"

#include <stdio.h>

/* What the tables of a result are written with: the unit of its displacement, how figures look, and where to. */
struct pages {
    const char *unit;
    const struct glyphs *glyphs;
    FILE *out;
};

static inline struct phrase number(const struct pages *pages, double value, int digits, const char *unit)
{
    return figure_rounded(value, digits, unit, pages->glyphs);
}

#endif
