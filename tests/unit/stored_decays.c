/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stored_decays.h"

#include "store/database_files.h"
#include "store/read_decay.h"
#include "store/repair.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double step_mm = 0.01;

/* --- directories --- */

void store_directory_make(char directory[STORE_PATH])
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory, STORE_PATH, "%s/fricid-store-XXXXXX", parent ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

void store_directory_remove(const char *directory)
{
    DIR *files = opendir(directory);
    const struct dirent *file;
    char path[STORE_PATH + 300];
    ck_assert_ptr_nonnull(files);
    while ((file = readdir(files))) {
        snprintf(path, sizeof path, "%s/%s", directory, file->d_name);
        unlink(path);
    }
    closedir(files);
    ck_assert_int_eq(rmdir(directory), 0);
}

static void copy_file(const char *from, const char *to)
{
    static char buffer[1 << 16];
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    size_t got;
    if (!in)
        return;
    ck_assert_ptr_nonnull(out);
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
        ck_assert_uint_eq(fwrite(buffer, 1, got, out), got);
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
}

void store_directory_copy(const char *from, const char *to)
{
    static const char *const parts[] = {"", "-wal"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char source[STORE_PATH + 32], target[STORE_PATH + 32];
        snprintf(source, sizeof source, "%s/fricid.db%s", from, parts[i]);
        snprintf(target, sizeof target, "%s/fricid.db%s", to, parts[i]);
        copy_file(source, target);
    }
}

void store_directory_copy_all(const char *from, const char *to)
{
    DIR *files = opendir(from);
    const struct dirent *file;
    ck_assert_ptr_nonnull(files);
    while ((file = readdir(files))) {
        char source[STORE_PATH + 300], target[STORE_PATH + 300];
        snprintf(source, sizeof source, "%s/%s", from, file->d_name);
        snprintf(target, sizeof target, "%s/%s", to, file->d_name);
        if (*file->d_name != '.')
            copy_file(source, target);
    }
    closedir(files);
}

/* --- decays --- */

static struct code_scale device_codes(void)
{
    return (struct code_scale){
        .terms = 2, .coefficients = {0, step_mm}, .divisor = 1, .calibration = calibration_identity()};
}

struct decay_origin stored_origin(void)
{
    const struct decay_origin_names names = {.rig = "bearing",
                                             .channel = "lvdt",
                                             .source_kind = "comedi",
                                             .device = "/dev/comedi0",
                                             .config_id = "0123456789abcdef",
                                             .unit = "mm",
                                             .board = "pci-6221",
                                             .driver = "ni_pcimio",
                                             .serial = "0185A1",
                                             .calibrated_on = "2026-10-01",
                                             .remarks = "new oil"};
    const struct physical_settings physical = {
        .mass_kg = 1.92, .stiffness_n_per_m = 2310, .gravity_m_per_s2 = 9.80665, .metres_per_unit = 1e-3};
    struct decay_origin origin = decay_origin_make(&names, &physical, 1000);
    origin.released_at_ns = 1763708731204518000;
    origin.calibration = calibration_identity();
    origin.codes = device_codes();
    return origin;
}

/* What the device delivered, from the number alone. */
static double displacement_of(unsigned number, size_t i)
{
    const struct code_scale codes = device_codes();
    return code_scale_displacement(&codes, (int64_t)((number * 2654435761u + i * 40503u) % 4001) - 2000);
}

struct kept_decay *stored_decay(unsigned number, size_t count)
{
    const struct decay_origin origin = stored_origin();
    double *displacement = malloc(count * sizeof *displacement);
    ck_assert_ptr_nonnull(displacement);
    for (size_t i = 0; i < count; i++)
        displacement[i] = displacement_of(number, i);
    struct decay *decay = decay_from_whole(displacement, NULL, NULL, count, 7.5, 1e-3, step_mm);
    free(displacement);
    ck_assert_ptr_nonnull(decay);
    decay->first_index = number;
    struct kept_decay *kept = kept_decay_create(&origin, decay);
    ck_assert_ptr_nonnull(kept);
    return kept;
}

