/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words for what became of a new configuration. */

#include "reload_report.h"

#include <stdio.h>
#include <string.h>

/* What does not fit is counted, and shown as "…". */
static void add(struct name_list *list, const char *name)
{
    static const char more[] = ", …";
    size_t used = strlen(list->text), length = strlen(name);
    bool full = list->cut || used + length + sizeof ", " + sizeof more > sizeof list->text;
    if (!full)
        snprintf(list->text + used, sizeof list->text - used, "%s%s", list->count > 0 ? ", " : "", name);
    else if (!list->cut)
        snprintf(list->text + used, sizeof list->text - used, "%s", list->count > 0 ? more : "…");
    list->cut = full;
    list->count++;
}

void reload_report_rig(void *context, enum rig_change change, const char *rig)
{
    struct reload_report *report = context;
    add(&report->rigs[change], rig);
}

/* Applied at once, because nothing was made to their measure. Every other key waits, also one that comes later and is
 * not thought of here. */
static bool applies_at_once(const char *key)
{
    static const char *const keys[] = {"queue_max_bytes", "job_deadline_s", "ladder_deadline_s", "keep_days",
                                       "max_bytes"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void note_key(void *context, const char *section, const char *key)
{
    struct reload_report *report = context;
    char name[96];
    snprintf(name, sizeof name, "%s.%s", section, key);
    if (!applies_at_once(key))
        add(&report->waiting, name);
}

void reload_report_keys(struct reload_report *report, const struct configuration *started,
                        const struct configuration *next)
{
    configuration_each_difference(started, next, note_key, report);
}

void reload_report_sentence(const struct reload_report *report, const char *config_id, char *sentence, size_t size)
{
    static const char *const words[RIG_CHANGES] = {
        [RIG_UNCHANGED] = "unchanged", [RIG_CHANGED] = "changed", [RIG_ADDED] = "added", [RIG_REMOVED] = "removed"};
    char rigs[sizeof report->rigs + 64] = "";
    for (int change = 0; change < RIG_CHANGES; change++) {
        const struct name_list *list = &report->rigs[change];
        size_t used = strlen(rigs);
        if (list->count > 0)
            snprintf(rigs + used, sizeof rigs - used, "%s%zu %s (%s)", used > 0 ? ", " : "", list->count, words[change],
                     list->text);
    }
    snprintf(sentence, size, "configuration %s is in force; rigs: %s%s%s", config_id, rigs[0] ? rigs : "none",
             report->waiting.count > 0 ? "; these keys keep their old values until fricidd is restarted: " : "",
             report->waiting.text);
}

void reload_refusal_sentence(const char *complaints, char *sentence, size_t size)
{
    size_t lines = 0;
    for (const char *c = complaints; *c; c++)
        lines += *c == '\n';
    int first = (int)strcspn(complaints, "\n");
    if (lines > 1)
        snprintf(sentence, size, "the new configuration is refused and the old one stays: %.*s (and %zu more)", first,
                 complaints, lines - 1);
    else
        snprintf(sentence, size, "the new configuration is refused and the old one stays: %.*s", first, complaints);
}
