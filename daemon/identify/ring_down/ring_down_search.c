/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/ring_down_search.h"

#include "identify/common/instrument_estimate.h"
#include "identify/ring_down/explained_lines.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_duration.h"
#include "identify/ring_down/overlapping_bands.h"
#include "identify/ring_down/ring_down_wide.h"
#include "identify/ring_down/spectral_band.h"
#include "identify/ring_down/unexplained_modes.h"
#include "identify/ring_down/untold_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The point of a curve at which the damping is known best. */
static const struct backbone_point *best_known(const struct backbone_point *curve, size_t count)
{
    const struct backbone_point *best = &curve[0];
    for (size_t i = 1; i < count; i++)
        if (curve[i].se_zeta * best->zeta < best->se_zeta * curve[i].zeta)
            best = &curve[i];
    return best;
}

/* Of two modes in one backbone each is somewhere between its ends: half of how far they are apart is the error. */
static void admit_beat(const struct backbone_point *curve, size_t count, struct backbone_point *best)
{
    double omega[2] = {INFINITY, -INFINITY}, zeta[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        omega[0] = fmin(omega[0], curve[i].omega);
        omega[1] = fmax(omega[1], curve[i].omega);
        zeta[0] = fmin(zeta[0], curve[i].zeta);
        zeta[1] = fmax(zeta[1], curve[i].zeta);
    }
    best->se_omega = hypot(best->se_omega, 0.5 * (omega[1] - omega[0]));
    best->se_zeta = hypot(best->se_zeta, 0.5 * (zeta[1] - zeta[0]));
}

/* What lists show: the mode that moves most, at the amplitude at which its damping is known best. */
static void fill_headlines(const struct physical_settings *settings, struct ring_down *ring_down)
{
    struct backbone_point best = {.amplitude = NAN};
    double most = 0;
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        const struct ring_down_mode *mode = &ring_down->mode[r];
        size_t count;
        const struct backbone_point *curve = mode_curve(mode, &count);
        if (mode->verdict != VERDICT_OK || count == 0 || !(mode->amplitude_max > most))
            continue;
        most = mode->amplitude_max;
        best = *best_known(curve, count);
        if (mode->reason[REASON_BEAT])
            admit_beat(curve, count, &best);
    }
    if (!(most > 0))
        return;
    const struct instrument instrument = instrument_of(settings);
    const struct estimate f_n_hz = estimate_in_noise(best.omega / (2 * M_PI), best.se_omega / (2 * M_PI));
    ring_down->f_n_hz = estimate_combined(f_n_hz, &instrument, -1, 0);
    ring_down->zeta = estimate_combined(estimate_in_noise(best.zeta, best.se_zeta), &instrument, 0, 0);
}

/* What stands out of the noise, and goes on. */
static bool has_line(const struct ring_down *ring_down)
{
    bool found = ring_down->line_count > 0;
    for (size_t i = 0; i < ring_down->left.count; i++)
        found = found || ring_down->left.line[i].cause == LEFT_NOT_FALLING;
    return found;
}

/* Where nothing rings, and the motion as a whole fell, what does not decay is not what was struck: that was gone before
 * anybody could see how it falls. */
static void leave_what_is_gone(struct ring_down *ring_down)
{
    bool gone = !isnan(ring_down->blow_s) && ring_down->fell_to_tenth;
    for (size_t r = 0; r < ring_down->mode_count; r++)
        gone = gone && ring_down->mode[r].verdict != VERDICT_OK;
    for (size_t r = 0; r < ring_down->mode_count && gone; r++)
        if (ring_down->mode[r].verdict == VERDICT_NOT_DECAYING)
            ring_down_mode_leave(&ring_down->mode[r], VERDICT_NO_RING_DOWN, verdict_sentence(VERDICT_NO_RING_DOWN));
}

static enum verdict verdict_of(const struct ring_down *ring_down)
{
    enum verdict verdict = !isnan(ring_down->blow_s) ? VERDICT_NO_RING_DOWN
                           : has_line(ring_down)     ? VERDICT_NOT_DECAYING
                                                     : VERDICT_NO_BLOW;
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        if (ring_down->mode[r].verdict == VERDICT_OK)
            return VERDICT_OK;
        verdict = ring_down->mode[0].verdict;
    }
    return verdict;
}

/* The modes of a group; others than VERDICT_OK: it is to be given up. Those that nobody came to then have that
 * verdict. */
