/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of contents of fricidd: read the options, load the configuration, do one of three things. */

#include <config.h>

#include "config/configuration.h"
#include "offline/offline.h"
#include "options.h"
#include "proto/cause.h"
#include "proto/plain_text.h"
#include "proto/standard_streams.h"
#include "serve.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>

#define DEFAULT_CONFIGURATION FRICID_SYSCONFDIR "/fricid/fricid.conf"

static void print_version(void)
{
    printf("fricidd %s\n", PACKAGE_VERSION);
    printf("comedi %s, systemd %s, zlib %s, sndfile %s, matio %s, hdf5 %s\n", HAVE_COMEDI ? "yes" : "no",
           HAVE_SYSTEMD ? "yes" : "no", HAVE_ZLIB ? "yes" : "no", HAVE_SNDFILE ? "yes" : "no",
           HAVE_MATIO ? "yes" : "no", HAVE_HDF5 ? "yes" : "no");
}

/* Offline works without a file; a service without its configuration would be a silent guess. */
static struct configuration *load_configuration(const struct options *options)
{
    if (options->config_path)
        return configuration_load(options->config_path, stderr);
    if (options->mode == RUN_OFFLINE)
        return configuration_defaults();
    return configuration_load(DEFAULT_CONFIGURATION, stderr);
}

static int run_offline(const struct configuration *configuration, const struct options *options)
{
    const struct offline_order order = {
        .files = options->files,
        .file_count = options->file_count,
        .manner = options->manner,
        .kind = options->kind ? options->kind : "",
        .whole = options->whole,
        .amplitude_max = options->amplitude_max,
        .amplitude_min = options->amplitude_min,
    };
    switch (offline_run(configuration, &order)) {
    case OFFLINE_OK:
        return EXIT_STATUS_OK;
    case OFFLINE_NO_RESULT:
        return EXIT_STATUS_FAILED;
    default:
        return EXIT_STATUS_USAGE;
    }
}

static int run(const struct configuration *configuration, const struct options *options)
{
    switch (options->mode) {
    case RUN_OFFLINE:
        return run_offline(configuration, options);
    case RUN_SERVE:
        return (int)serve(configuration);
    default: /* RUN_CHECK_CONFIG: it loaded */
        plain_print(stdout, "%s: ok, %zu rig%s", configuration->path, configuration->rig_count,
                    configuration->rig_count == 1 ? "" : "s");
        return EXIT_STATUS_OK;
    }
}

/* Output that a full disk or a closed pipe swallowed is a failure, whatever else went well. */
static int finish_output(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "fricidd: cannot write to standard output: %s\n", cause_of(errno));
    return status > EXIT_STATUS_FAILED ? status : EXIT_STATUS_FAILED;
}

int main(int argc, char **argv)
{
    /* A figure that GSL cannot compute is one figure less, and no reason to end: its functions say so as it is. */
    gsl_set_error_handler_off();
    struct options options;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not become larger is an error of writing, as a full disk is */
    standard_streams_occupy();
    if (options_read(&options, argc, argv) != 0)
        return EXIT_STATUS_USAGE;
    if (options.mode == RUN_HELP || options.mode == RUN_VERSION) {
        if (options.mode == RUN_HELP)
            options_help();
        else
            print_version();
        return finish_output(EXIT_STATUS_OK);
    }
    struct configuration *configuration = load_configuration(&options);
    if (!configuration)
        return EXIT_STATUS_USAGE;
    int status = run(configuration, &options);
    configuration_destroy(configuration);
    return finish_output(status);
}
