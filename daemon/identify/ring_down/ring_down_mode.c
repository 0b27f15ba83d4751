/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/ring_down_mode.h"

#include "identify/common/instrument_estimate.h"
#include "identify/ring_down/backbone_beat.h"
#include "identify/ring_down/law_curve.h"
#include "identify/ring_down/law_doubt.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_backbone.h"
#include "identify/ring_down/mode_figures.h"
#include "identify/ring_down/mode_group_search.h"
#include "identify/ring_down/mode_laws.h"
#include "identify/ring_down/mode_pair.h"
#include "identify/ring_down/stretch.h"

#include <math.h>

/* Fewer do not tell what the sensor sees. */
#define LEAST_SAMPLES_A_CYCLE 4.0
/* Without a fall by a fifth nobody knows how anything follows the amplitude. */
#define LEAST_LOSS 0.223
/* The deviations from a law show where they make the record a thousand times likelier: its natural logarithm. */
#define DEVIATIONS_SHOW 6.9
/* White noise makes a jump that likely, wherever it is, in one record of four thousand. */
#define JUMP_SHOWS 12.0
/* The kink of a law that does not hold is believed where a curve without it leaves a tenth more. */
#define KINK_SHOWS 1.1
/* A band tells the noise by few values: so many standard errors above it are chance in one record of a hundred. */
#define MORE_THAN_NOISE 1.1
#define BY_CHANCE 2.33

bool ring_down_is_only_noise(double noise, double freedom, double wider)
{
    return wider < MORE_THAN_NOISE * (1 + BY_CHANCE / sqrt(2 * freedom)) * noise;
}

/* One mode on its way through the fits. */
struct looking {
    struct mode_record record;
    struct mode_sensors sensors;
    struct mode_laws laws;
    struct backbone backbone;
    struct mode_jump jump;
    struct instrument instrument;
    double step; /* of the converter of the reference sensor */
    const atomic_bool *cancel;
};

static const struct law_fit *law_of(const struct mode_laws *laws)
{
    return laws->slips ? &laws->macroslip : laws->joint ? &laws->microslip : &laws->linear;
}

static void look(struct looking *looking)
{
    mode_laws_of(&looking->record, looking->cancel, &looking->laws);
    looking->laws.joint = looking->laws.joint && looking->laws.microslip.loss > LEAST_LOSS;
    looking->laws.slips = looking->laws.slips && looking->laws.macroslip.loss > LEAST_LOSS;
}

/* What is filtered off where other modes were taken away, over the frequency of the one that stays: its first third of
 * a cycle, and what of its odd harmonics says next to nothing. */
#define THIN_SHARE 10.0
/* What the law leaves of the first half cycle is so much by chance in one record of a thousand. */
#define NOT_BY_CHANCE 1e-3

/* Where no second sample can be left out the record stays as it is. */
static double thin_of(const struct mode_record *record)
{
    const double thin_hz = THIN_SHARE * record->centre_hz;
    return baseband_step(record->rate_hz, thin_hz) > 1 ? thin_hz : 0;
}

/* Whether the law leaves more of the first half cycle than noise does: a hammer that is still there, or, where they
 * were taken away, another mode. Of a record with one mode a linear law alone says so, for a joint may follow no law.
 */
static bool is_disturbed_early(const struct ring_down_samples *samples, const struct mode_laws *laws)
{
    const bool tells = samples->cleaned ? !samples->preliminary : !laws->joint && !laws->slips;
    return tells && !(law_of(laws)->early > NOT_BY_CHANCE);
}

