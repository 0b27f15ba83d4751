/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way of a decay through the threads: published or reported as lost, never neither. */
#include <config.h>

#include "closed_form_decay.h"
#include "identify/loop/loop.h"
#include "pipeline/pipeline.h"
#include "run_suite.h"
#include "store/database.h"

#include <errno.h>
#include <event2/event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct true_decay truth = {.omega_n = 34.7, .zeta = 0.0177, .x_k = 0.18, .x_s = 0.2, .x0 = 12};

enum { SHORT = 1500, LONG = 400000 }; /* samples of a decay */

enum { KILLED = 42 }; /* exit status of a process whose identifier died */

/* What the listener and the askers heard. */
struct heard {
    int published, ladders, given_up, cancelled, lost, drained, answers, complaints;
    int published_before; /* the last answer */
    uint64_t last_id;
    bool overtaking; /* live decays go before what waits longer: ids do not come in order */
    enum verdict verdict;
    enum verdict ladder; /* of the last answer's first result, be it a decay or loops */
    double friction;     /* likewise, where it is loops */
    char reason[32], code[32];
    char sentence[384];
    size_t results; /* of the last answer */
};

static struct event_base *base;
static struct heard heard;

static void hear_published(void *context, struct kept_result *result)
{
    (void)context;
    heard.published++;
    ck_assert(heard.overtaking || result->of->id > heard.last_id);
    heard.last_id = result->of->id;
    heard.verdict = result->identification.verdict;
    heard.cancelled += heard.verdict == VERDICT_CANCELLED;
    heard.given_up += heard.verdict == VERDICT_GIVEN_UP;
    heard.ladders += result->identification.ladder != NULL;
}

static void hear_lost(void *context, const struct decay_origin *origin, const char *reason, const char *sentence)
{
    (void)context;
    heard.lost++;
    ck_assert_str_eq(origin->channel, "lvdt");
    snprintf(heard.reason, sizeof heard.reason, "%s", reason);
    snprintf(heard.sentence, sizeof heard.sentence, "%s", sentence);
}

static void hear_drained(void *context)
{
    (void)context;
    heard.drained++;
}

static void hear_answer(void *context, struct identify_request *request, struct kept_result **results, size_t count,
                        const uint64_t drops[DROP_REASONS], const char *complaint)
{
    (void)request;
    (void)context;
    (void)drops;
    heard.answers++;
    heard.published_before = heard.published;
    heard.complaints += complaint != NULL;
    /* Half of a record's decays are no answer. */
    ck_assert(!complaint || count == 0);
    heard.results = count;
    if (count == 0)
        return;
    const struct loop_findings *loops = results[0]->found;
    const struct ladder *ladder = results[0]->identification.ladder;
    heard.verdict = results[0]->identification.verdict;
    heard.ladder = loops ? loops->ladder.verdict : ladder ? ladder->verdict : VERDICT_NOT_COMPUTED;
    heard.friction = loops ? loops->figure[LOOP_FRICTION].value : (double)NAN;
}

static void hear_told(void *context, const char *code, const char *sentence)
{
    (void)context;
    snprintf(heard.code, sizeof heard.code, "%s", code);
    snprintf(heard.sentence, sizeof heard.sentence, "%s", sentence);
}

static struct pipeline *create_on(struct store *store, size_t queue_max_bytes, double job_deadline_s)
{
    const struct pipeline_settings settings = {.queue_max_bytes = queue_max_bytes, .job_deadline_s = job_deadline_s};
    const struct pipeline_listener listener = {
        .published = hear_published, .lost = hear_lost, .drained = hear_drained, .told = hear_told};
    struct pipeline *pipeline = pipeline_create(base, store, &settings, &listener);
    ck_assert_ptr_nonnull(pipeline);
    return pipeline;
}

static struct pipeline *create(size_t queue_max_bytes, double job_deadline_s)
{
    return create_on(store_open_memory(), queue_max_bytes, job_deadline_s);
}

/* Allocations that still succeed; negative: all do. */
static atomic_int allocations_left = -1;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (allocations_left == 0)
        return NULL;
    if (allocations_left > 0)
        allocations_left--;
    return __real_calloc(count, size);
}

/* An identifier that this process does not survive, once it has been spared so often. */
static bool identifier_kills;
static int identifier_spares;
static atomic_bool identifier_waits; /* until it is cancelled */
static atomic_int identified;

static void nap(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
}

enum verdict __real_identify(const struct decay_record *record, const struct rest_observation *rest,
                             const struct identify_settings *settings, struct identification *identification);
