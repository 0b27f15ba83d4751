/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_BACKEND_H
#define FRICID_SERVICE_BACKEND_H

#include "acquire/device_survey.h"
#include "proto/complaint.h"
#include "recorder/recorder.h"
#include "report/kinds/contact_task.h"
#include "report/kinds/record_kind.h"
#include "segment/segmenter.h"
#include "service/memory_budget.h"
#include "store/find_run.h"
#include "store/kept.h"
#include "store/query.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the service asks of the daemon behind it, and the plain structs in which it gets the answers. The service turns
 * them into JSON; the daemon knows nothing of clients. All calls are made in the event loop's thread. */

struct result_changes;
struct maintenance;
struct questions;
struct service_event;

struct channel_status {
    const char *name;
    const char *unit;
    const char *role;  /* that it is configured to have; empty: none */
    double resolution; /* smallest step, displacement unit; 0: not known */
    struct segment_state segment;
    double start_below, stop_below; /* thresholds, displacement unit; NAN: none */
    size_t min_half_cycles;
    uint64_t last_result_id; /* 0: none yet */
    enum verdict last_verdict;
    int64_t last_result_ns; /* CLOCK_REALTIME */
};

enum rig_condition { RIG_STARTING, RIG_RUNNING, RIG_PAUSED, RIG_ENDED, RIG_FAILED };

/* "starting", "running", "paused", "ended", "failed". */
const char *rig_condition_name(enum rig_condition condition);

struct rig_status {
    const char *name;
    const char *source_kind;
    const char *device;
    double sample_rate_hz;
    enum rig_condition condition;
    const char *problem; /* a sentence with what to do; NULL: none */
    uint64_t scans;      /* taken in */
    uint64_t lost_scans;
    uint64_t gaps;
    uint64_t decays_lost;                         /* never queued: the queue was full, or memory short */
    bool measures_clock;                          /* the next three hold something; NAN: not known yet */
    double clock_rate_error, clock_rate_error_se; /* of the card's clock, relative to CLOCK_MONOTONIC */
    double time_error_s;                          /* of time stamps against streams; 0: nothing is stamped */
    double clock_ppm;                /* uncertainty of times because of that clock, 1e-6; 0: none that is known */
    double stamps_error_s;           /* of time stamps against the rig's other channels, s; NAN: not known */
    int64_t zero_at_ns;              /* CLOCK_REALTIME when the source's clock is 0, ns; INT64_MIN: not known */
    bool tells_gaps;                 /* every gap is a jump of the index */
    const struct recorder *recorder; /* NULL: none */
    size_t channel_count;
    const struct channel_status *channels;
};

struct thread_status {
    const char *name; /* "writer", "identifier" */
    size_t queued_jobs;
    size_t queued_bytes;
    uint64_t finished_jobs;
    double running_s;    /* age of the running job, s; 0: idle */
    double busy_s;       /* all finished jobs together, s */
    double longest_s;    /* longest job so far, s */
    double limit_s;      /* for one job; beyond it the thread is not healthy; 0: none */
    bool healthy;        /* idle, or its job within its limit */
    bool feeds_watchdog; /* false: it waits for a disk, which no restart mends */
};

/* What the service manager hears of all this. */
struct watchdog_status {
    double interval_s; /* 0: nobody watches */
    double fed_ago_s;  /* NAN: not yet */
};

struct daemon_status {
    size_t rig_count;
    const struct rig_status *rigs;
    size_t thread_count;
    const struct thread_status *threads;
    struct watchdog_status watchdog;
    size_t queue_bytes, queue_max_bytes; /* decays not yet stored */
    const char *store_kind;              /* "memory" */
    uint64_t stored_decays, stored_results;
    uint64_t stored_bytes;
    const char *store_path;      /* of its file; NULL: memory */
    const char *store_problem;   /* why it takes nothing, and what to do; NULL: it does */
    const char *store_set_aside; /* where a damaged file is kept since the daemon started, and what to do; NULL: none */
    uint64_t waiting_decays;     /* stored, but without a result yet */
    uint64_t protected_decays;   /* stored, and stay however old they get */
    uint64_t store_free_bytes;   /* on its disk; UINT64_MAX: not known */
    double recorder_last_s;      /* how much of the raw signals is to be held, s; 0: nothing */
};

