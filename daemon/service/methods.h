/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_METHODS_H
#define FRICID_SERVICE_METHODS_H

#include "service/exchange.h"
#include "service/parameters.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct service;

/* A method: its parameters are checked before run() sees them. */
struct method {
    const char *name;
    bool acts; /* needs root, the daemon's own user or the group */
    const struct parameter *parameters;
    size_t parameter_count;
    void (*run)(struct call *call, const json_t *params); /* answers the call, now or later */
    bool asks;                                            /* nothing comes of it but its answer */
    const char *rules; /* which parameters go together, as members of their schema; run() holds to it; NULL: any */
};

/* A part of the table of methods. */
struct method_group {
    const struct method *methods;
    size_t count;
};

struct method_group methods_about_daemon(void);   /* status, version, config */
struct method_group methods_about_results(void);  /* results.list, results.get, samples */
struct method_group methods_about_topics(void);   /* subscribe, unsubscribe */
struct method_group methods_about_rigs(void);     /* devices, zero */
struct method_group methods_about_recorder(void); /* recorder.find, recorder.read */
struct method_group methods_about_store(void);    /* protect, reidentify, backup.begin, backup.read, backup.end */
struct method_group methods_about_identify(void); /* identify and its uploads */

/* All methods, from index 0; NULL behind the last. */
const struct method *method_at(size_t index);

/* Finds a method, checks rights and parameters, and runs it. `params` may be NULL. */
void methods_run(struct call *call, const char *name, json_t *params);

/* The parameters of hello. New reference. */
json_t *hello_to_json(const struct service *service);

#endif
