/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The number of a result's notification is known only when all else is written: it is put in where null stands. */

#include "report/result_text.h"

#include "proto/json_text.h"
#include "report/joint_view.h"
#include "report/kinds/record_kind.h"
#include "report/ladder_view.h"
#include "report/result_json.h"
#include "report/section_json.h"
#include "report/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(json_t *object)
{
    char *text = json_text(object, NULL);
    json_decref(object);
    return text;
}

const char *result_document(struct kept_result *result)
{
    if (!result->document)
        result->document = text_of(result_to_json(result, 0));
    return result->document;
}

int result_text_make(struct kept_result *result)
{
    result_document(result);
    if (!result->summary)
        result->summary = text_of(result_summary_to_json(result, 0));
    return result->document && result->summary ? 0 : -ENOMEM;
}

void result_text_forget(struct kept_result *result)
{
    free(result->document);
    free(result->summary);
    result->document = result->summary = NULL;
}

/* Before there were two intervals of an estimate its one was statistical. Objects with that key are estimates, and have
 * their reason at their end. */
static void write_estimates(FILE *stream, const char *text)
{
    static const char now[] = "\"ci95_statistical\":", se[] = "\"se\":", before[] = "\"ci95\":";
    static const char unexplained[] = "\"reason\":null", reason[] = "\"reason\":";
    const bool told = strstr(text, now) != NULL;
    const char *place = told ? NULL : strstr(text, se);
    for (; place; place = strstr(text, se)) {
        const char *interval = strstr(place, before), *end = interval ? strstr(interval, reason) : NULL;
        if (!end)
            break;
        fprintf(stream, "%.*s\"u\":null,%s[null,null],%.*s%s", (int)(place - text), text, before,
                (int)(interval - place), place, now);
        text = interval + sizeof before - 1;
        if (strncmp(end, unexplained, sizeof unexplained - 1) == 0) {
            fprintf(stream, "%.*s%s\"stored before it had a combined uncertainty beside it\"", (int)(end - text), text,
                    reason);
            text = end + sizeof unexplained - 1;
        }
    }
    fputs(text, stream);
}

/* Records of before it was told how a file was read get that behind the delay. What is still to be written. */
static const char *write_missing_reading(FILE *stream, const char *text, const char *record)
{
    static const char told[] = "\"read_as\":", before[] = "\"delay_s\":";
    const char *end = record + strcspn(record, "}"), *reading = strstr(record, told), *delay = strstr(record, before);
    if (!delay || delay > end || (reading && reading < end))
        return text;
    const char *behind = delay + strcspn(delay, ",}");
    fprintf(stream, "%.*s,%s\"\"", (int)(behind - text), text, told);
    return behind;
}

/* Records of before it was told what was measured, with which delay and how a file was read, are of displacements. They
 * are the only objects of this name, hold no others, and have their reason at their end. */
static void write_rest(FILE *stream, const char *text)
{
    static const char record[] = "\"record\":{", told[] = "\"quantity\":", unexplained[] = "\"reason\":null";
    const char *place = strstr(text, record), *inside = place ? place + sizeof record - 1 : text;
    if (place && strncmp(inside, told, sizeof told - 1) != 0) {
        const char *reason = inside + strcspn(inside, "}") - (sizeof unexplained - 1);
        fprintf(stream, "%.*s%s\"%s\",\"delay_s\":null,\"read_as\":\"\",", (int)(inside - text), text, told,
                QUANTITY_DISPLACEMENT);
        text = inside;
        if (reason > inside && strncmp(reason, unexplained, sizeof unexplained - 1) == 0) {
            fprintf(stream, "%.*s\"reason\":\"stored before delays were kept\"", (int)(reason - inside), inside);
            text = reason + sizeof unexplained - 1;
        }
    } else if (place)
        text = write_missing_reading(stream, text, inside);
    write_estimates(stream, text);
}

/* A result that was stored, but that no notification has told of: its reason says so, unless it has another one. */
static void write_without_seq(FILE *stream, const char *text)
{
    static const char key[] = "\"reason\":", none[] = "\"reason\":null";
    const char *place = strstr(text, key);
    if (!place || strncmp(place, none, sizeof none - 1) != 0)
        write_rest(stream, text);
    else {
        fprintf(stream, "%.*s%s\"stored, but no notification has told of it\"", (int)(place - text), text, key);
        write_rest(stream, place + sizeof none - 1);
    }
}

