/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words that several commands share, so that a state or a time of day reads the same everywhere. */

#include "client/describe.h"

#include "client/figures.h"
#include "client/reply.h"
#include "identify/decay/decay_parameter.h"
#include "report/kinds/record_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

struct phrase describe_count(const json_t *object, const char *key, const struct glyphs *glyphs)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_integer(member))
        return phrase_format("%s", glyphs->missing);
    return phrase_format("%lld", (long long)json_integer_value(member));
}

/* Half cycles count from the first extremum of the record. */
static struct phrase describe_decaying(const json_t *state, const char *unit, const struct glyphs *glyphs)
{
    return phrase_format("decaying, half cycle %s, %s, %s", describe_count(state, "half_cycle", glyphs).text,
                         figure_rounded(reply_number(state, "amplitude"), 3, unit, glyphs).text,
                         figure_rounded(reply_number(state, "frequency_hz"), 3, "Hz", glyphs).text);
}

/* Loops are in SI units, a turn in rad. */
static struct phrase describe_driven(const json_t *state, const struct glyphs *glyphs)
{
    const json_t *loop = json_object_get(state, "loop");
    const bool turns = strncmp(reply_text(loop, "columns", ""), "angle", 5) == 0;
    return phrase_format("driven, loop %s: %s over %s in %s", describe_count(loop, "number", glyphs).text,
                         figure_rounded(reply_number(loop, "energy"), 4, "J", glyphs).text,
                         figure_rounded(reply_number(loop, "stroke"), 4, turns ? "rad" : "m", glyphs).text,
                         figure_rounded(reply_number(loop, "period_s"), 4, "s", glyphs).text);
}

/* A phase that a newer daemon adds is shown by its name. */
struct phrase describe_state(const json_t *state, const char *unit, const struct glyphs *glyphs)
{
    const char *phase = reply_text(state, "phase", glyphs->missing);
    struct phrase noise = figure_rounded(reply_number(state, "noise_floor"), 2, unit, glyphs);
    struct phrase at = figure_rounded(reply_number(state, "displacement"), 3, unit, glyphs);
    if (strcmp(phase, "decaying") == 0)
        return describe_decaying(state, unit, glyphs);
    if (strcmp(phase, "driven") == 0)
        return describe_driven(state, glyphs);
    if (strcmp(phase, "held") == 0)
        return phrase_format("held at %s, noise floor %s", at.text, noise.text);
    if (strcmp(phase, "idle") == 0)
        return phrase_format("idle at %s, noise floor %s", at.text, noise.text);
    if (strcmp(phase, "starting") == 0)
        return phrase_format("starting, learning the noise floor");
    return phrase_format("%s", phase);
}

/* In capitals: nobody should take simulated friction for a measurement. */
const char *describe_source_kind(const json_t *source)
{
    const char *kind = reply_text(source, "kind", "source unknown");
    return strcmp(kind, "simulated") == 0 ? "SIMULATED" : kind;
}

struct phrase describe_verdict(const char *verdict, const struct glyphs *glyphs)
{
    const char *paint = glyphs_verdict(glyphs, verdict);
    return phrase_format("%s%s%s", paint, verdict, *paint ? glyphs_plain(glyphs) : "");
}

/* What a damping term is called; one that a newer daemon adds, by its name. */
static struct phrase describe_term(const char *name, size_t length)
{
    for (size_t p = 0; p < FIT_PARAMETERS; p++) {
        const char *term = decay_parameters[p].term;
        if (term && strlen(term) == length && strncasecmp(name, term, length) == 0)
            return phrase_format("%s", term);
    }
    return phrase_format("%.*s", (int)length, name);
}

struct phrase describe_model(const char *name)
{
    if (!name)
        return phrase_format("undecided");
    size_t length = strcspn(name, "+");
    struct phrase model = describe_term(name, length);
    for (const char *rest = name + length; *rest; rest += length) {
        length = strcspn(++rest, "+");
        model = phrase_format("%s + %s", model.text, describe_term(rest, length).text);
    }
    return model;
}

struct phrase describe_damping(const json_t *result)
{
    const char *model = reply_model(result);
    return phrase_format("%s%s", model ? "" : "damping ", describe_model(model).text);
}

struct phrase describe_provisional(const json_t *result)
{
    const struct record_kind *kind = record_kind_named(reply_text(result, "kind", ""));
    const char *step = kind && kind->second_step ? kind->second_step : "the ladder of models is still being fitted";
    return reply_true(result, "provisional") ? phrase_format("provisional: %s", step) : phrase_format("%s", "");
}