/* Samples are missing before this one, so many of them; 0: not known how many. Uniform samples behind it are that much
 * later. */
struct request_gap {
    size_t sample;
    uint64_t lost;
};

/* A record that a client wants identified; owns its arrays (malloc). */
struct identify_request {
    double *displacement;
    double *time_s; /* NULL: uniform */
    size_t count;
    double start_s, period_s;
    double resolution; /* 0: not known */
    char unit[32];
    char name[64];                       /* the channel's name in the results */
    bool whole;                          /* one decay already cut; else segmented first */
    double amplitude_max, amplitude_min; /* decays are used between them, displacement unit; 0: no such limit */
    bool keep; /* its records are stored with their results, and published, before it is answered */
    const struct record_kind *kind; /* NULL: a free decay */
    size_t sensors;   /* whose figures stand one after the other for each sample in time; 0: it is of one channel */
    char sensor[256]; /* their names, with commas between them */
    const struct kind_form *form; /* of a table, whose figures, row after row, are the displacement; NULL: samples */
    /* What a recording of fricidctl says more: */
    char rig[64];      /* that was recorded: its settings hold; empty: not known */
    char together[64]; /* what the client calls the rig whose releases are in several requests; empty: in this alone */
    bool tells_gaps;   /* every gap is among gaps: a late time stamp is none */
    double clock_ppm;  /* uncertainty of its clock, 1e-6; 0: not known to matter */
    double delay_s;    /* after the start of its scans, in its times already, s; NAN: a table has none */
    double time_error_s; /* of its times against the rig's other channels, s; NAN: not known */
    bool dated;          /* it is known when its first sample was taken: */
    int64_t start_at_ns; /* CLOCK_REALTIME, ns */
    char read_as[256];   /* how the client read its file; empty: as recordings are */
    uint8_t *flags;      /* count sets of enum sample_flag; NULL: none is flagged */
    size_t gap_count;
    struct request_gap *gaps; /* in order */
    /* Where the decays that are found, and their results, are counted until the answer, which comes even when memory
     * there is too short for them: charge->answer then tells why. NULL: nowhere. */
    struct memory_charge *charge;
};

void identify_request_clear(struct identify_request *request);

/* How the answer to an identify request comes back: the request, which the callee may take over by leaving it cleared;
 * `count` results, borrowed but for those that the callee replaces by NULL: it keeps them; or a complaint when count is
 * 0 and something went wrong. drops: candidates that did not become decays. */
typedef void (*identify_answer)(void *context, struct identify_request *request, struct kept_result **results,
                                size_t count, const uint64_t drops[DROP_REASONS], const char *complaint);

/* What a client wants foretold of a contact, and what comes of it. */
struct simulate_request {
    const struct contact_task *task;
    const double *figures; /* row after row */
    const struct kind_form *form;
    size_t rows;
    enum verdict verdict;
    struct simulation found; /* simulation_clear() after the answer */
};

/* complaint: why nothing was simulated; NULL: the request has what was found. */
typedef void (*simulate_answer)(void *context, const char *complaint);

/* A configuration that the daemon runs, or has run, under; strings borrowed. */
struct configuration_view {
    const char *id;
    const char *path; /* NULL: built-in defaults */
    const char *text; /* UTF-8 */
};

/* What the store is asked, and what it answers. */
enum question_kind {
    QUESTION_RESULTS,
    QUESTION_RESULT,
    QUESTION_RUN,
    QUESTION_SAMPLES,
    QUESTION_NOTICES,
    QUESTION_CONFIGURATION
};

struct store_question {
    enum question_kind kind;
    struct results_query query;    /* of results */
    uint64_t id;                   /* of a result, of a run, or of samples */
    unsigned revision;             /* 0: the latest */
    bool results, events;          /* which notices */
    uint64_t from_seq, before_seq; /* of notices; of samples: from_seq is the first */
    size_t limit;                  /* of notices and of samples */
    char config_id[65];            /* of a configuration */
};

