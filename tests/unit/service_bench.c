/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "service_bench.h"

#include "made_result.h"
#include "proto/address.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000 };

static const struct daemon_status *fake_status(void *context)
{
    static const struct channel_status channels[] = {
        {.name = "lvdt", .unit = "mm", .min_half_cycles = 3, .segment = {.phase = SEGMENT_IDLE}}};
    static const struct rig_status rigs[] = {{.name = "bearing",
                                              .source_kind = "simulated",
                                              .device = "simulated rig",
                                              .sample_rate_hz = 1000.0,
                                              .condition = RIG_RUNNING,
                                              .channel_count = 1,
                                              .channels = channels}};
    static const struct thread_status threads[] = {{.name = "identifier", .healthy = true}};
    static const struct daemon_status status = {.rig_count = 1,
                                                .rigs = rigs,
                                                .thread_count = 1,
                                                .threads = threads,
                                                .store_kind = "memory",
                                                .queue_max_bytes = 1000};
    (void)context;
    return &status;
}

static bool fake_configuration(void *context, const char *id, struct configuration_view *view)
{
    const struct bench *bench = context;
    *view = (struct configuration_view){
        .id = "0123456789abcdef", .path = bench->config_path, .text = bench->config_path ? "rigs = ();\n" : ""};
    return !id || strcmp(id, view->id) == 0;
}

static const struct device_survey *no_devices(void *context, bool ask, bool *surveying, int64_t *taken_at_ns)
{
    (void)context;
    *surveying = ask;
    *taken_at_ns = 0;
    return NULL;
}

/* Only an LVDT can be zeroed. */
static int fake_zero(void *context, const char *rig, const char *channel, double *position, struct complaint *complaint)
{
    (void)context;
    *position = 2.5;
    complaint_set(complaint, "%s of %s does not move", channel, rig);
    return strcmp(channel, "lvdt") == 0 ? 0 : -EAGAIN;
}

static long fake_identify(void *context, struct identify_request *request, identify_answer answer, void *answer_context)
{
    struct bench *bench = context;
    for (size_t i = 0; i < BENCH_MAX_IDENTIFY && !bench->backend_is_full; i++) {
        struct bench_identify *place = &bench->identify[i];
        if (place->ticket != 0)
            continue;
        *place = (struct bench_identify){++bench->tickets, *request, answer, answer_context};
        memset(request, 0, sizeof *request);
        return place->ticket;
    }
    return -EAGAIN;
}

static void fake_cancel(void *context, long ticket)
{
    struct bench *bench = context;
    for (size_t i = 0; i < BENCH_MAX_IDENTIFY; i++) {
        if (bench->identify[i].ticket != ticket)
            continue;
        bench->cancelled++;
        if (!bench->slow_to_cancel)
            bench_answer(bench, &bench->identify[i], "cancelled");
        return;
    }
    ck_abort_msg("ticket %ld is not known", ticket);
}

void bench_set_up(struct bench *bench)
{
    memset(bench, 0, sizeof *bench);
    signal(SIGPIPE, SIG_IGN);
    snprintf(bench->folder, sizeof bench->folder, "/tmp/fricid-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(bench->folder));
    ck_assert_int_eq(chmod(bench->folder, 0755), 0);
    snprintf(bench->path, sizeof bench->path, "%s/sock", bench->folder);
    bench->base = event_base_new();
    ck_assert_ptr_nonnull(bench->base);
    bench->settings = (struct service_settings){.socket_path = bench->path,
                                                .socket_mode = 0666,
                                                .group = "no-such-group",
                                                .results_held = 1000,
                                                .samples_held_bytes = 1 << 20,
                                                .identify_max_bytes = 256 << 20};
    bench->backend = (struct service_backend){.context = bench,
                                              .status = fake_status,
                                              .configuration = fake_configuration,
                                              .zero = fake_zero,
                                              .devices = no_devices,
                                              .identify = fake_identify,
                                              .identify_cancel = fake_cancel};
}

void bench_start(struct bench *bench)
{
    struct complaint complaint = {{0}};
    int code = service_create(bench->base, &bench->settings, &bench->backend, &bench->service, &complaint);
    ck_assert_msg(code == 0, "%s", complaint.text);
}

void bench_clear(struct bench *bench)
{
    service_destroy(bench->service);
    event_base_free(bench->base);
    for (size_t i = 0; i < BENCH_MAX_IDENTIFY; i++)
        identify_request_clear(&bench->identify[i].request);
    unlink(bench->path);
    rmdir(bench->folder);
}

void bench_turn(struct bench *bench)
{
    ck_assert_int_ge(event_base_loop(bench->base, EVLOOP_NONBLOCK), 0);
}

struct bench_identify *bench_waiting(struct bench *bench)
{
    struct bench_identify *found = NULL;
    for (size_t i = 0; i < BENCH_MAX_IDENTIFY; i++) {
        if (bench->identify[i].ticket == 0)
            continue;
        ck_assert_msg(!found, "more than one record waits");
        found = &bench->identify[i];
    }
    ck_assert_msg(found != NULL, "no record waits");
    return found;
}

void bench_answer(struct bench *bench, struct bench_identify *waiting, const char *complaint)
{
    (void)bench;
    const uint64_t drops[DROP_REASONS] = {[DROP_TOO_SHORT] = 2};
    struct kept_result *result = complaint ? NULL : made_result("", waiting->request.name, 0, 50);
    waiting->ticket = 0;
    waiting->answer(waiting->context, &waiting->request, &result, complaint ? 0 : 1, drops, complaint);
    identify_request_clear(&waiting->request);
    kept_result_release(result);
}

struct client client_connect(struct bench *bench)
{
    struct client client = {.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)};
    struct sockaddr_un address;
    struct complaint complaint;
    ck_assert_int_eq(fricid_socket_address(bench->path, &address, &complaint), 0);
    ck_assert_int_eq(connect(client.fd, (struct sockaddr *)&address, sizeof address), 0);
    json_t *hello = client_json(bench, &client);
    ck_assert_str_eq(json_string_value(json_object_get(hello, "method")), "hello");
    json_decref(hello);
    return client;
}

