/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/untold_lines.h"

#include "identify/ring_down/spectral_band.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The mode of a line where nothing could be told of it; NULL: something was. */
static struct ring_down_mode *untold_mode(const struct told_modes *modes, const struct spectral_mode *line)
{
    for (size_t r = 0; r < *modes->count; r++) {
        struct ring_down_mode *mode = &modes->mode[r];
        if (fabs(ring_down_mode_centre(mode) - line->f_hz) < 1e-9 * line->f_hz)
            return mode->verdict == VERDICT_UNDERDETERMINED || mode->verdict == VERDICT_TOO_FEW_SAMPLES ? mode : NULL;
    }
    return NULL;
}

/* How far away the nearest other line is that is not left out. */
static double to_next_line(const struct spectral_mode *line, size_t lines, size_t which, size_t left_out)
{
    double nearest = INFINITY;
    for (size_t k = 0; k < lines; k++)
        if (k != which && k != left_out)
            nearest = fmin(nearest, fabs(line[k].f_hz - line[which].f_hz));
    return nearest;
}

void told_modes_leave(const struct told_modes *modes, const struct ring_down_mode *mode,
                      const struct ring_down_mode *by)
{
    const struct left_line line = {.f_hz = ring_down_mode_centre(mode),
                                   .height = INFINITY, /* lines of whose height nothing is known are few, and stay */
                                   .cause = LEFT_EXPLAINED,
                                   .others = by ? 1 : 0,
                                   .other_hz = {by ? ring_down_mode_centre(by) : 0}};
    left_lines_add(modes->left, &line);
}

static void remove_mode(const struct told_modes *modes, const struct ring_down_mode *mode)
{
    const size_t place = (size_t)(mode - modes->mode);
    --*modes->count;
    memmove(&modes->mode[place], &modes->mode[place + 1], (*modes->count - place) * sizeof *modes->mode);
}

/* A line through the band that it has without another one, which is weaker. */
static enum verdict look_past(const struct ring_down_samples *samples, const struct spectral_mode *band,
                              const struct spectral_mode *weaker, const struct identify_settings *settings,
                              const struct told_modes *modes)
{
    struct ring_down_mode *told = untold_mode(modes, band), *other = untold_mode(modes, weaker), mode;
    struct mode_group group;
    if (!told || !other)
        return VERDICT_OK;
    ring_down_group_of(samples, band, 1, settings, &group);
    ring_down_mode_of(samples, band, &group, 0, false, settings, &mode);
    if (mode.verdict == VERDICT_OK && group.modes == 1) {
        *told = mode;
        told_modes_leave(modes, other, told);
        remove_mode(modes, other);
    }
    return ring_down_mode_ended(&mode);
}

/* Two of a pair are both there. */
enum verdict untold_lines_look_past(const struct ring_down_samples *samples, const struct spectral_mode *line,
                                    size_t lines, const struct identify_settings *settings,
                                    const struct told_modes *modes)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t r = 0; r + 1 < lines && verdict == VERDICT_OK; r++) {
        const size_t stronger = line[r + 1].height > line[r].height ? r + 1 : r, weaker = stronger == r ? r + 1 : r;
        struct spectral_mode band = line[stronger];
        if (line[r + 1].f_hz - line[r].f_hz < SPECTRAL_NEAR * line[r].f_hz)
            continue;
        band.stop_hz = spectral_band(band.f_hz, to_next_line(line, lines, stronger, weaker),
                                     (double)samples->count / samples->rate_hz);
        if (band.stop_hz > line[stronger].stop_hz)
            verdict = look_past(samples, &band, &line[weaker], settings, modes);
    }
    return verdict;
}

void untold_lines_name(const struct ring_down_samples *samples, const struct told_modes *modes)
{
    const double duration_s = (double)samples->count / samples->rate_hz;
    for (size_t r = 0; r < *modes->count; r++) {
        struct ring_down_mode *mode = &modes->mode[r];
        const double centre_hz = ring_down_mode_centre(mode), stop_hz = mode->band_hz[1] - centre_hz;
        /* But for rounding: a band that no neighbour limits has that width. */
        if (mode->verdict != VERDICT_TOO_FEW_SAMPLES || ring_down_can_be_seen(samples, centre_hz) != VERDICT_OK ||
            !(stop_hz * (1 + 1e-9) < spectral_band(centre_hz, INFINITY, duration_s)))
            continue;
        ring_down_mode_leave(mode, VERDICT_MODES_TOO_NEAR,
                             "the next mode is so near that a record so short does not tell the two apart");
    }
}
