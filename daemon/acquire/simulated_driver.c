/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A simulated rig and its channels, as a configuration describes them. */

#include "acquire/read_calibration.h"
#include "acquire/simulated_rig.h"
#include "acquire/source_driver.h"

#include <stdio.h>
#include <string.h>

#define SIMULATED(member_name) .type = CONFIG_NUMBER, .offset = offsetof(struct simulated_rig_settings, member_name)
#define WHOLE(member_name) .type = CONFIG_UNSIGNED, .offset = offsetof(struct simulated_rig_settings, member_name)
#define CHANNEL(member_name) .offset = offsetof(struct simulated_channel_settings, member_name)

/* The ranges are those that simulated_rig_check() accepts; here they are complained of with the line of the key, and
 * all at once. */
static const struct config_key source_keys[] = {
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "mass_kg", SIMULATED(mechanics.mass_kg), .above_minimum = true, .maximum = 1e6},
    {.name = "stiffness_n_per_m", SIMULATED(mechanics.stiffness_n_per_m), .above_minimum = true, .maximum = 1e12},
    {.name = "zeta", SIMULATED(mechanics.zeta), .maximum = 0.999},
    {.name = "f_k_n", SIMULATED(mechanics.f_k_n), .maximum = 1e9},
    {.name = "f_s_n", SIMULATED(mechanics.f_s_n), .maximum = 1e9},
    {.name = "drag_per_m", SIMULATED(mechanics.drag_per_m), .maximum = 1e6},
    {.name = "cubic_per_m2", SIMULATED(mechanics.cubic_per_m2), .minimum = -1e9, .maximum = 1e9},
    {.name = "presliding_distance_m", SIMULATED(mechanics.presliding_distance_m), .maximum = 1},
    {.name = "drift_m_per_s", SIMULATED(mechanics.drift_m_per_s), .minimum = -1, .maximum = 1},
    {.name = "kicks_per_hour", SIMULATED(mechanics.kicks_per_hour), .maximum = 36000},
    {.name = "pull_m", SIMULATED(hand.pull_m), .above_minimum = true, .maximum = 10},
    {.name = "pull_spread", SIMULATED(hand.pull_spread), .maximum = 0.4},
    {.name = "pull_s", SIMULATED(hand.pull_s), .minimum = 1e-3, .maximum = 3600},
    {.name = "hold_s", SIMULATED(hand.hold_s), .maximum = 3600},
    {.name = "rest_s", SIMULATED(hand.rest_s), .maximum = 3600},
    {.name = "tremor_m", SIMULATED(hand.tremor_m), .maximum = 1},
    {.name = "release_velocity_m_per_s", SIMULATED(hand.release_velocity_m_per_s), .maximum = 100},
    {.name = "drive", .type = CONFIG_WORD},
    {.name = "drive_amplitude_m", SIMULATED(drive.amplitude_m), .above_minimum = true, .maximum = 10},
    {.name = "drive_frequency_hz", SIMULATED(drive.frequency_hz), .above_minimum = true, .maximum = 1e5},
    {.name = "drive_dwell_s", SIMULATED(drive.dwell_s), .maximum = 3600},
    {.name = "drive_decrease", SIMULATED(drive.decrease), .above_minimum = true, .maximum = 0.9},
    {.name = "drive_step_factor", SIMULATED(drive.step_factor), .above_minimum = true, .maximum = 100},
    {.name = "drive_steps", WHOLE(drive.steps), .minimum = 1, .maximum = 20},
    {.name = "drive_step_cycles", WHOLE(drive.step_cycles), .minimum = 1, .maximum = 1e6},
    {.name = "contact", .type = CONFIG_WORD},
    {.name = "contact_f_c_n", SIMULATED(contact.f_c_n), .above_minimum = true, .maximum = 1e9},
    {.name = "contact_f_0_n", SIMULATED(contact.f_0_n), .minimum = -1e9, .maximum = 1e9},
    {.name = "contact_f_s_n", SIMULATED(contact.f_s_n), .maximum = 1e9},
    {.name = "contact_v_s_m_per_s", SIMULATED(contact.v_s_m_per_s), .above_minimum = true, .maximum = 1e3},
    {.name = "contact_x_d_m", SIMULATED(contact.x_d_m), .above_minimum = true, .maximum = 1},
    {.name = "contact_sigma_1", SIMULATED(contact.sigma_1), .maximum = 1e9},
    {.name = "contact_sigma_2", SIMULATED(contact.sigma_2), .maximum = 1e9},
    {.name = "contact_z_ba", SIMULATED(contact.z_ba), .maximum = 0.99},
    {.name = "contact_n_bw", SIMULATED(contact.n_bw), .minimum = 0.5, .maximum = 20},
    {.name = "contact_beta_bw", SIMULATED(contact.beta_bw), .maximum = 1},
    {.name = "contact_gap_m", SIMULATED(contact.gap_m), .above_minimum = true, .maximum = 1},
    {.name = "contact_slip_lengths_m", .type = CONFIG_ARRAY},
    {.name = "contact_slip_forces_n", .type = CONFIG_ARRAY},
    {.name = "contact_attraction_n_per_s",
     SIMULATED(contact.attraction_n_per_s),
     .above_minimum = true,
     .maximum = 1e12},
    {.name = "contact_normal_n", SIMULATED(contact.normal_n), .maximum = 1e9},
    {.name = "contact_drift_n_per_s", SIMULATED(contact.drift_n_per_s), .minimum = -1e6, .maximum = 1e6},
    {.name = "beam_modes", WHOLE(beam.modes), .minimum = 1, .maximum = BEAM_MODES_MOST},
    {.name = "beam_frequency_hz", SIMULATED(beam.frequency_hz), .above_minimum = true, .maximum = 1e5},
    {.name = "beam_zeta", SIMULATED(beam.zeta), .maximum = 0.5},
    {.name = "joint_share", SIMULATED(beam.joint_share), .maximum = 0.9},
    {.name = "joint_phi_max_m", SIMULATED(beam.phi_max_m), .above_minimum = true, .maximum = 1},
    {.name = "joint_chi", SIMULATED(beam.chi), .minimum = -0.95, .maximum = 0},
    {.name = "joint_beta", SIMULATED(beam.beta), .maximum = 1e3},
    {.name = "blow_m_per_s2", SIMULATED(beam.blow_m_per_s2), .above_minimum = true, .maximum = 1e9},
    {.name = "blow_s", SIMULATED(beam.blow_s), .minimum = 1e-5, .maximum = 0.1},
    {.name = "blow_every_s", SIMULATED(beam.every_s), .minimum = 0.2, .maximum = 86400},
    {.name = "blow_spread", SIMULATED(beam.spread), .maximum = 0.4},
    {.name = "sample_rate_hz", SIMULATED(sample_rate_hz), .above_minimum = true, .maximum = 1e7},
    {.name = "channel_delay_s", SIMULATED(channel_delay_s), .maximum = 1},
    {.name = "seed", .type = CONFIG_SEED, .offset = offsetof(struct simulated_rig_settings, seed), .maximum = 0x1p63},
    {.name = "real_time", .type = CONFIG_FLAG, .offset = offsetof(struct simulated_rig_settings, real_time)},
    {.name = "duration_s", SIMULATED(duration_s), .maximum = 1e9},
    {.name = "first_scan",
     .type = CONFIG_SEED,
     .offset = offsetof(struct simulated_rig_settings, first_scan),
     .maximum = 0x1p62},
};