enum verdict __wrap_identify(const struct decay_record *record, const struct rest_observation *rest,
                             const struct identify_settings *settings, struct identification *identification);

enum verdict __wrap_identify(const struct decay_record *record, const struct rest_observation *rest,
                             const struct identify_settings *settings, struct identification *identification)
{
    if (identifier_kills && identifier_spares-- == 0)
        _exit(KILLED);
    identified++;
    while (identifier_waits && !atomic_load(settings->cancel))
        nap();
    return __real_identify(record, rest, settings, identification);
}

/* Ladders that have no end, until they are cancelled. */
static atomic_bool ladder_waits;
static atomic_int climbing;

static void climb(const atomic_bool *cancel)
{
    climbing++;
    while (atomic_load(&ladder_waits) && !atomic_load(cancel))
        nap();
}

enum verdict __real_identify_ladder(const struct decay_record *record, const struct identify_settings *settings,
                                    struct identification *identification);
enum verdict __wrap_identify_ladder(const struct decay_record *record, const struct identify_settings *settings,
                                    struct identification *identification);

enum verdict __wrap_identify_ladder(const struct decay_record *record, const struct identify_settings *settings,
                                    struct identification *identification)
{
    climb(settings->cancel);
    return __real_identify_ladder(record, settings, identification);
}

enum verdict __real_friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                             struct friction_ladder *ladder);
enum verdict __wrap_friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                             struct friction_ladder *ladder);

enum verdict __wrap_friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                             struct friction_ladder *ladder)
{
    climb(cancel);
    return __real_friction_ladder_identify(signal, cancel, ladder);
}

/* What the store says to a result; 0: it takes it. */
static atomic_int refusal;

int __real_store_put_result(struct store *store, const struct kept_result *result);
int __wrap_store_put_result(struct store *store, const struct kept_result *result);

int __wrap_store_put_result(struct store *store, const struct kept_result *result)
{
    int error = atomic_load(&refusal);
    return error ? error : __real_store_put_result(store, result);
}

/* A disk that takes its time: how many decays stand before it. */
static atomic_bool disk_waits;
static atomic_int before_disk;

int __real_store_put_decay(struct store *store, struct kept_decay *decay);
int __wrap_store_put_decay(struct store *store, struct kept_decay *decay);

int __wrap_store_put_decay(struct store *store, struct kept_decay *decay)
{
    before_disk++;
    while (atomic_load(&disk_waits))
        nap();
    return __real_store_put_decay(store, decay);
}

static double *make_samples(size_t count, double period_s)
{
    double *displacement;
    const struct sampling sampling = {.period_s = period_s, .count = count, .step = 1e-3};
    measured_record(&truth, &sampling, NULL, &displacement);
    return displacement;
}

/* The same second and a half of decay, in more or fewer samples. */
static struct decay *make_decay(size_t count)
{
    double period_s = 1.5 / (double)count;
    double *displacement = make_samples(count, period_s);
    struct decay *decay = decay_from_whole(displacement, NULL, NULL, count, 0, period_s, 1e-3);
    free(displacement);
    ck_assert_ptr_nonnull(decay);
    return decay;
}

static struct decay_origin make_origin(void)
{
    const struct decay_origin_names names = {.rig = "bearing",
                                             .channel = "lvdt",
                                             .source_kind = "simulated",
                                             .device = "test",
                                             .config_id = "0000000000000000",
                                             .unit = "mm"};
    const struct physical_settings physical = physical_default_settings();
    return decay_origin_make(&names, &physical, 1000);
}

static int submit_decay(struct pipeline *pipeline, struct decay *decay, bool source_waits)
{
    const struct decay_origin origin = make_origin();
    return pipeline_submit(pipeline, &origin, decay, source_waits, false);
}

static int submit(struct pipeline *pipeline, size_t count, bool source_waits)
{
    return submit_decay(pipeline, make_decay(count), source_waits);
}

/* Runs the event loop until nothing is on its way, for a minute at most. */
static void run_until_idle(struct pipeline *pipeline)
{
    for (int turn = 0; turn < 60000 && !pipeline_idle(pipeline); turn++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        nap();
    }
    ck_assert(pipeline_idle(pipeline));
}

static void set_up(void)
{
    heard = (struct heard){0};
    base = event_base_new();
    ck_assert_ptr_nonnull(base);
}

static void tear_down(void)
{
    event_base_free(base);
}

