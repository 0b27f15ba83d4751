/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_start.h"

#include "identify/common/small_least_squares.h"
#include "identify/ring_down/microslip_law.h"

#include <math.h>
#include <string.h>

/* Amplitude lost in a window, in nepers: fine enough for any law, coarse enough for slopes. */
#define WINDOW_LOSS 0.2
/* Below so many times their noise, samples no longer tell the phase. */
#define LEAST_SIGNAL 3

enum { WINDOWS = 64, LEAST_SAMPLES = 4 };

/* Over a window: the amplitude and the slopes there, in the middle, with how well they are known. */
struct window {
    double x, alpha, omega, precision;
};

struct windows {
    size_t count;
    struct window window[WINDOWS];
    double x_0; /* ln of the first amplitude, extrapolated to time 0 */
};

/* Weighted lines through ln amplitude and phase; the weights are squared amplitudes. */
struct lines {
    double weight, time, time_2, x, time_x, turn, time_turn;
};

static void add_to_lines(struct lines *lines, double time_s, double x, double turn)
{
    const double weight = exp(2 * x);
    lines->weight += weight;
    lines->time += weight * time_s;
    lines->time_2 += weight * time_s * time_s;
    lines->x += weight * x;
    lines->time_x += weight * time_s * x;
    lines->turn += weight * turn;
    lines->time_turn += weight * time_s * turn;
}

static void close_window(struct windows *windows, const struct lines *lines, double carrier)
{
    const double mean = lines->time / lines->weight, spread = lines->time_2 - mean * lines->time;
    struct window *window = &windows->window[windows->count];
    window->x = lines->x / lines->weight;
    window->alpha = -(lines->time_x - mean * lines->x) / spread;
    window->omega = carrier + (lines->time_turn - mean * lines->turn) / spread;
    window->precision = spread;
    if (windows->count++ == 0)
        windows->x_0 = window->x + window->alpha * mean;
}

static void find_windows(const struct mode_samples *samples, double noise, struct windows *windows)
{
    struct lines lines = {0};
    double turn = 0, first_x = 0;
    size_t in_window = 0;
    double complex before = samples->values[0];
    *windows = (struct windows){0};
    for (size_t i = 0; i < samples->count && windows->count < WINDOWS; i++) {
        const double complex z = samples->values[i];
        const double time_s = samples->first_s + samples->period_s * (double)i, x = log(cabs(z));
        if (!(cabs(z) > LEAST_SIGNAL * noise))
            break;
        turn += carg(z / before);
        before = z;
        first_x = in_window == 0 ? x : first_x;
        add_to_lines(&lines, time_s, x, turn);
        if (++in_window >= LEAST_SAMPLES && first_x - x > WINDOW_LOSS) {
            close_window(windows, &lines, samples->carrier);
            lines = (struct lines){0};
            in_window = 0;
        }
    }
    if (windows->count < 3 && in_window >= LEAST_SAMPLES)
        close_window(windows, &lines, samples->carrier);
}

/* The unknowns that are linear once chi is given. */
enum { OMEGA_SHIFT, HALF_C, ZETA_J, LINEAR };

/* To first order in slip: alpha = c/2 + omega zeta_j share, omega = omega_0 - lowering zeta_j share. */
struct linear_law {
    const struct windows *windows;
    double omega, lowering, chi;
};

/* Two equations a window, weighted. */
static double equation(const struct linear_law *law, size_t i, double row[LINEAR])
{
    const struct window *window = &law->windows->window[i / 2];
    const double weight = sqrt(window->precision), share = exp((law->chi + 1) * (window->x - law->windows->x_0));
    const bool of_phase = i % 2 == 1;
    row[OMEGA_SHIFT] = of_phase ? weight : 0;
    row[HALF_C] = of_phase ? 0 : weight;
    row[ZETA_J] = weight * share * (of_phase ? -law->lowering : law->omega);
    return weight * (of_phase ? window->omega - law->omega : window->alpha);
}

