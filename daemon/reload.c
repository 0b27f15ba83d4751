/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What SIGHUP asks for: the file is read and checked whole beside the event loop, then handed to it. */

#include "reload.h"

#include "worker/mailbox.h"
#include "worker/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long the end of the daemon waits for a file that is being read, s. */
static const double PATIENCE_S = 0.3;

struct reload {
    struct job job; /* first member: the worker's pointer is ours. There is one, used again and again */
    char *path;     /* owned; NULL: the built-in defaults */
    struct reload_listener listener;
    struct mailbox *mailbox;
    struct worker *worker;
    bool busy;  /* the job is under way */
    bool again; /* asked for meanwhile: what is being read may be the old file */
    bool ending;
    /* The worker's while it runs, afterwards the event loop's. */
    struct configuration *configuration;
    char *complaints;
};

/* In the worker's thread. */
static struct worker *load(struct job *job)
{
    struct reload *reload = (struct reload *)job;
    size_t length = 0;
    FILE *complaints = open_memstream(&reload->complaints, &length);
    if (!complaints)
        return NULL;
    reload->configuration = configuration_load(reload->path, complaints);
    if (fclose(complaints) != 0) {
        free(reload->complaints);
        reload->complaints = NULL;
    }
    return NULL;
}

static void begin(struct reload *reload)
{
    reload->busy = true;
    reload->again = false;
    worker_submit(reload->worker, &reload->job);
}

static void on_loaded(struct job *job)
{
    struct reload *reload = (struct reload *)job;
    struct configuration *configuration = reload->configuration;
    char *complaints = reload->complaints;
    reload->configuration = NULL;
    reload->complaints = NULL;
    reload->busy = false;
    if (reload->ending)
        configuration_destroy(configuration);
    else if (configuration)
        reload->listener.loaded(reload->listener.context, configuration);
    else
        reload->listener.refused(reload->listener.context,
                                 complaints && complaints[0] ? complaints : "memory is short");
    free(complaints);
    if (reload->again && !reload->ending)
        begin(reload);
}

static void reload_free(void *context)
{
    struct reload *reload = context;
    mailbox_destroy(reload->mailbox);
    free(reload->path);
    free(reload);
}

struct reload *reload_create(struct event_base *base, const char *path, const struct reload_listener *listener)
{
    struct reload *reload = calloc(1, sizeof *reload);
    if (!reload)
        return NULL;
    reload->path = path ? strdup(path) : NULL;
    reload->listener = *listener;
    reload->job.run = load;
    reload->job.finished = on_loaded;
    reload->job.priority = JOB_LIVE;
    reload->mailbox = path && !reload->path ? NULL : mailbox_create(base);
    reload->worker = reload->mailbox ? worker_create("reload", reload->mailbox) : NULL;
    if (reload->worker)
        return reload;
    int error = errno;
    reload_free(reload);
    errno = error;
    return NULL;
}

void reload_request(struct reload *reload)
{
    if (reload->busy)
        reload->again = true;
    else
        begin(reload);
}

/* A file on a disk that does not answer is not waited for: what reads it ends with the process, if not before. */
void reload_destroy(struct reload *reload)
{
    if (!reload)
        return;
    reload->ending = true;
    mailbox_leave_loop(reload->mailbox);
    if (worker_stop_within(reload->worker, PATIENCE_S, reload_free, reload)) {
        worker_destroy(reload->worker);
        reload_free(reload);
    }
}
