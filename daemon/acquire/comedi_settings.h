/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_SETTINGS_H
#define FRICID_ACQUIRE_COMEDI_SETTINGS_H

#include "proto/calibration.h"

#include <stdbool.h>
#include <stddef.h>

/* What a user configures of a card. Known also to a fricidd without libcomedi, which refuses it in words. */

enum comedi_input { COMEDI_VOLTAGE, COMEDI_ENCODER };

/* What a voltage is measured against; the order is that of Comedi's AREF constants. */
enum comedi_reference { COMEDI_GROUND, COMEDI_COMMON, COMEDI_DIFFERENTIAL, COMEDI_OTHER };

enum { COMEDI_FIRST_SUBDEVICE = -1, COMEDI_NO_TERMINAL = -1 };

struct comedi_channel_settings {
    const char *name;
    const char *unit; /* displacement unit: "mm", "rad" */
    enum comedi_input input;
    double resolution; /* smallest step, displacement unit; 0: follows from the converter or the counter */
    int subdevice;     /* COMEDI_FIRST_SUBDEVICE: the first of the right type */
    unsigned channel;
    bool polled; /* read one by one on a timer although the card could stream */

    /* a voltage */
    double range_v[2]; /* the card's smallest range that holds it, V; equal: the card's widest */
    enum comedi_reference reference;
    struct calibration calibration; /* V to displacement unit */

    /* an encoder */
    double counts_per_unit;
    bool reversed;
    unsigned multiply; /* quadrature X1, X2, X4; 0: the counter counts as it was set up */
    unsigned initial_count;
    bool index;                    /* the index pulse sets the counter to its initial count */
    int input_a, input_b, input_z; /* PFI terminals; COMEDI_NO_TERMINAL: the card's own */
};

struct comedi_settings {
    const char *device;    /* "/dev/comedi0" */
    double sample_rate_hz; /* of streams, scans a second */
    double poll_rate_hz;   /* of channels that are read one by one */
    double convert_us;     /* from channel to channel of a multiplexed scan; the card may need longer */
    double buffer_s;       /* what the kernel should be able to hold while nobody reads */
    double silent_s;       /* a stream that gives nothing for so long is faulty */
    size_t channel_count;
    const struct comedi_channel_settings *channels;
};

struct comedi_settings comedi_default_settings(void);
struct comedi_channel_settings comedi_channel_default_settings(enum comedi_input input);

#endif
