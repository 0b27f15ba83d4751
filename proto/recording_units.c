/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Units of channels against the names above them. */

#include "proto/recording_units.h"

#include "proto/column_label.h"
#include "proto/measured_unit.h"
#include "proto/name_words.h"
#include "proto/recording_calibration.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* How "g" is written, and how many m/s2 it has: the standard acceleration of gravity. */
static const struct gravity {
    const char *name;
    double m_per_s2;
} gravities[] = {{"g", 9.80665},  {"G", 9.80665},   {"gn", 9.80665},   {"g0", 9.80665},
                 {"gs", 9.80665}, {"g's", 9.80665}, {"mg", 9.80665e-3}};

/* Units in capitals that are no units so, and of which only one is meant: MV may be mV as well as MV, and M anything.
 */
static const struct {
    const char *capitals, *unit;
} written_in_capitals[] = {
    {"MM", "mm"},         {"CM", "cm"},       {"UM", "um"},
    {"\xc2\xb5M", "um"},  {"KM", "km"},       {"DEG", "deg"},
    {"GRAD", "grad"},     {"RAD", "rad"},     {"MRAD", "mrad"},
    {"URAD", "urad"},     {"KN", "kN"},       {"INCH", "inch"},
    {"MIL", "mil"},       {"MM/S", "mm/s"},   {"M/S", "m/s"},
    {"M/S2", "m/s2"},     {"M/S^2", "m/s^2"}, {"M/S\xc2\xb2", "m/s\xc2\xb2"},
    {"COUNTS", "counts"}, {"DEG/S", "deg/s"}, {"RAD/S", "rad/s"},
};

static const struct gravity *gravity_of(const char *unit)
{
    for (size_t i = 0; i < sizeof gravities / sizeof gravities[0]; i++)
        if (strcmp(unit, gravities[i].name) == 0)
            return &gravities[i];
    return NULL;
}

static struct text_piece piece_of(const char *text)
{
    return (struct text_piece){text, strlen(text)};
}

static bool has_two_units(const struct recording_column *column)
{
    const struct column_label label = column_label_read(piece_of(column->name));
    /* F_N is a force, normal to something; x_um is a length. */
    const bool is_index = label.name.length == 1 && label.unit.length == 1 && !label.bracketed;
    return label.unit.length > 0 && !is_index && measured_unit_is_known(label.unit) &&
           measured_unit_is_known(piece_of(column->unit)) && !measured_units_agree(label.unit, piece_of(column->unit));
}

static bool in_small_letters(const char *unit, char *text, size_t bytes)
{
    for (size_t i = 0; i < sizeof written_in_capitals / sizeof written_in_capitals[0]; i++)
        if (strcmp(unit, written_in_capitals[i].capitals) == 0) {
            snprintf(text, bytes, "%s", written_in_capitals[i].unit);
            return true;
        }
    return false;
}

/* A unit in another spelling than the usual one gets that. True where it was so. */
static bool respell(struct recording_column *column, struct recording_header *header,
                    struct recording_declaration *declaration)
{
    struct recording_calibration told = {.polynomial = {.coefficients = {0, 1}, .terms = 2}};
    if (!in_small_letters(column->unit, told.unit, sizeof told.unit) &&
        !measured_unit_plain(piece_of(column->unit), told.unit, sizeof told.unit))
        return false;
    if (header->respelled == 0)
        snprintf(header->written, sizeof header->written, "%s", column->unit);
    recording_calibration_give(&told, column, declaration);
    return true;
}

/* was: the unit that it is made m/s2 of, NULL where it stays as it is. */
static int settle(const struct recording_lines *lines, struct recording_column *column, const char *doubt,
                  struct recording_declaration *declaration, struct calibration *polynomial, const char **was,
                  struct complaint *complaint)
{
    const struct gravity *gravity = gravity_of(column->unit);
    if (doubt)
        return recording_lines_complain(
            lines, 0, -EBADMSG, complaint,
            "the channel \"%s\" %s: say what its numbers are in, as with --calibration \"%s=[0, 1] %s\"", column->name,
            doubt, column->name, column->unit);
    if (has_two_units(column))
        return recording_lines_complain(
            lines, 0, -EBADMSG, complaint,
            "the channel \"%s\" has a unit in its name and another one, \"%s\", beside it: say which it is in, as with "
            "--calibration \"%s=[0, 1] %s\"",
            column->name, column->unit, column->name, column->unit);
    if (!gravity || name_is_of_load(piece_of(column->name)))
        return 0;
    if (!name_is_of_acceleration(piece_of(column->name)))
        return recording_lines_complain(
            lines, 0, -EBADMSG, complaint,
            "the unit \"%s\" of the channel \"%s\" may be one of mass or the acceleration of gravity: say which, with "
            "--calibration \"%s=[0, 1] gram\" or --calibration \"%s=[0, %.9g] m/s2\"",
            column->unit, column->name, column->name, column->name, gravity->m_per_s2);
    const struct recording_calibration told = {.unit = "m/s2",
                                               .polynomial = {.coefficients = {0, gravity->m_per_s2}, .terms = 2}};
    recording_calibration_give(&told, column, declaration);
    *polynomial = told.polynomial;
    *was = gravity->name;
    return 0;
}

int recording_units_settle(const struct recording_lines *lines, struct recording_header *header,
                           struct recording_declaration *declaration, struct calibration *polynomials,
                           struct complaint *complaint)
{
    int error = 0;
    for (size_t c = 0; c < header->channel_count && !error && !header->configured && !header->ours; c++) {
        if (polynomials[c].terms > 0)
            continue;
        header->respelled |= (uint64_t)respell(&header->columns[c], header, declaration) << c;
        error = settle(lines, &header->columns[c], header->doubt[c], declaration, &polynomials[c], &header->gravity[c],
                       complaint);
    }
    return error;
}

void recording_units_say(const struct recording_header *header, char *text, size_t bytes)
{
    size_t first = 0;
    if (header->respelled == 0)
        return;
    while (!(header->respelled >> first & 1))
        first++;
    const int more = __builtin_popcountll(header->respelled) - 1;
    const size_t used = strlen(text);
    const int length = snprintf(text + used, bytes - used, "%s%s in %s (written %s)", used > 0 ? ", " : "",
                                header->columns[first].name, header->columns[first].unit, header->written);
    if (more > 0 && length > 0 && (size_t)length < bytes - used)
        snprintf(text + used + (size_t)length, bytes - used - (size_t)length, " and %d more", more);
}
