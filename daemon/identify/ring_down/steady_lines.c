/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A line that is steady has nearly one amplitude in all parts of the record, and a phase that turns evenly, as far as
 * noise lets them be seen. The scatter of the parts tells the noise there, whatever its colour, and what is left of
 * modes counts as such. */

#include "identify/ring_down/steady_lines.h"

#include "identify/ring_down/ringing_spectrum.h"
#include "identify/ring_down/without_modes.h"

#include <math.h>
#include <string.h>

/* The parts of a record, and how many cycles of a line each has at the least, so that its neighbours are apart. */
enum { PARTS = 8 };
#define LEAST_CYCLES 5.0
/* Standard errors. Of places as high as that, noise passes the first at one in 900, by Fisher's distribution of 2 and
 * 12 degrees of freedom; and a line that is steady seems to change by more than the second once in 10 000 times, by
 * Student's of 12. */
#define STANDS_OUT 5.0
#define CHANGES 5.7
/* A line has the same amplitude as before the blow within this, and from the ring-down's first part to its last, which
 * a mode that the blow makes ring has not. */
#define AS_BEFORE 0.3
/* Where no calm before the blow is long enough to have it, a line is what decays, and grows, more slowly than a mode
 * could: metal alone, without a joint and in vacuum, has this damping ratio. */
#define LEAST_DAMPING 1e-4

/* What is looked through. Borrowed. */
struct rest {
    const struct ring_down_samples *samples;
    double *const *of; /* each sensor's, without the modes */
};

/* Turned from sample to sample by a product, whose rounding is forgotten after so many. */
enum { TURNED_SAMPLES = 256 };

double complex steady_line_amplitude(const double *samples, size_t from, size_t count, double angle)
{
    const double of_window = 2 * M_PI / (double)count;
    const double complex turn = cexp(CMPLX(0, -angle)), window_turn = cexp(CMPLX(0, of_window));
    double complex sum = 0, back = 0, window = 0;
    double weights = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % TURNED_SAMPLES == 0) {
            back = cexp(CMPLX(0, -angle * (double)(from + i)));
            window = cexp(CMPLX(0, of_window * ((double)i + 0.5)));
        }
        const double weight = 1 - creal(window);
        sum += weight * samples[from + i] * back;
        weights += weight;
        back *= turn;
        window *= window_turn;
    }
    return 2 * sum / weights;
}

/* A line by its parts, which change from each to the next. */
struct parts {
    double complex part[PARTS], mean, change;
    double angle;   /* of a sample */
    double scatter; /* of each component of a part, about what changes evenly */
};

/* The squares of the parts' places about the middle. */
static const double PLACE_SQUARES = PARTS * (PARTS * PARTS - 1) / 12.0;

static void take_parts(const double *samples, size_t length, struct parts *parts)
{
    parts->mean = parts->change = 0;
    for (size_t j = 0; j < PARTS; j++) {
        parts->part[j] = steady_line_amplitude(samples, j * length, length, parts->angle);
        parts->mean += parts->part[j] / PARTS;
        parts->change += parts->part[j] * ((double)j - 0.5 * (PARTS - 1)) / PLACE_SQUARES;
    }
}

/* How far the phase turns from part to part where it may turn much. */
static double turn_of(const struct parts *parts)
{
    double complex turn = 0;
    for (size_t j = 1; j < PARTS; j++)
        turn += parts->part[j] * conj(parts->part[j - 1]);
    return carg(turn);
}

/* The phase turns from part to part by what the frequency is off: first by neighbours, which tell a large turn, then by
 * the straight line through all parts, which tells a small one best. */
static void follow(const double *samples, size_t count, struct parts *parts)
{
    const size_t length = count / PARTS;
    take_parts(samples, length, parts);
    parts->angle += turn_of(parts) / (double)length;
    take_parts(samples, length, parts);
    if (cabs(parts->mean) > 0)
        parts->angle += cimag(parts->change / parts->mean) / (double)length;
    take_parts(samples, length, parts);
    double squares = 0;
    for (size_t j = 0; j < PARTS; j++)
        squares += pow(cabs(parts->part[j] - parts->mean - parts->change * ((double)j - 0.5 * (PARTS - 1))), 2);
    parts->scatter = sqrt(squares / (2 * PARTS - 4));
}

/* Of another sensor, at the same frequency. */
static double complex mean_of_parts(const double *samples, size_t count, const struct parts *parts)
{
    const size_t length = count / PARTS;
    double complex mean = 0;
    for (size_t j = 0; j < PARTS; j++)
        mean += steady_line_amplitude(samples, j * length, length, parts->angle) / PARTS;
    return mean;
}

static bool is_steady(const struct parts *parts)
{
    const double size = cabs(parts->mean);
    if (!(size > STANDS_OUT * parts->scatter / sqrt(PARTS)))
        return false;
    const double change = creal(parts->change * conj(parts->mean)) / size;
    return fabs(change) < AS_BEFORE * size / PARTS + CHANGES * parts->scatter / sqrt(PLACE_SQUARES);
}

