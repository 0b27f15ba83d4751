/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the tables of a store come to be, and what else is in its file. */

#include "store/schema.h"

#include "proto/cause.h"
#include "store/database_files.h"
#include "store/file_layout.h"
#include "store/run_table.h"
#include "store/tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Since this version what cannot be measured again stands twice. */
enum { SPARES_SINCE = 2 };

/* Before the first table: both are settled once in the life of a file. */
#define TEXT(number) #number
#define TEXT_OF(number) TEXT(number)
static const char layout[] = "PRAGMA page_size = " TEXT_OF(DATABASE_PAGE) "; PRAGMA auto_vacuum = INCREMENTAL;";

/* FULL: a commit returns when the log is on the disk. The log is folded into the file every few megabytes. */
static const char durability[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;"
    "PRAGMA journal_size_limit = 8388608; PRAGMA temp_store = MEMORY;"
    /* What was removed is not found again by a repair. */
    "PRAGMA secure_delete = ON; PRAGMA cache_size = -8192;";

/* Decays have none of these figures, and are in none of these indexes. */
#define INDEX_OF_FIGURE(name, unit, within)                                                                            \
    "CREATE INDEX IF NOT EXISTS result_" #name " ON result (" #name ", decay) WHERE latest AND " #name " IS NOT NULL;"

/* What a version brought beside its tables and columns. */
static const struct {
    int version;
    const char *sql;
} additions[] = {
    /* Whatever belongs to a decay goes with it. */
    {2, "INSERT OR IGNORE INTO spare_setup SELECT * FROM setup;"
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
        " DELETE FROM result WHERE decay = OLD.id; END;"},
    /* A run goes with the last of its decays. */
    {6, "CREATE INDEX IF NOT EXISTS decay_run ON decay (run);"
        "CREATE TRIGGER IF NOT EXISTS run_twice AFTER INSERT ON run BEGIN"
        " INSERT OR REPLACE INTO spare_run SELECT * FROM run WHERE id = NEW.id; END;"
        "CREATE TRIGGER IF NOT EXISTS run_again AFTER UPDATE ON run BEGIN"
        " INSERT OR REPLACE INTO spare_run SELECT * FROM run WHERE id = NEW.id; END;"
        "CREATE TRIGGER IF NOT EXISTS run_over AFTER DELETE ON decay"
        " WHEN NOT EXISTS (SELECT 1 FROM decay WHERE run = OLD.run) BEGIN"
        " DELETE FROM run WHERE id = OLD.run; DELETE FROM spare_run WHERE id = OLD.run; END;"},
    {7, "CREATE INDEX IF NOT EXISTS result_kind ON result (kind, decay) WHERE latest;"},
    /* For what is asked about each decay of a recording; a file without it is only slower. */
    {8, "CREATE INDEX IF NOT EXISTS decay_place ON decay (first_index);"},
    {12, CONTACT_FIGURE_ROWS(INDEX_OF_FIGURE)},
};

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
static const char checksums[] = "UPDATE result SET (summary_checksum, text_checksum) ="
                                " (SELECT fnv1a(summary), fnv1a(text) FROM document WHERE document.result = result.id)"
                                " WHERE text_checksum IS NULL;"
                                "UPDATE event SET text_checksum = fnv1a(text) WHERE text_checksum IS NULL;"
                                "UPDATE configuration SET text_checksum = fnv1a(text) WHERE text_checksum IS NULL;";

/* Of versions 12 and 13: the figures of contacts that are driven, and the model that was chosen for them, stand in the
 * narrow rows, too. */
#define FIGURE_OF_TEXT(name, unit, within)                                                                             \
    ", " #name " = coalesce(text ->> '$." #name ".value', text ->> '$." within #name ".value')"
#define FIGURES_OF_TEXT CONTACT_FIGURE_ROWS(FIGURE_OF_TEXT)
static const char figures_of_contacts[] =
    "UPDATE result SET model = coalesce(model, text ->> '$.loop.ladder.model')" FIGURES_OF_TEXT " FROM document"
    " WHERE document.result = result.id AND kind IN ('loop', 'curve') AND text_checksum IS fnv1a(text);";

/* One that is there already is left: an upgrade may have been broken off, or a file's version been set back by hand. In
 * the spare place it has its type alone. */
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

/* Columns that came with a version to a table of before. */
static int add_columns(struct database *database, const struct table *table, bool spare, int version)
{
    int error = 0;
    for (size_t i = 0; !error && i < table->count; i++) {
        const struct column *column = &table->columns[i];
        char type[16];
        snprintf(type, sizeof type, "%.*s", (int)strcspn(column->declaration, " "), column->declaration);
        if (column->since == version)
            error = add_column(database, table_place(table, spare), column->name, spare ? type : column->declaration);
    }
    return error;
}

/* A table is made with all columns of its version, or grows by them. */
static int take_table(struct database *database, const struct table *table, bool spare, int since, int version)
{
    if (version < since)
        return 0;
    if (version > since)
        return add_columns(database, table, spare, version);
    int error = table_create(database, table, spare, version);
    return error || spare ? error : database_run(database, table->made_with);
}

static int take_version(struct database *database, int version)
{
    int error = 0;
    for (int id = 0; !error && id < TABLES; id++) {
        const struct table *table = store_table((enum table_id)id);
        error = take_table(database, table, false, table->since, version);
        if (!error && table->spare)
            error =
                take_table(database, table, true, table->since > SPARES_SINCE ? table->since : SPARES_SINCE, version);
    }
    for (size_t i = 0; !error && i < sizeof additions / sizeof additions[0]; i++)
        if (additions[i].version == version)
            error = database_run(database, additions[i].sql);
    return error;
}

/* Rows without one get their checksum. */
static int complete_checksums(struct database *database, const struct table *table, bool spare)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "UPDATE %s SET row_checksum = ", table_place(table, spare));
    table_add_checksum(sql, table, "");
    sqlite3_str_appendall(sql, " WHERE row_checksum IS NULL");
    return database_finish(database, database_built_statement(database, sql));
}

