/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_FIELD_H
#define FRICID_REPORT_FIELD_H

#include "identify/decay/decay_parameter.h"
#include "identify/ladder/ladder_term.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A section of a result is a struct and a table of its fields. JSON, its schema, the manual and the client walk the
 * same tables: the name, the unit and the label of a field stand there and nowhere else. Tables are data alone, so that
 * a program may look at them without the code that fills the structs. */

enum field_type {
    FIELD_VERDICT,         /* enum verdict: says why what follows is missing */
    FIELD_REASON,          /* why something in the object is null; null when nothing is */
    FIELD_ESTIMATE,        /* struct estimate */
    FIELD_FIGURE,          /* double; null when it is not finite */
    FIELD_SIZE,            /* the same, never negative */
    FIELD_INTERVAL,        /* two doubles, the ends */
    FIELD_NUMBERS,         /* double [], as many as count_offset says: a list */
    FIELD_PARAMETER,       /* struct estimate of a parameter of the decay, whose name, unit and label it has */
    FIELD_FREQUENCY,       /* struct estimate of the natural frequency, likewise */
    FIELD_MAIN_FIGURES,    /* struct estimate [MAIN_FIGURES]: a field each */
    FIELD_UNCERTAINTIES,   /* double [MAIN_FIGURES], of these: a field each */
    FIELD_PARAMETERS,      /* struct estimate [FIT_PARAMETERS]: a field each, of those that the model has */
    FIELD_PARAMETER_NAMES, /* the names of these */
    FIELD_MATRIX,          /* double [FIT_PARAMETERS][FIT_PARAMETERS], the rows and columns of these */
    FIELD_COUNT,           /* size_t; null for COUNT_UNKNOWN, where the field is nullable */
    FIELD_INTEGER,         /* int, never negative */
    FIELD_ORDINAL,         /* size_t, from 1 */
    FIELD_ID,              /* uint64_t; null for 0 */
    FIELD_FLAG,            /* bool; null where the field is nullable and what it judges is not known */
    FIELD_NAME,            /* an enum, by its word */
    FIELD_TEXT,            /* const char *; null for NULL */
    FIELD_TIME,            /* int64_t, CLOCK_REALTIME in ns; null for INT64_MIN */
    FIELD_CONSTANT,        /* always the same text */
    FIELD_LIMIT,           /* always the same number */
    FIELD_RAISED,          /* the names of the flags of a struct that are raised */
    FIELD_OBJECT,          /* a struct with a table of its own */
    FIELD_LIST,            /* an array of such structs */
    FIELD_TERMS,           /* unsigned, a set of the ladder's terms: the names of these */
    FIELD_TERM_ESTIMATES,  /* struct estimate [LADDER_BEYOND]: a field each, of the terms that only a ladder has */
    FIELD_RUNG_FIGURES,    /* struct brief_view [LADDER_PARAMETERS]: a field each */
    FIELD_OPTIONAL,        /* a struct likewise that begins with a bool: null where that is false */
    FIELD_MODEL,           /* unsigned, likewise: the name of the model that has these; null without any */
    FIELD_UNIT,            /* struct quantity_unit, as it is written */
    FIELD_HEADLINES /* struct headlines_view: an object of the headlines of a section that the row does not know */
};

#define COUNT_UNKNOWN SIZE_MAX

/* What the words of a name are taken from. */
enum vocabulary {
    WORDS_ANY,
    WORDS_VERDICT,
    WORDS_MODEL,
    WORDS_RECOMMENDED,
    WORDS_ENDED_BY,
    WORDS_SOURCE_KIND,
    WORDS_QUANTITY,
    WORDS_BOUNCE,
    WORDS_KIND,
    WORDS_MODE_MODEL,
    WORDS_MODE_RECOMMENDED,
    WORDS_RING_DOWN_REPEAT,
    WORDS_RING_DOWN_BEGIN,
    WORDS_RING_DOWN_END,
    WORDS_LEFT_CAUSE,
    WORDS_LOOP_FIGURE,
    WORDS_LOOP_RUN_END,
    WORDS_CURVE_DIP,
    WORDS_FRICTION_MODEL,
    WORDS_FRICTION_PARAMETER,
    VOCABULARIES
};

struct section;