static enum verdict look_at_group(const struct ring_down_samples *samples, const struct spectral_mode *band,
                                  struct mode_group *group, bool alone, const struct identify_settings *settings,
                                  struct ring_down *ring_down)
{
    const size_t modes = group->verdict == VERDICT_OK ? group->modes : 1, before = ring_down->mode_count;
    size_t order[PASS_MODES] = {0};
    enum verdict verdict = VERDICT_OK;
    if (modes > 1)
        mode_sensors_order(group, samples->sensors, order);
    for (size_t r = 0; r < modes && ring_down->mode_count < RING_DOWN_MODES; r++) {
        struct ring_down_mode *mode = &ring_down->mode[ring_down->mode_count++];
        ring_down_mode_of(samples, band, group, order[r], alone && modes == 1, settings, mode);
        verdict = ring_down_mode_ended(mode);
        if (verdict != VERDICT_OK)
            group->verdict = verdict;
    }
    /* They are told in the order of the group, a pair's by frequency. */
    if (modes == 2 && order[0] == 1 && ring_down->mode_count == before + 2) {
        const struct ring_down_mode stronger = ring_down->mode[before];
        ring_down->mode[before] = ring_down->mode[before + 1];
        ring_down->mode[before + 1] = stronger;
    }
    return verdict;
}

/* Whether a mode of its own would have been understood. A joint that slips as a whole bends a motion so much that it
 * explains part of a beat, too; beats may leave no backbone at all; and a law may be no worse than a backbone where
 * both leave the beats. */
static enum verdict is_doubtful(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                                bool *doubtful)
{
    *doubtful = mode->verdict == VERDICT_OK
                    ? mode->recommended == MODE_BACKBONE || mode->model == MODE_MACROSLIP || mode->points == 0
                    : mode->verdict == VERDICT_NOT_CONVERGED || mode->verdict == VERDICT_UNDERDETERMINED ||
                          mode->verdict == VERDICT_NOT_DECAYING;
    return *doubtful ? VERDICT_OK : unexplained_mode_is(samples, mode, doubtful);
}

static bool is_any_known(const struct ring_down *ring_down, size_t from)
{
    for (size_t r = from; r < ring_down->mode_count; r++)
        if (ring_down->mode[r].verdict == VERDICT_OK)
            return true;
    return false;
}

/* What is seen in a band and no law of one mode explains may be a pair that beats, also where several sensors see both
 * of its modes in nearly the same ratios. Where nothing can be said of its modes, what was said of one stays. */
static enum verdict look_at_band(const struct ring_down_samples *samples, const struct spectral_mode *band,
                                 struct mode_group *group, bool alone, const struct identify_settings *settings,
                                 struct ring_down *ring_down)
{
    const size_t before = ring_down->mode_count;
    struct mode_group pair;
    bool doubtful = false;
    enum verdict verdict = look_at_group(samples, band, group, alone, settings, ring_down);
    if (verdict == VERDICT_OK && ring_down->mode_count == before + 1 && before + 2 <= RING_DOWN_MODES)
        verdict = is_doubtful(samples, &ring_down->mode[before], &doubtful);
    if (verdict != VERDICT_OK || !doubtful)
        return verdict;
    const enum verdict found = samples->sensors > 1 ? ring_down_group_of(samples, band, 2, settings, &pair)
                                                    : ring_down_pair_of(samples, band, settings, &pair);
    if (found == VERDICT_OK && pair.may_be_two)
        ring_down->mode[before].reason[REASON_BEAT] =
            "doubtful: two modes that beat, too near to be told from one, explain it as well; if there are two, what "
            "is told is of both";
    if (found != VERDICT_OK || pair.modes == 1)
        return found == VERDICT_CANCELLED || found == VERDICT_NO_MEMORY ? found : VERDICT_OK;
    const struct ring_down_mode single = ring_down->mode[before];
    ring_down->mode_count = before;
    const enum verdict of_pair = look_at_group(samples, band, &pair, false, settings, ring_down);
    if (!is_any_known(ring_down, before)) {
        ring_down->mode[before] = single;
        ring_down->mode_count = before + 1;
    }
    return of_pair;
}

/* Two neighbours as one band, up to the modes beyond them. */
static struct spectral_mode band_of_pair(const struct spectral_mode *found, int count, int r, double duration_s)
{
    struct spectral_mode band = found[r];
    band.f_hz = 0.5 * (found[r].f_hz + found[r + 1].f_hz);
    const double below = r > 0 ? band.f_hz - found[r - 1].f_hz : INFINITY;
    const double above = r + 2 < count ? found[r + 2].f_hz - band.f_hz : INFINITY;
    band.of_two = found[r + 1].f_hz - found[r].f_hz >= SPECTRAL_NEAR * found[r].f_hz;
    band.stop_hz = spectral_band_of_two(band.f_hz, found[r + 1].f_hz - found[r].f_hz, fmin(below, above), duration_s);
    return band;
}

