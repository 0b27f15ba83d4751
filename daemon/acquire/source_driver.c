/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of source_kinds.h, with what stands behind each row. */

#include "acquire/source_driver.h"

#define POINT(kind, driver) [kind] = &driver,
static const struct source_driver *const drivers[SOURCE_KIND_COUNT] = {SOURCE_KINDS(POINT)};

const struct source_driver *source_driver(enum source_kind kind)
{
    return drivers[kind];
}

const char *source_kind_name(enum source_kind kind)
{
    return drivers[kind]->name;
}

const char *source_kind_name_at(size_t index)
{
    return index < SOURCE_KIND_COUNT ? drivers[index]->name : NULL;
}