/* With the unknowns that are used; the others are 0. */
static double least_squares(const struct linear_law *law, const bool used[LINEAR], double solution[LINEAR])
{
    struct small_least_squares equations = {.unknowns = 0};
    double row[LINEAR], found[SMALL_MAX], squares = 0;
    size_t place[LINEAR];
    for (size_t unknown = 0; unknown < LINEAR; unknown++)
        if (used[unknown])
            place[equations.unknowns++] = unknown;
    for (size_t i = 0; i < 2 * law->windows->count; i++) {
        double some[LINEAR];
        const double value = equation(law, i, row);
        for (size_t k = 0; k < equations.unknowns; k++)
            some[k] = row[place[k]];
        small_least_squares_add(&equations, some, value);
    }
    if (!small_least_squares_solve(&equations, found, NULL))
        return INFINITY;
    memset(solution, 0, LINEAR * sizeof *solution);
    for (size_t k = 0; k < equations.unknowns; k++)
        solution[place[k]] = found[k];
    for (size_t i = 0; i < 2 * law->windows->count; i++) {
        double left = equation(law, i, row);
        for (size_t unknown = 0; unknown < LINEAR; unknown++)
            left -= row[unknown] * solution[unknown];
        squares += left * left;
    }
    return squares;
}

/* Neither c nor zeta_j below 0: what would be is left out. */
static double nonnegative(const struct linear_law *law, double solution[LINEAR])
{
    static const bool choices[3][LINEAR] = {{true, true, true}, {true, false, true}, {true, true, false}};
    double least = INFINITY;
    for (int choice = 0; choice < 3; choice++) {
        double found[LINEAR];
        const double squares = least_squares(law, choices[choice], found);
        if (!(squares < least) || found[HALF_C] < 0 || found[ZETA_J] < 0)
            continue;
        least = squares;
        memcpy(solution, found, sizeof found);
        if (choice == 0)
            break;
    }
    return least;
}

/* The starts stay in the order of their misfit. */
static void keep(struct law_starts *starts, double misfit[LAW_STARTS], double squares, const struct amplitude_law *law)
{
    size_t at = starts->count < LAW_STARTS ? starts->count++ : LAW_STARTS - 1;
    if (starts->count == LAW_STARTS && at == LAW_STARTS - 1 && starts->law[at].parameters > 0 && squares >= misfit[at])
        return;
    for (; at > 0 && misfit[at - 1] > squares; at--) {
        misfit[at] = misfit[at - 1];
        starts->law[at] = starts->law[at - 1];
    }
    misfit[at] = squares;
    starts->law[at] = *law;
}

/* The most that a joint may add to zeta at the first amplitude to begin with: there its tangent stiffness is half of
 * what it is at small amplitudes. Few windows far behind the first sample may call for any joint there, which would be
 * overdamped or push. unit: adds 1. */
static double most_zeta_j(const struct amplitude_law *unit)
{
    return 0.5 / ((unit->parameter[MICROSLIP_CHI] + 2) * microslip_softening(unit));
}

void law_start(const struct mode_samples *samples, double noise, struct law_starts *starts)
{
    struct windows windows;
    double misfit[LAW_STARTS], weight = 0, omega = 0, most = 0;
    *starts = (struct law_starts){0};
    find_windows(samples, noise, &windows);
    for (size_t k = 0; k < windows.count; k++) {
        weight += windows.window[k].precision;
        omega += windows.window[k].precision * windows.window[k].omega;
        most = fmax(most, windows.window[k].alpha);
    }
    if (windows.count == 0)
        return;
    /* The first window's where the amplitude falls in it. */
    const double damping = windows.window[0].alpha > 0 ? windows.window[0].alpha : most;
    omega /= weight;
    starts->loss = windows.x_0 - windows.window[windows.count - 1].x;
    for (double chi = -0.95; chi < 1.5; chi += 0.15) {
        const struct amplitude_law unit = microslip_law(omega, 0, 1, chi);
        const struct linear_law law = {&windows, omega, 0.5 * omega * microslip_lowering(&unit), chi};
        double solution[LINEAR] = {0};
        const double squares = nonnegative(&law, solution);
        if (!isfinite(squares))
            continue;
        /* What is 0 begins at a small part of the damping, so that the fit can still move it. */
        const double least = 0.01 * damping;
        const struct amplitude_law start =
            microslip_law(omega + solution[OMEGA_SHIFT], 2 * fmax(solution[HALF_C], least),
                          fmin(fmax(solution[ZETA_J], least / omega), most_zeta_j(&unit)), chi);
        keep(starts, misfit, squares, &start);
    }
}
