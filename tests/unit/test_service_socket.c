/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The socket in the file system, who may do what through it, and how the service ends. */
#include "made_result.h"
#include "run_suite.h"
#include "service/exchange.h"
#include "service/peer_rights.h"
#include "service/service_socket.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service_bench.h"
#include "thinning.h"

#include <errno.h>
#include <grp.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct bench bench;

static void set_up(void)
{
    bench_set_up(&bench);
}

static void tear_down(void)
{
    bench_clear(&bench);
}

/* Leaves a socket behind as a daemon that was killed does. */
static void leave_stale_socket(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, bench.path, sizeof bench.path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(fd, 1), 0);
    close(fd);
}

/* Starts a second service and expects that it refuses. */
static void expect_refusal(int code, const char *word)
{
    struct service *service = NULL;
    struct complaint complaint = {{0}};
    ck_assert_int_eq(service_create(bench.base, &bench.settings, &bench.backend, &service, &complaint), code);
    ck_assert_ptr_null(service);
    ck_assert_msg(strstr(complaint.text, word) != NULL, "%s", complaint.text);
}

START_TEST(a_stale_socket_is_replaced)
{
    leave_stale_socket();
    bench_start(&bench);
    struct client client = client_connect(&bench);
    client_close(&client);
}
END_TEST

START_TEST(a_live_socket_is_respected)
{
    bench_start(&bench);
    expect_refusal(-EADDRINUSE, "answers");
    struct client client = client_connect(&bench);
    client_close(&client);
}
END_TEST

/* Waits for the word to begin, which is the end of a pipe, and takes the name; keeps it until the other pipe ends. */
static _Noreturn void want_the_name(int begin, int end)
{
    struct service_socket socket;
    struct complaint complaint;
    char ignored;
    ssize_t word = read(begin, &ignored, 1);
    bool taken = word == 0 && service_socket_open(bench.path, 0600, &socket, &complaint) == 0;
    if (!taken)
        _exit(1);
    word = read(end, &ignored, 1);
    _exit(word == 0 ? 0 : 2);
}

/* How many of several processes that begin at once come to hold the name. */
static int count_holders(int processes)
{
    int begin[2], end[2], holders = 0;
    leave_stale_socket();
    ck_assert(pipe(begin) == 0 && pipe(end) == 0);
    for (int i = 0; i < processes; i++) {
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            close(begin[1]);
            close(end[1]);
            want_the_name(begin[0], end[0]);
        }
    }
    close(begin[0]);
    close(begin[1]);
    close(end[0]);
    /* Who does not get it ends at once: all but one, or fewer. */
    for (int i = 0; i < processes; i++) {
        int status;
        if (i == processes - 1)
            close(end[1]);
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
        holders += WEXITSTATUS(status) == 0;
    }
    unlink(bench.path);
    return holders;
}

/* Should two come to hold it, the wait for all but one would not end: the time limit of a test ends that. */
START_TEST(of_many_at_once_one_gets_the_name)
{
    for (int round = 0; round < 300 / thinning(); round++)
        ck_assert_int_eq(count_holders(8), 1);
}
END_TEST

