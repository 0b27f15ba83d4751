/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The defaults of the simulated rig and what of its settings cannot be. The rig is refused here, in words, rather
 * than found motionless later. */

#include "acquire/simulated_rig.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MAX_CHANNELS = 64, MAX_COUNTER_BITS = 48 };

/* No hand pulls further than so many times its mean, and a kick may add to it; at least it pulls so many standard
 * deviations less. */
static const double furthest_pull = 2, shortest_pull_deviations = 2;

/* Scans a cycle: with fewer nobody could see a decay, and a turn of the event loop would simulate too much. */
static const double fewest_scans_a_cycle = 4;

/* Shorter presliding distances cannot be told from rigid friction, m. */
static const double shortest_presliding_m = 1e-9;

static const double mm_per_m = 1000;

/* The mechanics are those of LF 1998 §3 as measured; the break-away friction is a little above the kinetic one. */
struct simulated_rig_settings simulated_rig_default_settings(void)
{
    return (struct simulated_rig_settings){
        .mechanics = {.mass_kg = 1.92, .stiffness_n_per_m = 2310, .zeta = 0.0177, .f_k_n = 0.413, .f_s_n = 0.47},
        .hand = {.pull_m = 0.012,
                 .pull_spread = 0.15,
                 .pull_s = 0.6,
                 .hold_s = 0.8,
                 .rest_s = 1.0,
                 .tremor_m = 5e-5,
                 .release_velocity_m_per_s = 0.01},
        .drive = {.amplitude_m = 1e-3,
                  .frequency_hz = 1,
                  .dwell_s = 0.1,
                  .decrease = 0.1,
                  .step_factor = 2,
                  .steps = 4,
                  .step_cycles = 10},
        .contact = {.shape = SIMULATED_LUGRE,
                    .f_c_n = 1,
                    .v_s_m_per_s = 1e-3,
                    .x_d_m = 1e-5,
                    .z_ba = 0.5,
                    .n_bw = 2,
                    .beta_bw = 0.5,
                    .gap_m = 2e-4,
                    .elements = 4,
                    .slip_length_m = {2e-6, 5e-6, 1e-5, 2.5e-5},
                    .slip_force_n = {0.25, 0.25, 0.25, 0.25},
                    .attraction_n_per_s = 10,
                    .normal_n = 5},
        .beam = {.frequency_hz = 80,
                 .zeta = 0.0008,
                 .joint_share = 0.1,
                 .phi_max_m = 0.005,
                 .chi = -0.5,
                 .beta = 1,
                 .blow_m_per_s2 = 300,
                 .blow_s = 0.001,
                 .every_s = 10,
                 .spread = 0.2},
        .sample_rate_hz = 2000,
        .channel_delay_s = 1e-5,
        .seed = 1,
        .real_time = true,
    };
}

struct simulated_channel_settings simulated_channel_default_settings(enum simulated_sensor sensor)
{
    if (sensor == SIMULATED_LVDT)
        return (struct simulated_channel_settings){.name = "lvdt",
                                                   .sensor = SIMULATED_LVDT,
                                                   .noise_mm = 0.01,
                                                   .step_mm = 0.01,
                                                   .range_mm = 20,
                                                   .calibration = {.coefficients = {0, 2}, .terms = 2}};
    if (sensor == SIMULATED_ACCELEROMETER)
        return (struct simulated_channel_settings){
            .name = "tip", .sensor = sensor, .noise = 0.05, .step = 0.01, .range = 1000, .position = 1};
    if (sensor != SIMULATED_ENCODER)
        return (struct simulated_channel_settings){
            .name = "force", .sensor = sensor, .noise = 0.005, .step = 0.001, .range = 100};
    return (struct simulated_channel_settings){
        .name = "encoder", .sensor = SIMULATED_ENCODER, .counts_per_mm = 16000 / 70.6, .counter_bits = 16};
}

struct simulated_truth simulated_rig_truth(const struct simulated_mechanics *mechanics)
{
    double k = mechanics->stiffness_n_per_m;
    return (struct simulated_truth){.f_n_hz = sqrt(k / mechanics->mass_kg) / (2 * M_PI),
                                    .zeta = mechanics->zeta,
                                    .x_k_mm = mm_per_m * mechanics->f_k_n / k,
                                    .x_s_mm = mm_per_m * mechanics->f_s_n / k};
}

