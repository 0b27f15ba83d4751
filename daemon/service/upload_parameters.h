/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_UPLOAD_PARAMETERS_H
#define FRICID_SERVICE_UPLOAD_PARAMETERS_H

#include "service/parameters.h"
#include "service/upload_state.h"

/* Rows that tell what comes in pieces, whatever it is for: what differs stands behind. */

#define UPLOAD_NUMBER PARAMETER_ID("upload", "its number")

/* The names of the columns that every piece brings. */
#define UPLOAD_FORM(...)                                                                                               \
    {                                                                                                                  \
        .name = "form", .type = PARAMETER_TEXT, .maximum = 63, __VA_ARGS__                                             \
    }

/* Figures, column by column. */
#define UPLOAD_COLUMNS(...)                                                                                            \
    {                                                                                                                  \
        .name = "columns", .type = PARAMETER_COLUMNS, .maximum = UPLOAD_MAX_CHUNK, __VA_ARGS__                         \
    }

/* Where in the answers to go on. */
#define UPLOAD_OFFSET(...)                                                                                             \
    {                                                                                                                  \
        .name = "offset", .type = PARAMETER_INTEGER, .required = true, .minimum = 0, .maximum = UPLOAD_MAX_SAMPLES,    \
        __VA_ARGS__                                                                                                    \
    }

#endif
