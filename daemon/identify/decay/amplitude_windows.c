/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The record, cut by amplitude into records of their own: the model itself is not asked where it holds. */

#include "identify/decay/amplitude_windows.h"

#include "identify/decay/full_record_fit.h"

#include <math.h>
#include <string.h>

enum { FEWEST_HALF_CYCLES = 4 };

/* Amplitudes in a window differ at least by this factor, where the record allows it: zeta and x_k can only be told
 * apart over a range of amplitudes. */
static const double LEAST_RATIO = 1.6;

static double amplitude(const struct extremum *extrema, size_t j)
{
    return fabs(extrema[j + 1].displacement - extrema[j].displacement) / 2;
}

/* The extremum at which window n of `windows` ends that begins at `from`, by amplitude, with room for the half cycles
 * of those behind it. */
static size_t end_of_window(const struct extremum *extrema, size_t count, size_t from, size_t n, size_t windows)
{
    const size_t last = count - 1, most = last - (windows - n - 1) * FEWEST_HALF_CYCLES;
    const double first = amplitude(extrema, 0), end = amplitude(extrema, count - 2);
    const double wanted = first * pow(end / first, (double)(n + 1) / (double)windows);
    size_t j = from + FEWEST_HALF_CYCLES;
    if (n + 1 == windows)
        return last;
    while (j < most && amplitude(extrema, j) > wanted)
        j++;
    return j;
}

static size_t window_count(const struct extremum *extrema, size_t count)
{
    if (count < 2 * FEWEST_HALF_CYCLES + 1)
        return 0;
    const double first = amplitude(extrema, 0), last = amplitude(extrema, count - 2);
    if (!(first > 0) || !(last > 0) || !isfinite(first / last))
        return 0;
    const double by_ratio = fmax(floor(log(first / last) / log(LEAST_RATIO)), 2);
    const size_t room = (count - 1) / FEWEST_HALF_CYCLES, most = room < WINDOWS_MOST ? room : WINDOWS_MOST;
    return by_ratio < (double)most ? (size_t)by_ratio : most;
}

/* The samples from extremum `from` to extremum `to`, as a record that borrows them. */
static struct decay_record part_of(const struct decay_record *record, const struct extremum *from,
                                   const struct extremum *to)
{
    const size_t first = from->index, last = to->index + 1 < record->count ? to->index + 1 : record->count;
    struct decay_record part = *record;
    part.displacement = record->displacement + first;
    part.time_s = record->time_s ? record->time_s + first : NULL;
    part.flags = record->flags ? record->flags + first : NULL;
    /* In a record that is no decay the nearest samples need not stand in order. */
    part.count = last > first ? last - first : 0;
    part.start_s = decay_record_time(record, first);
    part.first_extremum_s = from->time_s;
    return part;
}

static struct amplitude_window window_of(const struct decay_record *record, const struct extremum *extrema, size_t from,
                                         size_t to, const double *start, const atomic_bool *cancel,
                                         struct full_record_workspace *workspace)
{
    const struct decay_record part = part_of(record, &extrema[from], &extrema[to]);
    const struct full_record_options options = {
        .model = DAMPING_VISCOUS_COULOMB, .start = start, .cancel = cancel, .workspace = workspace};
    struct full_record_fit fit;
    full_record_fit(&part, &options, &fit);
    struct amplitude_window window = {
        .verdict = fit.verdict,
        .largest = amplitude(extrema, from),
        .smallest = amplitude(extrema, from),
        .start_s = extrema[from].time_s,
        .end_s = extrema[to].time_s,
        .half_cycles = to - from,
        .f_n_hz = fit.f_n_hz,
    };
    /* Amplitudes need not fall one by one: with noise, or beats, the largest may stand anywhere. */
    for (size_t j = from + 1; j < to; j++) {
        window.largest = fmax(window.largest, amplitude(extrema, j));
        window.smallest = fmin(window.smallest, amplitude(extrema, j));
    }
    memcpy(window.estimate, fit.estimate, sizeof window.estimate);
    return window;
}

enum verdict amplitude_windows_of(const struct decay_record *record, const struct extremum *extrema, size_t count,
                                  const double *start, const atomic_bool *cancel,
                                  struct full_record_workspace *workspace, struct amplitude_windows *windows)
{
    *windows = (struct amplitude_windows){.verdict = VERDICT_TOO_FEW_HALF_CYCLES};
    const size_t wanted = window_count(extrema, count);
    if (wanted < 2)
        return windows->verdict;
    for (size_t n = 0, from = 0; n < wanted; n++) {
        if (cancel && atomic_load(cancel))
            return windows->verdict = VERDICT_CANCELLED;
        const size_t to = end_of_window(extrema, count, from, n, wanted);
        windows->window[windows->count++] = window_of(record, extrema, from, to, start, cancel, workspace);
        from = to;
    }
    return windows->verdict = VERDICT_OK;
}
