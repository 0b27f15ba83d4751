/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of each table, in the order in which they came. What is searched for stands in narrow rows; samples and
 * documents have tables of their own, so that going through thousands of results does not touch them. */

#include "store/tables.h"

#define AT(which, type_, structure, member)                                                                            \
    .type = (type_), .of = (which), .offset = offsetof(structure, member), .size = sizeof(((structure *)0)->member)
#define ITSELF(type, structure, member) AT(ROW_ITSELF, type, structure, member)
#define ORIGIN(type, member) AT(ROW_ORIGIN, type, struct decay_origin, member)
#define DECAY(type, member) AT(ROW_DECAY, type, struct decay, member)
#define PLAIN .constraints = ")"
#define NOTHING_MORE .made_with = "", .put_from = "", .either = ""
#define COUNT_OF(columns) (columns), sizeof(columns) / sizeof((columns)[0])

static const struct column meta[] = {
    {"name", "TEXT PRIMARY KEY", .since = 1},
    {"value", "", .since = 1},
};

static const struct column configuration[] = {
    {"config_id", "TEXT PRIMARY KEY", 1, false, ITSELF(COLUMN_STRING, struct configuration_row, config_id)},
    {"path", "TEXT", 1, false, ITSELF(COLUMN_STRING, struct configuration_row, path)},
    {"text", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct configuration_row, text)},
    {"first_used_ns", "INTEGER NOT NULL", 1, false, ITSELF(COLUMN_INTEGER, struct configuration_row, first_used_ns)},
    {"text_checksum", "TEXT", .since = 5, .value = "fnv1a(:text)"},
};

static const struct column run[] = {
    {"id", "INTEGER PRIMARY KEY AUTOINCREMENT", .since = 6, .checked = true},
    {"key", "TEXT UNIQUE", 6, true, ITSELF(COLUMN_STRING, struct run_row, key)},
    {"rig", "TEXT NOT NULL", 6, true, ITSELF(COLUMN_STRING, struct run_row, rig)},
    {"started_at_ns", "INTEGER", 6, true, ITSELF(COLUMN_TIME, struct run_row, started_at_ns)},
    {"row_checksum", "TEXT", .since = 6},
};

/* What many decays of a channel have in common. */
static const struct column setup[] = {
    {"id", "INTEGER PRIMARY KEY", .since = 1},
    {"fingerprint", "TEXT NOT NULL UNIQUE", 1, true, ITSELF(COLUMN_TEXT, struct setup_row, fingerprint)},
    {"rig", "TEXT NOT NULL", 1, true, ORIGIN(COLUMN_TEXT, rig)},
    {"channel", "TEXT NOT NULL", 1, true, ORIGIN(COLUMN_TEXT, channel)},
    {"source_kind", "TEXT NOT NULL", 1, true, ORIGIN(COLUMN_TEXT, source_kind)},
    {"device", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, device)},
    {"board", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, board)},
    {"driver", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, driver)},
    {"serial", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, serial)},
    {"unit", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, unit)},
    {"sample_rate_hz", "REAL", 1, true, ORIGIN(COLUMN_REAL, sample_rate_hz)},
    {"calibration", "TEXT", 1, true, ITSELF(COLUMN_TEXT, struct setup_row, calibration)},
    {"calibrated_on", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, calibrated_on)},
    {"remarks", "TEXT", 1, true, ORIGIN(COLUMN_TEXT, remarks)},
    {"code_coefficients", "TEXT", 1, true, ITSELF(COLUMN_TEXT, struct setup_row, code_coefficients)},
    {"code_origin", "REAL", 1, true, ORIGIN(COLUMN_FIGURE, codes.origin)},
    {"code_divisor", "REAL", 1, true, ORIGIN(COLUMN_FIGURE, codes.divisor)},
    {"mass_kg", "REAL", 1, true, ORIGIN(COLUMN_REAL, physical.mass_kg)},
    {"stiffness_n_per_m", "REAL", 1, true, ORIGIN(COLUMN_REAL, physical.stiffness_n_per_m)},
    {"gravity_m_per_s2", "REAL", 1, true, ORIGIN(COLUMN_REAL, physical.gravity_m_per_s2)},
    {"code_zero", "REAL", 2, true, ORIGIN(COLUMN_FIGURE, codes.zero)},
    {"row_checksum", "TEXT", .since = 5},
};

