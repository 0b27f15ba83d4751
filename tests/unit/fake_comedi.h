/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FAKE_COMEDI_H
#define FRICID_TESTS_FAKE_COMEDI_H

#include <comedilib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A card behind libcomedi's functions, in a time of its own that passes only while the thread of a feed sleeps.
 * Programs that link this are linked with --wrap for read, source_monotonic_s and message_ring_sleep; everything
 * between is the daemon's own. What a real kernel does was seen with Debian's; tests/kernel holds both against each
 * other.
 *
 * Subdevice 0: analog inputs with ranges of 10, 5 and 1 V. Subdevice 1: counters. Subdevice 2: digital inputs. */

enum { FAKE_ANALOG_CHANNELS = 4, FAKE_COUNTERS = 3, FAKE_MOMENTS = 16 };

enum fake_state {
    FAKE_WORKS,
    FAKE_MISSING,   /* no device node */
    FAKE_NO_DRIVER, /* a node with nothing behind it */
    FAKE_FORBIDDEN, /* a node that the user may not open */
    FAKE_UNPLUGGED, /* the node vanishes, and what is open is dead */
    FAKE_BUSY,      /* another program streams */
    FAKE_SILENT,    /* streams that run convert no more */
    FAKE_FAILING,   /* streams end with an error */
};

/* From at_s on, s of the card's own time, which begins at 0. */
struct fake_moment {
    double at_s;
    enum fake_state state;
};

struct fake_card {
    /* what it is */
    const char *driver;
    unsigned analog_bits, counter_bits;
    bool simultaneous;           /* a converter for each channel */
    bool times_conversions_only; /* scans follow one another */
    bool counters_stream;
    bool counts_anew; /* from where the encoder is when the count is written; else from where it was at 0 s */
    bool knows_no_quadrature;
    unsigned fastest_ns, step_ns; /* of scans */
    unsigned buffer_bytes, most_buffer_bytes;
    unsigned mode;                /* of the device node: 0660, 0666 */
    const char *calibration_file; /* NULL: calibrated in hardware */
    double clock_ppm;             /* by how much the card's clock is too slow */
    size_t piece_bytes;           /* what one read() gives at most; 0: whatever is asked for */
    double tick_s;                /* how often the driver hands out what was converted */
    double reading_s;             /* what a single reading takes */

    /* what it measures, at a moment of its time */
    double (*volts)(unsigned channel, double at_s);
    double (*edges)(unsigned channel, double at_s); /* of an encoder, X4 */

    /* what happens to it, and to the computer: from stall_s[0] on, the thread gets no processor for stall_s[1]; from
     * deaf_s[0] to deaf_s[1] nobody takes messages */
    struct fake_moment moments[FAKE_MOMENTS];
    size_t moment_count;
    double stall_s[2], deaf_s[2];

    /* what it was told */
    unsigned opened, commands;
    comedi_cmd command;                           /* the last one */
    unsigned chanlist[16];                        /* of that */
    unsigned counter_mode, loaded[FAKE_COUNTERS]; /* counter 0; what was written to each channel */
    int64_t edges_before[FAKE_COUNTERS];          /* that had passed when this was written */
    unsigned terminal[16];                        /* by NI_GPCT_SOURCE_ENCODER_A … - that */
    unsigned resets;
    bool armed;
};

/* The card that /dev/comedi0 is from here on. The caller's; to be changed only before a source is started. */
void fake_comedi_plug(struct fake_card *card);

/* A card without faults: 16 bit, 24 bit counters, 50 ns, 250 kS/s, 2 MiB of buffer, at most 64 MiB. */
struct fake_card fake_comedi_card(void);

/* The card's time, s; also what source_monotonic_s() says. */
double fake_comedi_now_s(void);

/* Time stops at the end, and the thread then waits to be ended. */
void fake_comedi_run_until(double end_s);
bool fake_comedi_has_ended(void);

/* How many handles are open now. */
unsigned fake_comedi_open_handles(void);

#endif
