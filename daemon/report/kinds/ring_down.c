/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ring-downs: the modes of a structure that a hammer hit. */

#include "identify/ring_down/ring_down.h"
#include "report/kinds/record_kind.h"
#include "report/kinds/ring_down_backbone.h"
#include "report/kinds/ring_down_lines.h"
#include "report/kinds/ring_down_simulation.h"
#include "report/table_rows.h"

#define BOUNDED(member) .offset = offsetof(struct bounded, member)

/* The same three fields in units of their own. */
#define BOUNDED_TABLE(which, kind, about)                                                                              \
    static const struct field which##_fields[] = {                                                                     \
        {.name = "value", .type = FIELD_FIGURE, .unit = kind, BOUNDED(value)},                                         \
        {.name = "se", .type = FIELD_SIZE, .unit = kind, .note = "its combined standard uncertainty", BOUNDED(se)},    \
        {.name = "reason", .type = FIELD_REASON, .elsewhere = true, BOUNDED(reason)},                                  \
        {.name = "lower", .type = FIELD_SIZE, .unit = kind, BOUNDED(lower)},                                           \
        {.name = "upper", .type = FIELD_SIZE, .unit = kind, BOUNDED(upper)},                                           \
    };                                                                                                                 \
    static const struct section which##_table = {                                                                      \
        .title =                                                                                                       \
            about ", no figure unless the whole joint was seen to slip; lower and upper are the ends of its 95 % "     \
                  "interval, else between which it is",                                                                \
        .size = sizeof(struct bounded),                                                                                \
        SECTION_FIELDS(which##_fields),                                                                                \
    }

BOUNDED_TABLE(force, KIND_DISPLACEMENT_PER_S2, "force at which the whole joint slips, per modal mass");
BOUNDED_TABLE(displacement, KIND_DISPLACEMENT, "displacement at which the whole joint slips");
BOUNDED_TABLE(stuck, KIND_PER_S2, "stiffness of the joint when it is stuck, per modal mass");
BOUNDED_TABLE(sliders, KIND_ONE, "stiffness of the sliders that slip at phi_max, over that of the others");
BOUNDED_TABLE(left, KIND_PER_S2, "stiffness that is left when it slips, per modal mass");

#define COVARIANCE(member) .offset = offsetof(struct iwan_covariance, member)

static const struct field covariance_fields[] = {
    {.name = "of", .type = FIELD_TEXT, COVARIANCE(of)}, {.name = "omega_0", .type = FIELD_FIGURE, COVARIANCE(omega_0)},
    {.name = "c", .type = FIELD_FIGURE, COVARIANCE(c)}, {.name = "chi", .type = FIELD_FIGURE, COVARIANCE(chi)},
    {.name = "r", .type = FIELD_FIGURE, COVARIANCE(r)},
};

static const struct section covariance_table = {
    .title = "a row of the covariance in normal noise, in the units of both figures",
    .size = sizeof(struct iwan_covariance),
    SECTION_FIELDS(covariance_fields),
};

#define IWAN(member) .offset = offsetof(struct ring_down_iwan, member)

static const struct field iwan_fields[] = {
    {.name = "consistent",
     .type = FIELD_FLAG,
     .note = "false: frequency and damping do not follow the amplitude by one joint, and chi, c and r are those of "
             "the damping alone",
     IWAN(consistent)},
    REASON,
    {.name = "chi",
     .type = FIELD_ESTIMATE,
     .label = "χ",
     .note = "exponent of the density of sliders over their slipping displacement",
     IWAN(chi)},
    {.name = "c", .type = FIELD_ESTIMATE, .unit = KIND_PER_S, .label = "C", .note = "viscous coefficient", IWAN(c)},
    {.name = "r",
     .type = FIELD_ESTIMATE,
     .unit = KIND_SLIDER_DENSITY,
     .label = "R",
     .note = "that density is r phi^chi",
     IWAN(r)},
    {.name = "covariance",
     .type = FIELD_LIST,
     .of = &covariance_table,
     .most = IWAN_COVARIANCES,
     .count_offset = offsetof(struct ring_down_iwan, covariances),
     .since = 8,
     IWAN(covariance)},
    {.name = "damping_exponent",
     .type = FIELD_ESTIMATE,
     .note = "of the amplitude in the joint's damping, by itself; chi + 1 in the model",
     IWAN(damping_exponent)},
    {.name = "stiffness_exponent",
     .type = FIELD_ESTIMATE,
     .note = "of the amplitude in the joint's softening, by itself; chi + 1 in the model",
     IWAN(stiffness_exponent)},
    {.name = "f_s", .type = FIELD_OBJECT, .of = &force_table, IWAN(f_s)},
    {.name = "phi_max", .type = FIELD_OBJECT, .of = &displacement_table, IWAN(phi_max)},
    {.name = "k_t", .type = FIELD_OBJECT, .of = &stuck_table, IWAN(k_t)},
    {.name = "k_inf", .type = FIELD_OBJECT, .of = &left_table, IWAN(k_inf)},
    {.name = "iwan_beta", .type = FIELD_OBJECT, .of = &sliders_table, IWAN(beta)},
};

