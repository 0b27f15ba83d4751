/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RECORDING_INPUT_H
#define FRICID_RECORDING_INPUT_H

#include "config/configuration.h"
#include "pipeline/analysis.h"
#include "proto/recording.h"

/* One channel of a recording, or several as one record, ready to be analysed. Settings are those of the rig that was
 * recorded, where the configuration has a rig of that name; else those for files. */
struct recording_input {
    struct analysis_input input;
    struct decay_origin origin;
    struct analysis_run *runs; /* owned */
    double *samples, *stamps;  /* owned; NULL: they are the recording's */
    uint8_t *flags;            /* likewise */
};

/* Borrows configuration, path and recording. kind: what it is said to be of; "": nothing is said. 0, or -ENOMEM. */
int recording_input_make(struct recording_input *made, const struct configuration *configuration, const char *path,
                         const struct recording *recording, size_t channel, const char *kind, bool whole);

/* Makes one record of what was made of its first channel and the samples of all of them. 0, or -ENOMEM. */
int recording_input_join(struct recording_input *made, const struct recording *recording, const size_t *channels,
                         size_t count);

/* Decays are used between these amplitudes; 0: no such limit. False, with a complaint: the record is none of decays, or
 * nothing is left of them. */
bool recording_input_limit(struct recording_input *made, double most, double least, struct complaint *complaint);

void recording_input_clear(struct recording_input *made);

#endif
