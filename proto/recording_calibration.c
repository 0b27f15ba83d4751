/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Channels in volts, counts or parts of a full scale, and what makes displacements of them. */

#include "proto/recording_calibration.h"

#include "proto/column_label.h"
#include "proto/decimal.h"
#include "proto/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

static const char *skip(const char *at, const char *marks)
{
    return at + strspn(at, marks);
}

/* The next coefficient; NULL: none begins here. strtod() would take "inf" and "nan", which units may begin with, and
 * hexadecimal numbers; it reads the point whatever the locale, because LC_NUMERIC stays "C". */
static const char *take_coefficient(const char *at, struct calibration *polynomial)
{
    char *end;
    if (!*at || !strchr("+-.0123456789", *at) || polynomial->terms == CALIBRATION_MAX_TERMS)
        return NULL;
    const double value = strtod(at, &end);
    if (end == at || !isfinite(value) || (size_t)(end - at) > strspn(at, "+-.0123456789eE"))
        return NULL;
    polynomial->coefficients[polynomial->terms++] = value;
    return end;
}

/* Coefficients in brackets, or a slope without them: a number behind it belongs to the unit, as in 1/s. What stands
 * behind them; NULL: they are none, or too many. */
static const char *take_coefficients(const char *at, struct calibration *polynomial)
{
    static const char between[] = " \t,";
    const bool brackets = *at == '[';
    const char *next = at = skip(at + brackets, between);
    *polynomial = (struct calibration){.terms = brackets ? 0 : 1};
    while ((brackets || polynomial->terms == 1) && (next = take_coefficient(at, polynomial)))
        at = skip(next, between);
    bool has_slope = false;
    for (size_t i = 1; i < polynomial->terms; i++)
        has_slope = has_slope || polynomial->coefficients[i] != 0;
    if (!has_slope || (brackets && *at != ']'))
        return NULL;
    return skip(at + brackets, " \t");
}

/* The piece as a text of its own. False: it is empty, too long, or no clean text. */
static bool copy(struct text_piece piece, char *text, size_t bytes)
{
    piece = text_piece_trim(piece);
    if (piece.length == 0 || piece.length >= bytes || !recording_is_clean_text(piece.text, piece.length))
        return false;
    memcpy(text, piece.text, piece.length);
    text[piece.length] = '\0';
    return true;
}

/* "1/s" is a unit; "2.5 mm" behind a slope is a second number. */
static bool begins_unit(const char *at)
{
    return !strchr("=+-.0123456789", *at) || strncmp(at, "1/", 2) == 0;
}

int recording_calibration_read(const char *text, struct recording_calibration *calibration)
{
    const char *sign = strrchr(text, '='), *at = skip(sign ? sign + 1 : text, " \t");
    *calibration = (struct recording_calibration){.channel = ""};
    if (sign &&
        !copy((struct text_piece){text, (size_t)(sign - text)}, calibration->channel, sizeof calibration->channel))
        return -EINVAL;
    const char *unit = take_coefficients(at, &calibration->polynomial);
    const bool read = unit && begins_unit(unit) &&
                      copy((struct text_piece){unit, strlen(unit)}, calibration->unit, sizeof calibration->unit);
    return read ? 0 : -EINVAL;
}

/* --- which channels they are of --- */

/* "channel1, channel2" */
static void list_channels(const struct recording_header *header, char *list, size_t bytes)
{
    size_t used = 0;
    *list = '\0';
    for (size_t c = 0; c < header->channel_count && used < bytes; c++)
        used += (size_t)snprintf(list + used, bytes - used, "%s%s", c > 0 ? ", " : "", header->columns[c].name);
}

static int refuse(const struct recording_lines *lines, const struct recording_header *header, const char *sentence,
                  struct complaint *complaint)
{
    char list[200];
    list_channels(header, list, sizeof list);
    return recording_lines_complain(lines, 0, -EBADMSG, complaint, "--calibration %s: its channels are %s", sentence,
                                    list);
}

void recording_calibration_give(const struct recording_calibration *calibration, struct recording_column *column,
                                struct recording_declaration *declaration)
{
    memcpy(column->unit, calibration->unit, sizeof column->unit);
    for (size_t i = 0; i < declaration->channel_count; i++) {
        struct recording_channel_facts *facts = &declaration->channels[i];
        if (strcmp(facts->name, column->name) != 0)
            continue;
        memcpy(facts->unit, calibration->unit, sizeof facts->unit);
        facts->resolution *= fabs(calibration_slope(&calibration->polynomial, 0));
    }
}