/* How much of the calm before the blow is looked at. */
static size_t calm_for(const struct ring_down_samples *samples, struct calm_before calm)
{
    return calm.count < samples->count ? calm.count : samples->count;
}

static bool is_long_enough(size_t calm, const struct parts *parts)
{
    return (double)calm * parts->angle >= 2 * M_PI * LEAST_CYCLES;
}

/* Whether the calm before the blow has it. */
static bool was_there(const struct ring_down_samples *samples, size_t sensor, struct calm_before calm,
                      const struct parts *parts)
{
    const size_t all = calm_for(samples, calm);
    const double was =
        cabs(steady_line_amplitude(samples->raw[sensor] - calm.ago, calm.count - all, all, parts->angle));
    return fabs(was / cabs(parts->mean) - 1) < AS_BEFORE;
}

/* A mode of the least damping, or of more, seems to decay as slowly as that once in 20 000 times, by Student's
 * distribution as above. */
static bool hardly_decays(const struct parts *parts, size_t length)
{
    const double size = cabs(parts->mean), change = creal(parts->change * conj(parts->mean)) / size;
    return fabs(change) + CHANGES * parts->scatter / sqrt(PLACE_SQUARES) <
           LEAST_DAMPING * parts->angle * (double)length * size;
}

/* Where the calm before the blow is too short to have it, the ring-down alone tells. */
static bool goes_on(const struct ring_down_samples *samples, size_t sensor, struct calm_before calm,
                    const struct parts *parts)
{
    return is_long_enough(calm_for(samples, calm), parts) ? was_there(samples, sensor, calm, parts)
                                                          : hardly_decays(parts, samples->count / PARTS);
}

/* As the sensor that sees most of it says. False: it is no steady line. */
static bool line_at(const struct rest *rest, struct calm_before calm, double f_hz, struct steady_line *line)
{
    const struct ring_down_samples *samples = rest->samples;
    const double period_s = 1 / samples->rate_hz;
    struct parts best = {.mean = 0};
    size_t sensor = 0;
    if (!(f_hz * (double)(samples->count / PARTS) * period_s > LEAST_CYCLES))
        return false;
    for (size_t m = 0; m < samples->sensors; m++) {
        struct parts parts = {.angle = 2 * M_PI * f_hz * period_s};
        follow(rest->of[m], samples->count, &parts);
        if (cabs(parts.mean) > cabs(best.mean)) {
            best = parts;
            sensor = m;
        }
    }
    if (!is_steady(&best) || !goes_on(samples, sensor, calm, &best))
        return false;
    const double omega = best.angle * samples->rate_hz, size = cabs(best.mean),
                 over = pow(omega, (double)samples->sensed);
    const double part_s = (double)(samples->count / PARTS) * period_s;
    const double spread_s = part_s * sqrt(PLACE_SQUARES);
    *line = (struct steady_line){.f_hz = omega / (2 * M_PI),
                                 .se_f_hz = best.scatter / (size * spread_s * 2 * M_PI),
                                 .amplitude = size / over,
                                 .se_amplitude = best.scatter / sqrt(PARTS) / over,
                                 .sensor = samples->name[sensor],
                                 .angle = best.angle};
    for (size_t m = 0; m < samples->sensors; m++)
        line->of[m] = mean_of_parts(rest->of[m], samples->count, &best);
    return true;
}

static bool is_peak(const struct ringing_spectrum *spectrum, size_t k)
{
    return spectrum->power[k] > spectrum->power[k - 1] && spectrum->power[k] >= spectrum->power[k + 1] &&
           spectrum->power[k] > RINGING_LEAST_HEIGHT * ringing_spectrum_around(spectrum, k);
}

/* As sensors see it: as a displacement, a high one of accelerations would count little. */
static double strength(const struct steady_line *line)
{
    double most = 0;
    for (size_t m = 0; m < PASS_SENSORS; m++)
        most = fmax(most, cabs(line->of[m]));
    return most;
}

/* One more, of a higher frequency: where there are too many, the weakest goes. */
static void keep_strongest(struct steady_line *lines, size_t *found, const struct steady_line *line)
{
    size_t weakest = 0;
    if (*found < STEADY_LINES) {
        lines[(*found)++] = *line;
        return;
    }
    for (size_t k = 1; k < STEADY_LINES; k++)
        weakest = strength(&lines[k]) < strength(&lines[weakest]) ? k : weakest;
    if (!(strength(line) > strength(&lines[weakest])))
        return;
    memmove(&lines[weakest], &lines[weakest + 1], (STEADY_LINES - 1 - weakest) * sizeof *lines);
    lines[STEADY_LINES - 1] = *line;
}

