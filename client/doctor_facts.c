/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be seen of a computer without any rights: nothing here changes anything, and nothing needs a daemon. */

#include <config.h>

#include "client/doctor.h"

#include "client/reply.h"
#include "proto/address.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_CONFIGURATION FRICID_SYSCONFDIR "/fricid/fricid.conf"
#define DEFAULT_STATE "/var/lib/fricid"

static const char service_name[] = "fricid"; /* of the daemon's user, and of the group that may act */

static struct doctor_file look_at(const char *path)
{
    struct doctor_file file = {0};
    struct stat status;
    snprintf(file.path, sizeof file.path, "%s", path);
    if (stat(path, &status) != 0) {
        file.error = errno;
        return file;
    }
    file.mode = status.st_mode;
    file.owner = status.st_uid;
    const struct group *group = getgrgid(status.st_gid);
    if (group)
        snprintf(file.group, sizeof file.group, "%s", group->gr_name);
    else
        snprintf(file.group, sizeof file.group, "%u", (unsigned)status.st_gid);
    return file;
}

/* Whether somebody accepts connections there: 0, or why not. */
static int knock(const char *path)
{
    struct sockaddr_un address;
    struct complaint complaint;
    if (fricid_socket_address(path, &address, &complaint) != 0)
        return ENAMETOOLONG;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return errno;
    int error = connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    close(fd);
    /* A queue that is full at the moment is somebody's queue. */
    return error == EAGAIN ? 0 : error;
}

/* Whether a user belongs to a group, by the databases and not by what a running process has. */
static bool is_listed(const char *user, const char *group_name)
{
    const struct passwd *passwd = getpwnam(user);
    const struct group *group = getgrnam(group_name);
    if (!passwd || !group)
        return false;
    gid_t wanted = group->gr_gid, own = passwd->pw_gid;
    gid_t groups[1024];
    int count = sizeof groups / sizeof groups[0];
    if (getgrouplist(user, own, groups, &count) < 0)
        return false;
    for (int i = 0; i < count; i++)
        if (groups[i] == wanted)
            return true;
    return false;
}

static bool is_active(const char *group_name)
{
    const struct group *group = getgrnam(group_name);
    gid_t groups[1024];
    int count = getgroups(sizeof groups / sizeof groups[0], groups);
    if (!group)
        return false;
    for (int i = 0; i < count; i++)
        if (groups[i] == group->gr_gid)
            return true;
    return getegid() == group->gr_gid;
}

static void look_at_user(struct doctor_facts *facts)
{
    facts->user = geteuid();
    const struct passwd *passwd = getpwuid(facts->user);
    if (passwd)
        snprintf(facts->user_name, sizeof facts->user_name, "%s", passwd->pw_name);
    else
        snprintf(facts->user_name, sizeof facts->user_name, "%u", (unsigned)facts->user);
    facts->daemon_exists = getpwnam(service_name) != NULL;
    facts->group_exists = getgrnam(service_name) != NULL;
    facts->group_listed = is_listed(facts->user_name, service_name);
    facts->group_active = is_active(service_name);
}

/* The minors up to 47 are cards; higher ones are their subdevices. */
static void look_at_devices(struct doctor_facts *facts)
{
    for (int minor = 0; minor < 48 && facts->device_count < DOCTOR_MOST_DEVICES; minor++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/comedi%d", minor);
        struct doctor_file device = look_at(path);
        if (device.error == ENOENT)
            continue;
        facts->group_reaches[facts->device_count] = is_listed(service_name, device.group);
        facts->devices[facts->device_count++] = device;
    }
}

/* The soft limit of a process out of /proc, where everybody may read it; NAN: not known. */
static double open_files_of(long long pid)
{
    char path[64], line[256];
    double soft = NAN;
    snprintf(path, sizeof path, "/proc/%lld/limits", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return NAN;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "Max open files %lf", &soft) == 1)
            break;
    fclose(file);
    return soft;
}

static double own_open_files(void)
{
    struct rlimit limit;
    /* fricidd raises the soft limit to the hard one where it needs to. */
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (double)limit.rlim_max : NAN;
}

/* Cuts a path back to the nearest part of it that exists. */
static void existing_part(char *path)
{
    struct stat status;
    while (path[0] && stat(path, &status) != 0) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) {
            strcpy(path, "/");
            return;
        }
        *slash = '\0';
    }
}

static void look_at_disk(struct doctor_facts *facts, const char *path)
{
    struct statvfs status;
    snprintf(facts->disk_path, sizeof facts->disk_path, "%s", path);
    existing_part(facts->disk_path);
    facts->disk_free_bytes = NAN;
    if (statvfs(facts->disk_path, &status) == 0)
        facts->disk_free_bytes = (double)status.f_bavail * (double)status.f_frsize;
}

static void look_at_clock(struct doctor_facts *facts)
{
    struct timex state = {0};
    int verdict = adjtimex(&state);
    facts->clock_synchronised = verdict >= 0 && verdict != TIME_ERROR && !(state.status & STA_UNSYNC);
    facts->now_s = (double)time(NULL);
}

/* The path is the daemon's word: opening a pipe without a writer would wait for ever. */
static FILE *open_plain_file(const char *path)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool plain = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = plain ? fdopen(descriptor, "r") : NULL;
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

/* Whether a file is not the text that the daemon has; one that cannot be read says nothing. */
static bool differs(const char *path, const char *text)
{
    FILE *file = open_plain_file(path);
    size_t length = strlen(text);
    if (!file)
        return false;
    bool same = true;
    for (size_t i = 0; same && i <= length; i++)
        same = fgetc(file) == (i < length ? (unsigned char)text[i] : EOF);
    bool failed = ferror(file) != 0;
    fclose(file);
    return !same && !failed;
}

void doctor_look(struct doctor_facts *facts, const char *socket_path)
{
    *facts = (struct doctor_facts){.socket = look_at(socket_path), .connect_error = knock(socket_path)};
    look_at_user(facts);
    look_at_devices(facts);
    facts->open_files = own_open_files();
    look_at_disk(facts, DEFAULT_STATE);
    look_at_clock(facts);
    facts->configuration = look_at(DEFAULT_CONFIGURATION);
}

/* A daemon knows better than the defaults where its things are. */
void doctor_look_behind_replies(struct doctor_facts *facts)
{
    if (facts->status) {
        facts->open_files = open_files_of((long long)reply_integer(facts->status, "pid", 0));
        const char *path = reply_text(json_object_get(facts->status, "store"), "path", NULL);
        if (path)
            look_at_disk(facts, path);
    }
    const char *path = reply_text(facts->config, "path", NULL), *text = reply_text(facts->config, "text", NULL);
    if (!path || !text)
        return;
    facts->configuration = look_at(path);
    facts->configuration_differs = differs(path, text);
}

void doctor_facts_clear(struct doctor_facts *facts)
{
    json_decref(facts->status);
    json_decref(facts->version);
    json_decref(facts->config);
    *facts = (struct doctor_facts){0};
}