int recording_calibrations_take(const struct recording_lines *lines, const struct recording_manner *manner,
                                struct recording_header *header, struct recording_declaration *declaration,
                                struct calibration *polynomials, struct complaint *complaint)
{
    for (size_t i = 0; i < manner->calibration_count; i++) {
        struct recording_calibration told;
        size_t c = 0;
        if (recording_calibration_read(manner->calibrations[i], &told) != 0)
            return recording_lines_complain(lines, 0, -EINVAL, complaint,
                                            "--calibration wants " RECORDING_CALIBRATION_EXAMPLE);
        if (!*told.channel && header->channel_count > 1)
            return refuse(lines, header, "does not say of which channel it is, as in 'NAME=[0.0, 2.5] mm'", complaint);
        while (*told.channel && c < header->channel_count && strcmp(header->columns[c].name, told.channel) != 0)
            c++;
        if (c == header->channel_count)
            return refuse(lines, header, "names a channel that the file does not have", complaint);
        if (polynomials[c].terms > 0)
            return refuse(lines, header, "is told twice of one channel", complaint);
        polynomials[c] = told.polynomial;
        recording_calibration_give(&told, &header->columns[c], declaration);
    }
    return 0;
}

int recording_calibrations_apply(const struct recording_lines *lines, const struct recording_header *header,
                                 const struct calibration *polynomials, const double *time_s,
                                 double *const *displacement, size_t count, struct complaint *complaint)
{
    for (size_t c = 0; c < header->channel_count; c++) {
        if (polynomials[c].terms == 0)
            continue;
        size_t good = calibration_apply_each(&polynomials[c], displacement[c], count);
        while (good < count && isnan(displacement[c][good])) /* a hole stays one */
            good += 1 + calibration_apply_each(&polynomials[c], displacement[c] + good + 1, count - good - 1);
        if (good < count)
            return recording_lines_complain(lines, 0, -EBADMSG, complaint,
                                            "the calibration of %s gives too large a number at %.9g s",
                                            header->columns[c].name, time_s[good]);
    }
    return 0;
}

/* --- saying --- */

bool recording_is_calibrated(const struct recording_header *header, const struct calibration *polynomials)
{
    for (size_t c = 0; c < header->channel_count; c++)
        if (polynomials[c].terms > 0)
            return true;
    return false;
}

/* ", lvdt by [0, 2.5] in mm"; what nobody said, but its unit: ", acc from g to m/s2 (times 9.80665)". */
static void say_one(const struct recording_column *column, const struct calibration *polynomial, const char *was,
                    char *text, size_t bytes)
{
    if (was) {
        snprintf(text, bytes, ", %s from %s to %s (times %.9g)", column->name, was, column->unit,
                 polynomial->coefficients[1]);
        return;
    }
    size_t used = (size_t)snprintf(text, bytes, ", %s by [", column->name);
    for (size_t i = 0; i < polynomial->terms; i++) {
        used += (size_t)snprintf(text + used, bytes - used, "%s", i > 0 ? ", " : "");
        used += (size_t)decimal_write(text + used, bytes - used, polynomial->coefficients[i]);
    }
    snprintf(text + used, bytes - used, "] in %s", column->unit);
}

void recording_calibrations_say(const struct recording_header *header, const struct calibration *polynomials,
                                char *text, size_t bytes)
{
    enum { ROOM_FOR_MORE = 24 };
    char one[400]; /* for eight coefficients of 24 characters, a name and a unit */
    size_t more = 0;
    for (size_t c = 0; c < header->channel_count; c++) {
        if (polynomials[c].terms == 0)
            continue;
        say_one(&header->columns[c], &polynomials[c], header->gravity[c], one, sizeof one);
        const size_t used = strlen(text);
        if (used + strlen(one) + ROOM_FOR_MORE < bytes)
            snprintf(text + used, bytes - used, "%s", one);
        else
            more++;
    }
    if (more > 0)
        snprintf(text + strlen(text), bytes - strlen(text), ", %zu more calibrated", more);
}
