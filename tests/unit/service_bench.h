/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_SERVICE_BENCH_H
#define FRICID_TESTS_SERVICE_BENCH_H

#include "service/service.h"

#include <event2/event.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The real service on a socket in a folder of its own, with a backend that only notes what it is asked, and clients
 * that speak through bare sockets. Everything runs in one thread: a client that waits turns the event loop. */

enum { BENCH_MAX_IDENTIFY = 8 };

/* A record that the service handed to the backend and that was not answered or cancelled yet. */
struct bench_identify {
    long ticket; /* 0: free */
    struct identify_request request;
    identify_answer answer;
    void *context;
};

struct bench {
    char folder[64], path[96];
    struct event_base *base;
    struct service_settings settings;
    struct service_backend backend;
    struct service *service;
    const char *config_path;
    struct bench_identify identify[BENCH_MAX_IDENTIFY];
    long tickets;
    int cancelled;
    bool backend_is_full, slow_to_cancel;
};

struct client {
    int fd;
    char *bytes; /* received and not handed out */
    size_t length;
};

void bench_set_up(struct bench *bench);
void bench_start(struct bench *bench); /* fails when the service does not start */
void bench_clear(struct bench *bench);

/* Lets the event loop do what is to be done now. */
void bench_turn(struct bench *bench);

/* The only record that waits; fails when there is none or more than one. */
struct bench_identify *bench_waiting(struct bench *bench);

/* Answers it with one made-up result, or with a complaint. */
void bench_answer(struct bench *bench, struct bench_identify *waiting, const char *complaint);

struct client client_connect(struct bench *bench); /* and takes hello in */
void client_close(struct client *client);

/* Sends bytes as they are, turning the loop when the socket is full. */
void client_send(struct bench *bench, struct client *client, const char *bytes, size_t count);

/* The next line without its newline, NULL at the end of the stream; fails after some seconds. For the caller to free.
 */
char *client_line(struct bench *bench, struct client *client);

/* The same as JSON. */
json_t *client_json(struct bench *bench, struct client *client);

/* Whether nothing more comes while the loop is turned for a while. */
bool client_hears_nothing(struct bench *bench, struct client *client);

/* Sends the text and a newline, and returns what comes back. */
json_t *client_ask(struct bench *bench, struct client *client, const char *text);

/* Calls a method with params (JSON text) and returns the result; fails when there is an error. */
json_t *client_call(struct bench *bench, struct client *client, const char *method, const char *params);

/* The same, but expects an error with this code; returns its data. */
json_t *client_call_fails(struct bench *bench, struct client *client, const char *method, const char *params, int code);

#endif
