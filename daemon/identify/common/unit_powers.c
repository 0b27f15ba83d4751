/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/common/unit_powers.h"

struct contact_unit_powers unit_powers_of(enum unit_kind unit)
{
    static const struct contact_unit_powers powers[UNIT_KINDS] = {
        [KIND_S] = {0, 0, 1},
        [KIND_DISPLACEMENT] = {0, 1, 0},
        [KIND_DISPLACEMENT_PER_S] = {0, 1, -1},
        [KIND_J] = {1, 1, 0},
        [KIND_FORCE] = {1, 0, 0},
        [KIND_FORCE_PER_DISPLACEMENT] = {1, -1, 0},
        [KIND_FORCE_S_PER_DISPLACEMENT] = {1, -1, 1},
        [KIND_FORCE_S2_PER_DISPLACEMENT] = {1, -1, 2},
        [KIND_FORCE_PER_DISPLACEMENT_SQUARED] = {1, -2, 0},
        [KIND_FORCE_PER_S] = {1, 0, -1},
    };
    return powers[unit];
}
