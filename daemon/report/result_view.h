/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RESULT_VIEW_H
#define FRICID_REPORT_RESULT_VIEW_H

#include "identify/common/motion_unit.h"
#include "identify/decay/main_figures.h"
#include "report/field.h"
#include "report/joint_view.h"
#include "report/ladder_view.h"
#include "segment/decay.h"
#include "store/kept.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A result as its tables see it: the sections of the identification, and structs for what is put together from several
 * places. Views borrow everything from the result. NAN: not known. */

struct source_view {
    const char *kind, *device;
};

/* What was identified: the piece of the stream, and what the segmenter knew of it. */
struct record_view {
    const char *quantity, *read_as;
    double delay_s, start_s, end_s;
    size_t samples;
    double sample_rate_hz, time_error_s;
    size_t half_cycles;
    enum decay_end ended_by;
    bool dropped_first_half_cycle;
    size_t clipped_samples, pretrigger_samples;
    double resolution, noise, rest_position; /* displacement unit */
};

struct units_view {
    const char *displacement;
};

/* The settings stand beside the figures: a reader sees which mass and stiffness were used. */
struct physical_view {
    struct physical found;
    struct physical_settings settings;
    const char *lacks; /* why the figures were not even tried */
};

struct flags_view {
    struct doubts doubts;
    bool stiffness_contradicts_frequency;
    bool clock_step, zero_steps; /* what the ladder saw of the recorder */
};

struct choice_view {
    struct damping_choice choice;
    enum recommended based_on;
};

struct budget_line_view {
    enum budget_quantity quantity;
    struct budget_line line;
};

struct budget_view {
    enum verdict verdict; /* of the recommended section */
    struct budget_line_view quantities[BUDGET_QUANTITIES];
    struct stiffness_check stiffness;
};

/* What a result and its summary begin with. */
struct identity_view {
    uint64_t id, seq, run_id; /* 0: none */
    const char *kind;
    bool provisional;
    size_t revision;
    const char *rig, *channel;
    struct source_view source;
    const char *config_id;
    int64_t released_at_ns;
    const char *reason; /* why recommended, id, seq or released_at may be null; NULL: none is */
    enum verdict verdict;
    enum recommended recommended;
};

struct result_view {
    struct identity_view identity;
    struct record_view record;
    struct units_view units;
    struct identification found; /* owns nothing here */
    struct physical_view physical;
    struct flags_view flags;
    struct choice_view model_choice;
    struct budget_view budget;
    struct ladder_view ladder;
    struct joint_view joint;
};

struct summary_view {
    struct identity_view identity;
    struct units_view units;
    size_t half_cycles; /* COUNT_UNKNOWN, as no ended_by, of a table that was handed in */
    int ended_by;       /* enum decay_end; -1: none */
    struct main_figures main;
    struct headlines_view figures;
    const char *contact_model; /* that a ladder chose; empty: none did */
    bool stopped;              /* by a deadline: something is lacking that takes long */
    bool is_protected;         /* false: it is put in when a list is read, as is the run */
};

/* What every result of a table has that was handed in. */
struct handed_view {
    struct identity_view identity;
    struct units_view units;
};

/* Where a view's reason is kept, and its unit. */
struct reason_text {
    char text[1024];
    struct motion_unit unit;
};

/* seq 0: not published. */
struct result_view result_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason);
struct handed_view handed_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason);
struct summary_view summary_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason);

#endif