static const struct section iwan_table = {
    .title = "the joint by the modal Iwan model; null: the mode is linear",
    .size = sizeof(struct ring_down_iwan),
    SECTION_FIELDS(iwan_fields),
    .missing_estimate = "the record does not tell the exponents of damping and softening",
};

#define HILBERT_POINT(member) .offset = offsetof(struct hilbert_point, member)

static const struct field hilbert_point_fields[] = {
    {.name = "amplitude", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .label = "A", HILBERT_POINT(amplitude)},
    {.name = "omega", .type = FIELD_SIZE, .unit = KIND_RAD_PER_S, HILBERT_POINT(omega)},
    {.name = "zeta", .type = FIELD_SIZE, .label = "ζ", HILBERT_POINT(zeta)},
    {.name = "dissipation",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT_SQUARED_PER_S2,
     .label = "D",
     .note = "2 pi alpha omega A^2, which is too large where a joint softens",
     HILBERT_POINT(dissipation)},
};

static const struct section hilbert_point_table = {
    .title = "the curve, from the largest amplitude that the filter leaves down",
    .size = sizeof(struct hilbert_point),
    SECTION_FIELDS(hilbert_point_fields),
};

#define HILBERT_JOINT(member) .offset = offsetof(struct hilbert_joint, member)

static const struct field hilbert_joint_fields[] = {
    VERDICT_OF(struct hilbert_joint),
    {.name = "reason", .type = FIELD_REASON, .elsewhere = true, HILBERT_JOINT(reason)},
    {.name = "omega_0", .type = FIELD_SIZE, .unit = KIND_RAD_PER_S, HILBERT_JOINT(omega_0)},
    {.name = "c", .type = FIELD_SIZE, .unit = KIND_PER_S, HILBERT_JOINT(c)},
    {.name = "chi", .type = FIELD_FIGURE, HILBERT_JOINT(chi)},
    {.name = "r", .type = FIELD_SIZE, .unit = KIND_SLIDER_DENSITY, HILBERT_JOINT(r)},
    {.name = "f_s",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT_PER_S2,
     .note = "null, as the next four: the curve is below phi_max, where it does not tell them",
     HILBERT_JOINT(f_s)},
    {.name = "k_t", .type = FIELD_SIZE, .unit = KIND_PER_S2, HILBERT_JOINT(k_t)},
    {.name = "k_inf", .type = FIELD_SIZE, .unit = KIND_PER_S2, HILBERT_JOINT(k_inf)},
    {.name = "phi_max", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, HILBERT_JOINT(phi_max)},
    {.name = "iwan_beta", .type = FIELD_SIZE, HILBERT_JOINT(beta)},
    {.name = "dissipation_misfit",
     .type = FIELD_SIZE,
     .note = "rms of what it leaves of the dissipation, over what that changes along the curve",
     HILBERT_JOINT(dissipation_misfit)},
    {.name = "frequency_misfit", .type = FIELD_SIZE, .note = "likewise", HILBERT_JOINT(frequency_misfit)},
};

static const struct section hilbert_joint_table = {
    .title = "the joint that is nearest to that curve, by dividing rectangles and a simplex on Eqs. 35 to 37 of Deaner "
             "et al.: without errors, and without a warning where no joint has such a curve",
    .size = sizeof(struct hilbert_joint),
    SECTION_FIELDS(hilbert_joint_fields),
};

#define HILBERT(member) .offset = offsetof(struct hilbert_route, member)

static const struct field hilbert_fields[] = {
    VERDICT_OF(struct hilbert_route),
    REASON,
    {.name = "degree",
     .type = FIELD_COUNT,
     .note = "of the polynomials of time, by Akaike's criterion for small samples",
     HILBERT(degree)},
    {.name = "backbone",
     .type = FIELD_LIST,
     .of = &hilbert_point_table,
     .most = HILBERT_POINTS,
     .count_offset = offsetof(struct hilbert_route, count),
     HILBERT(point)},
    {.name = "joint", .type = FIELD_OBJECT, .of = &hilbert_joint_table, .since = 8, HILBERT(joint)},
};