START_TEST(decay_becomes_published_result)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0);
    ck_assert(!pipeline_idle(pipeline));
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.published, 1);
    ck_assert_int_eq(heard.lost, 0);
    ck_assert_int_eq(heard.verdict, VERDICT_OK);

    struct daemon_status status = {0};
    struct thread_status threads[PIPELINE_THREADS];
    pipeline_status(pipeline, threads, &status);
    ck_assert_uint_eq(status.queue_bytes, 0);
    ck_assert_uint_eq(status.stored_decays, 1);
    ck_assert_uint_eq(status.stored_results, 1);
    ck_assert_uint_gt(status.stored_bytes, SHORT * sizeof(double));
    ck_assert_uint_eq(threads[0].finished_jobs, 2);
    ck_assert_uint_eq(threads[1].finished_jobs, 1);
    pipeline_destroy(pipeline);
}
END_TEST

/* A live source cannot wait: what does not fit is told, and what is on its way is not harmed. */
START_TEST(newest_decay_is_dropped_at_the_limit)
{
    struct decay *decay = make_decay(SHORT);
    size_t bytes = decay_bytes(decay);
    decay_destroy(decay);
    struct pipeline *pipeline = create(2 * bytes, 0);
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0);
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0);
    ck_assert_int_eq(submit(pipeline, SHORT, false), -ENOBUFS);
    ck_assert_int_eq(heard.lost, 1);
    ck_assert_str_eq(heard.reason, "queue_full");
    ck_assert_ptr_nonnull(strstr(heard.sentence, "queue_max_bytes"));
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.published, 2);
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.published, 3);
    ck_assert_int_eq(heard.lost, 1);
    pipeline_destroy(pipeline);
}
END_TEST

/* One that waits is asked to pause at half of the limit, and loses nothing even when a single decay is larger. */
START_TEST(source_that_waits_loses_nothing)
{
    struct decay *decay = make_decay(SHORT);
    size_t bytes = decay_bytes(decay);
    decay_destroy(decay);
    struct pipeline *pipeline = create(4 * bytes, 0);
    ck_assert_int_eq(submit(pipeline, SHORT, true), 0);
    ck_assert_int_eq(submit(pipeline, SHORT, true), 0);
    ck_assert(!pipeline_wants_pause(pipeline));
    ck_assert_int_eq(submit(pipeline, SHORT, true), 0);
    ck_assert(pipeline_wants_pause(pipeline));
    ck_assert_int_eq(submit(pipeline, 5 * SHORT, true), 0);
    run_until_idle(pipeline);
    ck_assert(!pipeline_wants_pause(pipeline));
    ck_assert_int_eq(heard.drained, 1);
    ck_assert_int_eq(heard.published, 4);
    ck_assert_int_eq(heard.lost, 0);
    pipeline_destroy(pipeline);
}
END_TEST

/* Wherever a decay is when the daemon ends: it comes out as a result, or is said to be lost. */
START_TEST(stop_reports_every_decay)
{
    enum { DECAYS = 12 };
    struct pipeline *pipeline = create(1 << 30, 0);
    for (int i = 0; i < DECAYS; i++)
        ck_assert_int_eq(submit(pipeline, i % 3 == 2 ? LONG : SHORT, false), 0);
    nap();
    pipeline_stop(pipeline);
    ck_assert_int_eq(heard.published + heard.lost, DECAYS);
    ck_assert_int_gt(heard.lost, 0);
    ck_assert_str_eq(heard.reason, "shutdown");
    ck_assert_int_eq(heard.cancelled, 0); /* a result that is none is a loss */
    ck_assert(pipeline_idle(pipeline));
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0); /* too late: queued, and reported at the end */
    pipeline_destroy(pipeline);
    ck_assert_int_eq(heard.published + heard.lost, DECAYS + 1);
}
END_TEST

/* The job and what it keeps: without either the decay is gone, and said to be. */
START_TEST(decay_without_memory_is_reported)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    for (int left = 0; left < 2; left++) {
        struct decay *decay = make_decay(SHORT);
        allocations_left = left;
        ck_assert_int_eq(submit_decay(pipeline, decay, false), -ENOMEM);
        allocations_left = -1;
        ck_assert_int_eq(heard.lost, left + 1);
        ck_assert_str_eq(heard.reason, "no_memory");
    }
    ck_assert(pipeline_idle(pipeline));
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.published, 1);
    pipeline_destroy(pipeline);
}
END_TEST

