/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A mode shows best through a window about as long as itself. So the record is looked at through windows of its whole
 * duration, of half of it, and so on, of which a shorter one adds the modes that no longer one has shown. */

#include "identify/ring_down/spectral_modes.h"

#include "identify/ring_down/ringing_spectrum.h"
#include "identify/ring_down/spectral_band.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A peak is so much higher than the lowest place between it and a higher one: two that ring out make no third between
 * them, but the noise beside a peak, and a frequency that changes, makes small ones. */
#define LEAST_PROMINENCE 4.0
/* Modes are so far apart at least, of their frequency: a joint's softening smears one over less. */
#define LEAST_GAP 0.03
/* A mode is seen by so many widths of its peak, and more: else it is not told from what drifts. */
#define LEAST_WIDTHS 6.0
/* Windows are halved down to so many samples. */
enum { LEAST_WINDOW = 64, WINDOWS = 12 };
/* The logarithm of the ratio of two powers scatters by 2 over the root of how far they are above the noise; so many
 * times that is chance in 50 of what does not fall. */
#define FALLS_BY_CHANCE 2.0
/* What a joint makes of strong modes, harmonics and lines beside others, is below this share of the power of the
 * strongest, 1 % of its amplitude. */
#define LEAST_SHARE 1e-4
/* But where modes modulate each other, by a seventh at most, there are lines at the sum or the difference of one's
 * frequency and once or twice the other's, or its own, of half that depth, so that they are so much weaker in power
 * than both. They are as near to it as half their width, but no farther than a joint shifts frequencies meanwhile. */
#define COMBINATION_NEAR 0.005
#define COMBINATION_WEAKER 200.0

/* Through windows of one duration, from the record's beginning and from its middle on. */
struct view {
    struct ringing_spectrum first, later;
    double duration_s;
};

/* A peak on its way to a mode. */
struct peak {
    struct spectral_mode mode;
    double seen_hz; /* through the shortest window so far */
    double share;   /* of the power of the strongest peak, through the window that shows most of it */
    size_t window;  /* that one */
    double half_hz; /* its half width through the longest window that shows it, whose frequency is the mode's */
    double through_hz[WINDOWS]; /* where each window shows it; 0: that does not */
};

enum { MOST_PEAKS = 256 };

struct search {
    struct view view[WINDOWS]; /* [0]: of the whole record, whose second half is that of [1] */
    size_t views;
    double least_fall;
    struct peak peak[MOST_PEAKS];
    size_t peaks;
    struct spectral_mode mode[MOST_PEAKS]; /* those that are not left out */
    struct left_lines *left;               /* NULL: nobody asks */
};

/* No place as near as a mode could be is higher. */
static bool is_highest_near(const struct ringing_spectrum *spectrum, size_t place)
{
    const size_t reach = (size_t)ceil(LEAST_GAP * (double)place) + 2;
    const size_t from = place > reach ? place - reach : 1;
    for (size_t k = from; k < place + reach && k < spectrum->places; k++)
        if (spectrum->power[k] > spectrum->power[place])
            return false;
    return true;
}

/* Both to lower and to higher frequencies the power falls before it rises above the peak, or ends. */
static bool is_prominent(const struct ringing_spectrum *spectrum, size_t place)
{
    const double *power = spectrum->power, top = power[place];
    double least = top;
    for (size_t k = place; k > 1 && power[k] <= top && least * LEAST_PROMINENCE > top; k--)
        least = fmin(least, power[k]);
    if (least * LEAST_PROMINENCE > top)
        return false;
    least = top;
    for (size_t k = place; k < spectrum->places && power[k] <= top && least * LEAST_PROMINENCE > top; k++)
        least = fmin(least, power[k]);
    return least * LEAST_PROMINENCE <= top;
}

/* Half of a peak's width at half its power. */
static double half_width(const struct ringing_spectrum *spectrum, size_t place)
{
    size_t below = place, above = place;
    while (below > 1 && spectrum->power[below] > 0.5 * spectrum->power[place])
        below--;
    while (above + 1 < spectrum->places && spectrum->power[above] > 0.5 * spectrum->power[place])
        above++;
    return 0.5 * (double)(above - below) * spectrum->step_hz;
}

