/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls through the table of a source. What is told apart by kind of source is in each source's own file. */

#include "acquire/source.h"

#include "proto/clock.h"

#include <errno.h>

const struct source_description *source_describe(const struct source *source)
{
    return source->methods->describe(source);
}

int source_start(struct source *source)
{
    return source->methods->start(source);
}

void source_pause(struct source *source)
{
    source->methods->pause(source);
}

void source_resume(struct source *source)
{
    source->methods->resume(source);
}

int source_zero(struct source *source, size_t channel, double *position)
{
    return source->methods->zero ? source->methods->zero(source, channel, position) : -ENOTSUP;
}

void source_destroy(struct source *source)
{
    if (source)
        source->methods->destroy(source);
}

double source_monotonic_s(void)
{
    return clock_monotonic_s();
}