START_TEST(result_that_the_store_refuses_is_reported)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    atomic_store(&refusal, -EFBIG);
    submit(pipeline, SHORT, false);
    run_until_idle(pipeline);
    atomic_store(&refusal, 0);
    ck_assert_int_eq(heard.published, 0);
    ck_assert_int_eq(heard.lost, 1);
    ck_assert_str_eq(heard.reason, "store");
    pipeline_destroy(pipeline);
}
END_TEST

START_TEST(overdue_job_is_stopped)
{
    struct pipeline *pipeline = create(1 << 30, 1e-3);
    size_t asked = 0;
    /* However late somebody looks. */
    atomic_store(&identifier_waits, true);
    ck_assert_int_eq(submit(pipeline, LONG, false), 0);
    while (!pipeline_idle(pipeline)) {
        asked += pipeline_check_deadlines(pipeline);
        event_base_loop(base, EVLOOP_NONBLOCK);
    }
    atomic_store(&identifier_waits, false);
    ck_assert_uint_eq(asked, 1); /* once a job, however often it is looked at */
    ck_assert_int_eq(heard.published, 1);
    ck_assert_int_eq(heard.verdict, VERDICT_CANCELLED);
    pipeline_destroy(pipeline);
}
END_TEST

/* --- a decay that no daemon survives --- */

static void remove_store(const char *directory)
{
    static const char *const parts[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s/fricid.db%s", directory, parts[i]);
        unlink(name);
    }
    rmdir(directory);
}

/* As a daemon leaves it that was killed after it had measured. */
static void leave_decays(const char *directory, int decays)
{
    const struct decay_origin origin = make_origin();
    struct complaint complaint;
    struct store *store;
    ck_assert_int_eq(store_open(directory, "test", &store, &complaint), 0);
    ck_assert_int_eq(store_begin(store), 0);
    for (int i = 0; i < decays; i++) {
        struct kept_decay *kept = kept_decay_create(&origin, make_decay(SHORT));
        ck_assert_int_eq(store_put_decay(store, kept), 0);
        kept_decay_release(kept);
    }
    ck_assert_int_eq(store_commit(store), 0);
    store_close(store);
}

/* A daemon's life on a store, until what an earlier one left is identified. */
static void live_on(const char *directory)
{
    struct complaint complaint;
    struct store *store;
    ck_assert_int_eq(store_open(directory, "test", &store, &complaint), 0);
    struct pipeline *pipeline = create_on(store, 1 << 20, 0);
    pipeline_recover(pipeline);
    for (int turn = 0; turn < 20000; turn++) {
        struct daemon_status status = {0};
        struct thread_status threads[PIPELINE_THREADS];
        pipeline_status(pipeline, threads, &status);
        if (pipeline_idle(pipeline) && status.waiting_decays == 0 && status.stored_decays > 0)
            break;
        event_base_loop(base, EVLOOP_NONBLOCK);
        nap();
    }
    pipeline_destroy(pipeline);
}

/* The same in a process of its own, which dies over a decay when so many others are done. Its exit status: 0, or
 * KILLED. */
static int live_and_die(const char *directory, int spares)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        identifier_kills = true;
        identifier_spares = spares;
        event_reinit(base);
        live_on(directory);
        _exit(EXIT_SUCCESS);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Tried ten times; the next daemon leaves it alone, and the one after that finds nothing to do. */
START_TEST(decay_that_kills_the_identifier_is_given_up)
{
    char directory[] = "/tmp/fricid-pipeline-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(directory));
    leave_decays(directory, 1);
    for (int attempt = 1; attempt <= 10; attempt++)
        ck_assert_int_eq(live_and_die(directory, 0), KILLED);
    ck_assert_int_eq(live_and_die(directory, 0), EXIT_SUCCESS);
    identified = 0;
    live_on(directory); /* it has its result: nothing is left to do */
    ck_assert_int_eq(heard.published, 0);
    remove_store(directory);
}
END_TEST

/* The same decay as if ten daemons had ended with it: named and told. Those behind it have their results by then. */
START_TEST(given_up_decay_is_told_and_others_go_on)
{
    char directory[] = "/tmp/fricid-pipeline-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(directory));
    leave_decays(directory, 3);
    ck_assert_int_eq(live_and_die(directory, 0), KILLED);
    for (int attempt = 2; attempt <= 10; attempt++)
        ck_assert_int_eq(live_and_die(directory, attempt == 2 ? 2 : 0), KILLED);
    identified = 0;
    live_on(directory);
    ck_assert_int_eq(heard.published, 1);
    ck_assert_int_eq(heard.given_up, 1);
    ck_assert_int_eq(identified, 0);
    ck_assert_str_eq(heard.code, "decay_given_up");
    ck_assert_ptr_nonnull(strstr(heard.sentence, "decay 1 of rig bearing"));
    ck_assert_ptr_nonnull(strstr(heard.sentence, "10 times"));
    remove_store(directory);
}
END_TEST