struct field {
    const char *name; /* in JSON */
    enum field_type type;
    enum unit_kind unit; /* of figures and estimates */
    size_t offset;       /* in the section's struct */
    const char *label;   /* on paper; NULL: the name */
    const char *note;    /* what it is, a phrase for the manual and the schema; NULL: the name says it */
    unsigned since;      /* minor version of the protocol */

    enum vocabulary words;    /* of a name or text */
    bool nullable;            /* a name, text, count or flag that may be missing */
    size_t judged_offset;     /* of a nullable flag: the double that it judges, NAN where that is not known */
    const struct section *of; /* of an object, of the elements of a list, of flags */
    size_t count;             /* elements of a list; of FIELD_REASON elsewhere: of so many reasons, all of
                                 which are told; 0: of one, which is told where something is null */
    size_t fewest;            /* elements that earlier versions listed; 0: `count` */
    size_t count_offset;      /* where a list's struct holds the number of its elements; 0: it is `count` */
    size_t most;              /* so many elements are listed; 0: all */
    bool elsewhere;           /* the offset holds a pointer to the list, or of FIELD_REASON to the reason */
    const struct decay_parameter *quantity; /* its symbol, unit and, if it has none of its own, name are this one's */
    enum fit_parameter parameter;           /* of FIELD_PARAMETER; that a likelihood ratio is of */
    bool of_model;         /* told of section_next(): of FIELD_PARAMETERS, there where the model has it */
    bool of_rung;          /* the same: of FIELD_TERM_ESTIMATES, null where the rung lacks the term */
    const char *constant;  /* of FIELD_CONSTANT */
    double limit;          /* of FIELD_LIMIT */
    bool headline;         /* tells one decay from the next: a column of every list of results */
    int digits;            /* significant ones on paper, of a number that is shown there; 0: two */
    const char *missing;   /* why it is null, where the verdict does not say it */
    size_t missing_offset; /* where the struct holds such a sentence, which may be NULL for that one; 0: nowhere */
};

struct section {
    const char *title;   /* of the schema, and what the manual says first */
    const char *heading; /* on the sheet of a result, above its estimates; NULL: it has a place of its own there */
    size_t size;         /* of its struct */
    const struct field *fields;
    size_t count;
    size_t model_offset;          /* where the struct holds the model whose parameters it has; 0: those of all */
    const char *missing;          /* why a field may be null although the verdict is ok */
    const char *missing_estimate; /* the same of an estimate; NULL: as `missing` */
    const char *missing_se;     /* why an estimate has a value, but no uncertainty; NULL: it could not be determined */
    const char *not_computed;   /* instead of the verdict's sentence, for VERDICT_NOT_COMPUTED; NULL: that */
    size_t not_computed_offset; /* where the struct holds such a sentence; 0: nowhere */
    size_t lacks_offset;        /* where it holds char [], with figures of the record, which counts instead of any
                                   verdict's sentence unless it is empty; 0: nowhere */
    bool verdict_matters_not;   /* what is null here is so whatever became of the whole */
};

/* The terms of a ladder that are no parameters of other fits. */
enum { LADDER_BEYOND = LADDER_TERMS - LADDER_DRAG };

/* The unit of a figure that stands beside it. */
struct quantity_unit {
    enum unit_kind kind;
    const char *displacement; /* the unit of that */
};

/* An estimate of which there are many. */
struct brief_view {
    bool there;
    double value, se;
    double interval[2]; /* 95 %; this and the next where its table has them */
    bool at_bound;
    struct quantity_unit unit;
};

/* What a rung says of a parameter: of omega_n its frequency, which is what others say of it. */
const char *ladder_figure_name(enum ladder_parameter parameter);
enum unit_kind ladder_figure_unit(enum ladder_parameter parameter);

/* A struct and its table; `of` NULL: the field is not there. */
struct headlines_view {
    const struct section *of;
    const void *found;
};

/* The fields of a section one after the other, the parameters of the decay among them as estimates like others. A
 * cursor begins as {0}. False at the end. */
struct field_cursor {
    size_t row, element; /* places behind `field` */
    struct field field;
};
bool section_next(const struct section *section, struct field_cursor *cursor);

/* The field of that name into *field; false when there is none. */
bool section_field(const struct section *section, const char *name, struct field *field);

/* A unit as it is written where the displacement has this one, which may be cut; "" for 1. dot: between two units. */
struct unit_text {
    char text[64];
};
struct unit_text unit_text(enum unit_kind kind, const char *displacement, const char *dot);

#endif
