/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Enums of other rooms and their words, as one table. */

#include "report/vocabulary.h"

#include "acquire/source.h"
#include "identify/bounce/restitution.h"
#include "identify/curve/speed_curve.h"
#include "identify/decay/main_figures.h"
#include "identify/loop/friction_term.h"
#include "identify/loop/loop_run.h"
#include "identify/ring_down/ring_down_mode.h"
#include "report/kinds/kind_rows.h"
#include "report/kinds/record_kind.h"
#include "report/result_view.h"
#include "report/tables.h"
#include "segment/decay.h"

static const char *model_word(size_t value)
{
    return damping_model_name((enum damping_model)value);
}

/* The section that holds the recommended estimates. */
static const char *recommended_word(size_t value)
{
    return recommended_name((enum recommended)value);
}

static const char *ended_by_word(size_t value)
{
    return decay_end_name((enum decay_end)value);
}

/* A quantity of the budget has the name of the field that holds it. */
static const struct {
    const struct section *section;
    size_t offset;
} quantities[BUDGET_QUANTITIES] = {
    [BUDGET_F_N_HZ] = {&fit_table, offsetof(struct full_record_fit, f_n_hz)},
    [BUDGET_OMEGA_N] = {&fit_table, offsetof(struct full_record_fit, estimate[FIT_OMEGA_N])},
    [BUDGET_ZETA] = {&fit_table, offsetof(struct full_record_fit, estimate[FIT_ZETA])},
    [BUDGET_X_K] = {&fit_table, offsetof(struct full_record_fit, estimate[FIT_X_K])},
    [BUDGET_X0] = {&fit_table, offsetof(struct full_record_fit, estimate[FIT_X0])},
    [BUDGET_BIAS] = {&fit_table, offsetof(struct full_record_fit, estimate[FIT_BIAS])},
    [BUDGET_OMEGA_D] = {&fit_table, offsetof(struct full_record_fit, omega_d)},
    [BUDGET_BETA] = {&fit_table, offsetof(struct full_record_fit, beta)},
    [BUDGET_C] = {&physical_table, offsetof(struct physical_view, found.c_n_s_per_m)},
    [BUDGET_F_K] = {&physical_table, offsetof(struct physical_view, found.f_k_n)},
    [BUDGET_MU] = {&physical_table, offsetof(struct physical_view, found.mu)},
};

static const char *quantity_word(size_t value)
{
    struct field_cursor cursor = {0};
    while (section_next(quantities[value].section, &cursor))
        if (cursor.field.offset == quantities[value].offset)
            return cursor.field.name;
    return NULL;
}

static const char *bounce_word(size_t value)
{
    return restitution_kind_name((enum restitution_kind)value);
}

#define ONE_MORE(name, finder) +1
enum { RECORD_KINDS = 0 RECORD_KIND_ROWS(ONE_MORE) };

static const struct {
    const char *name;
    int first, last; /* values that have a word */
    const char *(*word)(size_t value);
} vocabularies[VOCABULARIES] = {
    [WORDS_VERDICT] = {"verdict", VERDICT_OK, VERDICTS - 1, verdict_name_at},
    [WORDS_MODEL] = {"model", DAMPING_VISCOUS, DAMPING_MODELS - 1, model_word},
    [WORDS_RECOMMENDED] = {"recommended", RECOMMENDED_FIT, RECOMMENDED_LADDER, recommended_word},
    [WORDS_ENDED_BY] = {"ended_by", DECAY_END_REST, DECAY_END_END_OF_SOURCE, ended_by_word},
    [WORDS_SOURCE_KIND] = {"source_kind", 0, SOURCE_KIND_COUNT - 1, source_kind_name_at},
    [WORDS_QUANTITY] = {"quantity", 0, BUDGET_QUANTITIES - 1, quantity_word},
    [WORDS_BOUNCE] = {"bounce", RESTITUTION_VELOCITIES, RESTITUTION_TIMES, bounce_word},
    [WORDS_KIND] = {"record_kind", 0, RECORD_KINDS - 1, record_kind_name_at},
    [WORDS_MODE_MODEL] = {"mode_model", 0, MODE_MODELS - 1, mode_model_name},
    [WORDS_MODE_RECOMMENDED] = {"mode_recommended", 0, MODE_RECOMMENDATIONS - 1, mode_recommended_name},
    [WORDS_RING_DOWN_REPEAT] = {"ring_down_repeat", 0, RING_DOWN_REPEATS - 1, ring_down_repeat_name},
    [WORDS_RING_DOWN_BEGIN] = {"ring_down_begin", 0, RING_DOWN_BEGINS - 1, ring_down_begin_name},
    [WORDS_RING_DOWN_END] = {"ring_down_end", 0, RING_DOWN_ENDS - 1, ring_down_end_name},
    [WORDS_LEFT_CAUSE] = {"left_cause", 0, LEFT_CAUSES - 1, left_cause_name},
    [WORDS_LOOP_FIGURE] = {"loop_figure", 0, LOOP_FIGURES - 1, loop_figure_name},
    [WORDS_LOOP_RUN_END] = {"loop_run_end", 0, LOOP_RUN_ENDS - 1, loop_run_end_name},
    [WORDS_CURVE_DIP] = {"curve_dip", 0, CURVE_DIPS - 1, curve_dip_name},
    [WORDS_FRICTION_MODEL] = {"friction_model", 0, FRICTION_ROWS - 1, friction_row_name},
    [WORDS_FRICTION_PARAMETER] = {"friction_parameter", 0, FRICTION_PARAMETERS - 1, friction_parameter_name},
};

const char *vocabulary_name(enum vocabulary vocabulary)
{
    return vocabularies[vocabulary].name;
}

const char *vocabulary_word(enum vocabulary vocabulary, int value)
{
    if (!vocabularies[vocabulary].word || value < vocabularies[vocabulary].first ||
        value > vocabularies[vocabulary].last)
        return NULL;
    return vocabularies[vocabulary].word((size_t)value);
}

const char *vocabulary_at(enum vocabulary vocabulary, int index)
{
    return vocabulary_word(vocabulary, vocabularies[vocabulary].first + index);
}