/* --- what cannot be --- */

static int __attribute__((format(printf, 2, 3))) refuse(struct complaint *complaint, const char *format, ...)
{
    char sentence[sizeof complaint->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    complaint_set(complaint, "simulated rig: %s", sentence);
    return -EINVAL;
}

/* Cycles a second at most. */
static double fastest_drive_hz(const struct simulated_drive_settings *drive)
{
    if (drive->shape != SIMULATED_STEPS)
        return drive->frequency_hz;
    return drive->frequency_hz * fmax(1, pow(drive->step_factor, drive->steps - 1.0));
}

/* A number with its key and its limits. */
struct limit {
    const char *key;
    double value, low, high;
    bool above_low; /* low itself is impossible */
};

/* The first that is outside its limits, by the name that the user wrote. */
static int check_limits(const struct limit *limits, size_t count, const char *channel, struct complaint *complaint)
{
    for (size_t i = 0; i < count; i++) {
        const struct limit *limit = &limits[i];
        if (isfinite(limit->value) && limit->value <= limit->high &&
            (limit->above_low ? limit->value > limit->low : limit->value >= limit->low))
            continue;
        return refuse(complaint, "%s%s%s is %g; it must be %s %g and at most %g", channel ? channel : "",
                      channel ? ": " : "", limit->key, limit->value, limit->above_low ? "above" : "at least",
                      limit->low, limit->high);
    }
    return 0;
}

static int check_mechanics(const struct simulated_mechanics *mechanics, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"mass_kg", mechanics->mass_kg, 0, 1e6, true},
        {"stiffness_n_per_m", mechanics->stiffness_n_per_m, 0, 1e12, true},
        {"zeta", mechanics->zeta, 0, 0.999, false},
        {"f_k_n", mechanics->f_k_n, 0, 1e9, false},
        {"f_s_n", mechanics->f_s_n, 0, 1e9, false},
        {"drag_per_m", mechanics->drag_per_m, 0, 1e6, false},
        {"cubic_per_m2", mechanics->cubic_per_m2, -1e9, 1e9, false},
        {"presliding_distance_m", mechanics->presliding_distance_m, 0, 1, false},
        {"drift_m_per_s", mechanics->drift_m_per_s, -1, 1, false},
        {"kicks_per_hour", mechanics->kicks_per_hour, 0, 36000, false},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
    if (!error && mechanics->f_s_n < mechanics->f_k_n)
        error = refuse(complaint, "f_s_n is %g; break-away friction is at least kinetic friction, f_k_n = %g",
                       mechanics->f_s_n, mechanics->f_k_n);
    double x_d = mechanics->presliding_distance_m;
    if (!error && x_d > 0 && x_d < shortest_presliding_m)
        error = refuse(complaint, "presliding_distance_m is %g; it must be 0 (rigid friction) or at least %g", x_d,
                       shortest_presliding_m);
    return error;
}

/* Distances and times that a leg of the motion has to have. */
static int check_drive(const struct simulated_drive_settings *drive, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"drive_amplitude_m", drive->amplitude_m, 0, 10, true},
        {"drive_frequency_hz", drive->frequency_hz, 0, 1e5, true},
        {"drive_dwell_s", drive->dwell_s, 0, 3600, false},
        {"drive_decrease", drive->decrease, 0, 0.9, true},
        {"drive_step_factor", drive->step_factor, 0, 100, true},
        {"drive_steps", drive->steps, 1, 20, false},
        {"drive_step_cycles", drive->step_cycles, 1, 1e6, false},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
    if (!error && drive->shape == SIMULATED_TRAPEZOID && drive->dwell_s * drive->frequency_hz >= 0.5)
        error = refuse(complaint, "drive_dwell_s is %g: at %g Hz a half cycle takes %g s, and some of it must move",
                       drive->dwell_s, drive->frequency_hz, 0.5 / drive->frequency_hz);
    return error;
}