/* Peaks of the second half, where least is left of modes. */
static enum verdict look_through(const struct rest *rest, struct calm_before calm,
                                 const struct ringing_spectrum *spectrum, const atomic_bool *cancel,
                                 struct steady_line *lines, size_t *found)
{
    const double apart_hz = PARTS * rest->samples->rate_hz / (double)rest->samples->count;
    for (size_t k = 2; k + 1 < spectrum->places; k++) {
        struct steady_line line;
        if (cancel && atomic_load(cancel)) {
            *found = 0;
            return VERDICT_CANCELLED;
        }
        if (!is_peak(spectrum, k) || !line_at(rest, calm, ringing_spectrum_peak_hz(spectrum, k), &line))
            continue;
        if (*found == 0 || line.f_hz - lines[*found - 1].f_hz >= apart_hz)
            keep_strongest(lines, found, &line);
        else if (strength(&line) > strength(&lines[*found - 1]))
            lines[*found - 1] = line;
    }
    return VERDICT_OK;
}

enum verdict steady_lines_of(const struct ring_down_samples *samples, struct calm_before calm,
                             const struct ring_down_mode *modes, size_t count, const atomic_bool *cancel,
                             struct steady_line lines[STEADY_LINES], size_t *found)
{
    struct without_modes without = {NULL, {NULL}};
    const struct rest rest = {samples, without.of};
    const double *halves[PASS_SENSORS];
    double noise[PASS_SENSORS] = {0};
    struct ringing_spectrum spectrum = {0};
    *found = 0;
    /* Two samples a cycle are the least. */
    if ((double)samples->count < PARTS * 2 * LEAST_CYCLES)
        return VERDICT_OK;
    enum verdict verdict = without_modes_of(samples, modes, count, cancel, &without);
    for (size_t m = 0; m < samples->sensors; m++)
        halves[m] = without.of[m];
    if (verdict == VERDICT_OK && ringing_spectrum_make(halves, samples->sensors, samples->count / 2, samples->count / 2,
                                                       samples->rate_hz, noise, &spectrum) != 0)
        verdict = VERDICT_NO_MEMORY;
    if (verdict == VERDICT_OK)
        verdict = look_through(&rest, calm, &spectrum, cancel, lines, found);
    ringing_spectrum_clear(&spectrum);
    without_modes_clear(&without);
    return verdict;
}

static bool is_any_within(const struct steady_line *lines, size_t found, double from_hz, double to_hz)
{
    for (size_t k = 0; k < found; k++)
        if (lines[k].f_hz > from_hz && lines[k].f_hz < to_hz)
            return true;
    return false;
}

/* That of a steady motion's peak. */
double steady_line_width(const struct ring_down_samples *samples)
{
    return 2 * RINGING_HALF_WIDTH * samples->rate_hz / (double)samples->count;
}

/* A line is what a mode that does not decay was taken for where it is so near. */
static bool is_line(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                    const struct steady_line *lines, size_t found)
{
    const double centre = ring_down_mode_centre(mode), width_hz = steady_line_width(samples);
    return mode->verdict == VERDICT_NOT_DECAYING && is_any_within(lines, found, centre - width_hz, centre + width_hz);
}

void steady_lines_remove(const struct ring_down_samples *samples, const struct steady_line *lines, size_t found,
                         struct ring_down_mode *modes, size_t *count)
{
    size_t kept = 0;
    for (size_t r = 0; r < *count; r++)
        if (!is_line(samples, &modes[r], lines, found)) {
            if (kept != r)
                modes[kept] = modes[r];
            kept++;
        }
    *count = kept;
}

bool steady_lines_hide(const struct ring_down_samples *samples, const struct steady_line *lines, size_t found,
                       const struct ring_down_mode *mode)
{
    const double f_hz = mode->omega_0.value / (2 * M_PI), width_hz = steady_line_width(samples);
    for (size_t k = 0; k < found && mode->verdict == VERDICT_OK; k++)
        if (fabs(lines[k].f_hz - f_hz) < width_hz && mode->at_first_sample < lines[k].amplitude)
            return true;
    return false;
}

bool steady_lines_beside(const struct steady_line *lines, size_t found, const struct ring_down_mode *modes,
                         size_t count)
{
    for (size_t r = 0; r < count; r++)
        if (is_any_within(lines, found, modes[r].band_hz[0], modes[r].band_hz[1]))
            return true;
    return false;
}

void steady_lines_take_away(const struct steady_line *lines, size_t found, size_t sensor, double *samples, size_t count)
{
    for (size_t k = 0; k < found; k++)
        for (size_t i = 0; i < count; i++)
            samples[i] -= creal(lines[k].of[sensor] * cexp(CMPLX(0, lines[k].angle * (double)i)));
}

bool steady_lines_moved(const struct steady_line *before, size_t found_before, const struct steady_line *now,
                        size_t found)
{
    bool moved = found != found_before;
    for (size_t k = 0; k < found && !moved; k++)
        moved = fabs(now[k].amplitude - before[k].amplitude) > before[k].se_amplitude ||
                fabs(now[k].f_hz - before[k].f_hz) > before[k].se_f_hz;
    return moved;
}
