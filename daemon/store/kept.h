/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_KEPT_H
#define FRICID_STORE_KEPT_H

#include "acquire/code_scale.h"
#include "identify/decay/identify.h"
#include "segment/decay.h"
#include "store/searched_figure.h"

#include <stdatomic.h>
#include <stdint.h>

/* The kind of a record that names none. */
#define KIND_FREE_DECAY "free_decay"

/* Where a decay came from; goes with it into the store and into every result. */
struct decay_origin {
    char rig[64];
    char channel[64];
    char source_kind[16]; /* "comedi", "recording", "simulated" */
    char device[256];
    char config_id[17];
    char run_key[40];  /* the same for all decays of a run, and never for those of another; empty: a run of its own */
    char unit[32];     /* displacement unit; of a table that was handed in, the unit of its figures */
    char kind[24];     /* of the record, as in report/kinds/kind_rows.h; empty: a free decay */
    char columns[256]; /* of a table that was handed in: the name of its form, whose rows the samples are; of samples
                          that several sensors took at once: the names of these, each before a comma but the last */
    char quantity[24]; /* what was measured; empty: what its kind says, see record_quantity() */
    double sample_rate_hz; /* NAN or 0: time-stamped */
    double delay_s;        /* how long after the start of its scan a sample was taken, which is in its time already, s;
                              NAN: not known, or a table has none */
    char delays_ns[256];   /* of samples that several sensors took one after the other in a scan: the same of each of
                              them, ns, before a comma but the last; empty: they are alike, or not known */
    double time_error_s;   /* of time stamps against the streams of the rig, s; 0: of a stream itself; NAN: not known */
    int64_t released_at_ns; /* CLOCK_REALTIME of the release, ns; INT64_MIN: not known */
    struct physical_settings physical;
    char board[64], driver[32], serial[64]; /* of the device; empty: not known */
    char calibrated_on[16];                 /* the date of the calibration as the user wrote it; empty: none given */
    char remarks[256];                      /* the user's on this channel */
    char read_as[256];              /* how a file was read that is not written as recordings are; empty: as such */
    struct calibration calibration; /* from what the sensor gives; terms 0: none */
    struct code_scale codes;        /* from the device's integers; terms 0: it delivers none */
};

/* What an origin is called, each text wherever the caller has it. */
struct decay_origin_names {
    const char *rig, *channel, *source_kind, *device, *config_id, *unit;
    const char *board, *driver, *serial, *calibrated_on, *remarks; /* NULL: not known */
    const char *kind, *columns;                                    /* NULL: a free decay */
    const char *quantity;                                          /* NULL: what its kind says */
    const char *read_as;                                           /* NULL: as recordings are */
};

/* Copies a text into room of that size; one that is too long is cut at the end of a character. NULL is empty. */
void copy_text(char *room, size_t size, const char *text);

/* An origin of these names, which are copied; one that is too long is cut at the end of a character. The physical
 * settings are completed by the length of the unit. sample_rate_hz: NAN or 0 for time stamps. The release and the
 * delay are not known yet. */
struct decay_origin decay_origin_make(const struct decay_origin_names *names, const struct physical_settings *physical,
                                      double sample_rate_hz);

/* When a mass was let go, by the clock of its samples, whose time is 0 at zero_at_ns; INT64_MIN where it is not known.
 */
int64_t decay_released_at_ns(int64_t zero_at_ns, double released_s);

/* What the record is of, also where that is a free decay. */
const char *decay_origin_kind(const struct decay_origin *origin);

/* Adds what is known of the clock that the samples were taken by, relative uncertainty in 1e-6, to what is configured
 * of it; 0: nothing is known. */
void decay_origin_add_clock(struct decay_origin *origin, double clock_ppm);

/* A decay that was handed to the store: immutable, shared between threads, freed with the last reference. */
struct kept_decay {
    atomic_uint references;
    uint64_t id;       /* given by the store; 0: identified on request, never stored */
    uint64_t run;      /* likewise: what the rig did once, seen by one channel or several. Without a store, a number
                          within the record that was identified */
    bool known;        /* a client wanted it kept, and it was there before */
    unsigned attempts; /* to identify it that a daemon before this one did not survive */
    struct decay_origin origin;
    struct decay *decay; /* owned */
};

/* What several channels that saw one motion say together, and who they are. */
struct kept_joint_channel {
    uint64_t id; /* of its decay; 0: it is not stored */
    char channel[64], unit[32];
    char gain_unit[68]; /* its unit for one of the reference's; empty: these are the same */
    double delay_s;     /* of its origin */
};

struct kept_joint {
    struct joint found;
    struct kept_joint_channel channels[JOINT_CHANNELS_MOST]; /* as many as it found, in its order */
};

/* A result of such a decay; immutable once stored. It has one owner. */
struct kept_result {
    struct kept_decay *of;                /* one reference */
    unsigned revision;                    /* from 1 */
    struct identification identification; /* owned; of a table that was handed in, its verdict alone */
    struct kept_joint *joint;             /* owned; NULL: no other channel was fitted with it */
    void *found;                          /* of such a table: the struct of its kind; owned */
    size_t found_bytes;
    double figure[SEARCHED_FIGURES]; /* of it, by which lists sort and filter it; NAN: it has none of that name */
    const char *model;               /* likewise, the one that was chosen; static; NULL: none */
    char *document, *summary;        /* what is stored and shown of it, JSON without `seq`; owned, may be NULL */
};

/* Something that happened, as it was told. */
struct store_event {
    uint64_t seq;
    int64_t at_ns; /* CLOCK_REALTIME */
    const char *code;
    const char *rig, *channel; /* NULL: none */
    const char *text;          /* JSON */
};

/* Takes the decay over. NULL when memory is short (the decay is then still the caller's). */
struct kept_decay *kept_decay_create(const struct decay_origin *origin, struct decay *decay);
struct kept_decay *kept_decay_reference(struct kept_decay *kept);
void kept_decay_release(struct kept_decay *kept); /* NULL is fine */

/* Where the owner of the result puts what was found: so many bytes, 0 throughout, or for 0 bytes the identification.
 * NULL when memory is short. */
void *kept_result_make_found(struct kept_result *kept, size_t bytes);

/* Takes over what the identification owns and takes a reference of its own to `of`. NULL when memory is short: the
 * identification is then still the caller's. */
struct kept_result *kept_result_create(struct kept_decay *of, unsigned revision,
                                       const struct identification *identification);
void kept_result_release(struct kept_result *kept); /* NULL is fine */

/* Bytes that a result occupies with its decay, which it is the only one to hold, and without its texts. */
size_t kept_result_bytes(const struct kept_result *kept);

#endif
