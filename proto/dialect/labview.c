/* SPDX-License-Identifier: GPL-3.0-or-later */

/* LabVIEW's headers: lines of a key and its values. */

#include "proto/dialect/labview.h"

#include "proto/time_unit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is(struct text_piece piece, const char *text)
{
    return piece.length == strlen(text) && memcmp(piece.text, text, piece.length) == 0;
}

/* A number with a point or a comma; NAN: it is none. */
static double number_of(struct text_piece piece)
{
    char text[CELL_NUMBER_BYTES + 1];
    size_t length = 0;
    if (cell_number(piece, '.', text, &length) == NO_NUMBER && cell_number(piece, ',', text, &length) == NO_NUMBER)
        return NAN;
    text[length] = '\0';
    return length > 0 ? strtod(text, NULL) : NAN;
}

/* The delimiter, which the file names in a line that it delimits itself. */
static char delimiter_of(const struct sample *sample)
{
    static const char separator[] = "Separator";
    for (size_t i = 0; i < sample->count; i++) {
        const struct text_piece line = sample->lines[i];
        if (line.length > sizeof separator && memcmp(line.text, separator, sizeof separator - 1) == 0)
            return line.text[sizeof separator - 1];
    }
    return '\t';
}

static int refuse(struct complaint *complaint, const char *sentence)
{
    complaint_set(complaint, "is a LabVIEW measurement %s", sentence);
    return -EBADMSG;
}

/* Whether channels come at rates of their own, which one time cannot tell. */
static bool differ(const struct text_piece *cells, size_t count)
{
    const double first = number_of(cells[1]);
    bool differs = false;
    for (size_t c = 2; c < count; c++)
        differs = differs || fabs(number_of(cells[c]) - first) > 1e-9 * first;
    return differs;
}

/* Takes a line of the header in. */
static int take_line(struct preamble *preamble, const struct text_piece *cells, size_t count,
                     struct complaint *complaint)
{
    const struct text_piece none = {"", 0}, value = count > 1 ? cells[1] : none;
    if (is(cells[0], "Decimal_Separator"))
        preamble->decimal = value.length == 1 && value.text[0] == ',' ? ',' : '.';
    else if (is(cells[0], "X_Columns") && is(value, "Multi"))
        return refuse(complaint, "with a time for each channel: save it with one, or with none");
    else if (is(cells[0], "X_Columns"))
        preamble->stamped = is(value, "One");
    else if (is(cells[0], "X_Dimension") && value.length > 0 && !is(value, "Time"))
        return refuse(complaint, "over something else than time");
    else if (is(cells[0], "X_Unit_Label") && value.length > 0) {
        const struct time_unit *unit = time_unit_find(value.text, value.length);
        if (!unit)
            return refuse(complaint, "with an X_Unit_Label that is no unit of time");
        preamble->unit_s = unit->seconds;
    } else if (is(cells[0], "Channels"))
        preamble->channels = number_of(value) >= 1 && number_of(value) < CELLS_MOST ? (size_t)number_of(value) : 1;
    else if (is(cells[0], "Delta_X") && number_of(value) > 0 && differ(cells, count))
        return refuse(complaint, "of channels at different rates (Delta_X): save each of them alone");
    else if (is(cells[0], "Delta_X") && number_of(value) > 0)
        preamble->rate_hz = 1 / number_of(value);
    else if (is(cells[0], "Date"))
        preamble->date = value;
    else if (is(cells[0], "Time"))
        preamble->time = value;
    else if (is(cells[0], "Y_Unit_Label"))
        for (size_t c = 0; c + 1 < count && c < CELLS_MOST; c++)
            preamble->units[c] = cells[c + 1];
    return 0;
}

static int read_measurement(const struct sample *sample, struct preamble *preamble, struct complaint *complaint)
{
    preamble->delimiter = delimiter_of(sample);
    preamble->stamped = true;
    for (size_t i = 0; i < sample->count; i++) {
        struct text_piece cells[CELLS_MOST];
        size_t count = cells_split(preamble->delimiter, sample->lines[i], cells, CELLS_MOST);
        count = count < CELLS_MOST ? count : CELLS_MOST;
        /* The last of these lines ends the header of the first block; rows follow. */
        if (is(cells[0], "***End_of_Header***"))
            preamble->from = i + 1;
        else if (preamble->from > 0 && is(cells[0], "X_Value"))
            break;
        const int error = take_line(preamble, cells, count, complaint);
        if (error)
            return error;
    }
    preamble->found = preamble->from > 0;
    preamble->blank = !preamble->stamped;
    preamble->rate_hz /= preamble->unit_s;
    if (preamble->found && !preamble->stamped && !(preamble->rate_hz > 0))
        return refuse(complaint, "without times and without their distance");
    return 0;
}

/* "waveform", "t0", "delta t", and a line of names. The stamps are those of the computer: the rate is the card's. */
static void read_waveform(const struct sample *sample, struct preamble *preamble)
{
    struct text_piece cells[CELLS_MOST];
    for (size_t i = 0; i < sample->count && i < 8; i++) {
        const size_t count = cells_split('\t', sample->lines[i], cells, CELLS_MOST);
        if (count == 2 && is(cells[0], "t0"))
            preamble->date = cells[1];
        if (count != 2 || !is(cells[0], "delta t") || !(number_of(cells[1]) > 0))
            continue;
        preamble->rate_hz = 1 / number_of(cells[1]);
        preamble->from = i + 1;
        preamble->delimiter = '\t';
        preamble->channels = 1;
        preamble->found = true;
    }
}

int labview_read(const struct sample *sample, struct preamble *preamble, struct complaint *complaint)
{
    static const char measurement[] = "LabVIEW Measurement", waveform[] = "waveform\t";
    *preamble = (struct preamble){.program = "LabVIEW, ", .channels = 1, .unit_s = 1};
    if (sample->count == 0)
        return 0;
    const struct text_piece first = sample->lines[0];
    if (first.length >= sizeof measurement - 1 && memcmp(first.text, measurement, sizeof measurement - 1) == 0)
        return read_measurement(sample, preamble, complaint);
    if (first.length >= sizeof waveform - 1 && memcmp(first.text, waveform, sizeof waveform - 1) == 0)
        read_waveform(sample, preamble);
    return 0;
}
