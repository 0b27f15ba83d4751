/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_VOCABULARY_H
#define FRICID_REPORT_VOCABULARY_H

#include "report/field.h"

/* The words that the fields of a result may hold, from the rooms that own them. */

/* What a vocabulary is called in the schema: "verdict", "model", …; NULL for WORDS_ANY. */
const char *vocabulary_name(enum vocabulary vocabulary);

/* The word for a value of the enum; NULL for one that has none. */
const char *vocabulary_word(enum vocabulary vocabulary, int value);

/* The words one after the other, from index 0; NULL behind the last. */
const char *vocabulary_at(enum vocabulary vocabulary, int index);

#endif
