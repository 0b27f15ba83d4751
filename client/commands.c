/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of commands; help, usage and checks are made from their rows. A command is entered here by its name: its row
 * stands in its file. */

#include "client/commands.h"

#include "client/phrase.h"
#include "client/wrapped.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* In the order in which help shows them. */
#define EACH_COMMAND(row)                                                                                              \
    row(status) row(results) row(show) row(run) row(plot) row(report) row(export) row(watch) row(monitor)              \
        row(identify) row(simulate) row(record) row(devices) row(scope) row(calibrate) row(zero) row(reidentify)       \
            row(protect) row(unprotect) row(backup) row(repair) row(metrics) row(doctor) row(config) row(version)      \
                row(complete)

#define DECLARE(name) extern const struct command command_##name;
EACH_COMMAND(DECLARE)

#define ADDRESS(name) &command_##name,
static const struct command *const commands[] = {EACH_COMMAND(ADDRESS) NULL};

const struct command *const *commands_all(void)
{
    return commands;
}

/* --- help --- */

/* "results [--rig R]": text that is put together. It is long enough for every command with every option. */
struct usage {
    char text[1024];
    size_t line;  /* where the present one begins */
    size_t width; /* columns of the terminal */
};

/* Puts a word behind the others, or on a line of its own where it would not fit. */
__attribute__((format(printf, 2, 3))) static void add(struct usage *usage, const char *format, ...)
{
    char word[128];
    size_t length = strlen(usage->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(word, sizeof word, format, arguments);
    va_end(arguments);
    bool fits = length - usage->line + strlen(word) < usage->width;
    if (!fits)
        usage->line = length + 1;
    snprintf(usage->text + length, sizeof usage->text - length, "%s%s", fits ? " " : "\n        ", word);
}

/* "--rig R", or in short "-o FILE". */
static const char *form_of(const struct option_row *row, char form[64])
{
    const char letter[] = {'-', row->letter, '\0'};
    snprintf(form, 64, "%s%s%s", row->letter ? letter : row->name, row->value ? " " : "", row->value ? row->value : "");
    return form;
}

static void add_operand(struct usage *usage, const struct command *command)
{
    static const char *const words[] = {[WORD_FILE] = "FILE",
                                        [WORD_RIG] = "RIG",
                                        [WORD_CHANNEL] = "CHANNEL",
                                        [WORD_ID] = "ID",
                                        [WORD_RUN] = "RUN",
                                        [WORD_CONFIG] = "CONFIG_ID",
                                        [WORD_ID_OR_FILE] = "ID|FILE",
                                        [WORD_MODEL] = "ID|MODEL.json MOTION"};
    bool optional = command->least == 0;
    if (command->operand != WORD_NONE)
        add(usage, "%s%s%s%s", optional ? "[" : "", words[command->operand],
            command->most > 1 && command->most > command->least ? "..." : "", optional ? "]" : "");
}

/* before_it: what stands before the command's name. */
static struct usage usage_of(const struct command *command, const char *before_it, size_t width)
{
    struct usage usage = {.width = width};
    size_t count;
    const struct option_row *rows = options_rows(&count);
    option_set others = command->options & ~command->one_of, before = 0;
    char form[64];
    snprintf(usage.text, sizeof usage.text, "%s%s", before_it, command->name);
    for (size_t i = 0; i < count; before |= command->one_of & rows[i++].bit)
        if (command->one_of & rows[i].bit)
            add(&usage, "%s%s", before ? "| " : "", form_of(&rows[i], form));
    add_operand(&usage, command);
    for (size_t i = 0; i < count; i++)
        if (others & rows[i].bit)
            add(&usage, "[%s]%s", form_of(&rows[i], form), rows[i].kind == OPTION_IS_CONDITION ? "..." : "");
    return usage;
}

static void print_options(option_set bits, bool general, size_t width)
{
    size_t count;
    const struct option_row *rows = options_rows(&count);
    for (size_t i = 0; i < count; i++) {
        char form[64];
        if (!(rows[i].bit & bits) && !(general && rows[i].bit == 0))
            continue;
        snprintf(form, sizeof form, "%s%s%s", rows[i].name, rows[i].value ? " " : "",
                 rows[i].value ? rows[i].value : "");
        wrapped_behind(rows[i].summary, (size_t)printf("  %-17s  ", form), width, stdout);
    }
}

static void help_on(const struct command *command, size_t width)
{
    printf("%s\n", usage_of(command, "usage: fricidctl [OPTION...] ", width).text);
    if (command->summary)
        wrapped_print(command->summary, width, stdout);
    if (command->options)
        puts("");
    print_options(command->options, false, width);
    puts("");
    wrapped_print("Options of all commands: fricidctl --help. See fricidctl(1).", width, stdout);
}

static void help_on_all(size_t width)
{
    struct phrase summary;
    puts("usage: fricidctl [OPTION...] COMMAND [ARGUMENT...]");
    wrapped_print("Asks fricidd for what it identified in decays, friction loops and ring-downs.", width, stdout);
    puts("");
    for (const struct command *const *each = commands; *each; each++) {
        if (!(*each)->summary)
            continue;
        summary = phrase_format("        %s", (*each)->summary);
        printf("%s\n", usage_of(*each, "  ", width).text);
        wrapped_print(summary.text, width, stdout);
    }
    puts("");
    print_options(0, true, width);
    puts("");
    wrapped_print(
        "Exit status: 0 ok, 1 failed, 2 wrong usage or bad input file, 3 no fricidd answers, 4 no valid result, "
        "5 not permitted. See fricidctl(1).",
        width, stdout);
}

void commands_help(const struct command *command, size_t width)
{
    if (command)
        help_on(command, width);
    else
        help_on_all(width);
}

int commands_check(const struct command *command, const struct options *options, struct complaint *complaint)
{
    option_set foreign = options->given & ~command->options;
    if (foreign)
        complaint_set(complaint, "%s does not go with %s", options_name(foreign), command->name);
    else if (options->argument_count < command->least || options->argument_count > command->most)
        complaint_set(complaint, "usage: fricidctl %s", usage_of(command, "", SIZE_MAX).text);
    else
        return 0;
    return -EINVAL;
}