static int check_elements(const struct simulated_contact_settings *contact, struct complaint *complaint)
{
    if (!simulated_contact_is_of_elements(contact->shape))
        return 0;
    if (contact->elements < 1 || contact->elements > SIMULATED_ELEMENTS_MOST)
        return refuse(complaint, "a contact has 1 to %d elements that slip", SIMULATED_ELEMENTS_MOST);
    for (size_t k = 0; k < contact->elements; k++) {
        const struct limit limits[] = {
            {"contact_slip_lengths_m", contact->slip_length_m[k], shortest_presliding_m, 1, false},
            {"contact_slip_forces_n", contact->slip_force_n[k], 0, 1e9, true},
        };
        const int error = check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
        if (error)
            return error;
    }
    return 0;
}

static int check_contact(const struct simulated_contact_settings *contact, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"contact_f_c_n", contact->f_c_n, 0, 1e9, true},
        {"contact_f_0_n", contact->f_0_n, -1e9, 1e9, false},
        {"contact_f_s_n", contact->f_s_n, 0, 1e9, false},
        {"contact_v_s_m_per_s", contact->v_s_m_per_s, 0, 1e3, true},
        {"contact_x_d_m", contact->x_d_m, 0, 1, true},
        {"contact_sigma_1", contact->sigma_1, 0, 1e9, false},
        {"contact_sigma_2", contact->sigma_2, 0, 1e9, false},
        {"contact_z_ba", contact->z_ba, 0, 0.99, false},
        {"contact_n_bw", contact->n_bw, 0.5, 20, false},
        {"contact_beta_bw", contact->beta_bw, 0, 1, false},
        {"contact_gap_m", contact->gap_m, 0, 1, true},
        {"contact_attraction_n_per_s", contact->attraction_n_per_s, 0, 1e12, true},
        {"contact_normal_n", contact->normal_n, 0, 1e9, false},
        {"contact_drift_n_per_s", contact->drift_n_per_s, -1e6, 1e6, false},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
    if (!error)
        error = check_elements(contact, complaint);
    if (error)
        return error;
    const double f_c = simulated_contact_f_c(contact);
    if (contact->f_s_n > 0 && contact->f_s_n < f_c)
        error = refuse(complaint, "contact_f_s_n is %g; it is 0 (no dip) or at least the Coulomb friction, %g",
                       contact->f_s_n, f_c);
    return error;
}

static int check_beam(const struct simulated_beam_settings *beam, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"beam_modes", beam->modes, 0, BEAM_MODES_MOST, false},
        {"beam_frequency_hz", beam->frequency_hz, 0, 1e5, true},
        {"beam_zeta", beam->zeta, 0, 0.5, false},
        {"joint_share", beam->joint_share, 0, 0.9, false},
        {"joint_phi_max_m", beam->phi_max_m, 0, 1, true},
        {"joint_chi", beam->chi, -0.95, 0, false},
        {"joint_beta", beam->beta, 0, 1e3, false},
        {"blow_m_per_s2", beam->blow_m_per_s2, 0, 1e9, true},
        {"blow_s", beam->blow_s, 1e-5, 0.1, false},
        {"blow_every_s", beam->every_s, 0.2, 86400, false},
        {"blow_spread", beam->spread, 0, 0.4, false},
    };
    return check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
}

/* The last check keeps the rig alive: a hand that lets go where the mass sticks would come back for ever, and nothing
 * would ever move. */