/* Without a filter the first cycles count, too; but then nothing else may be in the record. */
static void look_without_filter(const struct ring_down_samples *samples, struct looking *looking)
{
    const struct looking filtered = *looking;
    const struct law_fit *before = law_of(&filtered.laws);
    const double *const *values = samples->cleaned ? samples->level : samples->raw;
    looking->record.samples = values[looking->sensors.order[0]];
    for (size_t k = 1; k < looking->sensors.count; k++)
        looking->record.other[k - 1] = values[looking->sensors.order[k]];
    looking->record.alone = true;
    looking->record.thin_hz = samples->cleaned ? thin_of(&looking->record) : 0;
    look(looking);
    const struct law_fit *now = law_of(&looking->laws);
    if (now->verdict == VERDICT_CANCELLED || now->verdict == VERDICT_NO_MEMORY)
        return;
    if (now->verdict != VERDICT_OK || !ring_down_is_only_noise(before->white, before->freedom, now->white) ||
        is_disturbed_early(samples, &looking->laws))
        *looking = filtered;
}

static const char *why_no_joint(const struct mode_laws *laws)
{
    return !(laws->linear.loss > LEAST_LOSS) ? "the record ends before the mode fell by a fifth: how anything follows "
                                               "its amplitude cannot be told"
           : laws->microslip.verdict != VERDICT_OK
               ? "no law of a joint in microslip could be fitted, and one that slips as a whole is looked for only "
                 "where a mode is alone, or the others can be taken away"
               : "the record is no likelier with a joint than without one; one that is too weak to show may move "
                 "frequency and damping within their uncertainties";
}

/* Three standard errors: what is driven, or too short to show any damping, passes for a decay once in 700 records. */
#define DECAYS 3.0

static bool does_not_decay(const struct mode_laws *laws)
{
    const struct law_fit *linear = &laws->linear;
    return !laws->slips && !laws->joint &&
           !(linear->law.parameter[MICROSLIP_C] > DECAYS * sqrt(linear->covariance[MICROSLIP_C][MICROSLIP_C]));
}

static enum verdict find_end(const struct ring_down_samples *samples, const struct law_fit *law,
                             enum ring_down_end *end)
{
    struct slow_flow *flow = slow_flow_create();
    const double duration_s = (double)samples->count / samples->rate_hz;
    size_t hint = 0;
    double fall = INFINITY;
    if (!flow)
        return VERDICT_NO_MEMORY;
    if (slow_flow_follow(flow, &law->law, samples->sensed, duration_s))
        fall = -slow_flow_amplitude(flow, duration_s, &hint);
    slow_flow_free(flow);
    /* What was seen of it ends in the noise where the record would have gone on for a third of a neper or more. */
    *end = fall > law->loss + 1.0 / 3 ? RING_DOWN_NOISE : samples->ends;
    return VERDICT_OK;
}

static struct mode_motion motion_of(const struct looking *looking, const struct law_fit *law)
{
    struct mode_motion motion = {.there = true, .exactly = law->corrections > 0, .law = law->law};
    for (size_t k = 0; k < looking->sensors.count; k++) {
        const double weight = k > 0 ? looking->record.other_weight[k - 1] : 1;
        motion.amplitude[looking->sensors.order[k]] = law->sum.amplitude[0][k] / weight;
    }
    return motion;
}

/* Without a joint there is nothing between the two. */
static double beyond_what_is_seen(const struct ring_down_mode *mode)
{
    if (mode->model == MODE_LINEAR)
        return 0;
    if (mode->law_points == 0 || isnan(mode->omega_0.value))
        return NAN;
    return fmax(1 - mode->law[mode->law_points - 1].omega / mode->omega_0.value, 0);
}

/* What stands out of the spectrum oscillates. */
static enum verdict of_what_stands_out(enum verdict verdict)
{
    return verdict == VERDICT_NO_OSCILLATION ? VERDICT_NOT_DECAYING : verdict;
}

