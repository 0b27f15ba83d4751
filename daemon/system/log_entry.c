/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One message: its line, its fields, and how it gets out. */

#include <config.h>

#include "system/log_entry.h"

#include "proto/plain_text.h"
#include "system/log_ids.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#if HAVE_SYSTEMD
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
#endif

/* Priorities of syslog(3). */
static const int priorities[] = {[LOG_LEVEL_ERROR] = 3, [LOG_LEVEL_WARNING] = 4, [LOG_LEVEL_INFO] = 6};

/* The line for people: "gap: rig bearing, channel lvdt: sentence". */
static void write_line(const struct log_message *message, char line[LOG_LINE])
{
    const char *code = message->code, *rig = message->rig, *channel = message->channel;
    snprintf(line, LOG_LINE, LOG_MESSAGE "%s%s%s%s%s%s%s%s", code ? code : "", code ? ": " : "", rig ? "rig " : "",
             rig ? rig : "", channel ? ", channel " : "", channel ? channel : "", rig ? ": " : "", message->sentence);
}

/* Appends "name=value" to the entry, whose texts have room for it. Names come from configurations and recordings. */
static void add_field(struct log_entry *entry, char **end, const char *name, const char *value)
{
    if (!value)
        return;
    entry->fields[entry->field_count++] = *end;
    int length = sprintf(*end, "%s%s", name, value);
    plain_line(*end);
    *end += length + 1;
}

struct log_entry *log_entry_create(const struct log_message *message)
{
    char line[LOG_LINE], count[24], priority[4];
    write_line(message, line);
    snprintf(count, sizeof count, "%" PRIu64, message->count);
    snprintf(priority, sizeof priority, "%d", priorities[message->level]);
    const struct {
        const char *name, *value;
    } fields[LOG_FIELDS] = {
        {"", line},
        {"PRIORITY=", priority},
        {"MESSAGE_ID=", message->code ? log_message_id(message->code) : NULL},
        {"FRICID_EVENT=", message->code},
        {"FRICID_RIG=", message->rig},
        {"FRICID_CHANNEL=", message->channel},
        {"FRICID_SOURCE=", message->source_kind},
        {"FRICID_REASON=", message->reason},
        {"FRICID_COUNT=", message->count > 0 ? count : NULL},
    };
    size_t bytes = sizeof(struct log_entry);
    for (size_t i = 0; i < LOG_FIELDS; i++)
        bytes += fields[i].value ? strlen(fields[i].name) + strlen(fields[i].value) + 1 : 0;
    struct log_entry *entry = calloc(1, bytes);
    if (!entry)
        return NULL;
    entry->level = message->level;
    entry->bytes = bytes;
    char *end = entry->texts;
    for (size_t i = 0; i < LOG_FIELDS; i++)
        add_field(entry, &end, fields[i].name, fields[i].value);
    return entry;
}

/* JOURNAL_STREAM names its device and inode; programs that a user's own services start, such as terminals, pass it on
 * where it is not true any more (systemd.exec(5)). */
bool log_to_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    char here[64];
    struct stat status;
    if (!stream || fstat(STDERR_FILENO, &status) != 0)
        return false;
    snprintf(here, sizeof here, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
    return strcmp(stream, here) == 0;
}

/* Whether the journal has it. */
static bool send_to_journal(const struct log_entry *entry)
{
#if HAVE_SYSTEMD
    struct iovec fields[LOG_FIELDS];
    for (size_t i = 0; i < entry->field_count; i++)
        fields[i] = (struct iovec){.iov_base = (char *)entry->fields[i], .iov_len = strlen(entry->fields[i])};
    return sd_journal_sendv(fields, (int)entry->field_count) == 0;
#else
    (void)entry;
    return false;
#endif
}

/* The journal reads lines too, with their priority before them (sd-daemon(3)). */
void log_entry_write(const struct log_entry *entry, bool journal)
{
    if (journal && send_to_journal(entry))
        return;
    char line[LOG_LINE + 16];
    const char *sentence = entry->fields[0] + strlen(LOG_MESSAGE);
    int length = journal ? snprintf(line, sizeof line, "<%d>%s\n", priorities[entry->level], sentence)
                         : snprintf(line, sizeof line, "fricidd: %s\n", sentence);
    const char *rest = line;
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, rest, (size_t)length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        rest += written;
        length -= (int)written;
    }
}
