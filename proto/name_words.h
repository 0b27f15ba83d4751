/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_NAME_WORDS_H
#define FRICID_PROTO_NAME_WORDS_H

#include "proto/text_piece.h"

#include <stdbool.h>

/* What the words in the name of a column tell of its quantity, whatever its unit. Large letters are as good as small
 * ones, and what is no letter stands between words. */

/* Whether the name has the word for a time in it: "Elapsed time". */
bool name_is_of_time(struct text_piece name);

/* Nothing but the word, "t" or "Zeit": "timestamp" and the like are often in other units than seconds. */
bool name_is_time_alone(struct text_piece name);

/* Whether the column only counts the rows: "index", "Sample no.". */
bool name_counts_rows(struct text_piece name);

/* "Unnamed: 0": what pandas makes of the column that it wrote without a name. */
bool name_is_index_of_pandas(struct text_piece name);

/* "acc_x", "Beschleunigung", "ay" */
bool name_is_of_acceleration(struct text_piece name);

/* A whole word for it, "acc1", "accel", "Beschleunigung"; "vel", "Geschwindigkeit". A name says so by itself. */
bool name_says_acceleration(struct text_piece name);
bool name_says_velocity(struct text_piece name);

/* What is weighed: "load", "Gewicht". */
bool name_is_of_load(struct text_piece name);

/* What presses a contact together: "Normal force", "Normalkraft". */
bool name_is_of_normal_force(struct text_piece name);

#endif
