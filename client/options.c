/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of fricidctl. Options of single commands are a set of bits, which the table of commands compares
 * with its own. */

#include "client/options.h"

#include "client/duration.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* getopt's values of the options without a short form: OPTION_… itself, moved out of the way of characters. */
enum { LONG_ONLY = 0x1000 };

static const struct option_name {
    unsigned bit;
    const char *name;
} option_names[] = {
    {OPTION_RIG, "--rig"},
    {OPTION_CHANNEL, "--channel"},
    {OPTION_VERDICT, "--verdict"},
    {OPTION_LIMIT, "--limit"},
    {OPTION_BEFORE, "--before"},
    {OPTION_INTERVALS, "--intervals"},
    {OPTION_FROM_SEQ, "--from-seq"},
    {OPTION_COUNT, "--count"},
    {OPTION_WHOLE, "--whole"},
    {OPTION_DEGREE, "--degree"},
    {OPTION_WHERE, "--where"},
    {OPTION_SORT, "--sort"},
    {OPTION_ASCENDING, "--ascending"},
    {OPTION_CHECK, "--check"},
    {OPTION_LAST, "--last"},
    {OPTION_FOR, "--for"},
    {OPTION_OUTPUT, "--output"},
    {OPTION_FORCE, "--force"},
    {OPTION_CURSOR, "--cursor"},
};

const char *options_name(unsigned options)
{
    for (size_t i = 0; i < sizeof option_names / sizeof option_names[0]; i++)
        if (options & option_names[i].bit)
            return option_names[i].name;
    return "";
}

/* Nothing may follow the number: "12x" is a mistake. */
int options_number(const char *text, int64_t least, int64_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < least)
        return -EINVAL;
    *number = value;
    return 0;
}

/* strtod() reads the point whatever the locale, because LC_NUMERIC stays "C". */
static int parse_timeout(const char *text, double *timeout_s, struct complaint *complaint)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value <= 1e6)) {
        complaint_set(complaint, "--timeout wants seconds, a number between 0 and 1000000, not '%s'", text);
        return -EINVAL;
    }
    *timeout_s = value;
    return 0;
}

/* Ids, sequence numbers and counts all begin at 1. */
static int parse_number(unsigned bit, const char *text, struct options *options, struct complaint *complaint)
{
    int64_t *number = bit == OPTION_LIMIT    ? &options->limit
                      : bit == OPTION_BEFORE ? &options->before
                      : bit == OPTION_COUNT  ? &options->count
                      : bit == OPTION_DEGREE ? &options->degree
                                             : &options->from_seq;
    if (options_number(text, 1, number) == 0)
        return 0;
    complaint_set(complaint, "%s wants a whole number from 1 on, not '%s'", options_name(bit), text);
    return -EINVAL;
}

static int parse_duration(unsigned bit, const char *text, struct options *options, struct complaint *complaint)
{
    if (duration_read(text, bit == OPTION_LAST ? &options->last_s : &options->for_s) == 0)
        return 0;
    complaint_set(complaint, "%s wants a duration as in 60s, 1.5min or 2h, not '%s'", options_name(bit), text);
    return -EINVAL;
}

/* An option that only some commands take. */
static int take_command_option(unsigned bit, const char *argument, struct options *options, struct complaint *complaint)
{
    options->given |= bit;
    switch (bit) {
    case OPTION_RIG:
        options->rig = argument;
        return 0;
    case OPTION_CHANNEL:
        options->channel = argument;
        return 0;
    case OPTION_VERDICT:
        options->verdict = argument;
        return 0;
    case OPTION_SORT:
        options->sort = argument;
        return 0;
    case OPTION_CURSOR:
        options->cursor = argument;
        return 0;
    case OPTION_OUTPUT:
        options->output = argument;
        return 0;
    case OPTION_LAST:
    case OPTION_FOR:
        return parse_duration(bit, argument, options, complaint);
    case OPTION_WHERE:
        if (options->where_count == OPTIONS_MOST_WHERE) {
            complaint_set(complaint, "--where may stand %d times at most", OPTIONS_MOST_WHERE);
            return -EINVAL;
        }
        options->where[options->where_count++] = argument;
        return 0;
    case OPTION_ASCENDING:
    case OPTION_CHECK:
    case OPTION_FORCE:
    case OPTION_INTERVALS:
    case OPTION_WHOLE:
        return 0;
    default:
        return parse_number(bit, argument, options, complaint);
    }
}

