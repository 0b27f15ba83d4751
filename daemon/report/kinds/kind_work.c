/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of kind_rows.h, with what is done. */

#include "report/kinds/kind_work.h"

#include "report/kinds/kind_rows.h"

#define DECLARE(name, finder)                                                                                          \
    extern const struct record_kind record_kind_##name;                                                                \
    record_analysis analyse_##name;
RECORD_KIND_ROWS(DECLARE)

#define WORK(name, finder) {&record_kind_##name, finder, analyse_##name},
static const struct kind_work works[] = {RECORD_KIND_ROWS(WORK)};

const struct kind_work *kind_work_named(const char *name)
{
    const struct record_kind *kind = record_kind_named(name);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        if (works[i].kind == kind)
            return &works[i];
    return NULL;
}