START_TEST(what_is_no_socket_is_respected)
{
    FILE *file = fopen(bench.path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    expect_refusal(-EEXIST, bench.path);
    ck_assert_int_eq(access(bench.path, F_OK), 0);
}
END_TEST

START_TEST(impossible_paths_are_explained)
{
    char path[200];
    memset(path, 'a', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    bench.settings.socket_path = path;
    expect_refusal(-ENAMETOOLONG, "shorter");
    bench.settings.socket_path = "/tmp/fricid-no-such-folder/sock";
    expect_refusal(-ENOENT, "folder");
    bench.settings.socket_path = "";
    expect_refusal(-EINVAL, "empty");
}
END_TEST

START_TEST(the_name_has_its_mode_from_the_start)
{
    const unsigned modes[] = {0666, 0660, 0600};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct stat found;
        bench.settings.socket_mode = modes[i];
        bench_start(&bench);
        ck_assert_int_eq(stat(bench.path, &found), 0);
        ck_assert_uint_eq(found.st_mode & 0777, modes[i]);
        service_destroy(bench.service);
        bench.service = NULL;
        ck_assert_int_ne(access(bench.path, F_OK), 0);
    }
}
END_TEST

START_TEST(the_socket_of_a_successor_is_left_alone)
{
    bench_start(&bench);
    ck_assert_int_eq(unlink(bench.path), 0);
    leave_stale_socket();
    service_destroy(bench.service);
    bench.service = NULL;
    ck_assert_int_eq(access(bench.path, F_OK), 0);
}
END_TEST

START_TEST(who_may_act)
{
    const struct acting_rights with_group = {.own_user = 500, .has_group = true, .group = 77, .group_name = "fricid"};
    const struct acting_rights without = {.own_user = 500, .has_group = false, .group = 0, .group_name = "fricid"};
    const gid_t groups[] = {5, 77}, others[] = {5, 0};
    ck_assert(acting_rights_allow(&with_group, 0, 0, NULL, 0));
    ck_assert(acting_rights_allow(&with_group, 500, 1, NULL, 0));
    ck_assert(acting_rights_allow(&with_group, 501, 77, NULL, 0));
    ck_assert(acting_rights_allow(&with_group, 501, 1, groups, 2));
    ck_assert(!acting_rights_allow(&with_group, 501, 1, others, 2));
    ck_assert(!acting_rights_allow(&with_group, 501, 1, NULL, 0));
    ck_assert(!acting_rights_allow(&without, 501, 1, others, 2));
    ck_assert(!acting_rights_allow(&without, 501, 0, NULL, 0));
    ck_assert(acting_rights_allow(&without, 500, 1, NULL, 0));
}
END_TEST

START_TEST(a_group_is_looked_up_by_name)
{
    struct acting_rights rights = acting_rights_of("root");
    ck_assert(rights.has_group);
    ck_assert_uint_eq(rights.group, 0);
    ck_assert_uint_eq(rights.own_user, geteuid());
    ck_assert(!acting_rights_of("no-such-group").has_group);
    ck_assert(!acting_rights_of("").has_group);
    ck_assert(!acting_rights_of(NULL).has_group);
}
END_TEST

/* Connects as user and group 65534 with one supplementary group more; the service then sees that user. */
static struct client connect_as_nobody(gid_t more)
{
    int pair[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid_t child = fork();
    if (child == 0) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        memcpy(address.sun_path, bench.path, sizeof bench.path);
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        if (setgroups(1, &more) != 0 || setgid(65534) != 0 || setuid(65534) != 0 ||
            connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
            _exit(1);
        /* Hand the connected socket to the parent. */
        char control[CMSG_SPACE(sizeof fd)] = {0}, byte = 'x';
        struct iovec payload = {&byte, 1};
        struct msghdr message = {
            .msg_iov = &payload, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
        _exit(sendmsg(pair[1], &message, 0) == 1 ? 0 : 1);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    char control[CMSG_SPACE(sizeof(int))], byte;
    struct iovec payload = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &payload, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ck_assert_int_eq(recvmsg(pair[0], &message, 0), 1);
    struct client client = {.fd = -1};
    memcpy(&client.fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof client.fd);
    close(pair[0]);
    close(pair[1]);
    json_decref(client_json(&bench, &client)); /* hello */
    return client;
}

/* The service must be told by the kernel who is there; only root can play somebody else. */
START_TEST(the_kernel_tells_who_acts)
{
    const char *const record = "{\"displacement\":[1,2],\"sample_rate_hz\":200}";
    bench.settings.group = "daemon";
    struct acting_rights rights = acting_rights_of("daemon");
    ck_assert(rights.has_group);
    bench_start(&bench);
    struct client own = client_connect(&bench);
    json_decref(client_call(&bench, &own, "identify.begin", "{\"sample_rate_hz\":200}"));
    client_close(&own);
    if (geteuid() != 0)
        return;
    struct client stranger = connect_as_nobody(65534);
    json_decref(client_call(&bench, &stranger, "results.list", "{}"));
    json_t *data = client_call_fails(&bench, &stranger, "identify", record, -32001);
    ck_assert_str_eq(json_string_value(json_object_get(data, "name")), "not_permitted");
    json_decref(data);
    json_decref(client_call_fails(&bench, &stranger, "identify.begin", "{}", -32001));
    client_close(&stranger);
    struct client member = connect_as_nobody(rights.group);
    json_decref(client_call(&bench, &member, "identify.begin", "{\"sample_rate_hz\":200}"));
    client_close(&member);
}
END_TEST

static void publish_many(uint64_t count)
{
    for (uint64_t id = 1; id <= count; id++) {
        struct kept_result *result = made_result("bearing", "lvdt", id, 10);
        service_publish_result(bench.service, result);
        kept_result_release(result);
    }
}

static double seconds_to_destroy(void)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    service_destroy(bench.service);
    bench.service = NULL;
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

/* What one recv() after the other gives until the end; the number of newlines. */
static size_t lines_until_end(int fd)
{
    char piece[65536];
    size_t lines = 0;
    ssize_t got;
    while ((got = recv(fd, piece, sizeof piece, 0)) > 0)
        for (ssize_t i = 0; i < got; i++)
            lines += piece[i] == '\n';
    ck_assert_int_eq(got, 0);
    return lines;
}

START_TEST(what_waits_is_delivered_at_the_end)
{
    bench_start(&bench);
    struct client client = client_connect(&bench);
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    const char *const line = "{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
                             "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n";
    client_send(&bench, &client, line, strlen(line));
    bench_turn(&bench);
    publish_many(5);
    service_destroy(bench.service);
    bench.service = NULL;
    ck_assert_int_eq(bench.cancelled, 1);
    ck_assert_uint_eq(lines_until_end(client.fd), 6); /* five results, and the error for the record */
    client_close(&client);
}
END_TEST

START_TEST(a_batch_that_the_end_interrupts)
{
    bench_start(&bench);
    struct client client = client_connect(&bench);
    const char *const batch = "[{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":1},"
                              "{\"jsonrpc\":\"2.0\",\"method\":\"version\"},7,"
                              "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":\"last\"}]";
    struct session *session = LIST_FIRST(&bench.service->sessions);
    exchange_begin(session, batch, strlen(batch));
    ck_assert_ptr_nonnull(session->reading); /* the first request is answered, the others wait for the next turn */
    service_destroy(bench.service);
    bench.service = NULL;
    json_t *answers = client_json(&bench, &client);
    ck_assert_uint_eq(json_array_size(answers), 3);
    ck_assert_ptr_nonnull(json_object_get(json_array_get(answers, 0), "result"));
    static const int codes[] = {0, -32600, -32004};
    for (size_t i = 1; i < 3; i++) {
        json_t *error = json_object_get(json_array_get(answers, i), "error");
        ck_assert_int_eq(json_integer_value(json_object_get(error, "code")), codes[i]);
    }
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(answers, 2), "id")), "last");
    json_decref(answers);
    client_close(&client);
}
END_TEST

