/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_MODE_H
#define FRICID_IDENTIFY_RING_DOWN_MODE_H

#include "identify/record_analysis.h"
#include "identify/ring_down/backbone.h"
#include "identify/ring_down/blow.h"
#include "identify/ring_down/hilbert_route.h"
#include "identify/ring_down/mode_figures.h"
#include "identify/ring_down/mode_motion.h"
#include "identify/ring_down/mode_sensors.h"
#include "identify/ring_down/mode_simulation.h"
#include "identify/ring_down/spectral_modes.h"

/* Fewer cycles do not tell how damping changes with the amplitude. */
#define MODE_LEAST_CYCLES 20.0

/* Where the amplitudes begin that are seen of a mode. */
enum ring_down_begin {
    RING_DOWN_HAMMER_LEFT,
    RING_DOWN_CLIPPING,
    RING_DOWN_RECORD_BEGINS,
    RING_DOWN_FILTER, /* the earliest samples would see what lies outside of the mode's band */
    RING_DOWN_BEGINS
};

enum mode_model { MODE_LINEAR, MODE_MICROSLIP, MODE_MACROSLIP, MODE_MODELS };

/* What tells the damping and the frequency of a mode best. */
enum mode_recommended { MODE_LAW, MODE_BACKBONE, MODE_RECOMMENDATIONS };

/* What several blows say of one mode. */
enum ring_down_repeat {
    REPEAT_SINGLE,         /* one blow alone shows it */
    REPEAT_AGREES,         /* within their errors they are on one curve */
    REPEAT_NOT_REPEATABLE, /* they contradict each other beyond their errors */
    REPEAT_MODES_COUPLED,  /* likewise, and the blow behind which other modes moved more has the larger damping */
    RING_DOWN_REPEATS
};

/* The names that appear in JSON, from 0. */
const char *ring_down_repeat_name(size_t repeat);
const char *ring_down_begin_name(size_t begin);
const char *ring_down_end_name(size_t end);
const char *mode_model_name(size_t model);
const char *mode_recommended_name(size_t recommended);

struct ring_down_repeats {
    size_t blows; /* behind which the mode has a backbone at amplitudes of the first one's */
    enum ring_down_repeat finding;
    double overlap[2];  /* amplitudes of the two blows that differ most, the smaller first; NAN: there are no two */
    double probability; /* that blows on one curve differ so much; NAN */
    size_t points;
    struct backbone_point backbone[BACKBONE_POINTS]; /* of all blows together, where they agree */
};

/* What may keep something of a mode away, or make it doubtful. What is told of each stays when another one comes. */
enum mode_reason {
    REASON_NEIGHBOURS,
    REASON_KNOCK, /* its motion jumps */
    REASON_BACKBONE,
    REASON_CALM,    /* what rings before the blow already */
    REASON_BEAT,    /* what is told is of no single mode, as its backbone looks */
    REASON_STOPPED, /* what there is, is provisional */
    REASON_LAW,     /* why there is none, or no joint */
    MODE_REASONS
};

struct ring_down_mode {
    enum verdict verdict;
    const char *reason[MODE_REASONS]; /* a sentence for each; NULL: it does nothing */
    enum mode_model model;
    enum mode_recommended recommended;
    struct estimate omega_0, zeta_0; /* at small amplitudes, by the model; where there is a backbone that is recommended
                                        in its place, that at its least amplitude. Of a linear mode their errors hold
                                        what the backbone leaves open there: a joint may be too weak to show */
    double omega_0_beyond; /* by what share of omega_0 omega at the least amplitude seen is below it: that much of
                              it is extrapolated by the law; NAN: omega_0 is not of a law */
    const char *reference; /* the strongest sensor, of whose motion amplitudes are; borrowed */
    size_t sensors;        /* with a shape, in the order of the record */
    struct mode_sensor shape[PASS_SENSORS];
    double band_hz[2];
    double amplitude_max, amplitude_min; /* of the displacement; NAN: no law */
    double at_first_sample;              /* likewise, by the law, where a filter hides it */
    enum ring_down_begin begins;
    enum ring_down_end ends;
    double law_misfit;             /* the likeliest size of the deviations of ln alpha from the law */
    double residual, law_residual; /* rms of what backbone and law leave of a sample, over the first amplitude */
    double residual_first, residual_after; /* of the backbone, in the first cycles (residual.h) and after them */
    size_t law_points;
    struct backbone_point law[BACKBONE_POINTS]; /* of the model; of a linear one with the backbone's doubts */
    size_t points;
    struct backbone_point backbone[BACKBONE_POINTS];
    struct ring_down_iwan iwan;
    struct mode_motion motion; /* by its law */
    double noise,
        noise_freedom; /* that its law leaves, as if it was white in the record; values from which it follows */
    struct ring_down_repeats repeats;  /* not of a mode alone */
    struct mode_simulation simulation; /* of the model */
    struct hilbert_route hilbert;      /* what others do, for comparison */
};

