/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_NUMBER_CHOICE_H
#define FRICID_PROTO_NUMBER_CHOICE_H

#include "proto/dialect/number_file.h"

/* The columns that a recording has, the time first where there is one: those that were said, or else all of one length,
 * and what is longer or shorter is added to what the file has said. 0, or -EBADMSG and a complaint with the candidates.
 */
int number_file_choose(struct number_file *file, const struct recording_manner *manner,
                       size_t columns[RECORDING_MAX_CHANNELS + 1], size_t *count, struct complaint *complaint);

#endif
