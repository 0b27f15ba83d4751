/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_DEVICE_SURVEY_H
#define FRICID_ACQUIRE_DEVICE_SURVEY_H

#include "proto/complaint.h"

#include <stdbool.h>
#include <stddef.h>

/* The Comedi cards of this computer and what can be done with them. Plain figures, known also without libcomedi. */

enum { SURVEYED_DEVICES = 16, SURVEYED_SUBDEVICES = 32, SURVEYED_RANGES = 16 };

struct surveyed_range {
    double low, high;
    const char *unit; /* "V", "mA", "1" */
};

struct surveyed_subdevice {
    unsigned number;
    const char *kind; /* "analog input", "counter", … */
    const char *use;  /* the `input` that a channel of it can be: "voltage", "encoder"; NULL: none */
    unsigned channels, bits;
    bool streams, busy;
    double fastest_hz; /* scans of one channel a second; NAN: not a stream, or the driver does not say */
    size_t range_count;
    struct surveyed_range ranges[SURVEYED_RANGES];
};

struct surveyed_device {
    char path[32]; /* "/dev/comedi0" */
    char board[32], driver[32];
    bool world_writable;
    struct complaint problem; /* why nothing more is known; empty: none */
    size_t subdevice_count;
    struct surveyed_subdevice subdevices[SURVEYED_SUBDEVICES];
};

struct device_survey {
    size_t count;
    struct surveyed_device devices[SURVEYED_DEVICES];
};

/* Looks at every card. Opens them, which may take as long as the kernel likes: not for the event loop. Disturbs
 * nothing that runs. */
void device_survey_take(struct device_survey *survey);

#endif
