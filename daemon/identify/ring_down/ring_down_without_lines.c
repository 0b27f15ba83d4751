/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/ring_down_without_lines.h"

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_duration.h"
#include "identify/ring_down/ring_down_search.h"
#include "identify/ring_down/stretch.h"
#include "identify/ring_down/unexplained_modes.h"

#include <stdlib.h>
#include <string.h>

static size_t count_known(const struct ring_down *ring_down)
{
    size_t known = 0;
    for (size_t r = 0; r < ring_down->mode_count; r++)
        known += ring_down->mode[r].verdict == VERDICT_OK;
    return known;
}

static enum verdict look_without(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                 struct ring_down *ring_down)
{
    struct undisturbed undisturbed;
    enum verdict verdict = undisturbed_modes(samples, &undisturbed);
    ring_down->mode_count = 0;
    if (verdict == VERDICT_OK)
        verdict = ring_down_search(samples, &undisturbed, settings, ring_down);
    if (verdict == VERDICT_OK)
        unexplained_modes_name_at_lines(samples, settings, ring_down);
    mode_durations_name(samples, settings, ring_down->mode, ring_down->mode_count);
    return verdict;
}

/* A ring-down whose lines are taken away for a while. */
struct lined {
    const struct ring_down_samples *samples;
    double *const *raw, *const *levels; /* those of the samples */
    double *measured;                   /* owned: as they were, one sensor behind the other */
    struct ring_down *with;             /* owned: what was said with the lines */
};

static enum verdict lined_begin(const struct ring_down_samples *samples, double *const *raw, double *const *levels,
                                struct lined *lined)
{
    *lined = (struct lined){samples, raw, levels, calloc(samples->sensors * samples->count, sizeof(double)),
                            malloc(sizeof *lined->with)};
    for (size_t m = 0; m < samples->sensors && lined->measured; m++)
        memcpy(lined->measured + m * samples->count, raw[m], samples->count * sizeof *raw[m]);
    return lined->measured && lined->with ? VERDICT_OK : VERDICT_NO_MEMORY;
}

static void lined_end(struct lined *lined)
{
    free(lined->measured);
    free(lined->with);
}

static void take_lines_away(const struct lined *lined)
{
    const struct ring_down_samples *samples = lined->samples;
    for (size_t m = 0; m < samples->sensors; m++) {
        steady_lines_take_away(lined->with->line, lined->with->line_count, m, lined->raw[m], samples->count);
        stretch_level(lined->raw[m], samples->count, lined->levels[m]);
    }
}

static void put_lines_back(const struct lined *lined)
{
    const struct ring_down_samples *samples = lined->samples;
    for (size_t m = 0; m < samples->sensors; m++) {
        memcpy(lined->raw[m], lined->measured + m * samples->count, samples->count * sizeof *lined->raw[m]);
        stretch_level(lined->raw[m], samples->count, lined->levels[m]);
    }
}

/* Another look that tells as many modes, and the lines beside them. Where it does not, or is stopped, what was said
 * before it stays. better: it does. */
static enum verdict look_again(const struct lined *lined, struct calm_before calm,
                               const struct identify_settings *settings, struct ring_down *ring_down, bool *better)
{
    memcpy(lined->with, ring_down, sizeof *ring_down);
    take_lines_away(lined);
    enum verdict verdict = look_without(lined->samples, settings, ring_down);
    put_lines_back(lined);
    *better = verdict == VERDICT_OK && count_known(ring_down) >= count_known(lined->with);
    if (*better)
        verdict = ring_down_tell_lines(lined->samples, calm, settings, ring_down);
    *better = *better && verdict == VERDICT_OK;
    if (!*better)
        memcpy(ring_down, lined->with, sizeof *ring_down);
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}

/* A line that modes beside it made look otherwise is told better without them, and they without it. */
enum { LINE_PASSES = 2 };

enum verdict ring_down_without_lines(const struct ring_down_samples *samples, struct calm_before calm,
                                     double *const *raw, double *const *levels,
                                     const struct identify_settings *settings, struct ring_down *ring_down)
{
    struct lined lined;
    enum verdict verdict = lined_begin(samples, raw, levels, &lined);
    bool moved = true;
    for (int pass = 0; pass < LINE_PASSES && moved && verdict == VERDICT_OK; pass++) {
        verdict = look_again(&lined, calm, settings, ring_down, &moved);
        moved = moved &&
                steady_lines_moved(lined.with->line, lined.with->line_count, ring_down->line, ring_down->line_count);
    }
    lined_end(&lined);
    return ring_down_conclude(settings, verdict, ring_down);
}