/* What follows the kind of a text of before it was told that a first answer is one, as its ladder or second step told.
 * Summaries of then do not tell it. */
static void write_provisional(FILE *stream, const char *text)
{
    static const char pending[] = "\"verdict\":\"pending\"";
    fprintf(stream, ",\"provisional\":%s", strstr(text, pending) ? "true" : "false");
}

/* What stands behind the seq; a text of before there were runs, kinds or provisional answers gets them. How much of it
 * was written. */
static size_t write_run_and_kind(FILE *stream, const char *text, uint64_t run_id)
{
    static const char run[] = ",\"run_id\":", kind[] = ",\"kind\":\"", provisional[] = ",\"provisional\":";
    const bool has_run = strncmp(text, run, sizeof run - 1) == 0;
    size_t length = has_run ? sizeof run - 1 + strcspn(text + sizeof run - 1, ",}") : 0;
    fprintf(stream, "%.*s", (int)length, text);
    if (!has_run && run_id > 0)
        fprintf(stream, "%s%" PRIu64, run, run_id);
    const bool has_kind = strncmp(text + length, kind, sizeof kind - 1) == 0;
    const size_t name = has_kind ? sizeof kind - 1 + strcspn(text + length + sizeof kind - 1, "\"") + 1 : 0;
    if (has_kind)
        fprintf(stream, "%.*s", (int)name, text + length);
    else
        fprintf(stream, "%s%s\"", kind, record_kind_name_at(0));
    length += name;
    if (strncmp(text + length, provisional, sizeof provisional - 1) != 0)
        write_provisional(stream, text);
    return length;
}

/* Sections that were added to the end of a decay's text, in order, and what stands there of one before. */
static json_t *no_ladder(void)
{
    static const struct identification before = {.recommended = RECOMMENDED_FIT};
    const struct ladder_view ladder = ladder_view_of(&before, "");
    return section_to_json(&ladder_table, &ladder);
}

static json_t *no_joint(void)
{
    const struct joint_view joint = joint_view_of(NULL);
    return section_to_json(&joint_table, &joint);
}

static const struct {
    const char *key;
    json_t *(*make)(void);
} added[] = {{"\"ladder\":", no_ladder}, {"\"joint\":", no_joint}};

/* What a decay's text of before them lacks at its end, where the last bracket stands; NULL: nothing, or memory is
 * short. Names cannot look like its keys: quotes in them are escaped. */
static char *missing_sections(const char *text)
{
    static const char of_decay[] = "\"drift\":{";
    char *missing = NULL;
    size_t length = 0;
    FILE *stream = strstr(text, of_decay) ? open_memstream(&missing, &length) : NULL;
    if (!stream)
        return NULL;
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        const char *place = strstr(text, added[i].key);
        char *section = place && place[strlen(added[i].key)] == '{' ? NULL : text_of(added[i].make());
        if (section)
            fprintf(stream, ",%s%s", added[i].key, section);
        free(section);
    }
    if (fclose(stream) == 0 && length > 0)
        return missing;
    free(missing);
    return NULL;
}

/* What a ladder of before it told of a zero that drifts, or of all steps of the clock, lacks, before what has been
 * there since. */
static const struct {
    const char *key, *behind;
} told_of_recorder[] = {{"zero_drift", "\"zero_steps\":{"}, {"clock_steps", "\"zero_drift\":{"}};

/* NULL: the text has it, or no ladder, or memory is short. */
static char *with_part_of_ladder(const char *text, size_t part)
{
    char told[32], *whole = NULL;
    snprintf(told, sizeof told, "\"%s\":", told_of_recorder[part].key);
    const char *place = strstr(text, told) ? NULL : strstr(text, told_of_recorder[part].behind);
    json_t *ladder = place ? no_ladder() : NULL;
    char *section = ladder ? json_text(json_object_get(ladder, told_of_recorder[part].key), NULL) : NULL;
    json_decref(ladder);
    if (section && asprintf(&whole, "%.*s%s%s,%s", (int)(place - text), text, told, section, place) < 0)
        whole = NULL;
    free(section);
    return whole;
}

