/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is wrong by a status reply: where a daemon says so itself, where its counters do, and where its channels
 * contradict each other. */

#include "client/status_findings.h"

#include "client/describe.h"
#include "client/reply.h"

#include <string.h>

/* One channel that found nothing while another found so many has something to explain. */
enum { TELLING_DECAYS = 3 };

static long long counter(const json_t *thing, const char *key)
{
    return (long long)reply_integer(json_object_get(thing, "counters"), key, 0);
}

/* A source that has failed does not come back by itself. */
static void find_problem(const json_t *rig, const char *name, struct findings *findings)
{
    const char *problem = reply_text(rig, "problem", NULL);
    bool failed = strcmp(reply_text(rig, "condition", ""), "failed") == 0;
    if (!problem && !failed)
        return;
    finding_say(findings, FINDING_PROBLEM, "rigs", "%s: %s", name, problem ? problem : "the source has failed");
    if (failed)
        finding_mend(findings, "mend that, then: systemctl restart fricidd");
}

/* Lost data are told for as long as the counters hold them: a result may be missing that nobody saw go. */
static void find_losses(const json_t *rig, const char *name, struct findings *findings)
{
    long long scans = counter(rig, "lost_scans"), gaps = counter(rig, "gaps"), decays = counter(rig, "decays_lost");
    if (scans > 0 || gaps > 0) {
        finding_say(findings, FINDING_NOTE, "rigs", "%s: lost scans: %lld, gaps: %lld", name, scans, gaps);
        finding_mend(findings, "lower the sample rate, or see what loads the computer");
    }
    if (decays > 0) {
        finding_say(findings, FINDING_NOTE, "rigs", "%s: lost decays: %lld, the queue was full", name, decays);
        finding_mend(findings, "raise queue_max_bytes, or see what loads the computer");
    }
}

/* Both sensors see the same mass: what one of them finds the other should find as well. */
static void find_silent_channel(const json_t *rig, const char *name, struct findings *findings)
{
    const json_t *best = NULL, *channels = json_object_get(rig, "channels");
    size_t i;
    json_t *channel;
    json_array_foreach (channels, i, channel)
        if (!best || counter(channel, "decays") > counter(best, "decays"))
            best = channel;
    if (!best || counter(best, "decays") < TELLING_DECAYS)
        return;
    json_array_foreach (channels, i, channel) {
        if (counter(channel, "decays") > 0)
            continue;
        finding_say(findings, FINDING_PROBLEM, "rigs", "%s: %s found no decay where %s found %lld", name,
                    reply_text(channel, "name", "?"), reply_text(best, "name", "?"), counter(best, "decays"));
        finding_mend(findings, "is its sensor connected, powered, within its range, and does it follow the mass?");
    }
}

static void find_clipping(const json_t *rig, const char *name, struct findings *findings)
{
    size_t i;
    json_t *channel;
    json_array_foreach (json_object_get(rig, "channels"), i, channel) {
        const json_t *drops = json_object_get(json_object_get(channel, "counters"), "drops");
        long long clipped = (long long)reply_integer(drops, "clipped", 0);
        if (clipped == 0)
            continue;
        finding_say(findings, FINDING_NOTE, "rigs", "%s: %s left its range: %lld decays were clipped", name,
                    reply_text(channel, "name", "?"), clipped);
        finding_mend(findings, "pull less far, or give the channel a wider range");
    }
}

static void find_in_rig(const json_t *rig, struct findings *findings)
{
    const char *name = reply_text(rig, "name", "?");
    find_problem(rig, name, findings);
    find_silent_channel(rig, name, findings);
    find_losses(rig, name, findings);
    find_clipping(rig, name, findings);
}

static void find_in_thread(const json_t *thread, struct findings *findings)
{
    if (reply_true(thread, "healthy"))
        return;
    /* What no restart mends does not keep the watchdog from being fed: the disk. */
    if (json_is_false(json_object_get(thread, "feeds_watchdog"))) {
        finding_say(findings, FINDING_PROBLEM, "work",
                    "thread %s: the disk takes nothing; what is found waits in memory",
                    reply_text(thread, "name", "?"));
        finding_mend(findings, "is it full or gone? df -h, dmesg; what it said: journalctl -u fricidd");
        return;
    }
    finding_say(findings, FINDING_PROBLEM, "work",
                "thread %s: a job has been running for %s, past its deadline, %lld more wait: results come late",
                reply_text(thread, "name", "(unnamed)"), describe_duration(reply_number(thread, "running_s")).text,
                (long long)reply_integer(thread, "queued_jobs", 0));
    finding_mend(findings, "if it stays so: systemctl restart fricidd");
}

/* What of the daemon as a whole is not as it should be. */
static void find_in_daemon(const json_t *status, struct findings *findings)
{
    const json_t *queue = json_object_get(status, "queue");
    double bytes = reply_number(queue, "bytes"), most = reply_number(queue, "max_bytes");
    long long dropped = (long long)reply_integer(json_object_get(status, "clients"), "dropped_notifications", 0);
    const char *store_problem = reply_text(json_object_get(status, "store"), "problem", NULL);
    const char *set_aside = reply_text(json_object_get(status, "store"), "set_aside", NULL);
    if (store_problem)
        finding_say(findings, FINDING_PROBLEM, "disk", "%s", store_problem);
    if (set_aside)
        finding_say(findings, FINDING_PROBLEM, "store", "%s", set_aside);
    if (bytes > most / 2) {
        finding_say(findings, FINDING_PROBLEM, "work",
                    "%s of at most %s wait to be stored: recordings pause, and at the limit live decays are lost",
                    describe_bytes(bytes).text, describe_bytes(most).text);
        finding_mend(findings, "raise queue_max_bytes, or see what loads the computer or its disk");
    }
    if (dropped > 0) {
        finding_say(findings, FINDING_NOTE, "clients", "dropped notifications: %lld, clients read too slowly", dropped);
        finding_mend(findings, "those clients can ask again with from_seq");
    }
}

/* A daemon without rigs is of little use: say which file would change that. */
static void find_no_rigs(const char *configuration, struct findings *findings)
{
    finding_say(findings, FINDING_NOTE, "rigs", "no rig is configured");
    finding_mend(findings, "describe one in %s (see fricid.conf(5)), then: systemctl reload fricidd",
                 configuration ? configuration : "the configuration file");
}

void status_findings_find(const json_t *status, const char *configuration, struct findings *findings)
{
    size_t i;
    json_t *thing;
    json_array_foreach (json_object_get(status, "threads"), i, thing)
        find_in_thread(thing, findings);
    json_array_foreach (json_object_get(status, "rigs"), i, thing)
        find_in_rig(thing, findings);
    if (json_array_size(json_object_get(status, "rigs")) == 0)
        find_no_rigs(configuration, findings);
    find_in_daemon(status, findings);
}
