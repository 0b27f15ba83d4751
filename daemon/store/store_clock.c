/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The clock that decays age by, over runs of the daemon: `meta` keeps what it showed, and from which decay on it was
 * ahead of the dates in `decay` by how much. */

#include "store/store_state.h"

#include "proto/clock.h"

#include <inttypes.h>
#include <stdio.h>

/* So much of a run may be forgotten when the daemon is killed: far less than the pause that is believed. */
#define NOTED_EVERY (AGE_CLOCK_HOUR / 6)

static struct clock_reading read_clocks(void)
{
    return (struct clock_reading){.realtime_ns = clock_realtime_ns(), .running_ns = clock_ns(CLOCK_BOOTTIME)};
}

/* A store of before there was this clock knows its latest decay. */
void store_clock_open(struct store *store)
{
    struct database *database = &store->database;
    const struct clock_reading now = read_clocks();
    if (store->aging.runs)
        return;
    const int64_t known_ns = database_integer(database,
                                              "SELECT ifnull((SELECT value FROM meta WHERE name = 'clock_known'),"
                                              " (SELECT stored_at_ns FROM decay ORDER BY id DESC LIMIT 1))",
                                              0);
    const struct age_clock last = {
        .shift_ns = database_integer(database,
                                     "SELECT value FROM meta WHERE name GLOB 'clock.*' ORDER BY name DESC LIMIT 1", 0),
        .pause_ns = database_integer(database, "SELECT value FROM meta WHERE name = 'clock_pause'", 0),
        .waited_ns = database_integer(database, "SELECT value FROM meta WHERE name = 'clock_waited'", 0),
        .waiting = database_integer(database, "SELECT count(*) FROM meta WHERE name = 'clock_waited'", 0) > 0};
    struct aging *aging = &store->aging;
    age_clock_start(&aging->clock, &last, known_ns > 0 ? known_ns : INT64_MIN, &now);
    aging->pause_from = database_integer(database, "SELECT value FROM meta WHERE name = 'clock_pause_from'", 0);
    aging->moved = aging->clock.shift_ns != last.shift_ns;
    aging->noted_ns = now.running_ns - NOTED_EVERY;
    aging->runs = true;
}

static int put_number(struct store *store, const char *name, int64_t number)
{
    sqlite3_stmt *put =
        database_statement(&store->database, "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)");
    bind_text(put, 1, name);
    sqlite3_bind_int64(put, 2, number);
    return database_finish(&store->database, put);
}

/* From the next decay on another shift holds; its id is not given to any earlier one. */
static int put_shift(struct store *store)
{
    struct aging *aging = &store->aging;
    char name[32];
    const int64_t next =
        1 + database_integer(&store->database, "SELECT seq FROM sqlite_sequence WHERE name = 'decay'", 0);
    if (aging->clock.pause_ns == 0)
        aging->pause_from = 0;
    else if (aging->pause_from == 0)
        aging->pause_from = next;
    aging->moved = false;
    snprintf(name, sizeof name, "clock.%019" PRId64, next);
    return put_number(store, name, aging->clock.shift_ns);
}

static int put_clock(struct store *store)
{
    struct aging *aging = &store->aging;
    int error = put_number(store, "clock_known", age_clock_time(&aging->clock));
    if (!error)
        error = put_number(store, "clock_pause", aging->clock.pause_ns);
    if (!error)
        error = put_number(store, "clock_pause_from", aging->pause_from);
    if (!error)
        error = aging->clock.waiting ? put_number(store, "clock_waited", aging->clock.waited_ns)
                                     : database_run(&store->database, "DELETE FROM meta WHERE name = 'clock_waited'");
    aging->noted_ns = aging->clock.seen.running_ns;
    return error;
}

int store_clock_look(struct store *store)
{
    struct aging *aging = &store->aging;
    const struct clock_reading now = read_clocks();
    aging->moved = age_clock_look(&aging->clock, &now) || aging->moved;
    if (!aging->moved && now.running_ns - aging->noted_ns < NOTED_EVERY)
        return 0;
    int error = aging->moved ? put_shift(store) : 0;
    return error ? error : put_clock(store);
}