/* Before it was told what was fitted beside what the record shows of it, that was the fit's model. NULL: the text has
 * it, or no fit, or memory is short. */
static char *with_fitted_model(const char *text)
{
    static const char fit[] = "\"fit\":{", model[] = "\"model\":", told[] = ",\"fitted\":";
    const char *place = strstr(text, fit), *name = place ? strstr(place, model) : NULL;
    const size_t length = name ? strcspn(name + sizeof model - 1, ",}") : 0;
    const char *behind = name ? name + sizeof model - 1 + length : NULL;
    char *whole = NULL;
    if (!behind || strncmp(behind, told, sizeof told - 1) == 0 ||
        asprintf(&whole, "%.*s%s%.*s%s", (int)(behind - text), text, told, (int)length, behind - length, behind) < 0)
        return NULL;
    return whole;
}

/* A text of today; to be freed where it is not the given one. */
static const char *with_whole_sections(const char *text)
{
    const char *fitted = with_fitted_model(text), *whole = fitted ? fitted : text;
    for (size_t part = 0; part < sizeof told_of_recorder / sizeof told_of_recorder[0]; part++) {
        const char *longer = with_part_of_ladder(whole, part);
        if (longer && whole != text)
            free((char *)whole);
        whole = longer ? longer : whole;
    }
    return whole;
}

static void write_as_stored(FILE *stream, const char *text, struct result_numbers numbers)
{
    /* The second key of every result: whatever names and remarks hold comes later. */
    static const char without[] = "\"seq\":null";
    const char *place = strstr(text, without), *behind = place ? place + sizeof without - 1 : text;
    if (place && numbers.seq > 0)
        fprintf(stream, "%.*s\"seq\":%" PRIu64, (int)(place - text), text, numbers.seq);
    else if (place)
        fprintf(stream, "%.*s", (int)(behind - text), text);
    if (place)
        behind += write_run_and_kind(stream, behind, numbers.run_id);
    if (place && numbers.seq > 0)
        write_rest(stream, behind);
    else
        write_without_seq(stream, behind);
}

void write_with_numbers(FILE *stream, const char *text, struct result_numbers numbers)
{
    const char *stored = text;
    text = with_whole_sections(stored);
    char *missing = missing_sections(text), *open = missing ? strndup(text, strlen(text) - 1) : NULL;
    write_as_stored(stream, open ? open : text, numbers);
    if (open)
        fprintf(stream, "%s}", missing);
    free(open);
    free(missing);
    if (text != stored)
        free((char *)text);
}

/* Summaries of before one of these was told end without it. */
void write_summary(FILE *stream, const char *summary, struct result_numbers numbers, bool is_protected)
{
    static const char told[] = ",\"protected\":false}", stopped[] = ",\"stopped\":", model[] = ",\"contact_model\":";
    const size_t length = strlen(summary), last = sizeof told - 1;
    const bool tells = length > last && strcmp(summary + length - last, told) == 0;
    char *beginning = length > 0 ? strndup(summary, length - (tells ? last : 1)) : NULL;
    write_with_numbers(stream, beginning ? beginning : summary, numbers);
    if (beginning && !strstr(beginning, model))
        fprintf(stream, "%s\"\"", model);
    if (beginning && !strstr(beginning, stopped))
        fprintf(stream, "%sfalse", stopped);
    if (beginning)
        fprintf(stream, ",\"protected\":%s}", is_protected ? "true" : "false");
    free(beginning);
}

char *text_around_result(const char *before, const char *text, struct result_numbers numbers, const char *behind)
{
    char *whole = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&whole, &length);
    if (!stream)
        return NULL;
    fputs(before, stream);
    write_with_numbers(stream, text, numbers);
    fputs(behind, stream);
    bool complete = ferror(stream) == 0;
    if (fclose(stream) == 0 && complete)
        return whole;
    free(whole);
    return NULL;
}

char *text_with_numbers(const char *text, struct result_numbers numbers)
{
    return text_around_result("", text, numbers, "");
}
