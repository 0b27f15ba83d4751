/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Dates and times of the day, by a calendar of our own: only a time that tells no zone is asked of the C library. */

#include "proto/dialect/day_time.h"

#include <string.h>
#include <strings.h>
#include <time.h>

enum { SECONDS_A_DAY = 86400 };

/* Two to four digits; -1: something else. */
static int take_number(struct text_piece *rest, size_t least, size_t most)
{
    int value = 0;
    size_t digits = 0;
    while (digits < rest->length && digits <= most && (unsigned)(rest->text[digits] - '0') < 10)
        value = 10 * value + (rest->text[digits++] - '0');
    if (digits < least || digits > most)
        return -1;
    *rest = (struct text_piece){rest->text + digits, rest->length - digits};
    return value;
}

static bool take_mark(struct text_piece *rest, const char *marks)
{
    if (rest->length == 0 || !strchr(marks, rest->text[0]))
        return false;
    *rest = (struct text_piece){rest->text + 1, rest->length - 1};
    return true;
}

/* Days since 1970 in the Gregorian calendar: years begin with March, so that the day that leap years have is the last.
 */
static int64_t days_of(int year, int month, int day)
{
    const int64_t from_march = (month + 9) % 12, years = year - (month <= 2);
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * from_march + 2) / 5 + day - 1 - 719468;
}

/* Three numbers with the same mark between them. */
static bool take_date(struct text_piece *rest, const char *marks, size_t first_digits, size_t last_digits,
                      int numbers[3])
{
    numbers[0] = take_number(rest, first_digits == 4 ? 4 : 1, first_digits);
    const char mark[] = {rest->length > 0 ? rest->text[0] : '\0', '\0'};
    if (numbers[0] < 0 || !take_mark(rest, marks))
        return false;
    numbers[1] = take_number(rest, 1, 2);
    if (numbers[1] < 0 || !take_mark(rest, mark))
        return false;
    numbers[2] = take_number(rest, last_digits == 4 ? 4 : 1, last_digits);
    return numbers[2] >= 0;
}

/* The year first, or points between day, month and year. */
static bool read_date(struct text_piece *rest, struct day_time *found)
{
    int n[3];
    struct text_piece begin = *rest;
    if (!take_date(rest, "-/", 4, 2, n)) {
        *rest = begin;
        if (!take_date(rest, ".", 2, 4, n)) {
            *rest = begin;
            return false;
        }
        const int day = n[0];
        n[0] = n[2];
        n[2] = day;
    }
    if (n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31)
        return false;
    found->has_date = true;
    found->seconds = days_of(n[0], n[1], n[2]) * SECONDS_A_DAY;
    return true;
}

/* "Z", "+02:00", "-0500" */
static bool read_zone(struct text_piece *rest, struct day_time *found)
{
    const bool east = rest->length > 0 && rest->text[0] == '+';
    found->zoned = true;
    if (take_mark(rest, "Zz"))
        return rest->length == 0;
    found->zoned = take_mark(rest, "+-");
    if (!found->zoned)
        return true;
    const int hours = take_number(rest, 2, 2);
    take_mark(rest, ":");
    const int minutes = rest->length > 0 ? take_number(rest, 2, 2) : 0;
    if (hours < 0 || minutes < 0)
        return false;
    found->seconds += (east ? -60 : 60) * (60 * hours + minutes);
    return true;
}

/* "12:00:00.125 PM" */
static bool read_half(struct text_piece *rest, int *hours)
{
    *rest = text_piece_trim(*rest);
    if (rest->length != 2 || (strncasecmp(rest->text, "AM", 2) != 0 && strncasecmp(rest->text, "PM", 2) != 0))
        return true;
    const bool afternoon = rest->text[0] == 'P' || rest->text[0] == 'p';
    if (*hours < 1 || *hours > 12)
        return false;
    *hours = *hours % 12 + (afternoon ? 12 : 0);
    rest->length = 0;
    return true;
}

/* Hours, minutes and seconds. Of two numbers nobody knows whether they are hours and minutes, or minutes and seconds.
 */
static bool read_time(struct text_piece *rest, struct day_time *found)
{
    int hours = take_number(rest, 1, 2);
    if (hours < 0 || !take_mark(rest, ":"))
        return false;
    const int minutes = take_number(rest, 2, 2);
    if (minutes < 0 || minutes > 59 || !take_mark(rest, ":"))
        return false;
    const int seconds = take_number(rest, 2, 2);
    if (hours > 24 || seconds < 0 || seconds > 60)
        return false;
    if (take_mark(rest, ".,")) {
        found->fraction.text = rest->text;
        while (rest->length > 0 && (unsigned)(rest->text[0] - '0') < 10)
            *rest = (struct text_piece){rest->text + 1, rest->length - 1};
        found->fraction.length = (size_t)(rest->text - found->fraction.text);
    }
    if (!read_half(rest, &hours))
        return false;
    found->has_time = true;
    found->seconds += 3600 * hours + 60 * minutes + seconds;
    return read_zone(rest, found);
}

bool day_time_read(struct text_piece cell, struct day_time *found)
{
    struct text_piece rest = cell;
    *found = (struct day_time){.has_date = false};
    if (read_date(&rest, found)) {
        if (rest.length == 0)
            return true;
        if (!take_mark(&rest, "Tt "))
            return false;
        rest = text_piece_trim(rest);
    }
    return read_time(&rest, found) && rest.length == 0;
}

/* The digits behind the seconds, ns. */
static int64_t fraction_ns(struct text_piece fraction)
{
    int64_t ns = 0;
    for (size_t i = 0; i < 9; i++)
        ns = 10 * ns + (i < fraction.length ? fraction.text[i] - '0' : 0);
    return ns;
}

int64_t day_time_moment_ns(const struct day_time *found)
{
    time_t seconds = (time_t)found->seconds;
    struct tm clock;
    if (!found->has_date || !found->has_time || !gmtime_r(&seconds, &clock))
        return INT64_MIN;
    clock.tm_isdst = -1; /* whether it was summer is for the computer to know */
    if (!found->zoned)
        seconds = mktime(&clock);
    const int64_t most_s = INT64_MAX / 1000000000 - 1;
    if (seconds == (time_t)-1 || seconds > most_s || seconds < -most_s)
        return INT64_MIN;
    return (int64_t)seconds * 1000000000 + fraction_ns(found->fraction);
}

bool day_time_is_ambiguous(struct text_piece cell)
{
    int numbers[3];
    return take_date(&cell, "/-", 2, 4, numbers);
}
