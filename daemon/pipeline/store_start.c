/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which store a daemon begins with, and with which numbers its notifications go on. */

#include <config.h>

#include "pipeline/store_start.h"

#include "pipeline/publication_log.h"
#include "service/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usual_directory[] = "/var/lib/fricid";

/* systemd gives a list where several are configured; ours is the first. */
static char *state_directory(void)
{
    const char *list = getenv("STATE_DIRECTORY");
    if (!list || !list[0])
        return strdup(usual_directory);
    return strndup(list, strcspn(list, ":"));
}

/* What a user did not ask for may be missing; it is said, and the daemon goes on without. But a file that is there and
 * not ours, newer than we are or in use, is no missing one. */
static int open_usual(struct store_start *start, struct complaint *complaint)
{
    char *directory = state_directory();
    int error = directory ? store_open(directory, PACKAGE_VERSION, &start->store, complaint) : -ENOMEM;
    if (!error)
        start->directory = directory;
    else
        free(directory);
    if (!error || error == -ENOMEDIUM || error == -EPROTONOSUPPORT || error == -EALREADY || error == -ENOMEM)
        return error;
    complaint_set(&start->in_memory,
                  "decays and results are kept in memory only, until fricidd ends: %s. Name a directory in the group "
                  "`store` of the configuration",
                  complaint->text);
    start->store = store_open_memory();
    return start->store ? 0 : -ENOMEM;
}

/* Numbers are set aside on the disk before the first of them is used. When the disk does not take it now, this process
 * begins a history of its own: it cannot know which numbers are free. */
static int number_on(struct store_start *start)
{
    struct store_numbering *numbering = &start->numbering;
    int error = store_get_numbering(start->store, numbering);
    if (error || !numbering->history_id[0]) {
        *numbering = (struct store_numbering){.next_seq = 1};
        int drawn = history_draw_id(numbering->history_id);
        if (drawn)
            return drawn;
    }
    if (!error)
        error = store_begin(start->store);
    if (!error)
        error = store_number_unpublished(start->store, &numbering->next_seq);
    start->first_seq = numbering->next_seq;
    numbering->next_seq += PUBLICATION_LOG_SET_ASIDE;
    if (!error)
        error = store_put_numbering(start->store, numbering);
    if (!error)
        error = store_commit(start->store);
    if (error) {
        store_rollback(start->store);
        *numbering = (struct store_numbering){.next_seq = 0};
        start->first_seq = 1;
        return history_draw_id(numbering->history_id);
    }
    return 0;
}

static int open_configured(const char *directory, struct store_start *start, struct complaint *complaint)
{
    start->directory = strdup(directory);
    return start->directory ? store_open(start->directory, PACKAGE_VERSION, &start->store, complaint) : -ENOMEM;
}

int store_start(const struct store_configuration *configuration, struct store_start *start, struct complaint *complaint)
{
    *start = (struct store_start){0};
    int error = configuration->directory ? open_configured(configuration->directory, start, complaint)
                                         : open_usual(start, complaint);
    if (!error)
        error = number_on(start);
    if (error) {
        store_close(start->store);
        start->store = NULL;
    }
    return error;
}