#define CONTACT_SETTING(name, unit, note) {#name, "REAL", 10, true, ORIGIN(COLUMN_REAL, physical.contact.name)},

static const struct column decay[] = {
    {"id", "INTEGER PRIMARY KEY AUTOINCREMENT", .since = 1},
    {"setup", "INTEGER NOT NULL REFERENCES setup", 1, true, ITSELF(COLUMN_INTEGER, struct decay_row, setup)},
    {"config_id", "TEXT NOT NULL", 1, true, ORIGIN(COLUMN_TEXT, config_id)},
    {"released_at_ns", "INTEGER", 1, true, ORIGIN(COLUMN_TIME, released_at_ns)},
    {"stored_at_ns", "INTEGER NOT NULL", 1, true, ITSELF(COLUMN_INTEGER, struct decay_row, stored_at_ns)},
    {"samples", "INTEGER NOT NULL", 1, true, DECAY(COLUMN_SIZE, record.count)},
    {"pretrigger_samples", "INTEGER NOT NULL", 1, true, DECAY(COLUMN_SIZE, pretrigger_count)},
    {"first_index", "INTEGER NOT NULL", 1, true, DECAY(COLUMN_INTEGER, first_index)},
    {"start_s", "REAL", 1, true, DECAY(COLUMN_REAL, record.start_s)},
    {"period_s", "REAL", 1, true, DECAY(COLUMN_REAL, record.period_s)},
    {"first_extremum_s", "REAL", 1, true, DECAY(COLUMN_REAL, record.first_extremum_s)},
    {"released_s", "REAL", 1, true, DECAY(COLUMN_REAL, released_s)},
    {"resolution", "REAL", 1, true, DECAY(COLUMN_FIGURE, record.resolution)},
    {"noise", "REAL", 1, true, DECAY(COLUMN_FIGURE, record.noise)},
    {"rest_position", "REAL", 1, true, DECAY(COLUMN_REAL, rest.position)},
    {"rest_se", "REAL", 1, true, DECAY(COLUMN_REAL, rest.se)},
    {"half_cycles", "INTEGER NOT NULL", 1, true, DECAY(COLUMN_SIZE, half_cycles)},
    {"clipped_samples", "INTEGER NOT NULL", 1, true, DECAY(COLUMN_SIZE, clipped_count)},
    {"dropped_first_half_cycle", "INTEGER NOT NULL", 1, true, DECAY(COLUMN_FLAG, dropped_first_half_cycle)},
    {"ended_by", "TEXT NOT NULL", 1, true, DECAY(COLUMN_END, ended_by)},
    /* Of the latest result; 0: there is none. */
    {"revision", "INTEGER NOT NULL DEFAULT 0", 1, false, ITSELF(COLUMN_NUMBER, struct decay_row, revision)},
    {"attempts", "INTEGER NOT NULL DEFAULT 0", 2, false, ITSELF(COLUMN_NUMBER, struct decay_row, attempts),
     .otherwise = "0"},
    {"protected", "INTEGER NOT NULL DEFAULT 0", .since = 2, .otherwise = "0"},
    {"time_error_s", "REAL", 3, true, ORIGIN(COLUMN_REAL, time_error_s)},
    {"u_mass_kg", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.u_mass_kg)},
    {"u_stiffness_n_per_m", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.u_stiffness_n_per_m)},
    {"u_gravity_m_per_s2", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.u_gravity_m_per_s2)},
    {"u_gain_percent", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.u_gain_percent)},
    {"u_clock_ppm", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.u_clock_ppm)},
    {"linearity_percent", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.linearity_percent)},
    {"full_scale", "REAL", 3, true, ORIGIN(COLUMN_REAL, physical.full_scale)},
    {"row_checksum", "TEXT", .since = 5},
    {"run", "INTEGER REFERENCES run", 6, true, ITSELF(COLUMN_INTEGER, struct decay_row, run)},
    /* NULL: a free decay. */
    {"kind", "TEXT", 7, true, ORIGIN(COLUMN_TEXT, kind)},
    {"columns", "TEXT", 7, true, ORIGIN(COLUMN_TEXT, columns)},
    {"quantity", "TEXT", 8, true, ORIGIN(COLUMN_TEXT, quantity)},
    {"delay_s", "REAL", 8, true, ORIGIN(COLUMN_REAL, delay_s)},
    {"read_as", "TEXT", 9, true, ORIGIN(COLUMN_TEXT, read_as)},
    CONTACT_SETTING_ROWS(CONTACT_SETTING){"delays_ns", "TEXT", 11, true, ORIGIN(COLUMN_TEXT, delays_ns)},
};

