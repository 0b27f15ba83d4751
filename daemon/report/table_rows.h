/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_TABLE_ROWS_H
#define FRICID_REPORT_TABLE_ROWS_H

#include "report/field.h"

/* The rows that many tables have, for whoever writes one. */

#define SECTION_FIELDS(table) .fields = table, .count = sizeof table / sizeof table[0]

#define METHOD(text)                                                                                                   \
    {                                                                                                                  \
        .name = "method", .type = FIELD_CONSTANT, .constant = text                                                     \
    }
#define VERDICT_OF(structure)                                                                                          \
    {                                                                                                                  \
        .name = "verdict", .type = FIELD_VERDICT, .offset = offsetof(structure, verdict)                               \
    }
#define REASON                                                                                                         \
    {                                                                                                                  \
        .name = "reason", .type = FIELD_REASON                                                                         \
    }

#define F_N_HZ(where)                                                                                                  \
    {                                                                                                                  \
        .type = FIELD_FREQUENCY, .offset = where                                                                       \
    }
#define PARAMETER(which, where)                                                                                        \
    {                                                                                                                  \
        .type = FIELD_PARAMETER, .parameter = which, .offset = where                                                   \
    }

/* Of a figure or object that is no estimate, but tells of the same quantity. */
#define OF(which) .quantity = &decay_parameters[which]

#endif