static const struct config_section source_section = {"simulated source", source_keys,
                                                     sizeof source_keys / sizeof source_keys[0]};

static const struct config_key channel_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, CHANNEL(name), .maximum = SOURCE_NAME_BYTES},
    {.name = "sensor", .type = CONFIG_WORD},
    {.name = "noise_mm", .type = CONFIG_NUMBER, CHANNEL(noise_mm), .maximum = 1e3},
    {.name = "step_mm", .type = CONFIG_NUMBER, CHANNEL(step_mm), .maximum = 1e3},
    {.name = "range_mm", .type = CONFIG_NUMBER, CHANNEL(range_mm), .above_minimum = true, .maximum = 1e6},
    {.name = "calibration", .type = CONFIG_ARRAY},
    {.name = "counts_per_mm", .type = CONFIG_NUMBER, CHANNEL(counts_per_mm), .above_minimum = true, .maximum = 1e6},
    {.name = "counter_bits", .type = CONFIG_UNSIGNED, CHANNEL(counter_bits), .minimum = 4, .maximum = 48},
    {.name = "noise_n", .type = CONFIG_NUMBER, CHANNEL(noise), .maximum = 1e9},
    {.name = "step_n", .type = CONFIG_NUMBER, CHANNEL(step), .maximum = 1e9},
    {.name = "range_n", .type = CONFIG_NUMBER, CHANNEL(range), .above_minimum = true, .maximum = 1e9},
    {.name = "delay_s", .type = CONFIG_NUMBER, CHANNEL(delay_s), .maximum = 1},
    {.name = "noise_m_per_s2", .type = CONFIG_NUMBER, CHANNEL(noise), .maximum = 1e9},
    {.name = "step_m_per_s2", .type = CONFIG_NUMBER, CHANNEL(step), .maximum = 1e9},
    {.name = "range_m_per_s2", .type = CONFIG_NUMBER, CHANNEL(range), .above_minimum = true, .maximum = 1e9},
    {.name = "position", .type = CONFIG_NUMBER, CHANNEL(position), .above_minimum = true, .maximum = 1},
    {.name = "role", .type = CONFIG_WORD},
    {.name = "calibrated_on", .type = CONFIG_WORD},
    {.name = "remarks", .type = CONFIG_WORD},
    {.name = "segment", .type = CONFIG_GROUP},
};

