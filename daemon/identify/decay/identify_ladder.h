/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_IDENTIFY_LADDER_H
#define FRICID_IDENTIFY_IDENTIFY_LADDER_H

#include "identify/decay/identify.h"

/* The longest record that the ladder takes: its time goes with the samples and with the half cycles, and these are a
 * minute's at most. */
enum { LADDER_SAMPLES_MOST = 200000, LADDER_HALF_CYCLES_MOST = 4000 };

/* What comes behind identify(), of the same record, and takes much longer: the ladder of models. Where it chooses a
 * rung that the full-record fit is not the closed form of, it is what the identification recommends, and the
 * conclusions are drawn anew. An identification that recommends nothing gets a ladder with its own verdict. Returns the
 * verdict of the ladder; without memory for one, VERDICT_NO_MEMORY, identification->ladder stays NULL. */
enum verdict identify_ladder(const struct decay_record *record, const struct identify_settings *settings,
                             struct identification *identification);

#endif
