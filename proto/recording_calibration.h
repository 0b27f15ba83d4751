/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_CALIBRATION_H
#define FRICID_PROTO_RECORDING_CALIBRATION_H

#include "proto/calibration.h"
#include "proto/complaint.h"
#include "proto/recording_header.h"
#include "proto/recording_lines.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>

/* Calibrations that are told beside a file, "lvdt=[0.0, 2.5] mm": the channel, which may be left out where there is one
 * only, the coefficients as a configuration has them, and the unit of what comes out. Without brackets a single number
 * is a slope. */

struct recording_calibration {
    char channel[64]; /* empty: the only one */
    char unit[32];
    struct calibration polynomial;
};

#define RECORDING_CALIBRATION_EXAMPLE "'[0.0, 2.5] mm', or 'lvdt=[0.0, 2.5] mm' for one of several channels"

/* Reads such a text. 0, or -EINVAL. */
int recording_calibration_read(const char *text, struct recording_calibration *calibration);

/* Gives a channel, and what is declared of it, its new unit. */
void recording_calibration_give(const struct recording_calibration *calibration, struct recording_column *column,
                                struct recording_declaration *declaration);

/* Finds the channels of those that are told, and gives them and what is declared of them their new units.
 * polynomials[c] is that of channel c, terms 0 where there is none. 0, or -EBADMSG and a complaint. */
int recording_calibrations_take(const struct recording_lines *lines, const struct recording_manner *manner,
                                struct recording_header *header, struct recording_declaration *declaration,
                                struct calibration *polynomials, struct complaint *complaint);

/* Calibrates what was read last, `count` rows. 0, or -EBADMSG and a complaint. */
int recording_calibrations_apply(const struct recording_lines *lines, const struct recording_header *header,
                                 const struct calibration *polynomials, const double *time_s,
                                 double *const *displacement, size_t count, struct complaint *complaint);

/* Whether any of them is there. */
bool recording_is_calibrated(const struct recording_header *header, const struct calibration *polynomials);

/* Adds what was done to a text of so many bytes, for people: ", lvdt by [0, 2.5] in mm". */
void recording_calibrations_say(const struct recording_header *header, const struct calibration *polynomials,
                                char *text, size_t bytes);

#endif