/* Daemons that are killed from outside, again and again as soon as they have begun: no decay is blamed for it. */
START_TEST(killed_daemons_give_no_decay_up)
{
    char directory[] = "/tmp/fricid-pipeline-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(directory));
    leave_decays(directory, 12);
    for (int daemon = 0; daemon < 12; daemon++)
        ck_assert_int_eq(live_and_die(directory, 0), KILLED);
    identified = 0;
    live_on(directory);
    ck_assert_int_eq(heard.published, 12);
    ck_assert_int_eq(heard.given_up, 0);
    ck_assert_int_eq(identified, 12);
    remove_store(directory);
}
END_TEST

static int64_t attempts_in(const char *directory)
{
    struct complaint complaint;
    struct database database;
    char path[64];
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    ck_assert_int_eq(database_open(&database, path, SQLITE_OPEN_READWRITE, &complaint), 0);
    const int64_t attempts = database_integer(&database, "SELECT sum(attempts) FROM decay", -1);
    database_close(&database);
    return attempts;
}

/* A daemon that ends as it should breaks an identification off; that says nothing about the decay. */
START_TEST(a_daemon_that_ends_is_no_failed_attempt)
{
    char directory[] = "/tmp/fricid-pipeline-XXXXXX";
    struct complaint complaint;
    struct store *store;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    leave_decays(directory, 3);
    for (int daemon = 0; daemon < 12; daemon++) {
        ck_assert_int_eq(store_open(directory, "test", &store, &complaint), 0);
        struct pipeline *pipeline = create_on(store, 1 << 20, 0);
        atomic_store(&identifier_waits, true);
        identified = 0;
        pipeline_recover(pipeline);
        while (identified == 0) {
            event_base_loop(base, EVLOOP_NONBLOCK);
            nap();
        }
        pipeline_destroy(pipeline);
        atomic_store(&identifier_waits, false);
        ck_assert_int_eq(attempts_in(directory), 0);
    }
    live_on(directory);
    ck_assert_int_eq(heard.published, 3);
    ck_assert_int_eq(heard.given_up, 0);
    remove_store(directory);
}
END_TEST

/* Neither those that a result came of, at last, nor one that the daemon lived to tell the end of. */
START_TEST(survived_attempts_do_not_count)
{
    char directory[] = "/tmp/fricid-pipeline-XXXXXX";
    struct complaint complaint;
    struct store *store;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    leave_decays(directory, 1);
    ck_assert_int_eq(live_and_die(directory, 0), KILLED);
    ck_assert_int_eq(attempts_in(directory), 1);
    atomic_store(&refusal, -ENOMEM);
    ck_assert_int_eq(store_open(directory, "test", &store, &complaint), 0);
    struct pipeline *pipeline = create_on(store, 1 << 20, 0);
    pipeline_recover(pipeline);
    for (int turn = 0; turn < 20000 && heard.lost == 0; turn++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        nap();
    }
    pipeline_destroy(pipeline);
    atomic_store(&refusal, 0);
    ck_assert_int_eq(heard.lost, 1);
    ck_assert_int_eq(heard.published, 0);
    ck_assert_int_eq(attempts_in(directory), 1);
    live_on(directory);
    ck_assert_int_eq(heard.published, 1);
    ck_assert_int_eq(attempts_in(directory), 0);
    remove_store(directory);
}
END_TEST

/* What has its first answer and finds no room in memory waits for its ladder in the store. */
START_TEST(no_ladder_is_forgotten_where_there_is_no_room)
{
    enum { DECAYS = 3 };
    const struct pipeline_settings settings = {.queue_max_bytes = 1, .ladder_deadline_s = 60};
    char directory[] = "/tmp/fricid-pipeline-XXXXXX";
    struct complaint complaint;
    struct store *store;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(store_open(directory, PACKAGE_VERSION, &store, &complaint), 0);
    struct pipeline *pipeline = create_on(store, 1 << 20, 0);
    pipeline_reconfigure(pipeline, &settings);
    heard.overtaking = true;
    for (int i = 0; i < DECAYS; i++)
        ck_assert_int_eq(submit(pipeline, SHORT, true), 0);
    for (int turn = 0; turn < 30000 && heard.ladders < DECAYS; turn++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        if (turn % 100 == 0)
            pipeline_check_deadlines(pipeline); /* as every second */
        nap();
    }
    ck_assert_int_eq(heard.ladders, DECAYS);
    ck_assert_int_eq(heard.published, 2 * DECAYS);
    pipeline_destroy(pipeline);
    remove_store(directory);
}
END_TEST

