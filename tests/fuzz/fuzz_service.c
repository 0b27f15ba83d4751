/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes from a client: framing, envelope, rights, parameters and every method, with a backend that identifies.
 *
 * The first byte says how the client behaves, the second how its bytes are cut into pieces, the rest is what it sends.
 * The service lives as long as the process, as the daemon's does; each input is a session of its own. */
#include "fuzz.h"

#include "pipeline/analysis.h"
#include "proto/framing.h"
#include "proto/jsonrpc.h"
#include "service/service.h"
#include "service/service_state.h"
#include "service/session.h"

#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How the client behaves: bits of the first byte. */
enum {
    ENDS_INPUT = 1,     /* sends no more, but reads */
    READS_LATE = 2,     /* only when everything is sent */
    VANISHES = 4,       /* closes in the middle of what it sends */
    BACKEND_IDLE = 8,   /* its records are never answered */
    BACKEND_FULL = 16,  /* its records are refused */
    HEARS_NEWS = 32,    /* results and events are published while it speaks */
    MOST_JOBS = 8,      /* that wait in the backend */
    MOST_SAMPLES = 256, /* that are really identified */
    TURNS = 2000,       /* of the event loop, at the end */
};

static const char last_question[] = "\n{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":\"the last question\"}\n";

struct job {
    long ticket; /* 0: free */
    struct identify_request request;
    identify_answer answer;
    void *context;
};

struct house {
    struct event_base *base;
    struct service *service;
    struct job jobs[MOST_JOBS];
    long tickets;
    bool full;
    struct decay_origin origin;
    struct analysis analysis; /* the results that are published */
};

/* What has come back to the client. */
struct ear {
    int fd;
    char *bytes;
    size_t length, capacity;
    size_t lines;
    bool last_answered;
};

/* --- the daemon behind the service --- */

static const struct daemon_status *status(void *context)
{
    static const struct channel_status channels[] = {{.name = "lvdt", .unit = "mm", .start_below = NAN}};
    static const struct rig_status rigs[] = {
        {.name = "bearing", .source_kind = "simulated", .device = "", .channel_count = 1, .channels = channels}};
    static const struct daemon_status daemon = {.rig_count = 1, .rigs = rigs, .store_kind = "memory"};
    (void)context;
    return &daemon;
}

static bool configuration(void *context, const char *id, struct configuration_view *view)
{
    (void)context;
    *view = (struct configuration_view){.id = "0123456789abcdef", .text = ""};
    return !id || strcmp(id, view->id) == 0;
}

static const struct device_survey *devices(void *context, bool ask, bool *surveying, int64_t *taken_at_ns)
{
    static const struct device_survey one = {
        .count = 1,
        .devices = {{.path = "/dev/comedi0", .subdevice_count = 1, .subdevices = {{.kind = "analog input"}}}}};
    (void)context;
    *surveying = ask;
    *taken_at_ns = 0;
    return ask ? NULL : &one;
}

static int zero(void *context, const char *rig, const char *channel, double *position, struct complaint *complaint)
{
    (void)context;
    *position = 1;
    complaint_set(complaint, "%s of %s has no zero", channel, rig);
    return channel[0] == 'l' ? 0 : -ENOTSUP;
}

static long take_job(void *context, struct identify_request *request, identify_answer answer, void *answer_context)
{
    struct house *house = context;
    for (size_t i = 0; i < MOST_JOBS && !house->full; i++) {
        if (house->jobs[i].ticket != 0)
            continue;
        house->jobs[i] = (struct job){++house->tickets, *request, answer, answer_context};
        memset(request, 0, sizeof *request);
        return house->jobs[i].ticket;
    }
    return -EAGAIN;
}

static void cancel_job(void *context, long ticket)
{
    struct house *house = context;
    for (size_t i = 0; i < MOST_JOBS; i++) {
        if (house->jobs[i].ticket != ticket)
            continue;
        struct job job = house->jobs[i];
        house->jobs[i].ticket = 0;
        job.answer(job.context, &job.request, NULL, 0, NULL, "cancelled");
        identify_request_clear(&job.request);
        return;
    }
    fuzz_require(false, "only what is queued is cancelled");
}