static void fill_law(const struct ring_down_samples *samples, const struct looking *looking,
                     struct ring_down_mode *mode)
{
    const struct mode_laws *laws = &looking->laws;
    const struct law_fit *law = law_of(laws);
    mode->verdict =
        law->verdict == VERDICT_OK && does_not_decay(laws) ? VERDICT_NOT_DECAYING : of_what_stands_out(law->verdict);
    mode->reason[REASON_LAW] = mode->verdict == VERDICT_OK ? NULL : verdict_sentence(mode->verdict);
    if (mode->verdict != VERDICT_OK)
        return;
    mode->model = laws->slips ? MODE_MACROSLIP : laws->joint ? MODE_MICROSLIP : MODE_LINEAR;
    mode->omega_0 = mode_omega_0_of(law, &looking->instrument);
    mode->zeta_0 = mode_zeta_0_of(law, &looking->instrument);
    mode->law_residual = law->residual;
    mode->law_points =
        law_curve(laws->slips && laws->with_beta.verdict == VERDICT_OK ? &laws->with_beta : law, mode->law);
    law_doubt_add(laws, true, mode->law, mode->law_points);
    mode->omega_0_beyond = beyond_what_is_seen(mode);
    mode->at_first_sample = cabs(law->amplitude);
    mode->motion = motion_of(looking, law);
    mode->noise = law->white;
    mode->noise_freedom = law->freedom;
    mode->amplitude_max = cabs(law->amplitude) * exp(law->first_x);
    mode->amplitude_min = cabs(law->amplitude) * exp(-law->loss);
    mode->begins = looking->record.alone ? samples->begins : RING_DOWN_FILTER;
    if (mode->model == MODE_LINEAR)
        mode->reason[REASON_LAW] = why_no_joint(laws);
}

static struct estimate estimate_apart(double value, double se, double law, const struct instrument *instrument,
                                      double time_power)
{
    return estimate_combined(estimate_in_noise(value, hypot(se, law - value)), instrument, time_power, 0);
}

/* Where the record contradicts the law, of small amplitudes what the backbone says at its least one. That the law says
 * something else is how far it may be off below that. */
static void leave_law(const struct instrument *instrument, struct ring_down_mode *mode)
{
    if (mode->recommended != MODE_BACKBONE || mode->points == 0)
        return;
    const struct backbone_point *least = &mode->backbone[mode->points - 1];
    mode->omega_0 = estimate_apart(least->omega, least->se_omega, mode->omega_0.value, instrument, -1);
    mode->zeta_0 = estimate_apart(least->zeta, least->se_zeta, mode->zeta_0.value, instrument, 0);
    mode->omega_0_beyond = NAN;
}

/* That no joint shows does not say that there is none: what one may still move at the least amplitude the backbone
 * tells, which takes no side, and the law of a joint, where that is likelier. */
static void admit_weak_joint(const struct looking *looking, struct ring_down_mode *mode)
{
    if (mode->model != MODE_LINEAR || mode->recommended != MODE_LAW || mode->points == 0 || mode->law_points == 0)
        return;
    law_doubt_of_linear(&looking->laws, mode->backbone, mode->points, mode->law, mode->law_points);
    const struct backbone_point *least = &mode->law[mode->law_points - 1];
    mode->omega_0 =
        estimate_combined(estimate_in_noise(mode->omega_0.value, least->se_omega), &looking->instrument, -1, 0);
    mode->zeta_0 = estimate_combined(estimate_in_noise(mode->zeta_0.value, least->se_zeta), &looking->instrument, 0, 0);
}

/* A jump of the motion makes the record likelier than chance does, and than smooth deviations from the law, leaves
 * nothing but noise, and is larger than what a converter makes by rounding: something knocked, too lightly to be seen
 * before the law was known. Without a backbone nobody knows. */
static void tell_of_knock(const struct looking *looking, struct ring_down_mode *mode)
{
    if (mode->points > 0 && looking->jump.only_noise &&
        looking->jump.gain > JUMP_SHOWS + fmax(looking->backbone.excess, 0) &&
        looking->jump.change > stretch_rounding(looking->step, looking->jump.amplitude))
        mode->reason[REASON_KNOCK] = "doubtful: its motion jumps, as if something had knocked, and its frequency and "
                                     "damping may be off by more than their errors";
}

/* A law holds when neither free exponents nor smooth deviations explain the record better; where one of the two could
 * not be tried nobody knows, but of a joint that slips as a whole which explains more than free exponents do. Without a
 * backbone the law is all there is; while one is to come, or was stopped, the exponents judge. */
