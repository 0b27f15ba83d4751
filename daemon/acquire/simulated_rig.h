/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_RIG_H
#define FRICID_ACQUIRE_SIMULATED_RIG_H

#include "acquire/simulated_beam.h"
#include "acquire/simulated_contact.h"
#include "acquire/simulated_parts.h"
#include "acquire/source.h"
#include "proto/complaint.h"

#include <stdint.h>

struct simulated_rig_settings {
    struct simulated_mechanics mechanics;
    struct simulated_hand hand;
    struct simulated_drive_settings drive; /* one that drives: of a contact, in the place of mechanics and hand */
    struct simulated_contact_settings contact;
    struct simulated_beam_settings beam; /* one with modes: in the place of all of these */
    double sample_rate_hz;
    double channel_delay_s; /* multiplexer: channel c is sampled c times this after the scan's start */
    uint64_t seed;
    bool real_time;      /* else a virtual clock, as fast as the daemon takes it */
    double duration_s;   /* end of the source after this virtual time; 0: never */
    uint64_t first_scan; /* where the index begins: to see what becomes of a rig that has been running for years */
    size_t channel_count;
    const struct simulated_channel_settings *channels;
};

struct simulated_rig_settings simulated_rig_default_settings(void);
struct simulated_channel_settings simulated_channel_default_settings(enum simulated_sensor sensor);

/* What an identification of the rig should find. Drag, cubic stiffness and presliding are not in it. */
struct simulated_truth {
    double f_n_hz;
    double zeta;
    double x_k_mm;
    double x_s_mm;
};

struct simulated_truth simulated_rig_truth(const struct simulated_mechanics *mechanics);

/* 0, or -EINVAL and a complaint that names the key of an impossible setting. */
int simulated_rig_check(const struct simulated_rig_settings *settings, struct complaint *complaint);

/* The rig as a source. The settings are copied; impossible ones give -EINVAL and a complaint. */
int simulated_rig_create(struct event_base *base, const struct simulated_rig_settings *settings,
                         const struct source_listener *listener, struct source **source, struct complaint *complaint);

#endif
