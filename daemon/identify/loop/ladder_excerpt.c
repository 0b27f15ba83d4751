/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/ladder_excerpt.h"

#include "identify/loop/friction_ladder.h"

#include <errno.h>
#include <stdlib.h>

/* Of a loop. On a stroke of a hundred presliding lengths they are a tenth of one apart on the average. */
enum { SAMPLES_ENOUGH = 2000 };

enum { COLUMNS = 5 };

static const double *thin(const double *values, size_t every, size_t count, double *room)
{
    for (size_t i = 0; values && i < count; i++)
        room[i] = values[i * every];
    return values ? room : NULL;
}

int ladder_excerpt_make(const struct loop_signal *signal, size_t loops, struct ladder_excerpt *excerpt)
{
    *excerpt = (struct ladder_excerpt){.signal = *signal, .every = 1};
    if (signal->count <= FRICTION_LADDER_SAMPLES_MOST)
        return 0;
    const size_t needed = (signal->count - 1) / FRICTION_LADDER_SAMPLES_MOST + 1;
    const size_t spare = signal->count / (loops > 0 ? loops : 1) / SAMPLES_ENOUGH;
    excerpt->every = spare < 1 ? 1 : spare < needed ? spare : needed;
    const size_t all = (signal->count - 1) / excerpt->every + 1;
    const size_t count = all < FRICTION_LADDER_SAMPLES_MOST ? all : FRICTION_LADDER_SAMPLES_MOST;
    excerpt->signal.count = count;
    excerpt->left_out = count < all ? signal->count - count * excerpt->every : 0;
    if (excerpt->every == 1)
        return 0;
    excerpt->room = calloc(COLUMNS * count, sizeof *excerpt->room);
    if (!excerpt->room)
        return -ENOMEM;
    const double **column[COLUMNS] = {&excerpt->signal.time_s, &excerpt->signal.displacement, &excerpt->signal.force,
                                      &excerpt->signal.normal, &excerpt->signal.velocity};
    for (size_t c = 0; c < COLUMNS; c++)
        *column[c] = thin(*column[c], excerpt->every, count, excerpt->room + c * count);
    excerpt->signal.begins = NULL;
    return loop_signal_look(&excerpt->signal);
}

void ladder_excerpt_clear(struct ladder_excerpt *excerpt)
{
    free(excerpt->room);
    excerpt->room = NULL;
}
