/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_GROUP_H
#define FRICID_IDENTIFY_MODE_GROUP_H

#include "identify/ring_down/mode_band.h"

/* The modes in one band, by all sensors. */
struct mode_group {
    enum verdict verdict;
    size_t modes;
    bool may_be_two;            /* of one mode that one sensor sees: two laws explain it as well */
    struct mode_sum sum;        /* microslip laws and linear ones, and what the sensors see of them */
    double noise[PASS_SENSORS]; /* standard deviation of each part of a band's sample; 0: not known, of one sensor */
};

#endif