static int take_option(int option, const char *argument, struct options *options, struct complaint *complaint)
{
    switch (option) {
    case 'h':
        options->help = true;
        return 0;
    case 'V':
        options->version = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case 's':
        options->socket = argument;
        return 0;
    case 'o':
        return take_command_option(OPTION_OUTPUT, argument, options, complaint);
    case 't':
        return parse_timeout(argument, &options->timeout_s, complaint);
    default:
        return take_command_option((unsigned)(option - LONG_ONLY), argument, options, complaint);
    }
}

/* What getopt has to say when it returns '?' or ':'; `word` is the argument that it stopped at. */
static int refuse(int result, const char *word, struct complaint *complaint)
{
    if (result == ':')
        complaint_set(complaint, "%s wants a value", word);
    else if (optopt == 0)
        complaint_set(complaint, "there is no option %s, or it is short for several", word);
    else if (optopt < LONG_ONLY && word[0] == '-' && word[1] != '-')
        complaint_set(complaint, "there is no option -%c", optopt);
    else
        complaint_set(complaint, "the option takes no value: %s", word);
    return -EINVAL;
}

/* Options and arguments may stand in any order, as GNU getopt sorts them. */
int options_parse(int argc, char **argv, struct options *options, struct complaint *complaint)
{
    static const struct option forms[] = {
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {"json", no_argument, NULL, 'j'},
        {"socket", required_argument, NULL, 's'},
        {"timeout", required_argument, NULL, 't'},
        {"rig", required_argument, NULL, LONG_ONLY + OPTION_RIG},
        {"channel", required_argument, NULL, LONG_ONLY + OPTION_CHANNEL},
        {"verdict", required_argument, NULL, LONG_ONLY + OPTION_VERDICT},
        {"limit", required_argument, NULL, LONG_ONLY + OPTION_LIMIT},
        {"before", required_argument, NULL, LONG_ONLY + OPTION_BEFORE},
        {"intervals", no_argument, NULL, LONG_ONLY + OPTION_INTERVALS},
        {"from-seq", required_argument, NULL, LONG_ONLY + OPTION_FROM_SEQ},
        {"count", required_argument, NULL, LONG_ONLY + OPTION_COUNT},
        {"degree", required_argument, NULL, LONG_ONLY + OPTION_DEGREE},
        {"whole", no_argument, NULL, LONG_ONLY + OPTION_WHOLE},
        {"where", required_argument, NULL, LONG_ONLY + OPTION_WHERE},
        {"sort", required_argument, NULL, LONG_ONLY + OPTION_SORT},
        {"ascending", no_argument, NULL, LONG_ONLY + OPTION_ASCENDING},
        {"check", no_argument, NULL, LONG_ONLY + OPTION_CHECK},
        {"last", required_argument, NULL, LONG_ONLY + OPTION_LAST},
        {"for", required_argument, NULL, LONG_ONLY + OPTION_FOR},
        {"output", required_argument, NULL, LONG_ONLY + OPTION_OUTPUT},
        {"force", no_argument, NULL, LONG_ONLY + OPTION_FORCE},
        {"cursor", required_argument, NULL, LONG_ONLY + OPTION_CURSOR},
        {0},
    };
    *options = (struct options){.timeout_s = NAN};
    for (;;) {
        /* The leading colon silences getopt: refusals are one sentence, worded here. */
        int option = getopt_long(argc, argv, ":hVjs:t:o:", forms, NULL);
        if (option == -1)
            break;
        if (option == '?' || option == ':')
            return refuse(option, argv[optind - 1], complaint);
        int status = take_option(option, optarg, options, complaint);
        if (status < 0)
            return status;
    }
    options->command = optind < argc ? argv[optind] : NULL;
    options->arguments = options->command ? argv + optind + 1 : argv + argc;
    options->argument_count = options->command ? argc - optind - 1 : 0;
    return 0;
}
