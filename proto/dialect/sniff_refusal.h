/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_SNIFF_REFUSAL_H
#define FRICID_PROTO_SNIFF_REFUSAL_H

#include "proto/complaint.h"
#include "proto/dialect/header_lines.h"
#include "proto/dialect/sample.h"
#include "proto/recording_parts.h"

/* Why a text cannot be read. Complaints name no file. */

/* What can be said where the file does not tell, as an option or a key is called. */
struct ways_out {
    const char *delimiter, *decimal, *columns, *time_unit;
};

const struct ways_out *sniff_ways_out(const struct recording_manner *manner);

/* Two forms give other numbers. -EBADMSG. */
int sniff_refuse_both(const struct sample *sample, const struct recording_manner *manner, const struct attempt *one,
                      const struct attempt *other, struct complaint *complaint);

/* More words in the names than values in a row, with blanks between all of them. -EBADMSG. */
int sniff_refuse_words(const struct sample *sample, const struct recording_manner *manner,
                       const struct header_lines *names, const struct attempt *attempt, struct complaint *complaint);

/* One number with blanks between its thousands, or several. -EBADMSG. */
int sniff_refuse_blanks(const struct sample *sample, const struct recording_manner *manner,
                        const struct attempt *attempt, struct complaint *complaint);

/* Why no line is a row; missing: a name that --columns has and no line. -EBADMSG, or 0 where the reader of recordings
 * says it better. */
int sniff_refuse_all(const struct sample *sample, const struct recording_manner *manner, struct text_piece missing,
                     struct complaint *complaint);

#endif
