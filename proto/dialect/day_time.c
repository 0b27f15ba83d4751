/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Dates and times of the day, by a calendar of our own: only a time that tells no zone is asked of the C library. */

#include "proto/dialect/day_time.h"

#include <string.h>
#include <strings.h>
#include <time.h>

enum { SECONDS_A_DAY = 86400 };

/* A number of so many digits; -1: something else. */
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

static void swap(int *one, int *other)
{
    const int kept = *one;
    *one = *other;
    *other = kept;
}

/* Whether nobody can know which of two numbers is the day. */
static bool may_be_swapped(int day, int month)
{
    return day <= 12 && month <= 12;
}

/* "20240517T", whose mark stays */
static bool take_date_without_marks(struct text_piece *rest, int numbers[3])
{
    struct text_piece all = *rest;
    const int number = take_number(&all, 8, 8);
    if (number < 0 || all.length == 0 || all.text[0] != 'T')
        return false;
    numbers[0] = number / 10000;
    numbers[1] = number / 100 % 100;
    numbers[2] = number % 100;
    *rest = all;
    return true;
}

/* The year first, or last behind day and month: with points the day comes before the month. */
static bool take_any_date(struct text_piece *rest, int numbers[3])
{
    const struct text_piece begin = *rest;
    if (take_date_without_marks(rest, numbers) || take_date(rest, "-/", 4, 2, numbers))
        return true;
    *rest = begin;
    if (!take_date(rest, ".", 2, 4, numbers)) {
        *rest = begin;
        if (!take_date(rest, "-/", 2, 4, numbers) || may_be_swapped(numbers[0], numbers[1]))
            return false;
        if (numbers[1] > 12)
            swap(&numbers[0], &numbers[1]);
    }
    swap(&numbers[0], &numbers[2]);
    return true;
}

static bool read_date(struct text_piece *rest, struct day_time *found)
{
    int n[3];
    struct text_piece begin = *rest;
    if (!take_any_date(rest, n)) {
        *rest = begin;
        return false;
    }
    if (n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31)
        return false;
    found->has_date = true;
    found->seconds = days_of(n[0], n[1], n[2]) * SECONDS_A_DAY;
    return true;
}

/* "UTC" and "GMT" behind a blank, or "Europe/Berlin" in brackets behind what it adds to UTC, which counts. */
static bool take_name_of_zone(struct text_piece *rest)
{
    *rest = text_piece_trim(*rest);
    const bool utc = rest->length == 3 && (memcmp(rest->text, "UTC", 3) == 0 || memcmp(rest->text, "GMT", 3) == 0);
    if (utc)
        rest->length = 0;
    return utc;
}

static void take_off_brackets(struct text_piece *rest)
{
    const char *bracket = memchr(rest->text, '[', rest->length);
    if (bracket && rest->text[rest->length - 1] == ']')
        rest->length = (size_t)(bracket - rest->text);
}

/* "Z", "+02:00", "-0500" */
static bool read_zone(struct text_piece *rest, struct day_time *found)
{
    take_off_brackets(rest);
    found->zoned = true;
    if (take_name_of_zone(rest) || take_mark(rest, "Zz"))
        return rest->length == 0;
    const bool east = rest->length > 0 && rest->text[0] == '+';
    found->zoned = take_mark(rest, "+-");
    if (!found->zoned)
        return true;
    const struct text_piece begin = *rest;
    const int both = take_number(rest, 4, 4);
    int hours = both / 100, minutes = both % 100;
    if (both < 0) {
        *rest = begin;
        hours = take_number(rest, 2, 2);
        minutes = take_mark(rest, ":") ? take_number(rest, 2, 2) : 0;
    }
    if (hours < 0 || minutes < 0)
        return false;
    found->seconds += (east ? -60 : 60) * (60 * hours + minutes);
    return true;
}