static void analyse_request(const struct house *house, const struct identify_request *request,
                            struct analysis *analysis)
{
    const struct analysis_input input = {.displacement = request->displacement,
                                         .time_s = request->time_s,
                                         .count = request->count,
                                         .start_s = request->start_s,
                                         .period_s = request->period_s,
                                         .resolution = request->resolution,
                                         .whole = request->whole,
                                         .segment = segment_default_settings(),
                                         .origin = &house->origin};
    fuzz_require(analyse(&input, analysis) == 0, "an analysis ends well");
}

static void answer_jobs(struct house *house)
{
    for (size_t i = 0; i < MOST_JOBS; i++) {
        struct job job = house->jobs[i];
        struct analysis analysis = {0};
        if (job.ticket == 0)
            continue;
        house->jobs[i].ticket = 0;
        bool small = job.request.count <= MOST_SAMPLES;
        if (small)
            analyse_request(house, &job.request, &analysis);
        job.answer(job.context, &job.request, analysis.results, analysis.count, analysis.drops,
                   small ? NULL : "too much for a fuzz");
        analysis_clear(&analysis);
        identify_request_clear(&job.request);
    }
}

/* A decay whose result is published: 64 samples of a damped cosine. */
static void make_result(struct house *house)
{
    double displacement[64];
    for (size_t i = 0; i < 64; i++)
        displacement[i] = exp(-0.03 * (double)i) * cos(0.4 * (double)i);
    struct identify_request request = {.displacement = displacement, .count = 64, .period_s = 0.01, .whole = true};
    analyse_request(house, &request, &house->analysis);
    fuzz_require(house->analysis.count == 1, "a whole record has one result");
}

static void tell_news(struct house *house)
{
    static const struct service_event event = {.code = "gap", .sentence = "a gap", .at_ns = 1, .count = 3};
    const struct segment_state state = {.phase = SEGMENT_DECAYING, .half_cycle = 3, .amplitude = NAN};
    service_publish_event(house->service, &event);
    service_publish_result(house->service, house->analysis.results[0]);
    service_publish_progress(house->service, "bearing", "lvdt", "simulated", "mm", &state);
}

/* Made once; the process never takes it down, as its end cannot be seen from here. */
static struct house *the_house(void)
{
    static struct house *house;
    static char path[64];
    if (house)
        return house;
    house = calloc(1, sizeof *house);
    char folder[] = "/tmp/fricid-fuzz-XXXXXX";
    fuzz_require(house && mkdtemp(folder), "there is a place for a socket");
    snprintf(path, sizeof path, "%s/s", folder);
    signal(SIGPIPE, SIG_IGN);
    json_object_seed(1);
    house->base = event_base_new();
    const struct service_settings settings = {.socket_path = path,
                                              .socket_mode = 0600,
                                              .group = "",
                                              .results_held = 8,
                                              .samples_held_bytes = 4096,
                                              .identify_max_bytes = 256 << 20};
    const struct service_backend backend = {.context = house,
                                            .status = status,
                                            .zero = zero,
                                            .devices = devices,
                                            .configuration = configuration,
                                            .identify = take_job,
                                            .identify_cancel = cancel_job};
    struct complaint complaint;
    int error = house->base ? service_create(house->base, &settings, &backend, &house->service, &complaint) : -ENOMEM;
    fuzz_require(error == 0, "the service starts");
    /* Only its sessions are of interest, and they have sockets of their own. */
    unlink(path);
    rmdir(folder);
    snprintf(house->origin.rig, sizeof house->origin.rig, "bearing");
    snprintf(house->origin.channel, sizeof house->origin.channel, "lvdt");
    house->origin.released_at_ns = INT64_MIN;
    house->origin.physical =
        (struct physical_settings){.mass_kg = NAN, .stiffness_n_per_m = NAN, .gravity_m_per_s2 = 9.8};
    make_result(house);
    house->analysis.results[0]->of->id = 1;
    return house;
}

/* --- the client --- */