/* Of samples and pre-trigger together; `coding` says how a sample is written. */
static const struct column raw[] = {
    {"decay", "INTEGER PRIMARY KEY REFERENCES decay", 1, false, ITSELF(COLUMN_INTEGER, struct raw_row, decay)},
    {"coding", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_TEXT, struct raw_row, coding)},
    {"samples", "BLOB NOT NULL", 1, false, ITSELF(COLUMN_BLOB, struct raw_row, samples)},
    {"time_s", "BLOB", 1, false, ITSELF(COLUMN_BLOB, struct raw_row, time_s)},
    {"flags", "BLOB", 1, false, ITSELF(COLUMN_BLOB, struct raw_row, flags)},
    {"checksum", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_TEXT, struct raw_row, checksum)},
};

#define CONTACT_FIGURE(name, unit, within)                                                                             \
    {#name, "REAL", 12, false, ITSELF(COLUMN_REAL, struct result_row, figure[SEARCHED_##name])},

/* What it shares with its decay is taken from there. */
static const struct column result[] = {
    {"id", "INTEGER PRIMARY KEY", .since = 1},
    {"decay", "INTEGER NOT NULL REFERENCES decay", 1, false, ITSELF(COLUMN_INTEGER, struct result_row, decay)},
    {"revision", "INTEGER NOT NULL", 1, false, ITSELF(COLUMN_NUMBER, struct result_row, revision)},
    {"latest", "INTEGER NOT NULL", .since = 1, .value = "0"},
    {"seq", "INTEGER", .since = 1},
    {"setup", "INTEGER NOT NULL", .since = 1, .value = "decay.setup"},
    {"source_kind", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct result_row, source_kind)},
    {"released_at_ns", "INTEGER", .since = 1, .value = "decay.released_at_ns"},
    {"identified_at_ns", "INTEGER NOT NULL", 1, false, ITSELF(COLUMN_INTEGER, struct result_row, identified_at_ns)},
    {"version", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct result_row, version)},
    {"config_id", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct result_row, config_id)},
    {"settings", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct result_row, settings)},
    {"verdict", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct result_row, verdict)},
    {"recommended", "TEXT", 1, false, ITSELF(COLUMN_STRING, struct result_row, recommended)},
    {"model", "TEXT", 1, false, ITSELF(COLUMN_STRING, struct result_row, model)},
    {"half_cycles", "INTEGER", .since = 1, .value = "decay.half_cycles"},
    {NAME_F_N_HZ, "REAL", 1, false, ITSELF(COLUMN_REAL, struct result_row, figure[MAIN_F_N])},
    {NAME_ZETA, "REAL", 1, false, ITSELF(COLUMN_REAL, struct result_row, figure[MAIN_ZETA])},
    {NAME_X_K, "REAL", 1, false, ITSELF(COLUMN_REAL, struct result_row, figure[MAIN_X_K])},
    {NAME_X0, "REAL", 1, false, ITSELF(COLUMN_REAL, struct result_row, figure[MAIN_X0])},
    {"rms", "REAL", 1, false, ITSELF(COLUMN_REAL, struct result_row, rms)},
    {"summary_checksum", "TEXT", 5, false, ITSELF(COLUMN_STRING, struct result_row, summary),
     .value = "fnv1a(ifnull(:summary_checksum, ''))"},
    {"text_checksum", "TEXT", 5, false, ITSELF(COLUMN_STRING, struct result_row, text),
     .value = "fnv1a(ifnull(:text_checksum, ''))"},
    {"kind", "TEXT NOT NULL DEFAULT '" KIND_FREE_DECAY "'", 7, false, ITSELF(COLUMN_STRING, struct result_row, kind),
     .otherwise = "'" KIND_FREE_DECAY "'"},
    CONTACT_FIGURE_ROWS(CONTACT_FIGURE)};

/* As published, without the seq; the summary is what lists show. */
static const struct column document[] = {
    {"result", "INTEGER PRIMARY KEY REFERENCES result", 1, false, ITSELF(COLUMN_INTEGER, struct document_row, result)},
    {"summary", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct document_row, summary)},
    {"text", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct document_row, text)},
};

