/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_PARTS_H
#define FRICID_PROTO_RECORDING_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Recordings are CSV, or what can be read as such (dialect/dialect.h, dialect/number_opening.h): optional `#` comment
 * lines, a header, the time first, then one column a channel. The header names the units (time_s,lvdt_mm or Time
 * (ms),LVDT (mm); see column_label.h). The time must have one; a channel without one has "1"; without a header there
 * are a time and one channel, and the unit of the time, or a rate, must be said beside the file. */

enum { RECORDING_MAX_CHANNELS = 64, RECORDING_MAX_LINE = 65536 };

/* Of the number that the first row begins with: more than the digits of 64 bits, with a sign, a point and an exponent.
 */
enum { FIRST_TIME_BYTES = 40 };

/* Calibrations that can be told beside a file. */
enum { RECORDING_MAX_CALIBRATIONS = 16 };

/* The flag of a sample that is marked as clipped: the converter was at the end of its range. */
enum { RECORDING_CLIPPED = 1 };

struct recording_column {
    char name[64]; /* "lvdt" */
    char unit[32]; /* "mm" */
};

/* Samples a second that nothing measures faster, Hz. */
#define RECORDING_MAX_RATE_HZ 1e9

/* No quantity is larger in any unit, and sums of squares of such numbers stay finite. */
#define RECORDING_LARGEST_VALUE 1e100

/* What somebody says of the time of a recording, beside the file, which it counts more than; zeroed: nothing. */
struct recording_timing {
    double unit_s; /* seconds that a unit of the first column has; 0: the header tells */
    double
        rate_hz; /* rows come evenly, so many a second, and the first stands at 0 s; 0: the first column is the time */
    bool mean_rate;  /* rows come evenly, and their stamps, which may come in batches, tell only how many a second */
    bool configured; /* in a configuration and not on a command line: that is how a refusal calls it */
};

/* What somebody says of how to read a recording, beside the file; zeroed: nothing. */
struct recording_manner {
    struct recording_timing timing;
    unsigned delimiter;  /* the character between values: ',', ';', '\t' or ' '; 0: found out */
    unsigned decimal;    /* that in numbers: '.' or ','; 0: found out */
    const char *columns; /* those that are wanted, the time first, by name or by number from 1 on: "1,3"; NULL: all */
    const char *calibrations[RECORDING_MAX_CALIBRATIONS]; /* "lvdt=[0.0, 2.5] mm", see recording_calibration.h */
    size_t calibration_count;
    bool holes; /* values that are missing or not finite are read as NaN, and whoever wants this looks at what struct
                   recording tells of them; else they are refused */
};

/* What `fricidctl record` writes at the head of a recording, so that reading it gives the same results as the stream
 * did; see recording_marks.h. */
enum { RECORDING_VERSION = 1 };

struct recording_channel_facts {
    char name[64], unit[32]; /* as the rig has them, whatever the header makes of them */
    double resolution;       /* smallest step, displacement unit; 0: not known */
    double delay_s;          /* of the sample after the start of its scan, s */
};

struct recording_declaration {
    bool given;       /* false: a recording of some other program, of which little of what follows is known */
    char rig[64];     /* that was recorded */
    char device[256]; /* of the rig */
    bool uniform;     /* scan i was taken at origin_s + i * period_s, else at its time stamp */
    double origin_s, period_s;
    bool tells_gaps;     /* every gap is marked: a late time stamp is none */
    double clock_ppm;    /* uncertainty of the clock, 1e-6; 0: not known to matter */
    bool dated;          /* zero_at_ns is known; also where the rest is empty */
    int64_t zero_at_ns;  /* time of day when the recording's time is 0, ns since 1970 */
    double time_error_s; /* of its times against those of the rig's other channels, s; NAN: not known */
    size_t channel_count;
    struct recording_channel_facts channels[RECORDING_MAX_CHANNELS];
};

/* Rows that follow each other without a gap. Without a declaration, rows are counted from 0. */
struct recording_run {
    uint64_t first_index;      /* the scan that its first row is */
    double origin_s, period_s; /* of the declared clock; 0 without one, see recording_clock_place() */
    uint64_t broken;           /* bit c: the stream of channel c is broken off before it, whatever the index says */
    uint64_t lost;             /* scans that are known to be missing there; 0: not known, or the index tells */
};

#endif
