/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_DOCTOR_H
#define FRICID_CLIENT_DOCTOR_H

#include "client/finding.h"
#include "proto/complaint.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The doctor in two parts: what is seen on this computer, and what is to be made of it. The second asks nobody: every
 * fault that it knows can be shown to it. */

enum { DOCTOR_MOST_DEVICES = 16 };

/* What a file or device is like; error: errno of the attempt to look, 0: it is there. */
struct doctor_file {
    char path[256];
    int error;
    mode_t mode;
    uid_t owner;
    char group[64]; /* the name; the number where it has none */
};

struct doctor_facts {
    /* The daemon, as far as it answers; replies are owned. */
    struct doctor_file socket;
    int connect_error;        /* errno; 0: somebody answers the door */
    struct complaint silence; /* why there is no answer, empty: there is one */
    json_t *status, *version, *config;
    /* Who asks. */
    uid_t user;
    char user_name[64];
    bool group_exists;  /* `fricid` */
    bool group_listed;  /* the user is a member of it */
    bool group_active;  /* and this process is, too */
    bool daemon_exists; /* the user `fricid` */
    /* Comedi cards; group_reaches: the user `fricid` belongs to the group of the node. */
    size_t device_count;
    struct doctor_file devices[DOCTOR_MOST_DEVICES];
    bool group_reaches[DOCTOR_MOST_DEVICES];
    /* Limits of the daemon, or of this process when none runs. */
    double open_files;
    /* Where decays are stored, or would be: the nearest folder that exists. */
    char disk_path[256];
    double disk_free_bytes; /* NAN: not known */
    /* The clock. */
    double now_s; /* since 1970 */
    bool clock_synchronised;
    /* The configuration file, and whether it is what the daemon has read. */
    struct doctor_file configuration;
    bool configuration_differs;
};

/* Looks around; never fails, what cannot be seen is not known. The replies are the caller's to add. */
void doctor_look(struct doctor_facts *facts, const char *socket_path);
void doctor_look_behind_replies(struct doctor_facts *facts); /* what needs the daemon's replies to be there */
void doctor_facts_clear(struct doctor_facts *facts);

/* What is to be made of the facts, in the order in which a person should mend it. */
void doctor_judge(const struct doctor_facts *facts, struct findings *findings);

#endif
