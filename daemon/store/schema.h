/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_SCHEMA_H
#define FRICID_STORE_SCHEMA_H

#include "proto/complaint.h"
#include "store/database.h"

/* What the file of a store looks like, and how files of earlier versions become it. fricidd(8) describes the tables for
 * people who read them with other programs. */

enum {
    SCHEMA_APPLICATION_ID = 0x46524943, /* "FRIC": whose file it is; file(1) shows it */
    SCHEMA_VERSION = 6,
};

/* What must not change in a row of `decay`, of `setup` and of `run` after it was written; SQL. A decay of before there
 * were runs has none in its checksum. */
#define SCHEMA_DECAY_CHECKSUM                                                                                          \
    "CASE WHEN run IS NULL THEN " SCHEMA_DECAY_CHECKSUM_WITH("") " ELSE " SCHEMA_DECAY_CHECKSUM_WITH(", run") " END"
#define SCHEMA_DECAY_CHECKSUM_WITH(run)                                                                                \
    "row_checksum(setup, config_id, released_at_ns, stored_at_ns, samples, pretrigger_samples, first_index, start_s,"  \
    " period_s, first_extremum_s, released_s, resolution, noise, rest_position, rest_se, half_cycles,"                 \
    " clipped_samples, dropped_first_half_cycle, ended_by, time_error_s, u_mass_kg, u_stiffness_n_per_m,"              \
    " u_gravity_m_per_s2, u_gain_percent, u_clock_ppm, linearity_percent, full_scale" run ")"
#define SCHEMA_SETUP_CHECKSUM                                                                                          \
    "row_checksum(fingerprint, rig, channel, source_kind, device, board, driver, serial, unit, sample_rate_hz,"        \
    " calibration, calibrated_on, remarks, code_coefficients, code_origin, code_divisor, mass_kg, stiffness_n_per_m,"  \
    " gravity_m_per_s2, code_zero)"
#define SCHEMA_RUN_CHECKSUM "row_checksum(id, key, rig, started_at_ns)"

/* Of a row of `raw` or `spare_raw`; SQL. */
#define SCHEMA_RAW_CHECKSUM "fnv1a(coding, samples, time_s, flags)"

/* Settles what a writing connection needs: durability, and the tables. An empty file becomes a store; one of an earlier
 * version is copied beside itself ("….schema-1") and brought up to date. Another program's database (-ENOMEDIUM) and
 * one of a later version (-EPROTONOSUPPORT) are left alone, with a complaint that says what they are. Without an error
 * the complaint is empty, or says what was brought up to date. */
int schema_prepare(struct database *database, const char *path, struct complaint *complaint);

/* The tables of a new store, in a database that holds nothing. */
int schema_create(struct database *database);

/* Completes rows that an earlier version wrote, within a transaction. */
int schema_complete_rows(struct database *database);

/* For a connection that only reads. */
int schema_prepare_reader(struct database *database);

#endif