/* Whether two neighbours are fitted at once: they are near to each other, or a band that ends between them leaves too
 * little of a record so short. */
static bool is_pair(const struct spectral_mode *found, int count, int r, double duration_s)
{
    const double apart_hz = r + 1 < count ? found[r + 1].f_hz - found[r].f_hz : INFINITY;
    return apart_hz < SPECTRAL_NEAR * found[r].f_hz ||
           (spectral_band_is_short(apart_hz, duration_s) &&
            spectral_band_holds_two(band_of_pair(found, count, r, duration_s).stop_hz, apart_hz));
}

/* Those that nobody came to. */
static void leave_rest(const struct spectral_mode *found, int count, struct left_lines *left)
{
    for (int r = 0; r < count; r++) {
        const struct left_line line = {.f_hz = found[r].f_hz, .height = found[r].height, .cause = LEFT_STOPPED};
        left_lines_add(left, &line);
    }
}

/* How far a look at peaks came: the bands that it began with, where among the modes those of each begin, and how many
 * of the peaks are in these bands. */
struct progress {
    size_t bands, first[RING_DOWN_MODES];
    int peaks;
};

/* A pair has one band where the sensors tell its modes apart. */
static enum verdict look_at_peaks(const struct ring_down_samples *samples, const struct spectral_mode *found, int count,
                                  const struct identify_settings *settings, struct ring_down *ring_down,
                                  struct progress *progress)
{
    const double duration_s = (double)samples->count / samples->rate_hz;
    enum verdict verdict = VERDICT_OK;
    *progress = (struct progress){.bands = 0};
    for (int r = 0; r < count && verdict == VERDICT_OK; r++) {
        struct spectral_mode band = found[r];
        struct mode_group group = {.verdict = VERDICT_NOT_COMPUTED};
        if (is_pair(found, count, r, duration_s)) {
            band = band_of_pair(found, count, r, duration_s);
            if (samples->sensors > 1)
                ring_down_group_of(samples, &band, 2, settings, &group);
            else
                ring_down_pair_of(samples, &band, settings, &group);
        }
        if (group.verdict == VERDICT_OK && group.modes == 2) {
            r++;
        } else if (!law_fitting_is_over(group.verdict)) {
            band = found[r];
            ring_down_group_of(samples, &band, 1, settings, &group);
        }
        progress->first[progress->bands++] = ring_down->mode_count;
        progress->peaks = r + 1;
        verdict = look_at_band(samples, &band, &group, count == 1, settings, ring_down);
    }
    return verdict;
}

/* How many of so many modes are in a band; 0: nobody began with it. */
static size_t modes_in_band(const struct progress *progress, size_t band, size_t count)
{
    const size_t end = band + 1 < progress->bands ? progress->first[band + 1] : count;
    return band < progress->bands ? end - progress->first[band] : 0;
}

/* The modes of bands of which not even all laws were found, and of those that nobody came to, are as the laws say that
 * were found before. A band that is stopped before its pair is told has one law where two were found. */
static void keep_laws(const struct ring_down_mode *laws, size_t count, const struct progress *of_laws,
                      const struct progress *stopped, struct ring_down *ring_down)
{
    const size_t last = stopped->bands - 1, first = stopped->first[last];
    bool lacks_law = ring_down->mode_count - first < modes_in_band(of_laws, last, count);
    for (size_t r = first; r < ring_down->mode_count; r++)
        lacks_law = lacks_law || law_fitting_is_over(ring_down->mode[r].verdict);
    const size_t band = lacks_law ? last : stopped->bands;
    if (lacks_law)
        ring_down->mode_count = first;
    for (size_t r = band < of_laws->bands ? of_laws->first[band] : count;
         r < count && ring_down->mode_count < RING_DOWN_MODES; r++)
        ring_down->mode[ring_down->mode_count++] = laws[r];
}

/* What takes longer, behind laws that are known. */
static enum verdict look_beyond_laws(const struct ring_down_samples *samples, const struct undisturbed *undisturbed,
                                     const struct identify_settings *settings, const struct progress *of_laws,
                                     struct ring_down *ring_down)
{
    const size_t count = ring_down->mode_count;
    struct ring_down_mode *laws = calloc(count, sizeof *laws);
    struct progress progress;
    if (!laws)
        return VERDICT_NO_MEMORY;
    memcpy(laws, ring_down->mode, count * sizeof *laws);
    ring_down->mode_count = 0;
    const enum verdict verdict =
        look_at_peaks(samples, undisturbed->mode, (int)undisturbed->modes, settings, ring_down, &progress);
    if (verdict != VERDICT_OK)
        keep_laws(laws, count, of_laws, &progress, ring_down);
    free(laws);
    return verdict;
}