static const struct section hilbert_table = {
    .title =
        "the mode by a band-pass, the Hilbert transform and polynomials, as others do it (Deaner et al. 2015): to be "
        "compared, without errors, and never recommended",
    .size = sizeof(struct hilbert_route),
    SECTION_FIELDS(hilbert_fields),
};

#define REPEATS(member) .offset = offsetof(struct ring_down_repeats, member)

static const struct field repeats_fields[] = {
    {.name = "blows",
     .type = FIELD_COUNT,
     .note = "of eight at the most, behind which the mode has a backbone at amplitudes of the first one's",
     REPEATS(blows)},
    {.name = "finding",
     .type = FIELD_NAME,
     .words = WORDS_RING_DOWN_REPEAT,
     .note = "whether they are on one curve; modes_coupled: they are not, and of the first and each that contradicts "
             "its damping the one behind which other modes moved more has the larger damping",
     REPEATS(finding)},
    {.name = "amplitude_max",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "up to where the two that differ most were compared",
     REPEATS(overlap[1])},
    {.name = "amplitude_min", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "from where", REPEATS(overlap[0])},
    {.name = "probability",
     .type = FIELD_SIZE,
     .note = "that blows on one curve differ so much; they contradict each other below 0.01",
     REPEATS(probability)},
    {.name = "backbone",
     .type = FIELD_LIST,
     .of = &ring_down_backbone_table,
     .most = BACKBONE_POINTS,
     .count_offset = offsetof(struct ring_down_repeats, points),
     REPEATS(backbone)},
};

static const struct section repeats_table = {
    .title = "what the blows of the record say together, with one backbone where they agree",
    .size = sizeof(struct ring_down_repeats),
    SECTION_FIELDS(repeats_fields),
};

#define SENSOR(member) .offset = offsetof(struct mode_sensor, member)

static const struct field shape_fields[] = {
    {.name = "sensor", .type = FIELD_TEXT, SENSOR(name)},
    {.name = "re", .type = FIELD_FIGURE, .note = "its motion in phase with the reference, over that", SENSOR(re)},
    {.name = "im", .type = FIELD_FIGURE, .note = "its motion a quarter of a turn ahead, likewise", SENSOR(im)},
    {.name = "se_re",
     .type = FIELD_SIZE,
     .note = "standard uncertainty of re; null: it is the reference",
     SENSOR(se_re)},
    {.name = "se_im", .type = FIELD_SIZE, .note = "and of im", SENSOR(se_im)},
    {.name = "drift",
     .type = FIELD_SIZE,
     .note =
         "how far re + i im moves from the larger amplitudes to the smaller ones, over its size: beyond its errors, "
         "this is not one mode of one shape",
     SENSOR(drift)},
    {.name = "se_drift", .type = FIELD_SIZE, .note = "its standard uncertainty", SENSOR(se_drift)},
    {.name = "residual",
     .type = FIELD_SIZE,
     .note = "rms of what the law leaves of its samples in the band, over the first crest that it sees",
     SENSOR(residual)},
    {.name = "residual_first",
     .type = FIELD_SIZE,
     .note = "the same in the first 20 cycles that were used",
     .since = 8,
     SENSOR(residual_first)},
    {.name = "residual_after",
     .type = FIELD_SIZE,
     .note = "and after them; null: there is no sample",
     .since = 8,
     SENSOR(residual_after)},
};

static const struct section shape_table = {
    .title = "what the sensors see of the mode",
    .size = sizeof(struct mode_sensor),
    SECTION_FIELDS(shape_fields),
};

#define MODE(member) .offset = offsetof(struct ring_down_mode, member)

