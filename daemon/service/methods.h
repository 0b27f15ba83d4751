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
    bool acts;                                            /* needs root, the daemon's own user or the group */
    const struct parameter_list *parameters;              /* NULL: none */
    void (*run)(struct call *call, const json_t *params); /* answers the call, now or later */
    bool asks;                                            /* nothing comes of it but its answer */
};

/* A part of the table of methods. */
struct method_group {
    const struct method *methods;
    size_t count;
};

extern const struct method_group methods_about_daemon;   /* status, version, config */
extern const struct method_group methods_about_results;  /* results.list, results.get, samples */
extern const struct method_group methods_about_topics;   /* subscribe, unsubscribe */
extern const struct method_group methods_about_rigs;     /* devices, zero */
extern const struct method_group methods_about_recorder; /* recorder.find, recorder.read */
extern const struct method_group methods_about_store; /* protect, reidentify, backup.begin, backup.read, backup.end */
extern const struct method_group methods_about_identify; /* identify and its uploads */
extern const struct method_group methods_about_simulate; /* simulate and its uploads */

/* All methods, from index 0; NULL behind the last. */
const struct method *method_at(size_t index);

/* Finds a method, checks rights and parameters, and runs it. `params` may be NULL. */
void methods_run(struct call *call, const char *name, json_t *params);

/* The parameters of hello. New reference. */
json_t *hello_to_json(const struct service *service);

#endif