static void judge(struct looking *looking, struct ring_down_mode *mode)
{
    struct mode_laws *laws = &looking->laws;
    const bool has_backbone = mode->points > 0,
               deviates = has_backbone && (mode->reason[REASON_BEAT] || !(looking->backbone.excess < DEVIATIONS_SHOW));
    const bool explains_more =
        laws->slips && free_law_is_there(&laws->free) && laws->macroslip.squares < laws->free.squares;
    const bool tried = has_backbone || explains_more || mode->simulation.verdict == VERDICT_PENDING ||
                       law_fitting_is_over(mode->simulation.verdict);
    const bool fails = deviates || (!laws->slips && free_law_is_there(&laws->free) && !laws->holds);
    laws->holds = (laws->holds || laws->slips || !laws->joint) && tried && !deviates;
    mode->recommended = laws->holds || !tried ? MODE_LAW : MODE_BACKBONE;
    tell_of_knock(looking, mode);
    leave_law(&looking->instrument, mode);
    admit_weak_joint(looking, mode);
    if (mode->model != MODE_LINEAR)
        mode->iwan =
            mode_iwan_of(&looking->laws, &looking->instrument, looking->record.sensed,
                         fails ? "not_consistent: no modal Iwan model has this damping and this frequency"
                               : "not_tried: whether the modal Iwan model holds could not be told, for a freer law "
                                 "could not be fitted");
}

static void fill_backbone(const struct looking *looking, struct ring_down_mode *mode)
{
    const struct backbone *backbone = &looking->backbone;
    const struct law_fit *law = law_of(&looking->laws);
    if (backbone->verdict != VERDICT_OK) {
        mode->reason[REASON_BACKBONE] =
            backbone->verdict == VERDICT_NOT_CONVERGED
                ? "doubtful: how far the record is from the law could not be found, for the fit of smooth "
                  "deviations did not converge"
                : verdict_sentence(backbone->verdict); /* the law stands */
        return;
    }
    for (; mode->points < backbone->count; mode->points++) {
        const struct backbone_point *point = &backbone->point[mode->points];
        if (!isfinite(point->se_omega) || !isfinite(point->se_zeta))
            break;
        mode->backbone[mode->points] = *point;
    }
    if (mode->points == 0) {
        mode->reason[REASON_BACKBONE] = verdict_sentence(VERDICT_UNDERDETERMINED);
        return;
    }
    law_doubt_add(&looking->laws, false, mode->backbone, mode->points);
    mode->amplitude_max = mode->backbone[0].amplitude;
    mode->amplitude_min = mode->backbone[mode->points - 1].amplitude;
    mode->law_misfit = backbone->law_misfit;
    mode->residual = backbone->residual / law->first;
    mode->residual_first = backbone->residual_first / law->first;
    mode->residual_after = backbone->residual_after / law->first;
    if (backbone_beats(mode->backbone, mode->points))
        mode->reason[REASON_BEAT] =
            "doubtful: as its amplitude falls its damping rises as that of no joint, but of two modes that beat and "
            "are too near to be told apart; no law of one mode is to be taken, and its backbone is of both";
}

enum verdict ring_down_can_be_seen(const struct ring_down_samples *samples, double f_hz)
{
    return f_hz * (double)samples->count / samples->rate_hz < MODE_LEAST_CYCLES ? VERDICT_TOO_FEW_HALF_CYCLES
           : samples->rate_hz < LEAST_SAMPLES_A_CYCLE * f_hz                    ? VERDICT_TOO_FEW_SAMPLES
                                                                                : VERDICT_OK;
}

static struct mode_record record_of(const struct ring_down_samples *samples, const struct spectral_mode *found)
{
    return (struct mode_record){.sensed = samples->sensed,
                                .count = samples->count,
                                .rate_hz = samples->rate_hz,
                                .centre_hz = found->f_hz,
                                .stop_hz = found->stop_hz,
                                .of_two = found->of_two};
}

