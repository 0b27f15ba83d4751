/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From records of one motion to what they say together. */

#include "identify/decay/identify_joint.h"

#include "identify/decay/extrema_chain.h"

enum verdict identify_joint(const struct joint_record *records, size_t count, const atomic_bool *cancel,
                            struct joint *joint)
{
    struct extrema_chain chains[JOINT_CHANNELS_MOST] = {{.count = 0}};
    struct joint_input inputs[JOINT_CHANNELS_MOST] = {{.record = NULL}};
    const size_t used = count < JOINT_CHANNELS_MOST ? count : JOINT_CHANNELS_MOST;
    enum verdict verdict = VERDICT_OK;
    for (size_t c = 0; c < used && verdict == VERDICT_OK; c++) {
        verdict = extrema_chain_find(records[c].record, cancel, &chains[c]);
        inputs[c] = (struct joint_input){records[c].record, chains[c].extrema, chains[c].count, records[c].ladder};
    }
    if (verdict == VERDICT_OK)
        joint_identify(inputs, used, cancel, joint);
    else
        joint_not_made(joint, used, verdict);
    for (size_t c = 0; c < used; c++)
        extrema_chain_clear(&chains[c]);
    return joint->verdict;
}
