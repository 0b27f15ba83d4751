/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a configuration file. What is accepted must work: its simulated rigs are started, and deliver. */
#include "fuzz.h"

#include "acquire/simulated_rig.h"
#include "config/configuration.h"

#include <event2/event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The scans of a rig that are looked at. */
enum { SCANS = 50 };

static void on_scans(void *context, const struct scan_block *block)
{
    uint64_t *scans = context;
    fuzz_require(block->scan_count > 0, "a block has scans");
    for (size_t c = 0; c < block->channel_count; c++)
        for (size_t i = 0; i < block->scan_count; i++)
            fuzz_require(isfinite(block->channels[c].displacement[i]), "a simulated rig stays finite");
    *scans += block->scan_count;
}

static void run_rig(const struct simulated_rig_settings *settings)
{
    struct simulated_rig_settings fast = *settings;
    struct event_base *base = event_base_new();
    struct complaint complaint = {{0}};
    uint64_t scans = 0;
    struct source *source = NULL;
    const struct source_listener listener = {.scans = on_scans, .context = &scans};
    fuzz_require(base != NULL, "there is memory for an event loop");
    fast.real_time = false;
    fast.duration_s = SCANS / fast.sample_rate_hz;
    int error = simulated_rig_create(base, &fast, &listener, &source, &complaint);
    fuzz_require(error == 0, "an accepted rig can be made");
    fuzz_require(source_start(source) == 0, "an accepted rig can be started");
    for (int i = 0; i < SCANS && scans < SCANS; i++)
        event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    fuzz_require(scans >= SCANS && scans <= SCANS + 1, "an accepted rig delivers until its end");
    source_destroy(source);
    event_base_free(base);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *complaints = open_memstream(&text, &length);
    fuzz_require(complaints != NULL, "there is memory for complaints");
    struct configuration *configuration = configuration_load(fuzz_file(bytes, count), complaints);
    fclose(complaints);
    fuzz_require((configuration != NULL) == (length == 0), "a file is accepted, or there are complaints");
    fuzz_require(length == 0 || text[length - 1] == '\n', "complaints are lines");
    for (size_t i = 0; configuration && i < configuration->rig_count; i++)
        if (configuration->rigs[i].source_kind == SOURCE_SIMULATED)
            run_rig(configuration->rigs[i].source);
    configuration_destroy(configuration);
    free(text);
    return 0;
}