/* Of several modes the laws of all come first: what is stopped, then has them. */
static enum verdict look_at_modes(const struct ring_down_samples *samples, const struct undisturbed *undisturbed,
                                  const struct identify_settings *settings, struct ring_down *ring_down)
{
    const int count = (int)undisturbed->modes;
    struct identify_settings first = *settings;
    struct progress progress;
    first.more_follows = settings->more_follows || count > 1;
    enum verdict verdict = look_at_peaks(samples, undisturbed->mode, count, &first, ring_down, &progress);
    if (verdict != VERDICT_OK)
        leave_rest(&undisturbed->mode[progress.peaks], count - progress.peaks, &ring_down->left);
    else if (first.more_follows && !settings->more_follows)
        verdict = look_beyond_laws(samples, undisturbed, settings, &progress, ring_down);
    for (size_t r = 0; r < ring_down->mode_count && verdict != VERDICT_OK && !settings->more_follows; r++)
        if (ring_down->mode[r].simulation.verdict == VERDICT_PENDING)
            ring_down_mode_stop_at_law(&ring_down->mode[r], verdict);
    return verdict;
}

bool ring_down_stands(const struct identify_settings *settings, enum verdict verdict, struct ring_down *ring_down)
{
    if ((verdict != VERDICT_CANCELLED && verdict != VERDICT_NO_MEMORY) || !is_any_known(ring_down, 0))
        return false;
    for (size_t r = 0; r < ring_down->mode_count; r++)
        ring_down_mode_is_cut_short(&ring_down->mode[r], verdict);
    ring_down->cut_short = ring_down_cut_short_words(verdict, settings->more_follows);
    if (settings->stopped && verdict == VERDICT_CANCELLED)
        *settings->stopped = true;
    return true;
}

enum verdict ring_down_tell_lines(const struct ring_down_samples *samples, struct calm_before calm,
                                  const struct identify_settings *settings, struct ring_down *ring_down)
{
    const enum verdict verdict = steady_lines_of(samples, calm, ring_down->mode, ring_down->mode_count,
                                                 settings->cancel, ring_down->line, &ring_down->line_count);
    if (verdict != VERDICT_OK)
        return verdict;
    steady_lines_remove(samples, ring_down->line, ring_down->line_count, ring_down->mode, &ring_down->mode_count);
    for (size_t k = 0; k < ring_down->line_count; k++)
        left_lines_drop(&ring_down->left, LEFT_NOT_FALLING, ring_down->line[k].f_hz, steady_line_width(samples));
    return VERDICT_OK;
}

enum verdict ring_down_search(const struct ring_down_samples *samples, const struct undisturbed *undisturbed,
                              const struct identify_settings *settings, struct ring_down *ring_down)
{
    struct ring_down_samples first = *samples;
    first.preliminary = undisturbed->modes > 1;
    const struct told_modes told = {ring_down->mode, &ring_down->mode_count, &ring_down->left};
    ring_down->left = undisturbed->left;
    enum verdict verdict = look_at_modes(&first, undisturbed, settings, ring_down);
    if (verdict == VERDICT_OK)
        verdict = overlapping_bands_look(&first, settings, ring_down);
    if (verdict == VERDICT_OK)
        verdict = untold_lines_look_past(&first, undisturbed->mode, undisturbed->modes, settings, &told);
    untold_lines_name(&first, &told);
    if (verdict == VERDICT_OK)
        verdict = mode_durations_judge(samples, ring_down->mode, ring_down->mode_count);
    /* Looks at one mode without the others are many, and the first answer waits for none. */
    if (verdict == VERDICT_OK && ring_down->mode_count > 1 && !settings->more_follows)
        verdict = ring_down_wide(samples, settings, ring_down->mode, ring_down->mode_count);
    /* In wide bands what narrow ones took for another mode may be one that is told. */
    overlapping_bands_tell_once(ring_down);
    if (verdict == VERDICT_OK)
        verdict = explained_lines_leave(samples, settings->cancel, &told);
    for (size_t r = 0; r < ring_down->mode_count && verdict != VERDICT_OK; r++)
        ring_down_mode_is_left_open(&ring_down->mode[r], verdict);
    return verdict;
}

enum verdict ring_down_conclude(const struct identify_settings *settings, enum verdict verdict,
                                struct ring_down *ring_down)
{
    if (verdict != VERDICT_OK && !ring_down_stands(settings, verdict, ring_down))
        return verdict;
    leave_what_is_gone(ring_down);
    fill_headlines(&settings->physical, ring_down);
    return verdict_of(ring_down);
}