/* In memory there is no later. */
START_TEST(a_ladder_without_room_and_store_is_told)
{
    const struct pipeline_settings settings = {.queue_max_bytes = 1, .ladder_deadline_s = 60};
    struct pipeline *pipeline = create(1 << 20, 0);
    pipeline_reconfigure(pipeline, &settings);
    ck_assert_int_eq(submit(pipeline, SHORT, true), 0);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.published, 1);
    ck_assert_str_eq(heard.code, "ladder_missing");
    ck_assert_ptr_nonnull(strstr(heard.sentence, "without a store"));
    ck_assert_ptr_null(strstr(heard.sentence, "reidentify"));
    pipeline_destroy(pipeline);
}
END_TEST

/* --- requests --- */

static long ask(struct pipeline *pipeline, struct identify_request *asked)
{
    const struct request_settings settings = {segment_default_settings(), physical_default_settings(),
                                              "0000000000000000"};
    return pipeline_request(pipeline, asked, &settings, hear_answer, NULL);
}

static long request(struct pipeline *pipeline, size_t count, struct identify_request *kept)
{
    double period_s = 1.5 / (double)count;
    struct identify_request asked = {.displacement = make_samples(count, period_s),
                                     .count = count,
                                     .period_s = period_s,
                                     .unit = "mm",
                                     .name = "lvdt",
                                     .whole = true};
    long ticket = ask(pipeline, &asked);
    *kept = asked;
    return ticket;
}

static long request_taken_over(struct pipeline *pipeline, size_t count)
{
    struct identify_request left;
    long ticket = request(pipeline, count, &left);
    ck_assert_int_gt(ticket, 0);
    ck_assert_ptr_null(left.displacement);
    return ticket;
}

START_TEST(request_is_answered_once)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    request_taken_over(pipeline, SHORT);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.answers, 1);
    ck_assert_int_eq(heard.complaints, 0);
    ck_assert_uint_eq(heard.results, 1);
    ck_assert_int_eq(heard.verdict, VERDICT_OK);
    ck_assert_int_eq(heard.published, 0); /* it is the asker's alone */
    pipeline_destroy(pipeline);
}
END_TEST

/* Samples of `count` releases that follow each other. */
static struct identify_request many_releases(size_t count, struct memory_charge *charge)
{
    const double period_s = 1e-3;
    const size_t each = 3000;
    double *all = calloc(count * each, sizeof *all);
    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < count * each; i++) {
        double t = period_s * (double)(i % each);
        all[i] = t < 1 ? 0 : t < 1.3 ? 10 * (t - 1) / 0.3 : 10 * exp(-3 * (t - 1.3)) * cos(50 * (t - 1.3));
    }
    return (struct identify_request){.displacement = all,
                                     .count = count * each,
                                     .period_s = period_s,
                                     .unit = "mm",
                                     .name = "lvdt",
                                     .charge = charge};
}

/* What was found occupies memory too: it is counted before the asker gets it, and ends a search that finds too much. */
START_TEST(decays_of_a_request_are_counted)
{
    struct memory_budget budget = {0, SIZE_MAX};
    struct memory_charge charge = {.budget = &budget};
    struct pipeline *pipeline = create(1 << 20, 0);
    struct identify_request asked = many_releases(20, &charge);
    ck_assert_int_gt(ask(pipeline, &asked), 0);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.complaints, 0);
    ck_assert_uint_eq(heard.results, 20);
    /* At least the samples of the decays, and a document each. */
    ck_assert_uint_gt(charge.bytes, 20 * (1000 * sizeof(double) + 4096));
    ck_assert_uint_eq(budget.used, charge.bytes);
    const size_t all = charge.bytes;
    budget.limit = all - 1;
    memory_charge_remove(&charge, charge.bytes);
    asked = many_releases(20, &charge);
    ck_assert_int_gt(ask(pipeline, &asked), 0);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.complaints, 1);
    ck_assert_int_eq(charge.answer, MEMORY_TOO_MUCH);
    ck_assert_uint_lt(charge.bytes, all);
    pipeline_destroy(pipeline);
}
END_TEST

