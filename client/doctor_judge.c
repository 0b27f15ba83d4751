/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is to be made of what the doctor saw. Each check says in one sentence how it is and, where something is to be
 * done, what to type. */

#include <config.h>

#include "client/doctor.h"

#include "client/describe.h"
#include "client/reply.h"
#include "client/status_findings.h"
#include "proto/cause.h"
#include "proto/quote.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The clients that the daemon has places for, and what it needs beside them. */
static const double wanted_files = 1088;
/* A decay takes tens of kilobytes: below the first, a day's work is in danger; below the second, the next hour's. */
static const double little_disk = 1e9, no_disk = 1e8;
/* 2026-01-01: a clock before that has lost its battery. */
static const double earliest_s = 1767225600;

/* --- the daemon --- */

static void judge_unreachable(const struct doctor_facts *facts, struct findings *findings)
{
    const char *path = facts->socket.path;
    switch (facts->connect_error) {
    case ENOENT:
        finding_say(findings, FINDING_PROBLEM, "daemon",
                    "there is no socket at %s: fricidd does not run, or listens elsewhere", path);
        finding_mend(findings,
                     "systemctl enable --now fricidd; why it ended: journalctl -u fricidd; elsewhere: --socket PATH");
        break;
    case ECONNREFUSED:
        finding_say(findings, FINDING_PROBLEM, "daemon",
                    "nobody listens at %s: a fricidd that was killed left it behind", path);
        finding_mend(findings, "systemctl restart fricidd, which replaces it; why it ended: journalctl -u fricidd");
        break;
    case EACCES:
    case EPERM:
        finding_say(findings, FINDING_PROBLEM, "daemon", "user %s may not open %s (mode %04o, group %s)",
                    facts->user_name, path, (unsigned)(facts->socket.mode & 07777), facts->socket.group);
        finding_mend(findings, "set socket_mode = \"0666\" in %s, and see that everybody may enter the socket's folder",
                     facts->configuration.path);
        break;
    case 0:
        finding_say(findings, FINDING_PROBLEM, "daemon",
                    "somebody listens at %s but does not answer as fricidd does: %s", path, facts->silence.text);
        finding_mend(findings, "systemctl restart fricidd; what it was doing: journalctl -u fricidd");
        break;
    default:
        finding_say(findings, FINDING_PROBLEM, "daemon", "%s cannot be reached: %s", path,
                    cause_of(facts->connect_error));
        finding_mend(findings, "is it fricidd's socket? fricidctl --socket PATH doctor looks at another");
    }
}

static void judge_daemon(const struct doctor_facts *facts, struct findings *findings)
{
    if (!facts->status) {
        judge_unreachable(facts, findings);
        return;
    }
    const char *version = reply_text(facts->status, "version", "?");
    finding_say(findings, FINDING_OK, "daemon", "fricidd %s answers at %s, up %s", version, facts->socket.path,
                describe_duration(reply_number(facts->status, "uptime_s")).text);
    if (strcmp(version, PACKAGE_VERSION) != 0) {
        finding_say(findings, FINDING_PROBLEM, "daemon", "fricidctl is %s, the running fricidd is %s", PACKAGE_VERSION,
                    version);
        finding_mend(findings, "after an update: systemctl restart fricidd");
    }
}

/* --- who may do what --- */

static void judge_rights(const struct doctor_facts *facts, struct findings *findings)
{
    if (!facts->daemon_exists || !facts->group_exists) {
        /* A fricidd that runs all the same was started by hand. */
        finding_say(findings, facts->status ? FINDING_NOTE : FINDING_PROBLEM, "rights",
                    "there is no %s fricid on this computer", facts->daemon_exists ? "group" : "user");
        finding_mend(findings, "systemd-sysusers, once fricid is installed; then: systemctl restart fricidd");
    }
    if (facts->user == 0 || facts->group_active) {
        finding_say(findings, FINDING_OK, "rights", "user %s may read results and have records identified",
                    facts->user_name);
    } else if (facts->group_listed) {
        finding_say(findings, FINDING_PROBLEM, "rights", "user %s was added to the group fricid after logging in",
                    facts->user_name);
        finding_mend(findings, "log out and in again; for this shell alone: newgrp fricid");
    } else {
        finding_say(findings, FINDING_NOTE, "rights", "user %s may read results, but not have records identified",
                    facts->user_name);
        finding_mend(findings, "for that, as root: usermod -aG fricid %s; then log in anew", facts->user_name);
    }
}

