/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every fault that the doctor knows, shown to it; and a computer on which all is well. */
#include "client/doctor.h"
#include "run_suite.h"

#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A running daemon of this version on a well-kept computer with one card. */
static struct doctor_facts healthy(void)
{
    struct doctor_facts facts = {
        .socket = {.path = "/run/fricid/fricid.sock", .mode = S_IFSOCK | 0666, .group = "fricid"},
        .user = 1000,
        .user_name = "anna",
        .group_exists = true,
        .group_listed = true,
        .group_active = true,
        .daemon_exists = true,
        .device_count = 1,
        .devices = {{.path = "/dev/comedi0", .mode = S_IFCHR | 0660, .group = "iocard"}},
        .group_reaches = {true},
        .open_files = 4096,
        .disk_path = "/var/lib/fricid",
        .disk_free_bytes = 2e11,
        .now_s = 1795269605,
        .clock_synchronised = true,
        .configuration = {.path = "/etc/fricid/fricid.conf"},
    };
    facts.status = json_pack("{s:s, s:f, s:s, s:{s:s}, s:{s:i, s:i}, s:[{s:s, s:s, s:n, s:{s:s}}], s:[]}", "version",
                             PACKAGE_VERSION, "uptime_s", 60.0, "started_at", "2026-11-21T07:00:00.000000Z", "store",
                             "kind", "sqlite", "queue", "bytes", 0, "max_bytes", 1000, "rigs", "name", "bearing",
                             "condition", "running", "problem", "source", "kind", "comedi", "threads");
    facts.version = json_pack("{s:b}", "comedi", 1);
    facts.config = json_pack("{s:s, s:s}", "path", "/etc/fricid/fricid.conf", "text", "");
    ck_assert(facts.status && facts.version && facts.config);
    return facts;
}

/* The daemon is not there, and neither are its replies. */
static void stop_daemon(struct doctor_facts *facts, int error)
{
    json_decref(facts->status);
    json_decref(facts->version);
    json_decref(facts->config);
    facts->status = facts->version = facts->config = NULL;
    facts->connect_error = error;
}

/* The finding whose sentence holds these words; fails when there is none. */
static const struct finding *find(const struct findings *findings, const char *words)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strstr(findings->all[i].sentence.text, words))
            return &findings->all[i];
    ck_abort_msg("nothing says '%s'", words);
    return NULL;
}

/* These facts give exactly one finding that is not ok: of this level, with these words, and with this in its remedy. */
static void expect(struct doctor_facts *facts, enum finding_level level, const char *words, const char *remedy)
{
    struct findings findings;
    doctor_judge(facts, &findings);
    const struct finding *finding = find(&findings, words);
    ck_assert_int_eq(finding->level, level);
    ck_assert_msg(strstr(finding->remedy.text, remedy) != NULL, "%s: %s", words, finding->remedy.text);
    ck_assert_uint_eq(findings.count - findings_count(&findings, FINDING_OK), 1);
    doctor_facts_clear(facts);
}

START_TEST(all_is_well)
{
    struct doctor_facts facts = healthy();
    struct findings findings;
    doctor_judge(&facts, &findings);
    for (size_t i = 0; i < findings.count; i++)
        ck_assert_msg(findings.all[i].level == FINDING_OK, "%s", findings.all[i].sentence.text);
    const char *topics[] = {"daemon", "config", "rights", "devices", "limits", "disk", "clock", "rigs"};
    for (size_t t = 0; t < sizeof topics / sizeof topics[0]; t++) {
        size_t seen = 0;
        for (size_t i = 0; i < findings.count; i++)
            seen += strcmp(findings.all[i].topic, topics[t]) == 0;
        ck_assert_msg(seen > 0, "nothing about %s", topics[t]);
    }
    doctor_facts_clear(&facts);
}
END_TEST