static const struct config_section channel_section = {"simulated channel", channel_keys,
                                                      sizeof channel_keys / sizeof channel_keys[0]};

/* Index of the word in a list of names, whose place 0 may be none; complains and returns `without` where it is none. */
static unsigned read_name(struct config_reader *reader, const config_setting_t *group, const char *key,
                          const char *(*name_of)(size_t), size_t count, unsigned without)
{
    const config_setting_t *setting = config_member(group, &source_section, key);
    const char *word = setting ? config_setting_get_string(setting) : NULL, *separator = "";
    char advice[128] = "";
    for (unsigned i = 0; word && i < count; i++) {
        const char *name = name_of(i);
        if (name && strcmp(word, name) == 0)
            return i;
        const size_t used = strlen(advice);
        if (name) {
            snprintf(advice + used, sizeof advice - used, "%s\"%s\"", separator, name);
            separator = ", ";
        }
    }
    if (word)
        config_complain(reader, setting, "unknown `%s` \"%s\": use one of %s", key, word, advice);
    return without;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* A key of a rig that swings freely, of one that is driven, or of both. */
static bool is_of_drive(const char *key)
{
    return begins_with(key, "drive_") || begins_with(key, "contact");
}

static bool is_of_beam(const char *key)
{
    return begins_with(key, "beam_") || begins_with(key, "joint_") || begins_with(key, "blow_");
}

static bool is_of_carriage(size_t offset)
{
    return offset < offsetof(struct simulated_rig_settings, drive) &&
           offset != offsetof(struct simulated_rig_settings, mechanics.drift_m_per_s);
}

/* Contacts that a key is not of: it would be ignored. */
enum {
    RIGID = 1u << SIMULATED_RIGID,
    GAP = 1u << SIMULATED_BACKLASH,
    ELEMENTS = 1u << SIMULATED_MAXWELL_SLIP | 1u << SIMULATED_GMS,
    ALL = (1u << SIMULATED_CONTACTS) - 1
};
static const struct {
    const char *key;
    unsigned without; /* bits 1u << enum simulated_contact_shape */
} contact_keys[] = {
    {"contact_f_c_n", ELEMENTS},
    {"contact_f_s_n", GAP},
    {"contact_v_s_m_per_s", GAP},
    {"contact_x_d_m", ELEMENTS | RIGID},
    {"contact_sigma_1", ELEMENTS | GAP | RIGID},
    {"contact_z_ba", ALL ^ 1u << SIMULATED_ELASTOPLASTIC},
    {"contact_n_bw", ALL ^ 1u << SIMULATED_BOUC_WEN},
    {"contact_beta_bw", ALL ^ 1u << SIMULATED_BOUC_WEN},
    {"contact_gap_m", ALL ^ GAP},
    {"contact_slip_lengths_m", ALL ^ ELEMENTS},
    {"contact_slip_forces_n", ALL ^ ELEMENTS},
    {"contact_attraction_n_per_s", ALL ^ 1u << SIMULATED_GMS},
};

static void complain_of_other_contacts_keys(struct config_reader *reader, const config_setting_t *group, unsigned shape)
{
    for (size_t k = 0; k < sizeof contact_keys / sizeof contact_keys[0]; k++) {
        const config_setting_t *setting = config_setting_get_member(group, contact_keys[k].key);
        if (setting && contact_keys[k].without & 1u << shape)
            config_complain(reader, setting, "`%s` is not of a contact \"%s\"%s", contact_keys[k].key,
                            simulated_contact_name(shape),
                            strcmp(contact_keys[k].key, "contact_f_c_n") == 0
                                ? ": its friction is the sum of its `contact_slip_forces_n`"
                                : "");
    }
}

/* The count of its figures; 0: it is not there; -1: it is no list of so many numbers, of which it complained. */
static int read_elements(struct config_reader *reader, const config_setting_t *group, const char *key,
                         double figures[SIMULATED_ELEMENTS_MOST])
{
    const config_setting_t *array = config_member(group, &source_section, key);
    const int count = array ? config_setting_length(array) : 0;
    if (array && (count < 1 || count > SIMULATED_ELEMENTS_MOST)) {
        config_complain(reader, array, "`%s` has %d elements: write 1 to %d, [first, second, …]", key, count,
                        SIMULATED_ELEMENTS_MOST);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (!config_number(reader, config_setting_get_elem(array, (unsigned)i), &figures[i]))
            return -1;
    return count;
}

static void read_contact(struct config_reader *reader, const config_setting_t *group,
                         struct simulated_contact_settings *contact)
{
    contact->shape = read_name(reader, group, "contact", simulated_contact_name, SIMULATED_CONTACTS, SIMULATED_LUGRE);
    complain_of_other_contacts_keys(reader, group, contact->shape);
    const int lengths = read_elements(reader, group, "contact_slip_lengths_m", contact->slip_length_m);
    const int forces = read_elements(reader, group, "contact_slip_forces_n", contact->slip_force_n);
    if (lengths < 0 || forces < 0)
        return;
    if (lengths != forces)
        config_complain(reader, group,
                        "`contact_slip_lengths_m` and `contact_slip_forces_n` belong together: each element has one "
                        "length and one force");
    else if (lengths > 0)
        contact->elements = (size_t)lengths;
}

/* What would be ignored misleads. */
static void read_drive(struct config_reader *reader, const config_setting_t *group,
                       struct simulated_rig_settings *simulated)
{
    const bool driven = config_setting_get_member(group, "drive"),
               beam = config_setting_get_member(group, "beam_modes");
    simulated->drive.shape =
        read_name(reader, group, "drive", simulated_drive_name, SIMULATED_DRIVES, SIMULATED_NOT_DRIVEN);
    read_contact(reader, group, &simulated->contact);
    for (size_t i = 0; i < source_section.key_count; i++) {
        const struct config_key *key = &source_keys[i];
        const config_setting_t *setting = config_setting_get_member(group, key->name);
        if (setting && !driven && is_of_drive(key->name))
            config_complain(reader, setting, "`%s` is of a contact that is driven: `drive` is missing", key->name);
        if (setting && !beam && is_of_beam(key->name))
            config_complain(reader, setting, "`%s` is of a beam that is hit: `beam_modes` is missing", key->name);
        if (setting && beam && (is_of_drive(key->name) || strcmp(key->name, "drive") == 0))
            config_complain(reader, setting, "`%s` is of a contact that is driven: this rig has `beam_modes`",
                            key->name);
        if (setting && beam && key->type == CONFIG_NUMBER &&
            key->offset < offsetof(struct simulated_rig_settings, drive))
            config_complain(reader, setting, "`%s` is of a mass that swings freely: this rig has `beam_modes`",
                            key->name);
        if (setting && driven && key->type == CONFIG_NUMBER && is_of_carriage(key->offset))
            config_complain(reader, setting, "`%s` is of a mass that swings freely: this rig has a `drive`", key->name);
    }
}

/* Rigs without a seed of their own differ: the first of a configuration has 1, the second 2. */
static uint64_t default_seed(const config_setting_t *group)
{
    const config_setting_t *rig = config_setting_parent(group);
    const int place = rig ? config_setting_index(rig) : -1;
    return place > 0 ? 1 + (uint64_t)place : 1;
}

/* Who doubles the friction and leaves the break-away friction alone means a rig of the same kind, not an impossible
 * one. */
static void read_source(struct config_reader *reader, const config_setting_t *group, void *settings)
{
    struct simulated_rig_settings *simulated = settings;
    *simulated = simulated_rig_default_settings();
    simulated->seed = default_seed(group);
    double break_away_ratio = simulated->mechanics.f_s_n / simulated->mechanics.f_k_n;
    config_read_section(reader, group, &source_section, simulated);
    read_drive(reader, group, simulated);
    const config_setting_t *f_s = config_member(group, &source_section, "f_s_n");
    if (!f_s)
        simulated->mechanics.f_s_n = simulated->mechanics.f_k_n * break_away_ratio;
    else if (simulated->mechanics.f_s_n < simulated->mechanics.f_k_n)
        config_complain(reader, f_s, "`f_s_n` (%.15g N) must not be smaller than `f_k_n` (%.15g N)",
                        simulated->mechanics.f_s_n, simulated->mechanics.f_k_n);
}

/* --- a channel --- */

/* One table serves all sensors, so that a wrong value is found wherever it stands; a key of another sensor would be
 * ignored by the rig, and what is ignored misleads. */
static const struct {
    const char *name;
    const char *keys[6]; /* that some sensors do not have */
} sensors[SIMULATED_SENSORS] = {
    [SIMULATED_LVDT] = {"lvdt", {"noise_mm", "step_mm", "range_mm", "calibration"}},
    [SIMULATED_ENCODER] = {"encoder", {"noise_mm", "counts_per_mm", "counter_bits"}},
    [SIMULATED_FORCE] = {"force", {"noise_n", "step_n", "range_n", "delay_s"}},
    [SIMULATED_NORMAL] = {"normal", {"noise_n", "step_n", "range_n"}},
    [SIMULATED_ACCELEROMETER] = {"accelerometer", {"noise_m_per_s2", "step_m_per_s2", "range_m_per_s2", "position"}},
};

static bool has_key(enum simulated_sensor sensor, const char *key)
{
    for (const char *const *own = sensors[sensor].keys; *own; own++)
        if (strcmp(*own, key) == 0)
            return true;
    return false;
}

static void complain_of_other_sensors_keys(struct config_reader *reader, const config_setting_t *group,
                                           enum simulated_sensor sensor)
{
    for (enum simulated_sensor other = 0; other < SIMULATED_SENSORS; other++)
        for (const char *const *key = sensors[other].keys; *key; key++) {
            const config_setting_t *setting = config_setting_get_member(group, *key);
            bool told = false;
            for (enum simulated_sensor before = 0; before < other; before++)
                told = told || has_key(before, *key);
            if (setting && !told && !has_key(sensor, *key))
                config_complain(reader, setting, "`%s` is a key of sensor \"%s\": this channel is another kind", *key,
                                sensors[other].name);
        }
}

/* SIMULATED_SENSORS: there is no such word. */
static enum simulated_sensor read_sensor(struct config_reader *reader, const config_setting_t *group)
{
    const config_setting_t *word = config_required_member(reader, group, &channel_section, "sensor");
    const char *name = word ? config_setting_get_string(word) : "lvdt";
    for (enum simulated_sensor sensor = 0; sensor < SIMULATED_SENSORS; sensor++)
        if (strcmp(name, sensors[sensor].name) == 0)
            return sensor;
    config_complain(reader, word,
                    "unknown sensor \"%s\": use \"lvdt\", \"encoder\", \"force\", \"normal\" or \"accelerometer\"",
                    name);
    return SIMULATED_SENSORS;
}

static const char *read_channel(struct config_reader *reader, const config_setting_t *group, void *settings)
{
    struct simulated_channel_settings *channel = settings;
    enum simulated_sensor sensor = read_sensor(reader, group);
    const bool known = sensor != SIMULATED_SENSORS;
    *channel = simulated_channel_default_settings(known ? sensor : SIMULATED_LVDT);
    channel->name = NULL; /* two channels of the default name would clash */
    config_read_section(reader, group, &channel_section, channel);
    if (known) /* else nobody can tell whose keys are out of place */
        complain_of_other_sensors_keys(reader, group, sensor);
    const config_setting_t *calibration = config_member(group, &channel_section, "calibration");
    if (calibration)
        read_calibration(reader, calibration, &channel->calibration);
    return channel->name;
}

static void take_channels(void *settings, const void *channels, size_t count)
{
    struct simulated_rig_settings *simulated = settings;
    simulated->channels = channels;
    simulated->channel_count = count;
}

/* --- the rig --- */

/* How the settings go together is for the rig to say. */
static void check(struct config_reader *reader, const config_setting_t *group, const config_setting_t *list,
                  const void *settings, bool sound)
{
    struct complaint complaint;
    (void)list;
    if (sound && simulated_rig_check(settings, &complaint) != 0)
        config_complain(reader, group, "%s", complaint.text);
}

static double live_rate_hz(const void *settings)
{
    const struct simulated_rig_settings *simulated = settings;
    return simulated->real_time ? simulated->sample_rate_hz : 0;
}

static int create(struct event_base *base, const void *settings, const struct source_listener *listener,
                  struct source **source, struct complaint *complaint)
{
    return simulated_rig_create(base, settings, listener, source, complaint);
}

const struct source_driver simulated_driver = {.name = "simulated",
                                               .source_section = &source_section,
                                               .channel_section = &channel_section,
                                               .settings_bytes = sizeof(struct simulated_rig_settings),
                                               .channel_bytes = sizeof(struct simulated_channel_settings),
                                               .read = read_source,
                                               .read_channel = read_channel,
                                               .take_channels = take_channels,
                                               .check = check,
                                               .live_rate_hz = live_rate_hz,
                                               .create = create};
