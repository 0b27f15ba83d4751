/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Enums of other rooms and their words, as one table. */

#include "report/vocabulary.h"

#include "acquire/source.h"
#include "identify/bounce/restitution.h"
#include "identify/decay/main_figures.h"
#include "report/kinds/kind_rows.h"
#include "report/kinds/record_kind.h"
#include "segment/decay.h"

static const char *verdict_word(int value)
{
    return verdict_name((enum verdict)value);
}

static const char *model_word(int value)
{
    return damping_model_name((enum damping_model)value);
}

/* The section that holds the recommended estimates. */
static const char *recommended_word(int value)
{
    return recommended_name((enum recommended)value);
}

static const char *ended_by_word(int value)
{
    return decay_end_name((enum decay_end)value);
}

static const char *source_kind_word(int value)
{
    return source_kind_name((enum source_kind)value);
}

static const char *quantity_word(int value)
{
    return budget_quantity_name((enum budget_quantity)value);
}

static const char *bounce_word(int value)
{
    return restitution_kind_name((enum restitution_kind)value);
}

static const char *kind_word(int value)
{
    return record_kind_name_at((size_t)value);
}

#define ONE_MORE(name) +1
enum { RECORD_KINDS = 0 RECORD_KIND_ROWS(ONE_MORE) };

static const struct {
    const char *name;
    int first, last; /* values that have a word */
    const char *(*word)(int value);
} vocabularies[VOCABULARIES] = {
    [WORDS_VERDICT] = {"verdict", VERDICT_OK, VERDICTS - 1, verdict_word},
    [WORDS_MODEL] = {"model", DAMPING_VISCOUS, DAMPING_MODELS - 1, model_word},
    [WORDS_RECOMMENDED] = {"recommended", RECOMMENDED_FIT, RECOMMENDED_EXTREMA_FIT, recommended_word},
    [WORDS_ENDED_BY] = {"ended_by", DECAY_END_REST, DECAY_END_END_OF_SOURCE, ended_by_word},
    [WORDS_SOURCE_KIND] = {"source_kind", 0, SOURCE_KIND_COUNT - 1, source_kind_word},
    [WORDS_QUANTITY] = {"quantity", 0, BUDGET_QUANTITIES - 1, quantity_word},
    [WORDS_BOUNCE] = {"bounce", RESTITUTION_VELOCITIES, RESTITUTION_TIMES, bounce_word},
    [WORDS_KIND] = {"record_kind", 0, RECORD_KINDS - 1, kind_word},
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
    return vocabularies[vocabulary].word(value);
}

const char *vocabulary_at(enum vocabulary vocabulary, int index)
{
    return vocabulary_word(vocabulary, vocabularies[vocabulary].first + index);
}