void client_close(struct client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    free(client->bytes);
    *client = (struct client){.fd = -1};
}

void client_send(struct bench *bench, struct client *client, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = send(client->fd, bytes, count, MSG_NOSIGNAL);
        ck_assert_msg(sent > 0 || errno == EAGAIN, "%s", strerror(errno));
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        }
        bench_turn(bench);
    }
}

/* Takes the first line out of what was received; NULL: none is complete. */
static char *take_line(struct client *client)
{
    const char *newline = client->length > 0 ? memchr(client->bytes, '\n', client->length) : NULL;
    if (!newline)
        return NULL;
    size_t length = (size_t)(newline - client->bytes);
    char *line = malloc(length + 1);
    ck_assert_ptr_nonnull(line);
    memcpy(line, client->bytes, length);
    line[length] = '\0';
    client->length -= length + 1;
    memmove(client->bytes, newline + 1, client->length);
    return line;
}

/* Receives what is there: 1 something, 0 the end, -1 nothing at the moment. */
static int receive(struct client *client)
{
    char piece[65536];
    ssize_t got = recv(client->fd, piece, sizeof piece, 0);
    if (got <= 0)
        return got == 0 || errno != EAGAIN ? 0 : -1;
    client->bytes = realloc(client->bytes, client->length + (size_t)got);
    ck_assert_ptr_nonnull(client->bytes);
    memcpy(client->bytes + client->length, piece, (size_t)got);
    client->length += (size_t)got;
    return 1;
}

char *client_line(struct bench *bench, struct client *client)
{
    for (int waited_ms = 0; waited_ms < PATIENCE_MS;) {
        char *line = take_line(client);
        if (line)
            return line;
        bench_turn(bench);
        int received = receive(client);
        if (received == 0)
            return NULL;
        struct pollfd peer = {.fd = client->fd, .events = POLLIN};
        if (received < 0 && poll(&peer, 1, 1) == 0)
            waited_ms++;
    }
    ck_abort_msg("no line came");
    return NULL;
}

json_t *client_json(struct bench *bench, struct client *client)
{
    char *line = client_line(bench, client);
    ck_assert_msg(line != NULL, "the connection was closed");
    json_error_t error;
    json_t *message = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(message != NULL, "%s: %s", error.text, line);
    free(line);
    return message;
}

bool client_hears_nothing(struct bench *bench, struct client *client)
{
    for (int i = 0; i < 20; i++) {
        bench_turn(bench);
        if (client->length > 0 || receive(client) >= 0)
            return false;
        usleep(1000);
    }
    return true;
}

json_t *client_ask(struct bench *bench, struct client *client, const char *text)
{
    client_send(bench, client, text, strlen(text));
    client_send(bench, client, "\n", 1);
    return client_json(bench, client);
}

static json_t *ask_for(struct bench *bench, struct client *client, const char *method, const char *params)
{
    size_t size = strlen(method) + strlen(params) + 80;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    snprintf(text, size, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s,\"id\":77}", method, params);
    json_t *answer = client_ask(bench, client, text);
    free(text);
    ck_assert_int_eq(json_integer_value(json_object_get(answer, "id")), 77);
    return answer;
}

json_t *client_call(struct bench *bench, struct client *client, const char *method, const char *params)
{
    json_t *answer = ask_for(bench, client, method, params);
    json_t *result = json_incref(json_object_get(answer, "result"));
    char *text = result ? NULL : json_dumps(answer, 0);
    ck_assert_msg(result != NULL, "%s", text);
    json_decref(answer);
    return result;
}

json_t *client_call_fails(struct bench *bench, struct client *client, const char *method, const char *params, int code)
{
    json_t *answer = ask_for(bench, client, method, params);
    json_t *error = json_object_get(answer, "error");
    char *text = json_dumps(answer, 0);
    ck_assert_msg(json_integer_value(json_object_get(error, "code")) == code, "%s", text);
    ck_assert_uint_gt(json_string_length(json_object_get(error, "message")), 10);
    free(text);
    json_t *data = json_incref(json_object_get(error, "data"));
    json_decref(answer);
    return data;
}
