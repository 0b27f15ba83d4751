/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From values in order of time to the swings between their turning points. */

#include "identify/decay/swing_list.h"

struct swing_list swing_list_with(double hysteresis, struct swing *swings, size_t capacity)
{
    return (struct swing_list){.zigzag = zigzag_with(hysteresis), .swings = swings, .capacity = capacity};
}

static void end_latest_at(struct swing_list *list, struct extreme end)
{
    if (list->count == 0)
        return;
    list->swings[list->count - 1].to = end.value;
    list->swings[list->count - 1].to_time = end.at;
}

void swing_list_end(struct swing_list *list)
{
    if (!list->full)
        end_latest_at(list, zigzag_farthest(&list->zigzag));
}

bool swing_list_take(struct swing_list *list, double time, double value)
{
    if (!zigzag_take(&list->zigzag, time, value))
        return true;
    const struct extreme turned = zigzag_reversal(&list->zigzag);
    end_latest_at(list, turned);
    list->full = list->count == list->capacity;
    if (list->full)
        return false;
    list->swings[list->count].from = turned.value;
    list->swings[list->count++].from_time = turned.at;
    return true;
}

bool swing_list_take_all(struct swing_list *list, const struct even_values *values)
{
    for (size_t k = 0; k < values->count; k++) {
        k = zigzag_pass(&list->zigzag, values, k);
        if (k < values->count && !swing_list_take(list, even_place(values, k), even_value(values, k)))
            return false;
    }
    return true;
}