/* Power near a frequency, whose peak a window of another time may have elsewhere. */
static double power_near(const struct ringing_spectrum *spectrum, double f_hz)
{
    const size_t place = (size_t)(f_hz / spectrum->step_hz + 0.5);
    double sum = 0;
    for (size_t k = place > 4 ? place - 4 : 1; k < place + 4 && k < spectrum->places; k++)
        sum += spectrum->power[k];
    return sum;
}

/* From the first half of the record to the second. */
static bool falls(const struct search *search, size_t window, const struct peak *peak)
{
    const struct view *view = &search->view[window > 0 ? window : 1];
    const double chance = search->least_fall > 1 ? FALLS_BY_CHANCE * 2 / sqrt(peak->mode.height) : 0;
    return power_near(&view->first, peak->mode.f_hz) >
           search->least_fall * exp(chance) * power_near(&view->later, peak->mode.f_hz);
}

/* The peak that a longer window has shown; NULL: none has. */
static struct peak *known_peak(struct search *search, size_t known, double f_hz, double reach_hz)
{
    struct peak *nearest = NULL;
    double least = fmax(reach_hz, LEAST_GAP * f_hz);
    for (size_t k = 0; k < known; k++) {
        const double off = fabs(search->peak[k].seen_hz - f_hz);
        if (off > least)
            continue;
        least = off;
        nearest = &search->peak[k];
    }
    return nearest;
}

/* The largest power to which the skirts of the modes that longer windows have shown may add up at a frequency, of
 * motions that hardly decay within the window, and that of what was taken away for the mean, which is of their skirts
 * at frequency 0. */
static double skirts_at(const struct search *search, size_t window, size_t known, double f_hz)
{
    const struct view *view = &search->view[window];
    const struct ringing_spectrum *spectrum = &view->first;
    double here = 0, at_zero = 0;
    for (size_t k = 0; k < known; k++) {
        const double mode_hz = search->peak[k].mode.f_hz;
        const size_t at = (size_t)(mode_hz / spectrum->step_hz + 0.5), last = spectrum->places - 1;
        const double top = sqrt(spectrum->power[at < last ? at : last]);
        here += top * (ringing_spectrum_skirt(f_hz - mode_hz, view->duration_s) +
                       ringing_spectrum_skirt(f_hz + mode_hz, view->duration_s));
        at_zero += 2 * top * ringing_spectrum_skirt(mode_hz, view->duration_s);
    }
    return pow(here + at_zero * ringing_spectrum_skirt(f_hz, view->duration_s), 2);
}

/* A shorter window shows it once more. */
static void leave_standing(const struct search *search, const struct peak *peak)
{
    const struct left_line line = {.f_hz = peak->mode.f_hz, .height = peak->mode.height, .cause = LEFT_NOT_FALLING};
    for (size_t k = 0; search->left && k < search->left->count; k++)
        if (fabs(search->left->line[k].f_hz - line.f_hz) < fmax(peak->half_hz, LEAST_GAP * line.f_hz))
            return;
    left_lines_add(search->left, &line);
}

static void take_peak(struct search *search, size_t window, size_t place, size_t known, double strongest)
{
    const struct view *view = &search->view[window], *whole = &search->view[0];
    const struct ringing_spectrum *spectrum = &view->first;
    const double f_hz = ringing_spectrum_peak_hz(spectrum, place), width_hz = half_width(spectrum, place);
    /* White noise has as much more power as the window is longer. */
    const double noise = ringing_spectrum_around(&whole->first, (size_t)(f_hz / whole->first.step_hz)) *
                         view->duration_s / whole->duration_s;
    struct peak peak = {{f_hz, 0, false, spectrum->power[place] / noise},
                        f_hz,
                        spectrum->power[place] / strongest,
                        window,
                        width_hz,
                        {0}};
    if (!(peak.mode.height > RINGING_LEAST_HEIGHT) || !is_prominent(spectrum, place))
        return;
    peak.through_hz[window] = f_hz;
    struct peak *before = known_peak(search, known, f_hz, width_hz);
    if (before) {
        before->seen_hz = before->through_hz[window] = f_hz;
        before->mode.height = fmax(before->mode.height, peak.mode.height);
        before->window = peak.share > before->share ? window : before->window;
        before->share = fmax(before->share, peak.share);
    } else if (search->peaks < MOST_PEAKS && spectrum->power[place] > skirts_at(search, window, known, f_hz)) {
        if (falls(search, window, &peak))
            search->peak[search->peaks++] = peak;
        else
            leave_standing(search, &peak);
    }
}