static int check_hand(const struct simulated_rig_settings *settings, struct complaint *complaint)
{
    const struct simulated_hand *hand = &settings->hand;
    const struct simulated_mechanics *mechanics = &settings->mechanics;
    const struct limit limits[] = {
        {"pull_m", hand->pull_m, 0, 10, true},
        {"pull_spread", hand->pull_spread, 0, 0.4, false},
        {"pull_s", hand->pull_s, 1e-3, 3600, false},
        {"hold_s", hand->hold_s, 0, 3600, false},
        {"rest_s", hand->rest_s, 0, 3600, false},
        {"tremor_m", hand->tremor_m, 0, 1, false},
        {"release_velocity_m_per_s", hand->release_velocity_m_per_s, 0, 100, false},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
    if (error)
        return error;
    double furthest = furthest_pull * hand->pull_m;
    /* k (1 + kappa x²) at the furthest pull. */
    double softest = 1 + fmin(mechanics->cubic_per_m2, 0) * furthest * furthest;
    if (softest <= 0)
        return refuse(complaint, "cubic_per_m2 is %g: the spring would push the mass away at %g m",
                      mechanics->cubic_per_m2, furthest);
    double shortest = hand->pull_m * (1 - shortest_pull_deviations * hand->pull_spread);
    if (mechanics->stiffness_n_per_m * shortest * softest <= mechanics->f_s_n)
        return refuse(complaint, "pull_m is %g: with pull_spread %g the mass may be let go where it sticks (f_s_n %g)",
                      hand->pull_m, hand->pull_spread, mechanics->f_s_n);
    return 0;
}

static int check_lvdt(const struct simulated_channel_settings *channel, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"noise_mm", channel->noise_mm, 0, 1e3, false},
        {"step_mm", channel->step_mm, 0, 1e3, false},
        {"range_mm", channel->range_mm, 0, 1e6, true},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, channel->name, complaint);
    if (error)
        return error;
    const struct calibration *calibration = &channel->calibration;
    if (calibration->terms < 2 || calibration->terms > CALIBRATION_MAX_TERMS)
        return refuse(complaint, "%s: calibration needs 2 to %d coefficients, from volts to mm", channel->name,
                      CALIBRATION_MAX_TERMS);
    for (size_t i = 0; i < calibration->terms; i++)
        if (!isfinite(calibration->coefficients[i]))
            return refuse(complaint, "%s: calibration has a coefficient that is not a finite number", channel->name);
    if (!calibration_is_invertible(calibration, -channel->range_mm, channel->range_mm))
        return refuse(complaint, "%s: calibration must rise or fall all the way over +-%g mm", channel->name,
                      channel->range_mm);
    return 0;
}

/* Of a free one omega_n times the furthest pull; a drive goes twice its amplitude in half a period, half pi times as
 * fast in the middle, and less by what it dwells. */
static double fastest_m_per_s(const struct simulated_rig_settings *settings)
{
    const struct simulated_drive_settings *drive = &settings->drive;
    const double moves_s = 0.5 / fastest_drive_hz(drive) - (drive->shape == SIMULATED_TRAPEZOID ? drive->dwell_s : 0);
    if (drive->shape != SIMULATED_NOT_DRIVEN)
        return M_PI * drive->amplitude_m / moves_s;
    return furthest_pull * settings->hand.pull_m *
           sqrt(settings->mechanics.stiffness_n_per_m / settings->mechanics.mass_kg);
}

static int check_force(const struct simulated_channel_settings *channel, const struct simulated_rig_settings *settings,
                       struct complaint *complaint)
{
    const struct limit limits[] = {
        {"noise_n", channel->noise, 0, 1e9, false},
        {"step_n", channel->step, 0, 1e9, false},
        {"range_n", channel->range, 0, 1e9, true},
        {"delay_s", channel->delay_s, 0, 1, false},
    };
    if (settings->drive.shape == SIMULATED_NOT_DRIVEN)
        return refuse(complaint, "%s: without `drive` nobody measures a force: a mass that is let go has none",
                      channel->name);
    return check_limits(limits, sizeof limits / sizeof *limits, channel->name, complaint);
}

static int check_accelerometer(const struct simulated_channel_settings *channel,
                               const struct simulated_rig_settings *settings, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"noise_m_per_s2", channel->noise, 0, 1e9, false},
        {"step_m_per_s2", channel->step, 0, 1e9, false},
        {"range_m_per_s2", channel->range, 0, 1e9, true},
        {"position", channel->position, 0, 1, true},
    };
    if (settings->beam.modes == 0)
        return refuse(complaint, "%s: without `beam_modes` there is no beam for an accelerometer", channel->name);
    return check_limits(limits, sizeof limits / sizeof *limits, channel->name, complaint);
}