/* What is recommended of its two curves, from the largest amplitude down; the other one where that is not there. */
const struct backbone_point *mode_curve(const struct ring_down_mode *mode, size_t *count);

/* The samples of a ring-down, from the first that is used to the last. Borrowed. */
struct ring_down_samples {
    enum sensed sensed;
    size_t sensors;
    const char *name[PASS_SENSORS];
    const double *raw[PASS_SENSORS], *level[PASS_SENSORS]; /* as they were measured, and less a straight line */
    double delay_s[PASS_SENSORS];                          /* how long after the start of a scan they were taken */
    bool cleaned;     /* of the motions of all modes but those that are looked at */
    bool preliminary; /* another look follows, which says what the joint is between */
    size_t count;
    double rate_hz;
    enum ring_down_begin begins;
    enum ring_down_end ends;
};

static inline double ring_down_mode_centre(const struct ring_down_mode *mode)
{
    return 0.5 * (mode->band_hz[0] + mode->band_hz[1]);
}

/* Whether both were found in one band, and fitted together. */
static inline bool ring_down_share_band(const struct ring_down_mode *mode, const struct ring_down_mode *other)
{
    return mode->band_hz[0] == other->band_hz[0] && mode->band_hz[1] == other->band_hz[1];
}

/* Whether what rings in both of their bands is seen in either. */
static inline bool ring_down_bands_overlap(const struct ring_down_mode *mode, const struct ring_down_mode *other)
{
    return !ring_down_share_band(mode, other) && other->band_hz[0] < mode->band_hz[1] &&
           other->band_hz[1] > mode->band_hz[0];
}

/* What the record's length and its rate say of a mode at that frequency: VERDICT_OK, VERDICT_TOO_FEW_HALF_CYCLES or
 * VERDICT_TOO_FEW_SAMPLES. */
enum verdict ring_down_can_be_seen(const struct ring_down_samples *samples, double f_hz);

/* Where modes share a band: what the sensors tell of them together. */
enum verdict ring_down_group_of(const struct ring_down_samples *samples, const struct spectral_mode *band, size_t peaks,
                                const struct identify_settings *settings, struct mode_group *group);

/* Of one sensor: whether it sees a pair of modes there. */
enum verdict ring_down_pair_of(const struct ring_down_samples *samples, const struct spectral_mode *band,
                               const struct identify_settings *settings, struct mode_group *group);

/* Whether what a wider band or none leaves, a standard deviation, is the noise that a band tells by so many degrees of
 * freedom: more than white noise makes of it is of other motions, not of the mode. */
bool ring_down_is_only_noise(double noise, double freedom, double wider);

/* What is to be known of one mode of a group, which learns from its law; alone: none beside it stands out of the noise.
 */
void ring_down_mode_of(const struct ring_down_samples *samples, const struct spectral_mode *found,
                       struct mode_group *group, size_t which, bool alone, const struct identify_settings *settings,
                       struct ring_down_mode *mode);

/* Nothing is told of a mode but this verdict and why. */
void ring_down_mode_leave(struct ring_down_mode *mode, enum verdict verdict, const char *sentence);

/* Where that ended the search for what there is of a mode beyond its law: one with an answer stands as it is, and says
 * so. */
void ring_down_mode_stop_at_law(struct ring_down_mode *mode, enum verdict verdict);

/* Leaves nothing of a mode but its band and the reason why it has no figures, that of the verdict, another one
 * than VERDICT_OK. */
void ring_down_mode_deny(const struct ring_down_samples *samples, enum verdict verdict,
                         const struct identify_settings *settings, struct ring_down_mode *mode);

/* VERDICT_CANCELLED or VERDICT_NO_MEMORY where that ended the search for what there is of a mode, behind its law, which
 * then stands, or before it; else VERDICT_OK. */
enum verdict ring_down_mode_ended(const struct ring_down_mode *mode);

/* Where that ended the search for more in the record: a mode with an answer gets the reason that it is provisional. */
void ring_down_mode_is_cut_short(struct ring_down_mode *mode, enum verdict verdict);

/* Where that ended the search among the modes of one blow: a mode without an answer, which later looks beside the
 * others might have given it, gets this verdict and the reason that it is provisional. */
void ring_down_mode_is_left_open(struct ring_down_mode *mode, enum verdict verdict);

#endif