START_TEST(no_daemon)
{
    static const struct {
        int error;
        const char *words, *remedy;
    } cases[] = {{ENOENT, "there is no socket", "systemctl enable --now fricidd"},
                 {ECONNREFUSED, "nobody listens", "systemctl restart fricidd"},
                 {EACCES, "user anna may not open", "socket_mode"},
                 {0, "does not answer as fricidd does: it says nothing", "journalctl"},
                 {ENOTSOCK, "cannot be reached", "--socket"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct doctor_facts facts = healthy();
        stop_daemon(&facts, cases[i].error);
        complaint_set(&facts.silence, "it says nothing");
        expect(&facts, FINDING_PROBLEM, cases[i].words, cases[i].remedy);
    }
}
END_TEST

START_TEST(another_version)
{
    struct doctor_facts facts = healthy();
    json_object_set_new(facts.status, "version", json_string("0.0.9"));
    expect(&facts, FINDING_PROBLEM, "the running fricidd is 0.0.9", "systemctl restart fricidd");
}
END_TEST

START_TEST(rights)
{
    struct doctor_facts facts = healthy();
    facts.group_active = false;
    expect(&facts, FINDING_PROBLEM, "after logging in", "newgrp fricid");
    facts = healthy();
    facts.group_active = facts.group_listed = false;
    expect(&facts, FINDING_NOTE, "but not have records identified", "usermod -aG fricid anna");
    facts = healthy();
    facts.group_active = facts.group_listed = false;
    facts.user = 0;
    struct findings findings;
    doctor_judge(&facts, &findings);
    ck_assert_uint_eq(findings_count(&findings, FINDING_OK), findings.count);
    stop_daemon(&facts, ENOENT);
    facts.daemon_exists = false;
    doctor_judge(&facts, &findings);
    ck_assert_int_eq(find(&findings, "there is no user fricid")->level, FINDING_PROBLEM);
    doctor_facts_clear(&facts);
}
END_TEST

START_TEST(devices)
{
    struct doctor_facts facts = healthy();
    facts.group_reaches[0] = false;
    expect(&facts, FINDING_PROBLEM, "belongs to the group iocard (mode 0660)", "udevadm trigger");
    facts = healthy();
    facts.devices[0].mode = S_IFCHR | 0640;
    expect(&facts, FINDING_PROBLEM, "fricidd cannot open it", "udevadm trigger");
    facts = healthy();
    facts.devices[0].mode = S_IFCHR | 0666;
    expect(&facts, FINDING_NOTE, "so does everybody else", "60-fricid.rules");
    facts = healthy();
    facts.devices[0].mode = S_IFREG | 0660;
    expect(&facts, FINDING_PROBLEM, "is no device", "rm /dev/comedi0");
    facts = healthy();
    facts.device_count = 0;
    expect(&facts, FINDING_PROBLEM, "there is no /dev/comedi0", "modprobe");
    facts = healthy();
    json_object_set_new(facts.version, "comedi", json_false());
    expect(&facts, FINDING_NOTE, "built without Comedi", "libcomedi-dev");
}
END_TEST

START_TEST(the_computer)
{
    struct doctor_facts facts = healthy();
    facts.open_files = 256;
    expect(&facts, FINDING_PROBLEM, "may open 256 files", "LimitNOFILE");
    facts = healthy();
    facts.disk_free_bytes = 5e7;
    expect(&facts, FINDING_PROBLEM, "only 50 MB are free in /var/lib/fricid", "df -h");
    facts = healthy();
    facts.disk_free_bytes = 5e8;
    expect(&facts, FINDING_NOTE, "only 500 MB are free", "df -h");
    facts = healthy();
    facts.clock_synchronised = false;
    expect(&facts, FINDING_NOTE, "not synchronised", "set-ntp");
    facts = healthy();
    facts.now_s = 1795200000; /* a day before the daemon started */
    expect(&facts, FINDING_PROBLEM, "time of day is wrong", "set-time");
    facts = healthy();
    stop_daemon(&facts, ENOENT);
    facts.now_s = 0;
    struct findings findings;
    doctor_judge(&facts, &findings);
    ck_assert_int_eq(find(&findings, "time of day is wrong")->level, FINDING_PROBLEM);
}
END_TEST

START_TEST(configuration)
{
    struct doctor_facts facts = healthy();
    facts.configuration_differs = true;
    expect(&facts, FINDING_NOTE, "was changed since", "systemctl reload fricidd");
    facts = healthy();
    facts.configuration.error = ENOENT;
    expect(&facts, FINDING_PROBLEM, "cannot be read: No such file", "--check-config");
    facts = healthy();
    json_object_set_new(facts.config, "path", json_null());
    expect(&facts, FINDING_NOTE, "without a configuration file", "");
}
END_TEST

START_TEST(what_the_daemon_finds_wrong)
{
    struct doctor_facts facts = healthy();
    json_t *rig = json_array_get(json_object_get(facts.status, "rigs"), 0);
    json_object_set_new(rig, "problem", json_string("device lost"));
    json_object_set_new(rig, "condition", json_string("failed"));
    expect(&facts, FINDING_PROBLEM, "bearing: device lost", "systemctl restart");
    facts = healthy();
    json_object_set_new(facts.status, "queue", json_pack("{s:i, s:i}", "bytes", 600, "max_bytes", 1000));
    expect(&facts, FINDING_PROBLEM, "600 B of at most 1 kB wait to be stored", "queue_max_bytes");
    facts = healthy();
    json_object_set_new(
        facts.status, "threads",
        json_pack("[{s:s, s:b, s:f, s:i}]", "name", "identifier", "healthy", 0, "running_s", 95.0, "queued_jobs", 2));
    expect(&facts, FINDING_PROBLEM, "thread identifier: a job has been running for 95 s", "restart");
    facts = healthy();
    json_object_set_new(facts.status, "rigs", json_array());
    expect(&facts, FINDING_NOTE, "no rig is configured", "/etc/fricid/fricid.conf");
    facts = healthy();
    json_object_set_new(json_object_get(facts.status, "store"), "kind", json_string("memory"));
    expect(&facts, FINDING_NOTE, "gone after a restart", "fricidctl --json watch");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("doctor");
    tcase_add_test(cases, all_is_well);
    tcase_add_test(cases, no_daemon);
    tcase_add_test(cases, another_version);
    tcase_add_test(cases, rights);
    tcase_add_test(cases, devices);
    tcase_add_test(cases, the_computer);
    tcase_add_test(cases, configuration);
    tcase_add_test(cases, what_the_daemon_finds_wrong);
    Suite *suite = suite_create("doctor");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