static const struct column event[] = {
    {"id", "INTEGER PRIMARY KEY", .since = 1},
    {"seq", "INTEGER NOT NULL", 1, false, ITSELF(COLUMN_INTEGER, struct store_event, seq)},
    {"at_ns", "INTEGER NOT NULL", 1, false, ITSELF(COLUMN_INTEGER, struct store_event, at_ns)},
    {"code", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct store_event, code)},
    {"rig", "TEXT", 1, false, ITSELF(COLUMN_STRING, struct store_event, rig)},
    {"channel", "TEXT", 1, false, ITSELF(COLUMN_STRING, struct store_event, channel)},
    {"text", "TEXT NOT NULL", 1, false, ITSELF(COLUMN_STRING, struct store_event, text)},
    {"text_checksum", "TEXT", .since = 5, .value = "fnv1a(:text)"},
};

/* What cannot be measured again stands twice in the file, on different pages, so that one bad page takes none of it. */
static const struct table tables[TABLES] = {
    [TABLE_META] = {"meta", NULL, 1, COUNT_OF(meta), .constraints = ") WITHOUT ROWID", NOTHING_MORE},
    [TABLE_CONFIGURATION] = {"configuration", NULL, 1, COUNT_OF(configuration), PLAIN, NOTHING_MORE,
                             .wrong = "text_checksum <> fnv1a(text)"},
    [TABLE_RUN] = {"run", "spare_run", 6, COUNT_OF(run), PLAIN, NOTHING_MORE},
    [TABLE_SETUP] = {"setup", "spare_setup", 1, COUNT_OF(setup), PLAIN, NOTHING_MORE},
    /* One of the two may be of before a decay was protected, or tried. */
    [TABLE_DECAY] = {"decay", "spare_decay", 1, COUNT_OF(decay), PLAIN,
                     .made_with = "CREATE INDEX decay_waiting ON decay (id) WHERE revision = 0;", .put_from = "",
                     .either = " ON CONFLICT (id) DO UPDATE SET protected = max(protected, excluded.protected),"
                               " attempts = max(attempts, excluded.attempts)"},
    [TABLE_RAW] = {"raw", "spare_raw", 1, COUNT_OF(raw), PLAIN, NOTHING_MORE,
                   .wrong = "checksum <> fnv1a(coding, samples, time_s, flags)", .is_read_back = true},
    [TABLE_RESULT] = {"result", NULL, 1, COUNT_OF(result), .constraints = ", UNIQUE (decay, revision))",
                      .made_with = "CREATE UNIQUE INDEX result_latest ON result (decay) WHERE latest;"
                                   "CREATE INDEX result_setup ON result (setup, decay) WHERE latest;"
                                   "CREATE INDEX result_verdict ON result (verdict, decay) WHERE latest;"
                                   "CREATE INDEX result_source ON result (source_kind, decay) WHERE latest;"
                                   "CREATE INDEX result_released ON result (released_at_ns, decay) WHERE latest;"
                                   "CREATE INDEX result_f_n ON result (" NAME_F_N_HZ ", decay) WHERE latest;"
                                   "CREATE INDEX result_zeta ON result (" NAME_ZETA ", decay) WHERE latest;"
                                   "CREATE INDEX result_x_k ON result (" NAME_X_K ", decay) WHERE latest;"
                                   "CREATE INDEX result_x0 ON result (" NAME_X0 ", decay) WHERE latest;"
                                   "CREATE INDEX result_seq ON result (seq);",
                      .put_from = " FROM decay WHERE id = :decay", .either = ""},
    [TABLE_DOCUMENT] = {"document", NULL, 1, COUNT_OF(document), PLAIN, NOTHING_MORE,
                        .wrong = "EXISTS (SELECT 1 FROM result WHERE result.id = document.result AND"
                                 " (text_checksum <> fnv1a(text) OR summary_checksum <> fnv1a(summary)))"},
    [TABLE_EVENT] = {"event", NULL, 1, COUNT_OF(event), PLAIN, .made_with = "CREATE INDEX event_seq ON event (seq);",
                     .put_from = "", .either = "", .wrong = "text_checksum <> fnv1a(text)"},
};

const struct table *store_table(enum table_id id)
{
    return &tables[id];
}