struct store_answer {
    const struct store_question *question;
    int error;                  /* -ENOENT: there is no such thing; others of store/database.h; -ESHUTDOWN */
    struct found_results found; /* results or notices */
    struct found_result result;
    struct found_run run;
    struct found_configuration configuration;
    struct kept_decay *decay;
};

typedef void (*store_answered)(void *context, const struct store_answer *answer); /* borrowed */

/* What people want done with the store. */
enum maintenance_kind {
    MAINTENANCE_PROTECT,
    MAINTENANCE_REIDENTIFY,
    MAINTENANCE_CHECK,
    MAINTENANCE_BACKUP,
    MAINTENANCE_BACKUP_READ,
    MAINTENANCE_BACKUP_END
};

struct maintenance_order {
    enum maintenance_kind kind;
    struct results_query query; /* which decays */
    bool protect;               /* or unprotect */
    unsigned number;            /* of a backup */
    uint64_t offset;
};

struct maintenance_outcome {
    int error;                        /* -ENOENT: there is no such thing; -ESHUTDOWN: broken off */
    uint64_t decays, changed, failed; /* identified again; of these differ; could not be read or identified */
    const struct result_changes *changes;
    unsigned number; /* of the backup */
    uint64_t bytes, checksum;
    const unsigned char *data; /* `bytes` of the backup; NULL: none were asked for */
};

typedef void (*maintenance_done)(void *context, const struct maintenance_outcome *outcome); /* borrowed */

struct service_backend {
    void *context;
    /* The status; valid until the next call. */
    const struct daemon_status *(*status)(void *context);
    /* The configuration of that id, or the running one for NULL. False: not known, or not held any more. */
    bool (*configuration)(void *context, const char *id, struct configuration_view *view);
    /* Queues a request (arrays taken over with a ticket). The answer comes later, exactly once: until
     * then the arrays take memory.
     * Returns a ticket > 0, or a negative errno: -EAGAIN when too much is queued, -EDOM when its amplitudes and those
     * of the configuration leave nothing between them. */
    long (*identify)(void *context, struct identify_request *request, identify_answer answer, void *answer_context);
    /* The same, but for a contact that is to be simulated: the request is borrowed until the answer. NULL: nobody can.
     */
    long (*simulate)(void *context, struct simulate_request *request, simulate_answer answer, void *answer_context);
    /* The client is gone, and results are not wanted any more: the answer may come early, and without any. Of a ticket
     * of either. */
    void (*identify_cancel)(void *context, long ticket);
    /* Makes the channel's present position its zero. 0 and *position, where it was until now; -EAGAIN while nothing is
     * measured, -ENOTSUP for a source that cannot, both with a complaint. The rig and the channel exist. */
    int (*zero)(void *context, const char *rig, const char *channel, double *position, struct complaint *complaint);
    /* Asks the store; as with identify, but for questions instead of records, and what is cancelled is not answered.
     * NULL: there is none to ask. */
    long (*ask)(struct questions *questions, const struct store_question *question, store_answered answered,
                void *answer_context);
    void (*ask_cancel)(struct questions *questions, long ticket);
    struct questions *questions; /* whom these two are asked of; nobody here looks inside */
    /* The latest survey of the cards, NULL: none yet; with `ask` a newer one is begun. The other two are those of
     * devices_latest(). */
    const struct device_survey *(*devices)(void *context, bool ask, bool *surveying, int64_t *taken_at_ns);
    /* Orders something to be done with the store; as with ask. done NULL: nobody wants to know. */
    long (*maintenance)(struct maintenance *keeper, const struct maintenance_order *order, maintenance_done done,
                        void *done_context);
    void (*maintenance_cancel)(struct maintenance *keeper, long ticket);
    struct maintenance *keeper; /* likewise */
    /* A result, and an event, were published under this number; `line` is the notification. Both may be NULL. */
    void (*note_result)(void *context, const struct kept_result *result, uint64_t seq);
    void (*note_event)(void *context, const struct service_event *event, uint64_t seq, const char *line);
};

#endif