/* A recording as fast as it goes has thousands of decays in the queue: a client does not wait for them. */
START_TEST(request_goes_before_sources_that_wait)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    submit(pipeline, LONG, true);
    for (int i = 0; i < 10; i++)
        submit(pipeline, SHORT, true);
    request_taken_over(pipeline, SHORT);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.answers, 1);
    ck_assert_int_lt(heard.published_before, 11);
    ck_assert_int_eq(heard.published, 11);
    pipeline_destroy(pipeline);
}
END_TEST

/* The asker counts the memory of what it asked: it hears when that is free. */
START_TEST(cancelled_request_ends_with_a_complaint)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    atomic_store(&identifier_waits, true);
    long unwanted = request_taken_over(pipeline, LONG);
    request_taken_over(pipeline, SHORT);
    pipeline_cancel_request(pipeline, unwanted);
    atomic_store(&identifier_waits, false);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.answers, 2);
    ck_assert_int_eq(heard.complaints, 1);
    pipeline_destroy(pipeline);
}
END_TEST

/* Rows of displacement, force and time: friction of 2 N with a spring before it. */
static struct identify_request driven_contact(void)
{
    enum { ROWS = 1000, A_CYCLE = 200, COLUMNS = 3 };
    const struct record_kind *kind = record_kind_named("loop");
    double *rows = calloc((size_t)ROWS * COLUMNS, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    double force = 0, before = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const double x = 1e-3 * sin(2 * M_PI * ((double)i + 0.3) / A_CYCLE);
        force = fmax(-2, fmin(2, force + 2e4 * (x - before)));
        before = x;
        rows[COLUMNS * i] = x;
        rows[COLUMNS * i + 1] = force;
        rows[COLUMNS * i + 2] = (double)i * 2.5e-3;
    }
    return (struct identify_request){.displacement = rows,
                                     .count = (size_t)ROWS * COLUMNS,
                                     .period_s = 2.5e-3,
                                     .unit = "m",
                                     .name = "contact",
                                     .kind = kind,
                                     .form = &kind->forms[0],
                                     .whole = true};
}

/* Asks with a ladder that has no end, and cancels it there. */
static void stop_in_the_ladder(struct identify_request asked)
{
    const struct pipeline_settings with_ladder = {.queue_max_bytes = 1 << 20, .ladder_deadline_s = 60};
    struct pipeline *pipeline = create(1 << 20, 0);
    pipeline_reconfigure(pipeline, &with_ladder);
    atomic_store(&ladder_waits, true);
    atomic_store(&climbing, 0);
    const long ticket = ask(pipeline, &asked);
    ck_assert_int_gt(ticket, 0);
    while (atomic_load(&climbing) == 0)
        nap();
    pipeline_cancel_request(pipeline, ticket);
    run_until_idle(pipeline);
    atomic_store(&ladder_waits, false);
    ck_assert_int_eq(heard.answers, 1);
    pipeline_destroy(pipeline);
}

/* What was there before the ladder stands, and the ladder says what became of it. */
START_TEST(a_ladder_that_is_stopped_leaves_the_rest)
{
    stop_in_the_ladder((struct identify_request){.displacement = make_samples(SHORT, 1e-3),
                                                 .count = SHORT,
                                                 .period_s = 1e-3,
                                                 .unit = "mm",
                                                 .name = "lvdt",
                                                 .whole = true});
    ck_assert_int_eq(heard.complaints, 0);
    ck_assert_uint_eq(heard.results, 1);
    ck_assert_int_eq(heard.verdict, VERDICT_OK);
    ck_assert_int_eq(heard.ladder, VERDICT_CANCELLED);
    memset(&heard, 0, sizeof heard);
    stop_in_the_ladder(driven_contact());
    ck_assert_int_eq(heard.complaints, 0);
    ck_assert_uint_eq(heard.results, 1);
    ck_assert_int_eq(heard.verdict, VERDICT_OK);
    ck_assert_int_eq(heard.ladder, VERDICT_CANCELLED);
    ck_assert_double_eq_tol(heard.friction, 2, 1e-3);
}
END_TEST

/* Half of a record's decays would pass for all. */
START_TEST(a_record_with_decays_to_come_has_no_answer)
{
    stop_in_the_ladder(many_releases(4, NULL));
    ck_assert_int_eq(heard.complaints, 1);
    ck_assert_uint_eq(heard.results, 0);
}
END_TEST