static double strongest_of(const struct ringing_spectrum *spectrum, double least_hz)
{
    double most = 0;
    for (size_t k = (size_t)(least_hz / spectrum->step_hz) + 1; k < spectrum->places; k++)
        most = fmax(most, spectrum->power[k]);
    return most;
}

static void look_through(struct search *search, size_t window)
{
    const struct view *view = &search->view[window];
    const struct ringing_spectrum *spectrum = &view->first;
    const double *power = spectrum->power, least_hz = LEAST_WIDTHS * RINGING_HALF_WIDTH / view->duration_s;
    const double strongest = strongest_of(spectrum, least_hz);
    const size_t known = search->peaks;
    for (size_t k = (size_t)(least_hz / spectrum->step_hz) + 2; k + 1 < spectrum->places; k++)
        if (power[k] > power[k - 1] && power[k] >= power[k + 1] && is_highest_near(spectrum, k))
            take_peak(search, window, k, known, strongest);
}

/* How much stronger another one is through the window that shows this one. */
static double stronger(const struct search *search, const struct peak *peak, const struct peak *other)
{
    const struct ringing_spectrum *spectrum = &search->view[peak->window].first;
    return power_near(spectrum, other->mode.f_hz) / power_near(spectrum, peak->mode.f_hz);
}

/* Where slip changes a mode's frequency much, its third harmonic is where the mode was when it moved most: below three
 * times what the longest window shows, and not below that of the one that shows most of the harmonic, or of the
 * shortest before that which still tells the mode. It dies out sooner than the mode, so that it is of that window's
 * beginning, when the mode was lower by about as much again as in the window before, and its few cycles tell its place
 * to half its width. Where slip changes the frequency by less than the mode's own width, it is as near as other lines
 * are. */
static bool is_third_harmonic_of(const struct peak *peak, const struct peak *mode, double near)
{
    size_t window = peak->window;
    while (window > 0 && !(mode->through_hz[window] > 0))
        window--;
    const double early_hz = mode->through_hz[window], before_hz = window > 0 ? mode->through_hz[window - 1] : 0;
    const double reach_hz = 3 * (mode->mode.f_hz - early_hz) > mode->half_hz ? peak->half_hz : near;
    const double least_hz = 3 * (early_hz - fmax(before_hz - early_hz, 0)) - reach_hz;
    return early_hz > 0 && peak->mode.f_hz > least_hz && peak->mode.f_hz < 3 * mode->mode.f_hz + near;
}

static bool is_combination_of(const struct peak *peak, const struct peak *one, const struct peak *other)
{
    const double near = fmin(peak->half_hz, COMBINATION_NEAR * peak->mode.f_hz);
    if (one == other && is_third_harmonic_of(peak, one, near))
        return true;
    for (int times = 1; times <= 2; times++) {
        const double more_hz = times * other->mode.f_hz;
        if (fabs(peak->mode.f_hz - one->mode.f_hz - more_hz) < near ||
            fabs(peak->mode.f_hz - fabs(one->mode.f_hz - more_hz)) < near)
            return true;
    }
    return false;
}

/* line: which modes make it. */
static bool is_combination(const struct search *search, const struct peak *peak, struct left_line *line)
{
    for (size_t j = 0; j < search->peaks; j++) {
        if (!(stronger(search, peak, &search->peak[j]) > COMBINATION_WEAKER))
            continue;
        for (size_t k = 0; k < search->peaks; k++)
            if (is_combination_of(peak, &search->peak[j], &search->peak[k]) &&
                stronger(search, peak, &search->peak[k]) > COMBINATION_WEAKER) {
                line->others = j == k ? 1 : 2;
                line->other_hz[0] = search->peak[j].mode.f_hz;
                line->other_hz[1] = search->peak[k].mode.f_hz;
                return true;
            }
    }
    return false;
}