/* Everything that the server says is one JSON object, or a list of them, a line. */
static void hear_line(struct ear *ear, const char *line, size_t length)
{
    json_t *message = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
    fuzz_require(length <= FRAMING_MAX_LINE, "a line of the server is not too long");
    fuzz_require(json_is_object(message) || json_is_array(message), "a line of the server is JSON");
    const char *id = json_string_value(json_object_get(message, "id"));
    if (id && strcmp(id, "the last question") == 0)
        ear->last_answered = true;
    ear->lines++;
    json_decref(message);
}

static void hear(struct ear *ear)
{
    for (;;) {
        if (ear->capacity < ear->length + 65536) {
            ear->capacity = 2 * ear->capacity + 65536;
            ear->bytes = realloc(ear->bytes, ear->capacity);
            fuzz_require(ear->bytes != NULL, "there is memory for answers");
        }
        ssize_t got = recv(ear->fd, ear->bytes + ear->length, ear->capacity - ear->length, MSG_DONTWAIT);
        if (got <= 0)
            return;
        ear->length += (size_t)got;
        char *start = ear->bytes, *newline;
        while ((newline = memchr(start, '\n', ear->length - (size_t)(start - ear->bytes)))) {
            hear_line(ear, start, (size_t)(newline - start));
            start = newline + 1;
        }
        ear->length -= (size_t)(start - ear->bytes);
        memmove(ear->bytes, start, ear->length);
    }
}

static void turn(struct house *house, struct ear *ear, unsigned manner)
{
    event_base_loop(house->base, EVLOOP_NONBLOCK);
    if (!(manner & BACKEND_IDLE))
        answer_jobs(house);
    if (!(manner & READS_LATE))
        hear(ear);
}

/* Sends in pieces; a socket that is full is tried again a few times. */
static void say(struct house *house, struct ear *ear, unsigned manner, const uint8_t *bytes, size_t count, size_t piece)
{
    for (int patience = TURNS; count > 0 && patience > 0;) {
        ssize_t sent = send(ear->fd, bytes, count < piece ? count : piece, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        } else {
            patience--;
        }
        turn(house, ear, manner);
    }
}

/* A client that goes on reading gets the answer to a last question, whatever it said before. */
static void ask_last(struct house *house, struct ear *ear, unsigned manner)
{
    say(house, ear, manner, (const uint8_t *)last_question, sizeof last_question - 1, sizeof last_question);
    if (manner & ENDS_INPUT)
        shutdown(ear->fd, SHUT_WR);
    for (int i = 0; i < TURNS && !ear->last_answered; i++)
        turn(house, ear, manner & ~(unsigned)READS_LATE);
    fuzz_require(ear->last_answered, "the last question of a client that reads is answered");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct house *house = the_house();
    struct fuzz_input input = {bytes, count};
    unsigned manner = fuzz_byte(&input);
    size_t piece = 1 + (size_t)fuzz_byte(&input) * 16;
    int fds[2];
    fuzz_require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) == 0, "there are sockets");
    fuzz_require(session_create(house->service, fds[0], geteuid()) != NULL, "there is memory for a session");
    struct ear ear = {.fd = fds[1]};
    house->full = (manner & BACKEND_FULL) != 0;
    size_t half = (manner & (HEARS_NEWS | VANISHES)) ? input.count / 2 : input.count;
    say(house, &ear, manner, input.bytes, half, piece);
    if (manner & HEARS_NEWS)
        tell_news(house);
    if (!(manner & VANISHES)) {
        say(house, &ear, manner, input.bytes + half, input.count - half, piece);
        ask_last(house, &ear, manner);
    }
    close(fds[1]);
    for (int i = 0; i < TURNS && house->service->session_count > 0; i++)
        event_base_loop(house->base, EVLOOP_NONBLOCK);
    fuzz_require(house->service->session_count == 0, "a session ends with its client");
    fuzz_require(house->service->upload_budget.used == 0, "what a client had sent is freed with it");
    for (size_t i = 0; i < MOST_JOBS; i++)
        fuzz_require(house->jobs[i].ticket == 0, "nobody's records are not worked on");
    free(ear.bytes);
    return 0;
}
