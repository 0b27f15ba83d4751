/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words for verdicts: short names for programs, sentences for people. One list, because all sections share them. */

#include "identify/common/estimate.h"

struct verdict_words {
    const char *name;
    const char *sentence;
};

static const struct verdict_words words[] = {
    [VERDICT_OK] = {"ok", "identified"},
    [VERDICT_NOT_COMPUTED] = {"not_computed", "not computed for this record"},
    [VERDICT_TOO_FEW_SAMPLES] = {"too_few_samples",
                                 "the record has fewer samples, or fewer a cycle, than the method needs"},
    [VERDICT_TOO_FEW_HALF_CYCLES] = {"too_few_half_cycles", "the record has fewer half cycles than the method needs"},
    [VERDICT_UNDERDETERMINED] = {"underdetermined", "the record is too short to tell the parameters apart"},
    [VERDICT_NO_OSCILLATION] = {"no_oscillation", "the record shows no oscillation above its noise"},
    [VERDICT_NOT_DECAYING] = {"not_decaying", "the amplitudes do not fall"},
    [VERDICT_NOT_CONVERGED] = {"not_converged", "the fit did not converge"},
    [VERDICT_NOT_FINITE] = {"not_finite", "a sample or a time stamp is not a finite number"},
    [VERDICT_TIME_NOT_INCREASING] = {"time_not_increasing", "the time stamps do not increase from sample to sample: a "
                                                            "clock was set back, or lines stand twice or out of order"},
    [VERDICT_OUT_OF_PHASE] = {"out_of_phase", "one constant frequency does not follow the record"},
    [VERDICT_CANCELLED] = {"cancelled", "stopped before it was finished: job_deadline_s and ladder_deadline_s are too "
                                        "short for it, or the daemon was ending; fricidd --offline has no such limits"},
    [VERDICT_NO_MEMORY] = {"no_memory", "not enough memory"},
    [VERDICT_NOT_ONE_DECAY] = {"not_one_decay", "the record holds more than one free decay; have it segmented, not "
                                                "taken whole"},
    [VERDICT_REST_CONTRADICTS_DECAY] = {"rest_contradicts_decay",
                                        "the mass came to rest where this decay cannot have left it: was it touched, "
                                        "or does the sensor drift?"},
    [VERDICT_UNDECIDED] = {"undecided",
                           "the record does not tell viscous from Coulomb damping: each explains it alone"},
    [VERDICT_GIVEN_UP] = {"given_up",
                          "the daemon ended each time while it identified this record, so it was left alone: "
                          "keep the record, and report it"},
    [VERDICT_NO_BLOW] = {"no_blow", "nothing in the record rises at once above all that was before it, as from a blow"},
    [VERDICT_NO_RING_DOWN] = {"no_ring_down",
                              "behind the blow nothing rings: no mode that decays stands out of the noise"},
    [VERDICT_DEAD_SENSOR] = {"dead_sensor",
                             "the sensor gives the same value throughout, or from some time on, or none that "
                             "is finite, and is left out: look at its cable, or the motion is too small for the "
                             "steps of its converter"},
    [VERDICT_COPIED_SENSOR] =
        {"copied_sensor",
         "the sensor has the same noise as one before it: it is the same column once more, be it in another "
         "scale, or both see the same disturbance; as a second sensor it would make errors too small"},
    [VERDICT_MODES_TOO_NEAR] = {"modes_too_near",
                                "the sensors see several modes in this band that are too near to each other to be told "
                                "apart: use more sensors, or hit the structure elsewhere"},
    [VERDICT_IRREGULAR_STAMPS] =
        {"irregular_stamps", "the samples are not at equal distances, which the method wants: record it again with a "
                             "steady clock"},
    [VERDICT_UNIT_UNKNOWN] =
        {"unit_unknown",
         "the unit does not say whether the sensor measures an acceleration, a velocity or a "
         "displacement: give one such as m/s2, mm/s or mm, behind the name in the header or with --calibration"},
    [VERDICT_NEVER_STICKS] = {"never_sticks",
                              "the friction of the chosen model gives way before it slides, at any force: it has no "
                              "break-away"},
    [VERDICT_NO_MOTION] = {"no_motion",
                           "the displacement moves by less than twelve times its noise, or within three steps of its "
                           "converter, so that turns are not seen: nothing was driven, the noise is too large, "
                           "there are fewer than ten samples a cycle, or the column is not the displacement"},
    [VERDICT_NO_LOOP] = {"no_loop",
                         "the displacement does not come back from one lower reversal to another without a gap, or the "
                         "record ends before that is seen: a loop wants both, ten samples at least, and behind the "
                         "second a tenth of the stroke on the way back"},
    [VERDICT_NEGATIVE_ENERGY] =
        {"negative_energy", "the contact would give energy instead of taking it, which none does: motion and force "
                            "are swapped, or one of them has the opposite sign, which `force_sign = -1` in `physical` "
                            "turns round"},
    [VERDICT_NO_SLIP] = {"no_slip", "the loops enclose no more than their noise: nothing slips, and the force is that "
                                    "of a spring or of nothing"},
    [VERDICT_FORCE_CONSTANT] = {"force_constant", "all samples of the force are alike: is its sensor connected?"},
    [VERDICT_FORCE_STANDS_STILL] =
        {"force_stands_still", "the force stays at one value while the displacement goes there and back again: its "
                               "sensor or its cable failed meanwhile; identify the samples before that alone"},
    [VERDICT_FORCE_CLIPPED] = {"force_clipped",
                               "the force stands at the same largest or smallest value again and again, while it is "
                               "noisy elsewhere, or even when the displacement has turned back: its sensor is at its "
                               "limit, and energy and friction would be too "
                               "small"},
    [VERDICT_DISPLACEMENT_CLIPPED] = {"displacement_clipped",
                                      "the displacement stops at the same largest or smallest value again and again, "
                                      "and the force turns round while it stands there: its sensor is at its limit"},
    [VERDICT_DISPLACEMENT_COARSE] =
        {"displacement_coarse", "the displacement has too few steps of its encoder or converter from turn to turn, "
                                "or too few samples that are not between two of these: take a finer one, or a "
                                "longer stroke"},
    [VERDICT_DISPLACEMENT_NOISY] =
        {"displacement_noisy", "the noise of the displacement hides how fast the contact moves, or which way: take a "
                               "sensor with less of it, more samples a cycle or a longer stroke"},
    [VERDICT_TOO_FEW_SLIDING] =
        {"too_few_sliding", "too few samples slide: those count that are further from both reversals than friction "
                            "takes to build up, which is eight presliding lengths, times f_s/f_c where there is a dip, "
                            "or twice the longest slip length; take a longer stroke or more samples a cycle"},
    [VERDICT_TOO_FEW_SPEEDS] = {"too_few_speeds",
                                "the curve has fewer than four different speeds beyond standstill: measure at more of "
                                "them, from below the dip to well above it"},
    [VERDICT_NOT_POSITIVE] = {"not_positive",
                              "a standard deviation, a frequency or an amplitude is 0 or below: correct it, or leave "
                              "its row or column out"},
    [VERDICT_NO_PEAK] = {"no_peak",
                         "response over force is largest at an end of the frequencies, or has no smooth peak: "
                         "measure beyond the resonance on both sides"},
    [VERDICT_NO_HALF_POWER] = {"no_half_power",
                               "response over force does not fall to 0.707 of its peak on both sides: measure further "
                               "from the resonance"},
    [VERDICT_PENDING] = {"pending", "it follows, as a higher revision of this result"},
    [VERDICT_NO_SUCH_DECAY] = {"no_such_decay", "no decay of these terms goes on for as long as the record"},
    [VERDICT_NO_CONTENDER] = {"no_contender", "it leaves more than twice the residual of the best model, so that its "
                                              "optimum was not followed to the end"},
    [VERDICT_TOO_LONG] = {"too_long", "the record has more samples, or more half cycles, than the method takes"},
};

const char *verdict_name(enum verdict verdict)
{
    return words[verdict].name;
}

const char *verdict_name_at(size_t index)
{
    return index < VERDICTS ? verdict_name((enum verdict)index) : NULL;
}

const char *verdict_sentence(enum verdict verdict)
{
    return words[verdict].sentence;
}