/* With four clients that do not read what waits for them, and one that is gone. */
static double seconds_to_end_with_the_deaf(void)
{
    bench_start(&bench);
    struct client clients[5];
    for (int i = 0; i < 5; i++) {
        clients[i] = client_connect(&bench);
        json_decref(client_call(&bench, &clients[i], "subscribe", "{\"topics\":[\"result\"]}"));
    }
    publish_many(90);
    client_close(&clients[0]);
    double seconds = seconds_to_destroy();
    for (int i = 1; i < 5; i++)
        client_close(&clients[i]);
    return seconds;
}

/* Half a second for all of them together. On a machine that stands still meanwhile it takes longer. */
START_TEST(a_client_that_does_not_read_does_not_stop_the_end)
{
    double seconds = INFINITY;
    for (int attempt = 0; attempt < 5 && !(seconds < 1.9); attempt++) {
        seconds = seconds_to_end_with_the_deaf();
        ck_assert_double_gt(seconds, 0.45); /* by a coarse clock */
    }
    ck_assert_double_lt(seconds, 1.9);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("service_socket");
    TCase *name = tcase_create("name");
    tcase_add_checked_fixture(name, set_up, tear_down);
    tcase_add_test(name, a_stale_socket_is_replaced);
    tcase_add_test(name, a_live_socket_is_respected);
    tcase_add_test(name, of_many_at_once_one_gets_the_name);
    tcase_add_test(name, what_is_no_socket_is_respected);
    tcase_add_test(name, impossible_paths_are_explained);
    tcase_add_test(name, the_name_has_its_mode_from_the_start);
    tcase_add_test(name, the_socket_of_a_successor_is_left_alone);
    suite_add_tcase(suite, name);
    TCase *rights = tcase_create("rights");
    tcase_add_checked_fixture(rights, set_up, tear_down);
    tcase_add_test(rights, who_may_act);
    tcase_add_test(rights, a_group_is_looked_up_by_name);
    tcase_add_test(rights, the_kernel_tells_who_acts);
    suite_add_tcase(suite, rights);
    TCase *end = tcase_create("end");
    tcase_add_checked_fixture(end, set_up, tear_down);
    tcase_add_test(end, what_waits_is_delivered_at_the_end);
    tcase_add_test(end, a_batch_that_the_end_interrupts);
    tcase_add_test(end, a_client_that_does_not_read_does_not_stop_the_end);
    suite_add_tcase(suite, end);
    return run_suite(suite);
}
