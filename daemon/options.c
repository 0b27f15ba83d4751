/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of fricidd and nothing else: no other file looks at argv. */

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

static const char help_text[] =
    "Usage: fricidd [--config FILE]\n"
    "       fricidd [--config FILE] --check-config\n"
    "       fricidd [--config FILE] --offline [--whole] FILE...\n"
    "\n"
    "Acquires free-vibration decays, identifies viscous damping and Coulomb friction,\n"
    "and answers on a Unix socket. See fricidd(8), fricid.conf(5), fricidctl(1).\n"
    "\n"
    "  --config FILE    configuration to use [" FRICID_SYSCONFDIR "/fricid/fricid.conf]\n"
    "  --check-config   report every error of the configuration, then exit\n"
    "  --offline        identify recordings (CSV), print one JSON result a line, then exit\n"
    "  --whole          with --offline: each recording is one decay already cut\n"
    "  --version        print the version, then exit\n"
    "  --help           print this text, then exit\n"
    "\n"
    "Exit status: 0 ok; 1 failed, or a recording without a valid result; 2 wrong usage,\n"
    "configuration or recording.\n";

void options_help(void)
{
    fputs(help_text, stdout);
}

static int usage(const char *sentence)
{
    fprintf(stderr, "fricidd: %s; try fricidd --help\n", sentence);
    return -EINVAL;
}

/* What getopt cannot know: which options need or exclude each other. */
static int check_combination(const struct options *options)
{
    if (options->mode == RUN_OFFLINE && options->file_count == 0)
        return usage("--offline needs at least one recording");
    if (options->whole && options->mode != RUN_OFFLINE)
        return usage("--whole goes with --offline");
    if (options->mode != RUN_OFFLINE && options->file_count > 0)
        return usage("files go with --offline");
    return 0;
}

/* Giving the same mode twice does no harm. */
static int choose_mode(struct options *options, enum run_mode mode)
{
    if (options->mode != RUN_SERVE && options->mode != mode)
        return usage("--offline and --check-config exclude each other");
    options->mode = mode;
    return 0;
}

/* Only long options: a daemon is started by scripts, which should be readable. */
int options_read(struct options *options, int argc, char **argv)
{
    enum { CONFIG = 1, CHECK, OFFLINE, WHOLE, VERSION, HELP };
    static const struct option known[] = {{"config", required_argument, NULL, CONFIG},
                                          {"check-config", no_argument, NULL, CHECK},
                                          {"offline", no_argument, NULL, OFFLINE},
                                          {"whole", no_argument, NULL, WHOLE},
                                          {"version", no_argument, NULL, VERSION},
                                          {"help", no_argument, NULL, HELP},
                                          {NULL, 0, NULL, 0}};
    *options = (struct options){.mode = RUN_SERVE};
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case CONFIG:
            options->config_path = optarg;
            break;
        case CHECK:
            if (choose_mode(options, RUN_CHECK_CONFIG) != 0)
                return -EINVAL;
            break;
        case OFFLINE:
            if (choose_mode(options, RUN_OFFLINE) != 0)
                return -EINVAL;
            break;
        case WHOLE:
            options->whole = true;
            break;
        case VERSION:
        case HELP:
            options->mode = option == HELP ? RUN_HELP : RUN_VERSION;
            return 0;
        default: /* getopt_long has said what is wrong */
            return -EINVAL;
        }
    }
    options->file_count = (size_t)(argc - optind);
    options->files = argv + optind;
    return check_combination(options);
}