/* Between two scans the shaft must move by less than half of the counter's range. */
static int check_encoder(const struct simulated_channel_settings *channel,
                         const struct simulated_rig_settings *settings, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"counts_per_mm", channel->counts_per_mm, 0, 1e6, true},
        {"counter_bits", channel->counter_bits, 4, MAX_COUNTER_BITS, false},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, channel->name, complaint);
    if (error)
        return error;
    /* The fastest that the shaft can be for one scan. */
    double travel_mm = mm_per_m * fastest_m_per_s(settings) / settings->sample_rate_hz;
    if (travel_mm * channel->counts_per_mm >= ldexp(1, (int)channel->counter_bits - 1))
        return refuse(complaint, "%s: counter_bits is %u: the counter would wrap around twice between two scans",
                      channel->name, channel->counter_bits);
    return 0;
}

static int check_channels(const struct simulated_rig_settings *settings, struct complaint *complaint)
{
    if (settings->channel_count < 1 || settings->channel_count > MAX_CHANNELS)
        return refuse(complaint, "it has %zu channels; 1 to %d are possible", settings->channel_count, MAX_CHANNELS);
    for (size_t c = 0; c < settings->channel_count; c++) {
        const struct simulated_channel_settings *channel = &settings->channels[c];
        if (!channel->name || !*channel->name)
            return refuse(complaint, "channel %zu has no name", c + 1);
        int error = 0;
        if (settings->beam.modes > 0 && channel->sensor != SIMULATED_ACCELEROMETER)
            error = refuse(complaint, "%s: a beam has accelerometers only", channel->name);
        else if (channel->sensor == SIMULATED_ACCELEROMETER)
            error = check_accelerometer(channel, settings, complaint);
        else if (channel->sensor == SIMULATED_LVDT)
            error = check_lvdt(channel, complaint);
        else if (channel->sensor == SIMULATED_ENCODER)
            error = check_encoder(channel, settings, complaint);
        else
            error = check_force(channel, settings, complaint);
        if (error)
            return error;
    }
    return 0;
}

static int check_rate(const struct simulated_rig_settings *settings, struct complaint *complaint)
{
    const struct limit limits[] = {
        {"sample_rate_hz", settings->sample_rate_hz, 0, 1e7, true},
        {"channel_delay_s", settings->channel_delay_s, 0, 1, false},
        {"duration_s", settings->duration_s, 0, 1e9, false},
    };
    int error = check_limits(limits, sizeof limits / sizeof *limits, NULL, complaint);
    const bool driven = settings->drive.shape != SIMULATED_NOT_DRIVEN;
    double f_n_hz = driven ? fastest_drive_hz(&settings->drive) : simulated_rig_truth(&settings->mechanics).f_n_hz;
    if (settings->beam.modes > 0)
        f_n_hz = settings->beam.frequency_hz * simulated_beam_ratio(settings->beam.modes - 1);
    if (!error && settings->sample_rate_hz < fewest_scans_a_cycle * f_n_hz)
        error = refuse(complaint, "sample_rate_hz is %g: the mass moves at %g Hz; take at least %g scans a cycle",
                       settings->sample_rate_hz, f_n_hz, fewest_scans_a_cycle);
    return error;
}

int simulated_rig_check(const struct simulated_rig_settings *settings, struct complaint *complaint)
{
    const bool driven = settings->drive.shape != SIMULATED_NOT_DRIVEN;
    int error = 0;
    if (settings->beam.modes > 0)
        error = check_beam(&settings->beam, complaint);
    else if (driven)
        error = check_drive(&settings->drive, complaint);
    else
        error = check_mechanics(&settings->mechanics, complaint);
    if (!error && settings->beam.modes == 0)
        error = driven ? check_contact(&settings->contact, complaint) : check_hand(settings, complaint);
    if (!error)
        error = check_rate(settings, complaint);
    if (!error)
        error = check_channels(settings, complaint);
    if (!error && (double)(settings->channel_count - 1) * settings->channel_delay_s * settings->sample_rate_hz >= 1)
        error = refuse(complaint, "channel_delay_s is %g: %zu channels do not fit into a scan at %g Hz",
                       settings->channel_delay_s, settings->channel_count, settings->sample_rate_hz);
    return error;
}
