/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_RECORD_KIND_H
#define FRICID_KINDS_RECORD_KIND_H

#include "identify/common/estimate.h"
#include "identify/common/motion_unit.h"
#include "identify/record_analysis.h"
#include "report/field.h"
#include "store/kept.h"

#include <stdbool.h>
#include <stddef.h>

/* What a record is of. A free decay is found in a stream; records of other kinds somebody measured and hands in, in a
 * request or in a file: tables of numbers, or samples that are one record together. What is said and shown of a kind is
 * asked of its row; what is done with it, of its kind_work.h, which not every program needs. */

enum { KIND_COLUMNS_MOST = 4, KIND_SENSORS_MOST = 16, KIND_SENSOR_BYTES = 64 };

/* Fits sum products of up to five figures of a table, in SI units: those of the fifth power of this one are still
 * numbers, so that what is found wrong with a record is never that a sum of it overflowed. */
#define KIND_LARGEST_FIGURE 1e60

/* Nor may a square of all figures of a column be lost below the smallest number: the largest of them is 0 or at least
 * this. */
#define KIND_SMALLEST_FIGURE 1e-60

/* A column of such a table. */
struct kind_column {
    const char *name; /* in requests; in the header of a file with `_UNIT` behind it, where the unit may be any */
    const char *unit; /* NULL: any, but of all such columns of a record the same */
    const char *quantity;
    /* Without its unit, in headers of files, and what else it is called there; NULL: the name less `_` and the unit,
     * and nothing else. One that has a stem and stands there without a unit is told. */
    const char *stem, *also;
};

/* Columns that make a record together, a trace each. What was not measured is 0. */
struct kind_form {
    struct kind_column column[KIND_COLUMNS_MOST];
    size_t count;
};

struct record_kind {
    const char *name;              /* in JSON, in configurations, in the store */
    const char *about;             /* a phrase for the manual */
    const struct kind_form *forms; /* form_count of them; none where records are found */
    size_t form_count;
    const char *series; /* beginning of a column of files that tells one series from the next; where it changes, a
                           row of 0 goes between. NULL: rows are no series */
    bool sampled;   /* rows are samples: each has a figure in every column, columns that are not known say nothing, and
                       there may be more rows than a request holds */
    bool over_time; /* all forms have a time: a header that fits is of this kind rather than of one without, and of
                       forms that do not contain each other, as of displacement and velocity, the first counts */
    bool labelled;  /* and yet columns that are not known are labels, unless they change with the rows */
    bool of_displacement;         /* figures are in the unit of the displacement that goes with the first column's */
    const char *passed_over;      /* columns of files that say nothing, each between commas: ",n,"; NULL: none */
    const char *of_quantities[2]; /* samples of these are of this kind unless somebody says otherwise; NULL: none are */
    size_t runs_most;             /* runs of one contact, with gaps between them, may be one record: so many. 0: none */
    bool several;                 /* samples of several channels in one unit are one record */
    const char *second_step;      /* of a stream it is answered twice: at once, and with what this says is still to
                                     come; NULL: once, or as a decay */
    const char *result;           /* what a result of what is handed in is called; its schema has that name */
    /* The table of the struct that holds what was found, whose headlines stand in lists. NULL:
     * that is a struct identification. */
    const struct section *section;
};

/* The kinds one after the other, from index 0; NULL behind the last. */
const struct record_kind *record_kind_at(size_t index);
const char *record_kind_name_at(size_t index);

/* The kind of that name; the first, a free decay, for "". NULL: there is none. */
const struct record_kind *record_kind_named(const char *name);

/* What samples in that unit are of, where they are said to be of that kind, or "" where nothing is said. Where the unit
 * does not tell what they measure, the name of their channel may; "": nobody named it. NULL: there is no such kind. */
const struct record_kind *record_kind_of_samples(const char *name, const char *channel, const char *unit);

/* All samples that are handed in together are one record of it: nothing finds its records among them. */
bool record_kind_is_whole(const struct record_kind *kind);

/* What samples of that kind in that unit measure. */
const char *samples_quantity(const struct record_kind *kind, const char *unit);

/* The unit of displacement in what is said of a record: of samples of a motion that in theirs, else theirs. */
struct motion_unit record_unit(const struct decay_origin *origin);

/* The first column whose largest figure is too small to calculate with, of rows one after the other; NULL: none is. */
const struct kind_column *kind_form_too_small(const struct kind_form *form, const double *figures, size_t rows);

/* How the columns of a form are called together, "h0,h1". */
struct form_name {
    char text[64];
};
struct form_name kind_form_name(const struct kind_form *form);

/* What results are searched for, from the struct that holds what was found; NAN where the kind has none of that name.
 * Not for a kind whose section is NULL. */
void kind_searched_figures(const struct record_kind *kind, const void *found, double figure[SEARCHED_FIGURES]);

/* The model that was chosen for a contact that is driven; NULL: none, or the kind has no such models. Static. Not for a
 * kind whose section is NULL. */
const char *kind_chosen_model(const struct record_kind *kind, const void *found);

/* The names of the sensors of a record whose samples stand in it row by row; 0: it is of one channel, or a table. */
size_t record_sensors(const struct decay_origin *origin, char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES]);

/* How long after the start of its scan each of so many sensors was sampled, s: what record_delays() finds in the origin
 * again, or its delay where the sensors have none of their own. */
void record_tell_delays(const double *delay_s, size_t count, struct decay_origin *origin);
void record_delays(const struct decay_origin *origin, size_t count, double delay_s[KIND_SENSORS_MOST]);

/* What a record's first trace measures. One that was stored before that was kept does not say it, but its form does,
 * and a free decay is one of a displacement. */
const char *record_quantity(const struct decay_origin *origin);

/* What trace `i` of a record measures, and in which unit. form NULL: it is no table. */
const char *trace_quantity(const struct decay_origin *origin, const struct kind_form *form, size_t i);
const char *trace_unit(const struct decay_origin *origin, const struct kind_form *form, size_t i);

/* Records of it are samples, in whatever way they are handed in. */
bool record_kind_has_samples(const struct record_kind *kind);

/* Whether one form has all columns of another, and more. */
bool kind_form_extends(const struct kind_form *form, const struct kind_form *other);

/* The form of that name; NULL: the kind has none. */
const struct kind_form *kind_form_named(const struct record_kind *kind, const char *name);

#endif
