/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of a store. What is searched for stands in narrow rows; samples and documents have tables of their own, so
 * that going through thousands of results does not touch them. */

#include "store/schema.h"

#include "store/run_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Before the first table: both are settled once in the life of a file. */
static const char layout[] = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL;";

/* FULL: a commit returns when the log is on the disk. The log is folded into the file every few megabytes. */
static const char durability[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;"
    "PRAGMA journal_size_limit = 8388608; PRAGMA temp_store = MEMORY;"
    "PRAGMA cache_size = -8192;";

/* Of version 1. */
static const char first_tables[] =
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;"

    "CREATE TABLE configuration (config_id TEXT PRIMARY KEY, path TEXT, text TEXT NOT NULL,"
    " first_used_ns INTEGER NOT NULL);"

    /* What many decays of a channel have in common. */
    "CREATE TABLE setup (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE,"
    " rig TEXT NOT NULL, channel TEXT NOT NULL, source_kind TEXT NOT NULL, device TEXT,"
    " board TEXT, driver TEXT, serial TEXT, unit TEXT, sample_rate_hz REAL,"
    " calibration TEXT, calibrated_on TEXT, remarks TEXT,"
    " code_coefficients TEXT, code_origin REAL, code_divisor REAL,"
    " mass_kg REAL, stiffness_n_per_m REAL, gravity_m_per_s2 REAL);"

    "CREATE TABLE decay (id INTEGER PRIMARY KEY AUTOINCREMENT, setup INTEGER NOT NULL REFERENCES setup,"
    " config_id TEXT NOT NULL, released_at_ns INTEGER, stored_at_ns INTEGER NOT NULL,"
    " samples INTEGER NOT NULL, pretrigger_samples INTEGER NOT NULL, first_index INTEGER NOT NULL,"
    " start_s REAL, period_s REAL, first_extremum_s REAL, released_s REAL, resolution REAL, noise REAL,"
    " rest_position REAL, rest_se REAL, half_cycles INTEGER NOT NULL, clipped_samples INTEGER NOT NULL,"
    " dropped_first_half_cycle INTEGER NOT NULL, ended_by TEXT NOT NULL,"
    " revision INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX decay_waiting ON decay (id) WHERE revision = 0;"

    /* Of samples and pre-trigger together; `coding` says how a sample is written. */
    "CREATE TABLE raw (decay INTEGER PRIMARY KEY REFERENCES decay, coding TEXT NOT NULL, samples BLOB NOT NULL,"
    " time_s BLOB, flags BLOB, checksum TEXT NOT NULL);"

    "CREATE TABLE result (id INTEGER PRIMARY KEY, decay INTEGER NOT NULL REFERENCES decay, revision INTEGER NOT NULL,"
    " latest INTEGER NOT NULL, seq INTEGER, setup INTEGER NOT NULL, source_kind TEXT NOT NULL, released_at_ns INTEGER,"
    " identified_at_ns INTEGER NOT NULL, version TEXT NOT NULL, config_id TEXT NOT NULL, settings TEXT NOT NULL,"
    " verdict TEXT NOT NULL, recommended TEXT, model TEXT, half_cycles INTEGER,"
    " f_n_hz REAL, zeta REAL, x_k REAL, x0 REAL, rms REAL, UNIQUE (decay, revision));"
    "CREATE UNIQUE INDEX result_latest ON result (decay) WHERE latest;"
    "CREATE INDEX result_setup ON result (setup, decay) WHERE latest;"
    "CREATE INDEX result_verdict ON result (verdict, decay) WHERE latest;"
    "CREATE INDEX result_source ON result (source_kind, decay) WHERE latest;"
    "CREATE INDEX result_released ON result (released_at_ns, decay) WHERE latest;"
    "CREATE INDEX result_f_n ON result (f_n_hz, decay) WHERE latest;"
    "CREATE INDEX result_zeta ON result (zeta, decay) WHERE latest;"
    "CREATE INDEX result_x_k ON result (x_k, decay) WHERE latest;"
    "CREATE INDEX result_x0 ON result (x0, decay) WHERE latest;"
    "CREATE INDEX result_seq ON result (seq);"

    /* As published, without the seq; the summary is what lists show. */
    "CREATE TABLE document (result INTEGER PRIMARY KEY REFERENCES result, summary TEXT NOT NULL, text TEXT NOT NULL);"

    "CREATE TABLE event (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at_ns INTEGER NOT NULL, code TEXT NOT NULL,"
    " rig TEXT, channel TEXT, text TEXT NOT NULL);"
    "CREATE INDEX event_seq ON event (seq);";

/* Of version 2: what cannot be measured again stands twice in the file, on different pages, so that one bad page takes
 * none of it. Whatever belongs to a decay goes with it. */
static const char second_tables[] =
    "CREATE TABLE IF NOT EXISTS spare_setup (id INTEGER PRIMARY KEY, fingerprint, rig, channel, source_kind, device,"
    " board, driver, serial, unit, sample_rate_hz, calibration, calibrated_on, remarks, code_coefficients, code_origin,"
    " code_divisor, mass_kg, stiffness_n_per_m, gravity_m_per_s2, code_zero);"
    "CREATE TABLE IF NOT EXISTS spare_decay (id INTEGER PRIMARY KEY, setup, config_id, released_at_ns, stored_at_ns,"
    " samples, pretrigger_samples, first_index, start_s, period_s, first_extremum_s, released_s, resolution, noise,"
    " rest_position, rest_se, half_cycles, clipped_samples, dropped_first_half_cycle, ended_by, revision, attempts,"
    " protected);"
    "CREATE TABLE IF NOT EXISTS spare_raw (decay INTEGER PRIMARY KEY, coding, samples, time_s, flags, checksum);"
    "INSERT OR IGNORE INTO spare_setup SELECT * FROM setup;"
    "INSERT OR IGNORE INTO spare_decay SELECT * FROM decay;"
    "INSERT OR IGNORE INTO spare_raw SELECT * FROM raw;"
    "CREATE TRIGGER IF NOT EXISTS setup_twice AFTER INSERT ON setup BEGIN"
    " INSERT OR REPLACE INTO spare_setup SELECT * FROM setup WHERE id = NEW.id; END;"
    "CREATE TRIGGER IF NOT EXISTS decay_twice AFTER INSERT ON decay BEGIN"
    " INSERT OR REPLACE INTO spare_decay SELECT * FROM decay WHERE id = NEW.id; END;"
    "CREATE TRIGGER IF NOT EXISTS raw_twice AFTER INSERT ON raw BEGIN"
    " INSERT OR REPLACE INTO spare_raw SELECT * FROM raw WHERE decay = NEW.decay; END;"
    "CREATE TRIGGER IF NOT EXISTS protected_twice AFTER UPDATE OF protected ON decay BEGIN"
    " UPDATE spare_decay SET protected = NEW.protected WHERE id = NEW.id; END;"
    "CREATE TRIGGER IF NOT EXISTS decay_gone AFTER DELETE ON decay BEGIN"
    " DELETE FROM raw WHERE decay = OLD.id; DELETE FROM spare_raw WHERE decay = OLD.id;"
    " DELETE FROM spare_decay WHERE id = OLD.id;"
    " DELETE FROM document WHERE result IN (SELECT id FROM result WHERE decay = OLD.id);"
    " DELETE FROM result WHERE decay = OLD.id; END;";

/* Of version 6: what the decays of several channels have in common. It stands twice, too, and goes with the last of its
 * decays. */
static const char run_tables[] =
    "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, rig TEXT NOT NULL,"
    " started_at_ns INTEGER, row_checksum TEXT);"
    "CREATE TABLE IF NOT EXISTS spare_run (id INTEGER PRIMARY KEY, key, rig, started_at_ns, row_checksum);"
    "CREATE INDEX IF NOT EXISTS decay_run ON decay (run);"
    "CREATE TRIGGER IF NOT EXISTS run_twice AFTER INSERT ON run BEGIN"
    " INSERT OR REPLACE INTO spare_run SELECT * FROM run WHERE id = NEW.id; END;"
    "CREATE TRIGGER IF NOT EXISTS run_again AFTER UPDATE ON run BEGIN"
    " INSERT OR REPLACE INTO spare_run SELECT * FROM run WHERE id = NEW.id; END;"
    "CREATE TRIGGER IF NOT EXISTS run_over AFTER DELETE ON decay"
    " WHEN NOT EXISTS (SELECT 1 FROM decay WHERE run = OLD.run) BEGIN"
    " DELETE FROM run WHERE id = OLD.run; DELETE FROM spare_run WHERE id = OLD.run; END;";

/* Of version 4: summaries tell the combined uncertainties, which stand in the budget of the whole text. */
static const char summaries_with_uncertainty[] =
    "UPDATE document SET summary = json_insert(summary, '$.u', json((SELECT json_object("
    " 'f_n_hz', json(max(u) FILTER (WHERE quantity = 'f_n_hz')), 'zeta', json(max(u) FILTER (WHERE quantity = 'zeta')),"
    " 'x_k', json(max(u) FILTER (WHERE quantity = 'x_k')), 'x0', json(max(u) FILTER (WHERE quantity = 'x0')),"
    " 'reason', CASE WHEN count(u) < 4 THEN 'not determined by the version that stored this' END)"
    " FROM (SELECT value ->> 'quantity' AS quantity, nullif(value -> 'u', 'null') AS u"
    " FROM json_each(text, '$.budget.quantities'))"
    " WHERE quantity IN ('f_n_hz', 'zeta', 'x_k', 'x0'))))"
    " WHERE result IN (SELECT id FROM result WHERE summary_checksum IS NULL)"
    " AND CASE WHEN json_valid(summary) AND json_valid(text) THEN json_type(summary, '$.u') IS NULL END;";

/* Of version 5: every text has a checksum, those of results in their narrow rows, and so have the rows with which
 * samples become a decay again. */
static const char checksums[] =
    "UPDATE result SET (summary_checksum, text_checksum) ="
    " (SELECT fnv1a(summary), fnv1a(text) FROM document WHERE document.result = result.id)"
    " WHERE text_checksum IS NULL;"
    "UPDATE event SET text_checksum = fnv1a(text) WHERE text_checksum IS NULL;"
    "UPDATE configuration SET text_checksum = fnv1a(text) WHERE text_checksum IS NULL;"
    "UPDATE decay SET row_checksum = " SCHEMA_DECAY_CHECKSUM " WHERE row_checksum IS NULL;"
    "UPDATE spare_decay SET row_checksum = " SCHEMA_DECAY_CHECKSUM " WHERE row_checksum IS NULL;"
    "UPDATE setup SET row_checksum = " SCHEMA_SETUP_CHECKSUM " WHERE row_checksum IS NULL;"
    "UPDATE spare_setup SET row_checksum = " SCHEMA_SETUP_CHECKSUM " WHERE row_checksum IS NULL;"
    "UPDATE run SET row_checksum = " SCHEMA_RUN_CHECKSUM " WHERE row_checksum IS NULL;";

/* Columns that came with a version of the tables. One that is there already is left: an upgrade may have been broken
 * off, or a file's version been set back by hand. */
static const struct {
    int version;
    const char *table, *column, *declaration;
} additions[] = {
    {2, "setup", "code_zero", "REAL"},
    {2, "decay", "attempts", "INTEGER NOT NULL DEFAULT 0"},
    {2, "decay", "protected", "INTEGER NOT NULL DEFAULT 0"},
#define ON_BOTH_PAGES(column)                                                                                          \
    {3, "decay", column, "REAL"},                                                                                      \
    {                                                                                                                  \
        3, "spare_decay", column, "REAL"                                                                               \
    }
    ON_BOTH_PAGES("time_error_s"),
    ON_BOTH_PAGES("u_mass_kg"),
    ON_BOTH_PAGES("u_stiffness_n_per_m"),
    ON_BOTH_PAGES("u_gravity_m_per_s2"),
    ON_BOTH_PAGES("u_gain_percent"),
    ON_BOTH_PAGES("u_clock_ppm"),
    ON_BOTH_PAGES("linearity_percent"),
    ON_BOTH_PAGES("full_scale"),
#undef ON_BOTH_PAGES
    {5, "result", "summary_checksum", "TEXT"},
    {5, "result", "text_checksum", "TEXT"},
    {5, "event", "text_checksum", "TEXT"},
    {5, "configuration", "text_checksum", "TEXT"},
    {5, "decay", "row_checksum", "TEXT"},
    {5, "spare_decay", "row_checksum", "TEXT"},
    {5, "setup", "row_checksum", "TEXT"},
    {5, "spare_setup", "row_checksum", "TEXT"},
    {6, "decay", "run", "INTEGER REFERENCES run"},
    {6, "spare_decay", "run", "INTEGER"},
};

static int add_column(struct database *database, const char *table, const char *column, const char *declaration)
{
    char *look = sqlite3_mprintf("SELECT count(*) FROM pragma_table_info(%Q) WHERE name = %Q", table, column);
    char *add = sqlite3_mprintf("ALTER TABLE %s ADD COLUMN %s %s", table, column, declaration);
    int error = look && add ? 0 : -ENOMEM;
    if (!error && database_integer(database, look, 0) == 0)
        error = database_run(database, add);
    sqlite3_free(look);
    sqlite3_free(add);
    return error;
}

/* What a version brought: its columns, then its tables, into which those with these columns are copied. */
static int take_version(struct database *database, int version)
{
    int error = 0;
    for (size_t i = 0; !error && i < sizeof additions / sizeof additions[0]; i++)
        if (additions[i].version == version)
            error = add_column(database, additions[i].table, additions[i].column, additions[i].declaration);
    if (!error && version == 2)
        error = database_run(database, second_tables);
    if (!error && version == 6)
        error = database_run(database, run_tables);
    return error;
}

int schema_complete_rows(struct database *database)
{
    int error = database_run(database, summaries_with_uncertainty);
    if (!error)
        error = database_run(database, checksums);
    return error ? error : run_table_complete(database);
}

/* From a version's tables to today's, within a transaction. */
static int bring_up_to_date(struct database *database, int version)
{
    char identity[128];
    int error = 0;
    while (!error && version < SCHEMA_VERSION)
        error = take_version(database, ++version);
    if (!error)
        error = schema_complete_rows(database);
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d;", SCHEMA_APPLICATION_ID,
             SCHEMA_VERSION);
    return error ? error : database_run(database, identity);
}