static const struct field mode_fields[] = {
    VERDICT_OF(struct ring_down_mode),
    {.name = "reason",
     .type = FIELD_REASON,
     .elsewhere = true,
     .count = MODE_REASONS,
     .note = "why something of it is missing, provisional or doubtful; null when nothing is",
     MODE(reason)},
    {.name = "omega_0",
     .type = FIELD_ESTIMATE,
     .unit = KIND_RAD_PER_S,
     .label = "ω_0",
     .note = "at small amplitudes, by the model; where there is a backbone that is recommended in its place, that at "
             "amplitude_min, and the distance from the model's is part of the uncertainty; of a linear mode the "
             "uncertainty holds what the backbone leaves open there, for a joint may be too weak to show",
     MODE(omega_0)},
    {.name = "zeta_0",
     .type = FIELD_ESTIMATE,
     .label = "ζ_0",
     .note = "likewise: the damping that the joint has no part in",
     MODE(zeta_0)},
    {.name = "omega_0_beyond",
     .type = FIELD_SIZE,
     .note =
         "by what share of omega_0 omega at amplitude_min is below it: so much of it the record does not show, but the "
         "law makes it; null: omega_0 is not of the law",
     .since = 14,
     MODE(omega_0_beyond)},
    {.name = "model", .type = FIELD_NAME, .words = WORDS_MODE_MODEL, MODE(model)},
    {.name = "recommended",
     .type = FIELD_NAME,
     .words = WORDS_MODE_RECOMMENDED,
     .note = "what to use: the model's law where it holds, else the backbone",
     MODE(recommended)},
    {.name = "law_misfit",
     .type = FIELD_SIZE,
     .note = "the likeliest size of the deviations of the damping from the law, as a share of it; 0.0003 is the "
             "smallest that is tried",
     MODE(law_misfit)},
    {.name = "residual",
     .type = FIELD_SIZE,
     .note = "rms of what the backbone leaves of the samples, of analytic ones in a band, over the first crest",
     MODE(residual)},
    {.name = "residual_first",
     .type = FIELD_SIZE,
     .note = "the same in the first 20 cycles that were used",
     MODE(residual_first)},
    {.name = "residual_after",
     .type = FIELD_SIZE,
     .note = "and after them; null: there is no sample",
     MODE(residual_after)},
    {.name = "law_residual", .type = FIELD_SIZE, .note = "the same of the law, in all of them", MODE(law_residual)},
    {.name = "reference",
     .type = FIELD_TEXT,
     .note = "the sensor that sees most of the mode: amplitudes are of the displacement there",
     MODE(reference)},
    {.name = "shape",
     .type = FIELD_LIST,
     .of = &shape_table,
     .most = PASS_SENSORS,
     .count_offset = offsetof(struct ring_down_mode, sensors),
     MODE(shape)},
    {.name = "band_hz", .type = FIELD_INTERVAL, .unit = KIND_HZ, .note = "that was looked at", MODE(band_hz)},
    {.name = "amplitude_max",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "from where the record shows the mode",
     MODE(amplitude_max)},
    {.name = "begins_with",
     .type = FIELD_NAME,
     .words = WORDS_RING_DOWN_BEGIN,
     .note = "what hides larger ones; filter: that which keeps other modes out",
     MODE(begins)},
    {.name = "amplitude_min",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "down to where it shows it",
     MODE(amplitude_min)},
    {.name = "ended_by",
     .type = FIELD_NAME,
     .words = WORDS_RING_DOWN_END,
     .note = "what hides smaller ones",
     MODE(ends)},
    {.name = "law",
     .type = FIELD_LIST,
     .of = &ring_down_backbone_table,
     .most = BACKBONE_POINTS,
     .count_offset = offsetof(struct ring_down_mode, law_points),
     .note = "the model with its errors, which is to be used where it is recommended; of a linear one with what the "
             "backbone leaves open",
     .since = 8,
     MODE(law)},
    {.name = "backbone",
     .type = FIELD_LIST,
     .of = &ring_down_backbone_table,
     .most = BACKBONE_POINTS,
     .count_offset = offsetof(struct ring_down_mode, points),
     MODE(backbone)},
    {.name = "iwan", .type = FIELD_OPTIONAL, .of = &iwan_table, MODE(iwan)},
    {.name = "repeats", .type = FIELD_OBJECT, .of = &repeats_table, MODE(repeats)},
    {.name = "simulation", .type = FIELD_OBJECT, .of = &ring_down_simulation_table, MODE(simulation)},
    {.name = "hilbert", .type = FIELD_OBJECT, .of = &hilbert_table, MODE(hilbert)},
};

static const struct section mode_table = {
    .title = "a mode that stands out of the noise, by frequency",
    .size = sizeof(struct ring_down_mode),
    SECTION_FIELDS(mode_fields),
};

#define RING_DOWN(member) .offset = offsetof(struct ring_down, member)