struct phrase describe_stopped(const json_t *summary)
{
    return phrase_format("%s", reply_true(summary, "stopped") && !reply_true(summary, "provisional")
                                   ? "stopped by its deadline, parts may be lacking: fricidctl reidentify with a "
                                     "larger ladder_deadline_s"
                                   : "");
}

/* The fixed beginning of a time of day; the protocol writes nothing else. */
static bool moment_parse(const char *text, struct tm *time)
{
    int length = 0;
    *time = (struct tm){0};
    int found = sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &time->tm_year, &time->tm_mon, &time->tm_mday, &time->tm_hour,
                       &time->tm_min, &time->tm_sec, &length);
    time->tm_year -= 1900;
    time->tm_mon -= 1;
    return found == 6 && length == 19 && text[strlen(text) - 1] == 'Z';
}

struct phrase describe_moment(const char *rfc3339)
{
    struct tm time;
    if (!moment_parse(rfc3339, &time))
        return phrase_format("%s", rfc3339);
    /* Milliseconds tell two releases apart. */
    int fraction = rfc3339[19] == '.' ? (int)strspn(rfc3339 + 20, "0123456789") : 0;
    int shown = fraction > 3 ? 4 : fraction > 0 ? fraction + 1 : 0;
    return phrase_format("%.10s %.8s%.*s UTC", rfc3339, rfc3339 + 11, shown, rfc3339 + 19);
}

/* The daemon runs on the same machine: its clock and this one are the same. */
struct phrase describe_ago(const char *rfc3339, int64_t now)
{
    struct tm time;
    if (!moment_parse(rfc3339, &time))
        return phrase_format("%s", "");
    long long age = (long long)now - (long long)timegm(&time);
    if (age < 1)
        return phrase_format("just now");
    if (age < 60)
        return phrase_format("%lld s ago", age);
    if (age < 3600)
        return phrase_format("%lld min ago", age / 60);
    if (age < 2 * 86400)
        return phrase_format("%lld h ago", age / 3600);
    return phrase_format("%lld d ago", age / 86400);
}

double describe_seconds(const char *rfc3339)
{
    struct tm time;
    if (!moment_parse(rfc3339, &time))
        return NAN;
    return (double)timegm(&time) + (rfc3339[19] == '.' ? strtod(rfc3339 + 19, NULL) : 0);
}

struct phrase describe_duration(double seconds)
{
    if (!(seconds >= 0 && seconds < 1e12))
        return phrase_format("an unknown time");
    long long whole = (long long)seconds;
    if (whole < 120)
        return phrase_format("%lld s", whole);
    if (whole < 86400)
        return phrase_format("%02lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    return phrase_format("%lld d %02lld:%02lld", whole / 86400, whole / 3600 % 24, whole / 60 % 60);
}

/* A magnitude with an SI prefix, at most `digits` significant digits. */
static struct phrase with_prefix(double value, int digits, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    size_t prefix = 0;
    if (!isfinite(value))
        return phrase_format("an unknown number of %s", unit);
    /* From there on three digits would round to 1000. */
    while (fabs(value) >= 999.5 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]) {
        value /= 1000;
        prefix++;
    }
    return phrase_format("%.*g %s%s", digits, value, prefixes[prefix], unit);
}

struct phrase describe_bytes(double bytes)
{
    return with_prefix(bytes, 3, "B");
}

/* Four digits, because 44.1 kS/s and 22.05 kS/s are common. */
struct phrase describe_rate(double rate_hz)
{
    return with_prefix(rate_hz, 4, "S/s");
}

/* Keys are a newer daemon's to add: they are shown as they come. */
struct phrase describe_counters(const json_t *counters)
{
    struct phrase words = {""};
    const char *key;
    json_t *count;
    json_object_foreach ((json_t *)counters, key, count) {
        if (!json_is_integer(count) || json_integer_value(count) == 0)
            continue;
        words = phrase_format("%s%s%lld %s", words.text, *words.text ? ", " : "", (long long)json_integer_value(count),
                              key);
    }
    return words;
}

struct phrase describe_main_amplitude(const json_t *result, const struct glyphs *glyphs)
{
    const double amplitude = reply_main_amplitude(result);
    return isfinite(amplitude)
               ? phrase_format(" at %s", figure_rounded(amplitude, 2, reply_displacement_unit(result), glyphs).text)
               : (struct phrase){""};
}