/* --- cards --- */

static bool has_comedi_rig(const struct doctor_facts *facts)
{
    size_t i;
    json_t *rig;
    json_array_foreach (json_object_get(facts->status, "rigs"), i, rig)
        if (strcmp(reply_text(json_object_get(rig, "source"), "kind", ""), "comedi") == 0)
            return true;
    return false;
}

static void judge_device(const struct doctor_file *device, bool group_reaches, struct findings *findings)
{
    if (device->error) {
        finding_say(findings, FINDING_PROBLEM, "devices", "%s cannot be looked at: %s", device->path,
                    cause_of(device->error));
        finding_mend(findings, "ls -l %s as root", device->path);
    } else if (!S_ISCHR(device->mode)) {
        finding_say(findings, FINDING_PROBLEM, "devices", "%s is no device", device->path);
        finding_mend(findings, "rm %s, then load the card's driver anew", device->path);
    } else if (device->mode & 06) {
        finding_say(findings, FINDING_NOTE, "devices", "%s: fricidd reaches it, and so does everybody else",
                    device->path);
        finding_mend(findings,
                     "install fricid's udev rule (60-fricid.rules), then: udevadm trigger --subsystem-match=comedi");
    } else if (group_reaches && (device->mode & 060) == 060) {
        finding_say(findings, FINDING_OK, "devices", "%s: fricidd reaches it through the group %s", device->path,
                    device->group);
    } else {
        finding_say(findings, FINDING_PROBLEM, "devices",
                    "%s belongs to the group %s (mode %04o): fricidd cannot open it", device->path, device->group,
                    (unsigned)(device->mode & 07777));
        finding_mend(findings, "systemd-sysusers; udevadm control --reload; udevadm trigger --subsystem-match=comedi; "
                               "systemctl restart fricidd");
    }
}

static void judge_devices(const struct doctor_facts *facts, struct findings *findings)
{
    for (size_t i = 0; i < facts->device_count; i++)
        judge_device(&facts->devices[i], facts->group_reaches[i], findings);
    if (facts->version && !reply_true(facts->version, "comedi")) {
        finding_say(findings, FINDING_NOTE, "devices",
                    "this fricidd was built without Comedi: it plays recordings and "
                    "simulated rigs only");
        finding_mend(findings, "install libcomedi-dev and build it again, if cards are to be used");
    }
    if (facts->device_count > 0)
        return;
    if (has_comedi_rig(facts)) {
        finding_say(findings, FINDING_PROBLEM, "devices", "a rig wants a Comedi card, but there is no /dev/comedi0");
        finding_mend(findings,
                     "is the card in? Load its driver (modprobe; lspci -k names it); an old ISA card: comedi_config");
    } else {
        finding_say(findings, FINDING_OK, "devices", "no Comedi card, and no rig that needs one");
    }
}

/* --- the computer --- */

static void judge_limits(const struct doctor_facts *facts, struct findings *findings)
{
    if (isnan(facts->open_files)) {
        finding_say(findings, FINDING_NOTE, "limits", "how many files fricidd may open is not to be seen from here");
    } else if (facts->open_files < wanted_files) {
        finding_say(findings, FINDING_PROBLEM, "limits",
                    "fricidd may open %.0f files: with many clients it has to let some wait", facts->open_files);
        finding_mend(findings, "systemctl edit fricidd: [Service] LimitNOFILE=4096");
    } else {
        finding_say(findings, FINDING_OK, "limits", "fricidd may open %.0f files", facts->open_files);
    }
}

