/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_TABLES_H
#define FRICID_REPORT_TABLES_H

#include "report/field.h"

/* The tables of everything that fricid says about a record. */

extern const struct section estimate_table; /* struct estimate */
extern const struct section result_table;   /* struct result_view */
extern const struct section summary_table;  /* struct summary_view */
extern const struct section handed_table;   /* struct handed_view; behind it stands the section of the kind */
extern const struct section run_table;      /* struct run_view */
extern const struct section trace_table;    /* struct trace_view */

/* The sections of a result, in the order of its members, each the `of` of a field of result_table. */
extern const struct section fit_table, extrema_fit_table, decrement_table, models_table, static_friction_table,
    physical_table, flags_table, logarithmic_decrement_table, linear_decrement_table, jacobsen_ayre_table,
    model_choice_table, drift_table, windows_table, budget_table, ladder_table, joint_table;

/* Parts of these. */
extern const struct section window_table, budget_line_table, stiffness_check_table, rung_table, brief_table;

/* At most this many local values of the decrement method are listed, so that a result always fits into one line. */
enum { SECTION_MAX_LOCAL_VALUES = 4000 };

#endif