/* What clients want kept has a budget of its own: it takes no room from what a rig measures meanwhile. */
START_TEST(what_a_client_keeps_leaves_the_queue_to_the_rigs)
{
    enum { LARGE = 20 * SHORT };
    struct decay *decay = make_decay(SHORT);
    struct pipeline *pipeline = create(2 * decay_bytes(decay), 0);
    struct identify_request asked = {.displacement = make_samples(LARGE, 1.5 / LARGE),
                                     .count = LARGE,
                                     .period_s = 1.5 / LARGE,
                                     .unit = "mm",
                                     .name = "lvdt",
                                     .whole = true,
                                     .keep = true};
    heard.overtaking = true;
    before_disk = 0;
    atomic_store(&disk_waits, true);
    ck_assert_int_gt(ask(pipeline, &asked), 0);
    while (before_disk == 0) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        nap();
    }
    ck_assert_int_eq(submit_decay(pipeline, decay, false), 0);
    ck_assert_int_eq(submit(pipeline, SHORT, false), 0);
    ck_assert_int_eq(submit(pipeline, SHORT, false), -ENOBUFS);
    atomic_store(&disk_waits, false);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.lost, 1);
    ck_assert_int_eq(heard.answers, 1);
    ck_assert_uint_eq(heard.results, 1);
    ck_assert_int_eq(heard.published, 3);
    pipeline_destroy(pipeline);
}
END_TEST

START_TEST(requests_are_answered_when_the_pipeline_stops)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    identifier_waits = true;
    for (int i = 0; i < 3; i++)
        request_taken_over(pipeline, LONG);
    pipeline_stop(pipeline);
    identifier_waits = false;
    ck_assert_int_eq(heard.answers, 3);
    ck_assert_int_eq(heard.complaints, 3);
    pipeline_destroy(pipeline);
    ck_assert_int_eq(heard.answers, 3);
}
END_TEST

/* A client that asks again and again is refused before it fills the memory, and keeps its arrays. */
START_TEST(too_many_requests_are_refused)
{
    struct pipeline *pipeline = create(1 << 20, 0);
    struct identify_request left = {0};
    int taken = 0;
    while (request(pipeline, SHORT, &left) > 0)
        taken++;
    ck_assert_ptr_nonnull(left.displacement);
    identify_request_clear(&left);
    ck_assert_int_ge(taken, 64);
    run_until_idle(pipeline);
    ck_assert_int_eq(heard.answers, taken);
    pipeline_destroy(pipeline);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipeline");
    TCase *decays = tcase_create("decays");
    tcase_add_checked_fixture(decays, set_up, tear_down);
    tcase_set_timeout(decays, 120);
    tcase_add_test(decays, decay_becomes_published_result);
    tcase_add_test(decays, newest_decay_is_dropped_at_the_limit);
    tcase_add_test(decays, source_that_waits_loses_nothing);
    tcase_add_test(decays, stop_reports_every_decay);
    tcase_add_test(decays, decay_without_memory_is_reported);
    tcase_add_test(decays, result_that_the_store_refuses_is_reported);
    tcase_add_test(decays, overdue_job_is_stopped);
    tcase_add_test(decays, decay_that_kills_the_identifier_is_given_up);
    tcase_add_test(decays, given_up_decay_is_told_and_others_go_on);
    tcase_add_test(decays, killed_daemons_give_no_decay_up);
    tcase_add_test(decays, a_daemon_that_ends_is_no_failed_attempt);
    tcase_add_test(decays, no_ladder_is_forgotten_where_there_is_no_room);
    tcase_add_test(decays, a_ladder_without_room_and_store_is_told);
    tcase_add_test(decays, survived_attempts_do_not_count);
    suite_add_tcase(suite, decays);
    TCase *requests = tcase_create("requests");
    tcase_add_checked_fixture(requests, set_up, tear_down);
    tcase_set_timeout(requests, 120);
    tcase_add_test(requests, request_is_answered_once);
    tcase_add_test(requests, decays_of_a_request_are_counted);
    tcase_add_test(requests, request_goes_before_sources_that_wait);
    tcase_add_test(requests, cancelled_request_ends_with_a_complaint);
    tcase_add_test(requests, a_ladder_that_is_stopped_leaves_the_rest);
    tcase_add_test(requests, a_record_with_decays_to_come_has_no_answer);
    tcase_add_test(requests, what_a_client_keeps_leaves_the_queue_to_the_rigs);
    tcase_add_test(requests, requests_are_answered_when_the_pipeline_stops);
    tcase_add_test(requests, too_many_requests_are_refused);
    suite_add_tcase(suite, requests);
    return run_suite(suite);
}