static void judge_disk(const struct doctor_facts *facts, struct findings *findings)
{
    const char *kind = reply_text(json_object_get(facts->status, "store"), "kind", "");
    struct phrase free_space = describe_bytes(facts->disk_free_bytes);
    if (isnan(facts->disk_free_bytes)) {
        finding_say(findings, FINDING_NOTE, "disk", "how much is free in %s is not to be seen from here",
                    facts->disk_path);
    } else if (facts->disk_free_bytes < little_disk) {
        finding_say(findings, facts->disk_free_bytes < no_disk ? FINDING_PROBLEM : FINDING_NOTE, "disk",
                    "only %s are free in %s, where decays are kept", free_space.text, facts->disk_path);
        char *word = quote_shell(facts->disk_path);
        finding_mend(findings, "make room: df -h %s; du -xh --max-depth=2 / | sort -h | tail", word ? word : "/");
        free(word);
    } else {
        finding_say(findings, FINDING_OK, "disk", "%s are free in %s", free_space.text, facts->disk_path);
    }
    if (strcmp(kind, "memory") == 0) {
        finding_say(findings, FINDING_NOTE, "disk",
                    "decays and results are kept in memory: they are gone after a restart");
        finding_mend(findings, "keep what matters: fricidctl --json watch > results.jsonl");
    }
}

static void judge_clock(const struct doctor_facts *facts, struct findings *findings)
{
    double started_s = describe_seconds(reply_text(facts->status, "started_at", ""));
    if (facts->now_s < earliest_s || facts->now_s < started_s - 1) {
        finding_say(findings, FINDING_PROBLEM, "clock", "the time of day is wrong: results carry a wrong date");
        finding_mend(findings,
                     "timedatectl set-ntp true, or timedatectl set-time; a clock that forgets wants a new battery");
    } else if (!facts->clock_synchronised) {
        finding_say(findings, FINDING_NOTE, "clock",
                    "the time of day is not synchronised: dates of results may drift (sample "
                    "times do not depend on it)");
        finding_mend(findings, "with a network: timedatectl set-ntp true");
    } else {
        finding_say(findings, FINDING_OK, "clock", "the time of day is synchronised");
    }
}

static void judge_configuration(const struct doctor_facts *facts, struct findings *findings)
{
    const struct doctor_file *file = &facts->configuration;
    if (facts->config && !reply_text(facts->config, "path", NULL)) {
        finding_say(findings, FINDING_NOTE, "config", "fricidd runs without a configuration file");
    } else if (file->error) {
        finding_say(findings, file->error == EACCES ? FINDING_NOTE : FINDING_PROBLEM, "config", "%s cannot be read: %s",
                    file->path, cause_of(file->error));
        finding_mend(findings, "see fricid.conf(5); fricidd --check-config --config FILE tells every mistake");
    } else if (facts->configuration_differs) {
        finding_say(findings, FINDING_NOTE, "config", "%s was changed since fricidd read it", file->path);
        char *word = quote_shell(file->path);
        finding_mend(findings, "fricidd --check-config --config %s, then: systemctl reload fricidd",
                     word ? word : "FILE");
        free(word);
    } else {
        finding_say(findings, FINDING_OK, "config", "%s%s", file->path,
                    facts->config ? " is what fricidd has read" : "");
    }
}

/* --- what the daemon itself finds wrong --- */

/* Rigs that are all right get a line as well: a doctor says what was looked at. */
static void judge_work(const struct doctor_facts *facts, struct findings *findings)
{
    size_t before = findings->count, i;
    json_t *rig;
    status_findings_find(facts->status, reply_text(facts->config, "path", NULL), findings);
    if (findings->count > before)
        return;
    json_array_foreach (json_object_get(facts->status, "rigs"), i, rig)
        finding_say(findings, FINDING_OK, "rigs", "%s: %s", reply_text(rig, "name", "?"),
                    reply_text(rig, "condition", "?"));
}

void doctor_judge(const struct doctor_facts *facts, struct findings *findings)
{
    findings->count = 0;
    judge_daemon(facts, findings);
    judge_configuration(facts, findings);
    judge_rights(facts, findings);
    judge_devices(facts, findings);
    judge_limits(facts, findings);
    judge_disk(facts, findings);
    judge_clock(facts, findings);
    if (facts->status)
        judge_work(facts, findings);
}