/* A new file goes the same way as an old one. */
int schema_create(struct database *database)
{
    int error = database_run(database, layout);
    if (!error)
        error = database_begin(database);
    if (!error)
        error = database_run(database, first_tables);
    if (!error)
        error = bring_up_to_date(database, 1);
    if (!error)
        error = database_commit(database);
    return error;
}

/* A name beside the file that nothing has yet: an earlier copy is not for us to remove. */
static char *free_name(const char *path, int version)
{
    char *name = sqlite3_mprintf("%s.schema-%d", path, version);
    for (int i = 2; name && access(name, F_OK) == 0; i++) {
        sqlite3_free(name);
        name = sqlite3_mprintf("%s.schema-%d.%d", path, version, i);
    }
    return name;
}

/* A copy of what is there, before anything of it is changed. */
static int keep_copy(struct database *database, const char *path, int version, const char *copy,
                     struct complaint *complaint)
{
    char *sql = copy ? sqlite3_mprintf("VACUUM INTO %Q", copy) : NULL;
    int error = sql ? database_run(database, sql) : -ENOMEM;
    if (error)
        complaint_set(complaint,
                      "%s is of the earlier version %d; before it is changed a copy of it must be kept as %s, and that "
                      "failed: %s. Make room for it",
                      path, version, copy ? copy : "?", database_sentence(database));
    sqlite3_free(sql);
    return error;
}