/* "12:00:00.125 PM" */
static bool read_half(struct text_piece *rest, int *hours)
{
    static const char *const halves[] = {"AM", "PM", "A.M.", "P.M."};
    size_t half = 0;
    *rest = text_piece_trim(*rest);
    while (half < 4 &&
           (strlen(halves[half]) != rest->length || strncasecmp(rest->text, halves[half], rest->length) != 0))
        half++;
    if (half == 4)
        return true;
    const bool afternoon = half % 2 == 1;
    if (*hours < 1 || *hours > 12)
        return false;
    *hours = *hours % 12 + (afternoon ? 12 : 0);
    rest->length = 0;
    return true;
}

/* Whether what follows are digits, as many as seconds have, and then a fraction. */
static bool are_seconds_with_fraction(const struct text_piece *rest)
{
    const char *mark = rest->length > 3 ? rest->text + 2 : "";
    return (*mark == '.' || *mark == ',') && (unsigned)(mark[1] - '0') < 10;
}

/* Hours, minutes and seconds, "12:00:00" or behind a date "T120000". Of two numbers nobody knows whether they are hours
 * and minutes, or minutes and seconds, unless the second has a fraction. */
static bool take_clock(struct text_piece *rest, bool marks, int *hours, int *minutes, int *seconds, bool *short_clock)
{
    if (!marks) {
        const int number = take_number(rest, 6, 6);
        *hours = number / 10000;
        *minutes = number / 100 % 100;
        *seconds = number % 100;
        return number >= 0;
    }
    *hours = take_number(rest, 1, 2);
    if (*hours < 0 || !take_mark(rest, ":"))
        return false;
    if (are_seconds_with_fraction(rest)) {
        *minutes = *hours;
        *hours = 0;
        *short_clock = true;
        *seconds = take_number(rest, 2, 2);
        return *seconds >= 0;
    }
    *minutes = take_number(rest, 2, 2);
    if (*minutes < 0 || !take_mark(rest, ":"))
        return false;
    *seconds = take_number(rest, 2, 2);
    return *seconds >= 0;
}

/* "12:00:00:125" has milliseconds at its end. */
static bool take_milliseconds_mark(struct text_piece *rest)
{
    const struct text_piece begin = *rest;
    if (!take_mark(rest, ":"))
        return false;
    const struct text_piece digits = *rest;
    const bool three = take_number(rest, 3, 3) >= 0;
    *rest = three ? digits : begin;
    return three;
}

static bool read_time(struct text_piece *rest, bool marks, struct day_time *found)
{
    int hours, minutes, seconds;
    if (!take_clock(rest, marks, &hours, &minutes, &seconds, &found->short_clock) || hours > 24 || minutes > 59 ||
        seconds > 60)
        return false;
    if (take_mark(rest, ".,") || take_milliseconds_mark(rest)) {
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

/* "0 days 00:00:01.5", as pandas writes what passed since a first row. */
static bool take_days(struct text_piece *rest, struct day_time *found)
{
    static const char word[] = " days ";
    const size_t length = sizeof word - 1;
    struct text_piece behind = *rest;
    const int days = take_number(&behind, 1, 5);
    if (days < 0 || behind.length < length || memcmp(behind.text, word, length) != 0)
        return false;
    *rest = (struct text_piece){behind.text + length, behind.length - length};
    found->seconds = (int64_t)days * SECONDS_A_DAY;
    return true;
}

bool day_time_read(struct text_piece cell, struct day_time *found)
{
    struct text_piece rest = cell;
    *found = (struct day_time){.has_date = false};
    if (take_days(&rest, found))
        return read_time(&rest, true, found) && rest.length == 0;
    if (read_date(&rest, found)) {
        if (rest.length == 0)
            return true;
        if (!take_mark(&rest, "Tt "))
            return false;
        rest = text_piece_trim(rest);
    }
    const bool marks =
        !found->has_date || (rest.length > 2 && rest.text[2] == ':') || (rest.length > 1 && rest.text[1] == ':');
    return read_time(&rest, marks, found) && rest.length == 0;
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
    return take_date(&cell, "/-", 2, 4, numbers) && may_be_swapped(numbers[0], numbers[1]);
}