struct kept_result *stored_result(struct kept_decay *of, unsigned revision)
{
    struct identification identification;
    char text[96];
    identification_not_made(&identification, VERDICT_NO_OSCILLATION);
    struct kept_result *result = kept_result_create(of, revision, &identification);
    ck_assert_ptr_nonnull(result);
    snprintf(text, sizeof text, "{\"id\":%u,\"revision\":%u}", (unsigned)of->id, revision);
    result->document = strdup(text);
    result->summary = strdup(text);
    ck_assert(result->document && result->summary);
    return result;
}

struct store *store_opened(const char *directory)
{
    struct complaint complaint;
    struct store *store = NULL;
    int error = store_open(directory, "test", &store, &complaint);
    ck_assert_msg(error == 0 && !complaint.text[0], "%d: %s", error, complaint.text);
    return store;
}

void store_fill(const char *directory, unsigned first, unsigned count, size_t samples)
{
    struct store *store = store_opened(directory);
    for (unsigned i = 0; i < count; i++)
        ck_assert_int_eq(store_try_decay(store, first + i, samples), 0);
    store_close(store);
}

int store_try_decay(struct store *store, unsigned number, size_t samples)
{
    struct kept_decay *decay = stored_decay(number, samples);
    struct kept_result *result = NULL;
    int error = store_begin(store);
    if (!error)
        error = store_put_decay(store, decay);
    if (!error) {
        result = stored_result(decay, 1);
        error = store_put_result(store, result);
    }
    if (!error)
        error = store_commit(store);
    kept_result_release(result);
    kept_decay_release(decay);
    return error;
}

int store_try_removal(struct store *store, unsigned most)
{
    struct complaint waits;
    unsigned removed;
    int error = store_begin(store);
    if (!error)
        error = store_make_room(store, 1, 0, most, &removed, &waits);
    return error ? error : store_commit(store);
}

/* --- looking at the file --- */

static void open_file(const char *directory, struct database *database)
{
    char path[STORE_PATH + 32];
    struct complaint complaint;
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    ck_assert_msg(database_open(database, path, SQLITE_OPEN_READWRITE, &complaint) == 0, "%s", complaint.text);
}

long long store_number(const char *directory, const char *sql)
{
    struct database database;
    open_file(directory, &database);
    long long number = database_integer(&database, sql, -1);
    database_close(&database);
    return number;
}

static void verify_decay(struct database *database, uint64_t id, bool *there, unsigned from, unsigned to)
{
    struct kept_decay *kept = NULL;
    unsigned revision;
    ck_assert_msg(read_decay(database, id, &kept, &revision) == 0, "decay %u cannot be read", (unsigned)id);
    unsigned number = (unsigned)kept->decay->first_index;
    /* An assertion a sample would take longer than all else. */
    size_t wrong = 0;
    for (size_t i = 0; i < kept->decay->record.count; i++)
        wrong += kept->decay->displacement[i] != displacement_of(number, i);
    ck_assert_msg(wrong == 0, "decay %u: %zu samples are not what was stored", number, wrong);
    ck_assert_str_eq(kept->origin.serial, "0185A1");
    if (number >= from && number < to) {
        ck_assert_msg(!there[number - from], "decay %u is there twice", number);
        there[number - from] = true;
    }
    kept_decay_release(kept);
}