static int by_height(const void *first, const void *second)
{
    const double a = ((const struct spectral_mode *)first)->height, b = ((const struct spectral_mode *)second)->height;
    return (a < b) - (a > b);
}

static int by_frequency(const void *first, const void *second)
{
    const double a = ((const struct spectral_mode *)first)->f_hz, b = ((const struct spectral_mode *)second)->f_hz;
    return (a > b) - (a < b);
}

/* The peaks that are modes, the highest first. */
static size_t choose(struct search *search)
{
    size_t found = 0;
    for (size_t k = 0; k < search->peaks; k++) {
        const struct peak *peak = &search->peak[k];
        struct left_line line = {.f_hz = peak->mode.f_hz, .height = peak->mode.height, .cause = LEFT_WEAK};
        if (peak->share > LEAST_SHARE) {
            if (!is_combination(search, peak, &line)) {
                search->mode[found++] = peak->mode;
                left_lines_drop(search->left, LEFT_NOT_FALLING, line.f_hz, fmax(peak->half_hz, LEAST_GAP * line.f_hz));
                continue;
            }
            line.cause = LEFT_COMBINATION;
        }
        left_lines_add(search->left, &line);
    }
    qsort(search->mode, found, sizeof *search->mode, by_height);
    return found;
}

/* As many of them as there is room for. */
static size_t keep(const struct search *search, size_t found, size_t most, struct spectral_mode *modes)
{
    for (size_t r = 0; r < found && r < most; r++)
        modes[r] = search->mode[r];
    for (size_t r = most; r < found; r++) {
        const struct spectral_mode *mode = &search->mode[r];
        left_lines_add(search->left, &(struct left_line){mode->f_hz, mode->height, LEFT_BEYOND_MOST, NULL, 0, {0}});
    }
    return found < most ? found : most;
}

static void set_bands(double duration_s, struct spectral_mode *modes, size_t found)
{
    qsort(modes, found, sizeof *modes, by_frequency);
    for (size_t r = 0; r < found; r++) {
        const double below = r > 0 ? modes[r].f_hz - modes[r - 1].f_hz : INFINITY;
        const double above = r + 1 < found ? modes[r + 1].f_hz - modes[r].f_hz : INFINITY;
        modes[r].stop_hz = spectral_band(modes[r].f_hz, fmin(below, above), duration_s);
    }
}

/* All views have the sensors' noise as the whole record has it. */
static int make_views(struct search *search, const double *const *samples, size_t sensors, size_t count, double rate_hz)
{
    double *noise = calloc(sensors, sizeof *noise);
    int error = noise ? 0 : -ENOMEM;
    for (size_t length = count; error == 0 && search->views < WINDOWS && (length >= LEAST_WINDOW || search->views < 2);
         length /= 2) {
        struct view *view = &search->view[search->views];
        view->duration_s = (double)length / rate_hz;
        error = ringing_spectrum_make(samples, sensors, 0, length, rate_hz, noise, &view->first);
        if (error == 0 && search->views++ > 0)
            error = ringing_spectrum_make(samples, sensors, count / 2, length, rate_hz, noise, &view->later);
    }
    free(noise);
    return error;
}

int spectral_modes_of(const double *const *samples, size_t sensors, size_t count, double rate_hz, double least_fall,
                      struct spectral_mode *modes, size_t most, struct left_lines *left)
{
    struct search *search = count < LEAST_WINDOW ? NULL : calloc(1, sizeof *search);
    if (!search)
        return count < LEAST_WINDOW ? 0 : -ENOMEM;
    search->least_fall = least_fall;
    search->left = left;
    const int error = make_views(search, samples, sensors, count, rate_hz);
    for (size_t window = 0; error == 0 && window < search->views; window++)
        look_through(search, window);
    const size_t found = keep(search, choose(search), most, modes);
    set_bands((double)count / rate_hz, modes, found);
    for (size_t window = 0; window < WINDOWS; window++) {
        ringing_spectrum_clear(&search->view[window].first);
        ringing_spectrum_clear(&search->view[window].later);
    }
    free(search);
    return error ? error : (int)found;
}
