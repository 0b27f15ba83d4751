/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "config/configuration.h"
#include "offline.h"
#include "options.h"
#include "serve.h"

#include <stdio.h>
#include <unistd.h>

#define DEFAULT_CONFIGURATION FRICID_SYSCONFDIR "/fricid/fricid.conf"

static void print_version(void)
{
    printf("fricidd %s\n", PACKAGE_VERSION);
    printf("comedi %s, systemd %s\n", HAVE_COMEDI ? "yes" : "no", HAVE_SYSTEMD ? "yes" : "no");
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

static enum exit_status run(const struct configuration *configuration, const struct options *options)
{
    switch (options->mode) {
    case RUN_OFFLINE:
        return offline_run(configuration, options);
    case RUN_SERVE:
        return serve(configuration);
    default: /* RUN_CHECK_CONFIG: it loaded */
        printf("%s: ok, %zu rigs\n", configuration->path, configuration->rig_count);
        return EXIT_STATUS_OK;
    }
}

int main(int argc, char **argv)
{
    struct options options;
    if (options_read(&options, argc, argv) != 0)
        return EXIT_STATUS_USAGE;
    if (options.mode == RUN_HELP || options.mode == RUN_VERSION) {
        if (options.mode == RUN_HELP)
            options_help();
        else
            print_version();
        return fflush(stdout) == 0 ? EXIT_STATUS_OK : EXIT_STATUS_FAILED;
    }
    struct configuration *configuration = load_configuration(&options);
    if (!configuration)
        return EXIT_STATUS_USAGE;
    int status = (int)run(configuration, &options);
    configuration_destroy(configuration);
    return status;
}
