/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Batches of time stamps, found in one reading: the steps are counted by octaves, which tells their median. */

#include "proto/recording_batches.h"

#include <math.h>

/* A long step is more than eight times the median: it is so many octaves above, whatever the places within them. */
enum { LONG_OCTAVES = 4 };

/* Programs ask for a few dozen samples at a time: of releases with pauses between them, each is longer. */
enum { LONGEST_BATCH = 64 };

/* So many batches are no chance. */
enum { FEWEST_BATCHES = 8 };

static unsigned octave_of(double step_s)
{
    const int octave = RECORDING_BATCH_OCTAVES / 2 + (step_s > 0 ? ilogb(step_s) : -RECORDING_BATCH_OCTAVES);
    return octave < 0 ? 0 : octave < RECORDING_BATCH_OCTAVES ? (unsigned)octave : RECORDING_BATCH_OCTAVES - 1;
}

/* The lower one of the two in the middle: of batches of two rows every other step is short. */
static void move_median(struct recording_batches *batches)
{
    while (2 * batches->below >= batches->steps && batches->median > 0)
        batches->below -= batches->octaves[--batches->median];
    while (2 * (batches->below + batches->octaves[batches->median]) < batches->steps)
        batches->below += batches->octaves[batches->median++];
}

/* A batch is as long as the one before it, give or take a half; long steps in a row are no batches. */
static void end_batch(struct recording_batches *batches)
{
    const uint64_t rows = batches->rows, last = batches->last_rows;
    batches->regular += rows > 1 && last > 1 && rows <= 2 * last && last <= 2 * rows;
    batches->last_rows = rows;
    batches->rows = 0;
}

void recording_batches_note(struct recording_batches *batches, double step_s)
{
    const unsigned octave = octave_of(step_s);
    batches->rows++;
    if (batches->steps > 0 && octave >= batches->median + LONG_OCTAVES)
        end_batch(batches);
    batches->octaves[octave]++;
    batches->below += octave < batches->median;
    batches->steps++;
    move_median(batches);
}

bool recording_batches_found(const struct recording_batches *batches)
{
    return batches->regular >= FEWEST_BATCHES && batches->regular * LONGEST_BATCH >= batches->steps;
}