enum verdict ring_down_group_of(const struct ring_down_samples *samples, const struct spectral_mode *band, size_t peaks,
                                const struct identify_settings *settings, struct mode_group *group)
{
    struct mode_record record = record_of(samples, band);
    struct mode_sensors sensors;
    const struct mode_group nothing = {.modes = 1};
    mode_sensors_arrange(samples->level, samples->delay_s, samples->sensors, &nothing, 0, &sensors, &record);
    mode_group_of(&record, peaks, settings->cancel, group);
    return group->verdict;
}

enum verdict ring_down_pair_of(const struct ring_down_samples *samples, const struct spectral_mode *band,
                               const struct identify_settings *settings, struct mode_group *group)
{
    struct mode_record record = record_of(samples, band);
    record.samples = samples->level[0];
    mode_pair_of(&record, settings->cancel, group);
    return group->verdict;
}

static enum verdict fill_shape(const struct ring_down_samples *samples, struct looking *looking,
                               struct ring_down_mode *mode)
{
    struct mode_sensor shape[PASS_SENSORS];
    const enum verdict verdict =
        mode_shape_of(&looking->record, law_of(&looking->laws), looking->cancel, shape, &looking->jump);
    for (size_t k = 0; k < samples->sensors; k++) {
        const size_t place = looking->sensors.order[k];
        mode->shape[place] = shape[k];
        mode->shape[place].name = samples->name[place];
    }
    mode->sensors = samples->sensors;
    return verdict;
}

/* What belongs to a law, and takes little longer. What ended it, or the search for the limits of the law, else
 * VERDICT_OK: the law is there in any case. */
static enum verdict fill_beside_law(const struct ring_down_samples *samples, struct looking *looking,
                                    struct ring_down_mode *mode)
{
    const enum verdict steps[] = {looking->laws.limit.verdict, find_end(samples, law_of(&looking->laws), &mode->ends),
                                  fill_shape(samples, looking, mode)};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (law_fitting_is_over(steps[i]))
            return steps[i];
    return VERDICT_OK;
}

/* What is there already is worth more than nothing. */
void ring_down_mode_stop_at_law(struct ring_down_mode *mode, enum verdict verdict)
{
    if (mode->verdict != VERDICT_OK)
        return;
    mode->reason[REASON_STOPPED] =
        verdict == VERDICT_CANCELLED
            ? "provisional: the identification was stopped before all was known that the record says beyond the law"
            : "provisional: memory was short for what the record says beyond the law";
    if (mode->simulation.verdict != VERDICT_OK)
        mode->simulation = mode_simulation_without(verdict);
    mode->hilbert = hilbert_route_without(verdict);
}

/* A backbone over the law of a joint that slips as a whole keeps the kink of that law. Where smooth deviations show
 * that the law does not hold, one over the law in microslip is told, which has no kink, unless it leaves clearly more.
 * The law has been judged by its own. */
static enum verdict look_without_kink(const atomic_bool *cancel, struct looking *looking)
{
    struct backbone smooth, *found = &looking->backbone;
    const struct law_fit *law = &looking->laws.microslip;
    if (!looking->laws.slips || law->verdict != VERDICT_OK || found->verdict != VERDICT_OK ||
        found->excess < DEVIATIONS_SHOW)
        return found->verdict;
    mode_backbone(&looking->record, law, cancel, &smooth);
    if (smooth.verdict == VERDICT_OK && smooth.residual < KINK_SHOWS * found->residual) {
        smooth.excess = found->excess;
        *found = smooth;
    }
    return law_fitting_is_over(smooth.verdict) ? smooth.verdict : found->verdict;
}

/* What takes longest: what the record says beyond its law, and what is held against the law. */
static void compare(const atomic_bool *cancel, struct looking *looking, struct ring_down_mode *mode)
{
    const struct law_fit *law = law_of(&looking->laws);
    mode_backbone(&looking->record, law, cancel, &looking->backbone);
    enum verdict verdict = look_without_kink(cancel, looking);
    if (!law_fitting_is_over(verdict)) {
        fill_backbone(looking, mode);
        mode_simulation(&looking->record, law, cancel, &mode->simulation);
        verdict = mode->simulation.verdict;
    }
    if (!law_fitting_is_over(verdict)) {
        hilbert_route(&looking->record, law, cancel, &mode->hilbert);
        verdict = mode->hilbert.joint.verdict;
    }
    if (law_fitting_is_over(verdict))
        ring_down_mode_stop_at_law(mode, verdict);
}