/* Decays that came since the pause were dated rightly. */
int store_believe_date(struct store *store)
{
    struct aging *aging = &store->aging;
    if (store_is_memory(store) || !aging->clock.waiting)
        return 0;
    int error = 0;
    if (age_clock_confirm(&aging->clock)) {
        sqlite3_stmt *shifts = database_statement(
            &store->database,
            "UPDATE meta SET value = ?1 WHERE name GLOB 'clock.*' AND name >= printf('clock.%019d', ?2)");
        sqlite3_bind_int64(shifts, 1, aging->clock.shift_ns);
        sqlite3_bind_int64(shifts, 2, aging->pause_from);
        error = database_finish(&store->database, shifts);
    }
    aging->pause_from = 0;
    return error ? error : put_clock(store);
}

/* --- what is old --- */

static int oldest_between(struct store *store, int64_t before_ns, int64_t from, int64_t to, int64_t *id)
{
    sqlite3_stmt *find =
        database_statement(&store->database, "SELECT id FROM decay WHERE NOT protected AND revision > 0"
                                             " AND id >= ?2 AND id < ?3 AND stored_at_ns < ?1 ORDER BY id LIMIT 1");
    sqlite3_bind_int64(find, 1, before_ns);
    sqlite3_bind_int64(find, 2, from);
    sqlite3_bind_int64(find, 3, to);
    int row = database_step(&store->database, find);
    *id = row == 1 ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_reset(find);
    return row < 0 ? row : 0;
}

int store_oldest(struct store *store, int64_t *id)
{
    return oldest_between(store, INT64_MAX, 0, INT64_MAX, id);
}

/* The shift holds up to the next one; of the first decays there is none. */
int store_oldest_beyond(struct store *store, int64_t keep_ns, int64_t *id)
{
    const int64_t before_ns = age_clock_time(&store->aging.clock) - keep_ns;
    sqlite3_stmt *shifts = database_statement(
        &store->database, "SELECT CAST(substr(name, 7) AS INTEGER), value FROM meta WHERE name GLOB 'clock.*'"
                          " ORDER BY name");
    int64_t from = 0, shift_ns = 0;
    int row, error = 0;
    *id = 0;
    while (!error && *id == 0 && (row = database_step(&store->database, shifts)) == 1) {
        const int64_t to = sqlite3_column_int64(shifts, 0);
        error = oldest_between(store, before_ns - shift_ns, from, to, id);
        from = to;
        shift_ns = sqlite3_column_int64(shifts, 1);
    }
    if (error || *id > 0)
        sqlite3_reset(shifts);
    else if (row == 0)
        error = oldest_between(store, before_ns - shift_ns, from, INT64_MAX, id);
    return error ? error : row < 0 ? row : 0;
}

int store_may_age(struct store *store, int64_t keep_ns, bool *may, struct complaint *waits)
{
    const struct age_clock *clock = &store->aging.clock;
    const double days = (double)clock->pause_ns / (double)AGE_CLOCK_DAY;
    int error = 0;
    waits->text[0] = '\0';
    if (clock->waiting && age_clock_has_waited(clock, keep_ns))
        error = store_believe_date(store);
    *may = !error && !clock->waiting;
    if (!clock->waiting)
        return error;
    if (clock->pause_ns >= keep_ns)
        complaint_set(waits,
                      "no decay is removed for its age: the date is %.1f days later than when the store was used last, "
                      "and by it all would be too old. Look at the date; a reload of the configuration says that it is "
                      "right",
                      days);
    else
        complaint_set(waits,
                      "no decay is removed for its age: the date %s. It counts when the daemon has run for a day, or "
                      "when somebody has looked at it and reloads the configuration",
                      clock->pause_ns > 0   ? "is more than an hour later than when the store was used last"
                      : clock->pause_ns < 0 ? "is earlier than when the store was used last"
                                            : "was set by more than an hour");
    return error;
}