static int change_tables(struct database *database, const char *path, int version, struct complaint *complaint)
{
    int error = database_begin(database);
    if (!error)
        error = bring_up_to_date(database, version);
    if (!error)
        error = database_commit(database);
    if (error) {
        complaint_set(complaint, "%s is of the earlier version %d and could not be brought up to date: %s", path,
                      version, database_sentence(database));
        database_rollback(database);
    }
    return error;
}

static int upgrade(struct database *database, const char *path, int version, struct complaint *complaint)
{
    char *copy = free_name(path, version);
    int error = keep_copy(database, path, version, copy, complaint);
    if (!error)
        error = change_tables(database, path, version, complaint);
    if (!error)
        complaint_set(complaint,
                      "%s was of the earlier version %d of the tables and is of version %d now; as it was, it is kept "
                      "as %s",
                      path, version, SCHEMA_VERSION, copy);
    sqlite3_free(copy);
    return error;
}

/* Beyond this a version is no version, but a damaged page. */
enum { MOST_VERSIONS = 10000 };

/* Whose file it is, from its header alone. */
static int check_identity(struct database *database, const char *path, bool *empty, int *version,
                          struct complaint *complaint)
{
    int64_t application = database_integer(database, "PRAGMA application_id", INT64_MIN);
    int64_t number = database_integer(database, "PRAGMA user_version", INT64_MIN);
    int64_t objects = database_integer(database, "SELECT count(*) FROM sqlite_master", -1);
    int64_t pages = objects < 0 ? -1 : database_integer(database, "PRAGMA page_count", -1);
    if (application == INT64_MIN || number == INT64_MIN || pages < 0) {
        int error = database_code(database, sqlite3_errcode(database->handle));
        /* A format that SQLite does not know. */
        if (error == -EPROTO)
            error = -ENOMEDIUM;
        complaint_set(complaint, "%s cannot be read: %s%s", path, database_sentence(database),
                      error == -ENOMEDIUM ? ", or its first page is damaged. It was left as it is: put a copy made by "
                                            "fricidctl backup in its place, or name another directory in `store`"
                                          : "");
        return error ? error : -EIO;
    }
    *version = (int)number;
    *empty = objects == 0 && application == 0 && *version == 0 && pages < 2;
    if (!*empty && application != SCHEMA_APPLICATION_ID) {
        complaint_set(complaint,
                      "%s is a database of another program: it was left as it is. Name another directory in `store`",
                      path);
        return -ENOMEDIUM;
    }
    if (!*empty && (objects == 0 || *version < 1 || *version > MOST_VERSIONS)) {
        complaint_set(complaint, "%s: its first page is damaged", path);
        return -EUCLEAN;
    }
    if (*version > SCHEMA_VERSION) {
        complaint_set(complaint,
                      "%s was written by a later fricidd (version %d of the tables, this one knows %d): it was left as "
                      "it is. Install that fricidd again, or name another directory in `store`",
                      path, *version, SCHEMA_VERSION);
        return -EPROTONOSUPPORT;
    }
    return 0;
}

int schema_prepare(struct database *database, const char *path, struct complaint *complaint)
{
    bool empty;
    int version;
    complaint->text[0] = '\0';
    int error = check_identity(database, path, &empty, &version, complaint);
    if (error)
        return error;
    if (empty)
        error = database_run(database, layout);
    if (!error)
        error = database_run(database, durability);
    if (!error && empty)
        error = schema_create(database);
    if (error)
        complaint_set(complaint, "%s: %s", path, database_sentence(database));
    else if (!empty && version < SCHEMA_VERSION)
        error = upgrade(database, path, version, complaint);
    return error;
}

int schema_prepare_reader(struct database *database)
{
    return database_run(database, "PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;");
}