void ring_down_mode_of(const struct ring_down_samples *samples, const struct spectral_mode *found,
                       struct mode_group *group, size_t which, bool alone, const struct identify_settings *settings,
                       struct ring_down_mode *mode)
{
    const enum verdict seen = ring_down_can_be_seen(samples, found->f_hz);
    const enum verdict verdict = seen == VERDICT_OK ? of_what_stands_out(group->verdict) : seen;
    struct looking looking = {.record = record_of(samples, found),
                              .instrument = instrument_of(&settings->physical),
                              .cancel = settings->cancel};
    mode_sensors_arrange(samples->level, samples->delay_s, samples->sensors, group, which, &looking.sensors,
                         &looking.record);
    looking.step = stretch_step(samples->raw[looking.sensors.order[0]], samples->count);
    *mode = (struct ring_down_mode){.verdict = verdict,
                                    .reason[REASON_LAW] = verdict == VERDICT_OK ? NULL : verdict_sentence(verdict),
                                    .reference = samples->name[looking.sensors.order[0]],
                                    .omega_0 = estimate_unknown(),
                                    .zeta_0 = estimate_unknown(),
                                    .omega_0_beyond = NAN,
                                    .band_hz = {found->f_hz - found->stop_hz, found->f_hz + found->stop_hz},
                                    .amplitude_max = NAN,
                                    .amplitude_min = NAN,
                                    .at_first_sample = NAN,
                                    .law_misfit = NAN,
                                    .simulation = mode_simulation_without(VERDICT_NOT_COMPUTED),
                                    .hilbert = hilbert_route_without(VERDICT_NOT_COMPUTED),
                                    .repeats = {.overlap = {NAN, NAN}, .probability = NAN},
                                    .residual = NAN,
                                    .residual_first = NAN,
                                    .residual_after = NAN,
                                    .law_residual = NAN};
    if (verdict != VERDICT_OK)
        return;
    look(&looking);
    if (alone && law_of(&looking.laws)->verdict == VERDICT_OK)
        look_without_filter(samples, &looking);
    /* Then it is looked at through a filter of another width. */
    if (alone && samples->cleaned && !looking.record.alone) {
        ring_down_mode_leave(mode, VERDICT_NOT_COMPUTED, verdict_sentence(VERDICT_NOT_COMPUTED));
        return;
    }
    if (!samples->preliminary)
        mode_laws_limit(&looking.record, looking.cancel, &looking.laws);
    fill_law(samples, &looking, mode);
    if (mode->verdict != VERDICT_OK)
        return;
    mode_sensors_learn(&looking.sensors, &looking.record, &law_of(&looking.laws)->sum, which, group);
    const enum verdict beside = fill_beside_law(samples, &looking, mode);
    if (beside != VERDICT_OK) {
        ring_down_mode_stop_at_law(mode, beside);
    } else if (settings->more_follows) {
        mode->simulation = mode_simulation_without(VERDICT_PENDING);
        mode->hilbert = hilbert_route_without(VERDICT_PENDING);
        mode->reason[REASON_STOPPED] =
            "the law alone: what the record says beyond it follows, as a higher revision of this result";
    } else {
        compare(settings->cancel, &looking, mode);
    }
    judge(&looking, mode);
}

void ring_down_mode_deny(const struct ring_down_samples *samples, enum verdict verdict,
                         const struct identify_settings *settings, struct ring_down_mode *mode)
{
    const double centre_hz = ring_down_mode_centre(mode);
    const struct spectral_mode band = {.f_hz = centre_hz, .stop_hz = mode->band_hz[1] - centre_hz};
    struct mode_group group = {.verdict = verdict, .modes = 1};
    ring_down_mode_of(samples, &band, &group, 0, false, settings, mode);
}