int schema_complete_rows(struct database *database)
{
    int error = database_run(database, summaries_with_uncertainty);
    if (!error)
        error = database_run(database, checksums);
    if (!error)
        error = database_run(database, figures_of_contacts);
    if (!error)
        error = run_table_complete(database);
    for (int id = TABLE_RUN; !error && id <= TABLE_DECAY; id++)
        for (int spare = 0; !error && spare < 2; spare++)
            error = complete_checksums(database, store_table((enum table_id)id), spare);
    return error;
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
static int create(struct database *database)
{
    int error = database_run(database, layout);
    if (!error)
        error = database_begin(database);
    if (!error)
        error = bring_up_to_date(database, 0);
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

/* While it is being written it has another name: what is called a copy is whole. */
static int write_copy(struct database *database, const char *made, const char *copy, const char **cause)
{
    char *sql = sqlite3_mprintf("VACUUM INTO %Q", made);
    int error = sql ? database_run(database, sql) : -ENOMEM;
    sqlite3_free(sql);
    *cause = database_sentence(database);
    if (!error && rename(made, copy) != 0) {
        error = -errno;
        *cause = cause_of(error);
    }
    if (error)
        database_files_remove(made);
    else
        database_files_sync_names(copy);
    return error;
}

/* A copy of what is there, before anything of it is changed. */
static int keep_copy(struct database *database, const char *path, int version, const char *copy,
                     struct complaint *complaint)
{
    const char *cause = "memory is short";
    char *made = copy ? sqlite3_mprintf("%s.rescue", path) : NULL;
    if (made)
        database_files_remove(made);
    int error = made ? write_copy(database, made, copy, &cause) : -ENOMEM;
    if (error)
        complaint_set(complaint,
                      "%s is of the earlier version %d; before it is changed a copy of it must be kept as %s, and that "
                      "failed: %s. Make room for it",
                      path, version, copy ? copy : "?", cause);
    sqlite3_free(made);
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
        error = create(database);
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