static const struct field ring_down_fields[] = {
    VERDICT_OF(struct ring_down),
    REASON,
    {.name = "cut_short",
     .type = FIELD_TEXT,
     .nullable = true,
     .note =
         "that not all of the record was looked at, by which deadline it was stopped, and what to do; null: all was",
     .since = 15,
     RING_DOWN(cut_short)},
    {.name = "measured",
     .type = FIELD_TEXT,
     .nullable = true,
     .note = "what the sensor measures, by its unit: acceleration, velocity or displacement",
     RING_DOWN(quantity)},
    {.name = "read_as",
     .type = FIELD_TEXT,
     .nullable = true,
     .note = "how the file was read, and which sensors of it were left out and why, where there is something to tell",
     .since = 10,
     RING_DOWN(read_as)},
    {.name = "dead_sensors",
     .type = FIELD_LIST,
     .of = &ring_down_dead_table,
     .most = PASS_SENSORS,
     .count_offset = offsetof(struct ring_down, dead_count),
     RING_DOWN(dead)},
    {.name = "blow_s",
     .type = FIELD_FIGURE,
     .unit = KIND_S,
     .note = "when the blow shows first",
     .missing =
         "the blow lies before the record, or so near to its beginning that too little of the calm before it is there: "
         "it is looked for from 10 ms and 40 samples on",
     RING_DOWN(blow_s)},
    {.name = "double_hit_s",
     .type = FIELD_FIGURE,
     .unit = KIND_S,
     .note = "when the hammer first hit again, or a knock looks so, within a quarter of a second of the blow: start_s "
             "is behind it",
     .missing = "no second contact shows",
     .since = 14,
     RING_DOWN(double_hit_s)},
    {.name = "wild_samples_bridged",
     .type = FIELD_COUNT,
     .note = "places, of all sensors, of one or two samples in a row that those on both sides contradict: what these "
             "foretell stands there instead",
     .since = 14,
     RING_DOWN(wild)},
    {.name = "start_s",
     .type = FIELD_FIGURE,
     .unit = KIND_S,
     .note = "of the samples that were used: the hammer has left, and nothing is clipped",
     RING_DOWN(start_s)},
    {.name = "end_s", .type = FIELD_FIGURE, .unit = KIND_S, RING_DOWN(end_s)},
    {.name = "ended_by",
     .type = FIELD_NAME,
     .words = WORDS_RING_DOWN_END,
     .note = "what the blows behind it make ring is compared with it, mode by mode",
     RING_DOWN(ended_by)},
    {.name = "clipped",
     .type = FIELD_FLAG,
     .note = "the first crests stand at the sensor's limit, and are left out",
     RING_DOWN(clipped)},
    {.name = "fell_to_tenth",
     .type = FIELD_FLAG,
     .note = "the motion fell to a tenth of what it was, or into the noise",
     RING_DOWN(fell_to_tenth)},
    {.name = "blows", .type = FIELD_COUNT, .note = "in the whole record", RING_DOWN(blows)},
    {.name = "steady_lines",
     .type = FIELD_LIST,
     .of = &ring_down_line_table,
     .most = STEADY_LINES,
     .count_offset = offsetof(struct ring_down, line_count),
     .since = 14,
     RING_DOWN(line)},
    {.name = "lines_left_out",
     .type = FIELD_LIST,
     .of = &ring_down_left_table,
     .most = LEFT_LINES,
     .count_offset = offsetof(struct ring_down, left.count),
     .note = "the highest ones",
     .since = 14,
     RING_DOWN(left.line)},
    {.name = "modes",
     .type = FIELD_LIST,
     .of = &mode_table,
     .most = RING_DOWN_MODES,
     .count_offset = offsetof(struct ring_down, mode_count),
     RING_DOWN(mode)},
};

static const struct section ring_down_table = {
    .title = "the first ring-down of the record that has a mode",
    .size = sizeof(struct ring_down),
    SECTION_FIELDS(ring_down_fields),
};

static const struct field fields[] = {
    METHOD("ring_down"),
    VERDICT_OF(struct ring_down),
    REASON,
    {.name = "f_n_hz",
     .type = FIELD_ESTIMATE,
     .unit = KIND_HZ,
     .label = "f_n",
     .headline = true,
     .note = "of the mode that moves most, at the amplitude at which its damping is known best",
     RING_DOWN(f_n_hz)},
    {.name = "zeta", .type = FIELD_ESTIMATE, .label = "ζ", .headline = true, .note = "likewise", RING_DOWN(zeta)},
    {.name = "ring_down", .type = FIELD_OBJECT, .of = &ring_down_table},
};

static const struct section section = {
    .title = "what the record of a structure that was hit came to",
    .size = sizeof(struct ring_down),
    SECTION_FIELDS(fields),
    .missing_estimate = "no mode has a curve that is recommended yet, or at all: ring_down.modes says why",
};

const struct record_kind record_kind_ring_down = {
    .name = "ring_down",
    .about = "a structure that was hit: how frequency and damping of its modes follow their amplitudes, and what that "
             "says of its joints",
    .of_quantities = {QUANTITY_ACCELERATION, QUANTITY_VELOCITY},
    .several = true,
    .second_step = "backbone and simulation of the modes are still being made",
    .result = "ring_down",
    .section = &section,
};