unsigned store_verify(const char *directory, unsigned from, unsigned to)
{
    struct database database;
    bool *there = calloc(to - from + 1, sizeof *there);
    unsigned count = 0;
    open_file(directory, &database);
    sqlite3_stmt *check = database_statement(&database, "PRAGMA integrity_check(1)");
    ck_assert_int_eq(database_step(&database, check), 1);
    ck_assert_str_eq(column_text(check, 0), "ok");
    sqlite3_reset(check);
    static const char twice[] =
        "SELECT count(*) FROM (SELECT 1 FROM result GROUP BY decay, revision HAVING count(*) > 1"
        " UNION ALL SELECT 1 FROM decay GROUP BY first_index HAVING count(*) > 1 UNION ALL SELECT 1 FROM result WHERE"
        " decay NOT IN (SELECT id FROM decay) OR id NOT IN (SELECT result FROM document)"
        " UNION ALL SELECT 1 FROM decay WHERE run IS NULL OR run NOT IN (SELECT id FROM run) OR run NOT IN (SELECT id"
        " FROM spare_run) UNION ALL SELECT 1 FROM run WHERE id NOT IN (SELECT run FROM decay)"
        " UNION ALL SELECT 1 FROM spare_run WHERE id NOT IN (SELECT run FROM decay))";
    long long wrong = database_integer(&database, twice, -1);
    ck_assert_msg(wrong == 0, "%lld rows are twice there, or belong to nothing: %s", wrong,
                  database_sentence(&database));
    sqlite3_stmt *ids = database_statement(&database, "SELECT id FROM decay ORDER BY id");
    while (database_step(&database, ids) == 1) {
        verify_decay(&database, (uint64_t)sqlite3_column_int64(ids, 0), there, from, to);
        count++;
    }
    database_close(&database);
    for (unsigned i = from; i < to; i++)
        ck_assert_msg(there[i - from], "decay %u is missing", i);
    free(there);
    return count;
}

size_t store_find_asides(const char *directory, char paths[][STORE_PATH + 300], size_t most)
{
    static const char marker[] = "fricid.db.damaged-", date[] = "20260101T000000Z-00";
    DIR *files = opendir(directory);
    const struct dirent *file;
    size_t count = 0;
    ck_assert_ptr_nonnull(files);
    while ((file = readdir(files))) {
        char path[STORE_PATH + 300];
        snprintf(path, sizeof path, "%s/%.*s", directory, (int)(strlen(marker) + strlen(date)), file->d_name);
        bool is_new = strncmp(file->d_name, marker, strlen(marker)) == 0;
        for (size_t i = 0; i < count; i++)
            is_new = is_new && strcmp(paths[i], path) != 0;
        if (is_new && count < most)
            strcpy(paths[count++], path);
    }
    closedir(files);
    return count;
}

void store_put_together(const char *directory, struct complaint *report)
{
    enum { MOST = 8 };
    char asides[MOST][STORE_PATH + 300], path[STORE_PATH + 32], whole[STORE_PATH + 32];
    const char *files[MOST + 1];
    const size_t count = store_find_asides(directory, asides, MOST);
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    snprintf(whole, sizeof whole, "%s/whole.db", directory);
    for (size_t i = 0; i < count; i++)
        files[i] = asides[i];
    files[count] = path;
    /* A daemon that was ended may have left none. */
    const int error = repair_stores(files, count + (access(path, F_OK) == 0), whole, NULL, NULL, report);
    if (error == -ENODATA) /* nothing is left, and the new store is empty */
        return;
    ck_assert_msg(error == 0, "not repaired: %s", report->text);
    ck_assert_int_eq(database_files_remove(path), 0);
    ck_assert_int_eq(rename(whole, path), 0);
}

bool store_mend(const char *directory, struct complaint *said, struct complaint *report)
{
    struct complaint complaint;
    struct store *store = NULL;
    int error = store_open(directory, "test", &store, &complaint);
    ck_assert_msg(error == 0 && store, "not opened: %d %s", error, complaint.text);
    error = store_check(store);
    ck_assert_msg(error == 0 || error == -EUCLEAN, "not looked at: %d %s", error, store_sentence(store));
    if (error)
        ck_assert_msg(store_set_aside(store) == 0, "not set aside: %s", store_sentence(store));
    ck_assert_int_eq(store_check(store), 0);
    const bool told = store_take_set_aside(store, said);
    ck_assert(!error || told);
    store_close(store);
    if (told)
        store_put_together(directory, report);
    store = store_opened(directory);
    ck_assert_int_eq(store_check(store), 0);
    ck_assert(!store_take_set_aside(store, &complaint));
    store_close(store);
    return told;
}
