/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_ESTIMATE_H
#define FRICID_IDENTIFY_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* Why a section of an identification has, or has not, a usable answer. */
enum verdict {
    VERDICT_OK = 0,
    VERDICT_NOT_COMPUTED,        /* nobody asked for this section */
    VERDICT_TOO_FEW_SAMPLES,     /* fewer samples than unknowns, or too few a half cycle */
    VERDICT_TOO_FEW_HALF_CYCLES, /* fewer extrema than the method needs */
    VERDICT_UNDERDETERMINED,     /* the record does not tell the parameters apart (one half cycle, say) */
    VERDICT_NO_OSCILLATION,      /* constant, monotone or noise only */
    VERDICT_NOT_DECAYING,        /* amplitudes do not fall */
    VERDICT_NOT_CONVERGED,       /* the effort limit was reached */
    VERDICT_NOT_FINITE,          /* a sample or time stamp is not a finite number */
    VERDICT_TIME_NOT_INCREASING, /* time stamps must increase */
    VERDICT_OUT_OF_PHASE,        /* the model's frequency does not follow the record */
    VERDICT_CANCELLED,           /* the caller asked to stop */
    VERDICT_NO_MEMORY,
    VERDICT_NOT_ONE_DECAY,          /* the record holds more than one free decay */
    VERDICT_REST_CONTRADICTS_DECAY, /* the mass rests where the decay cannot have left it */
    VERDICT_UNDECIDED,              /* the record does not tell viscous from Coulomb damping */
    VERDICT_GIVEN_UP,               /* identifying it ended the program again and again */
    VERDICT_TOO_LONG,               /* the record is longer than the method takes */
    VERDICT_NO_SUCH_DECAY,          /* no motion of a model's lasts as long as the record */
    VERDICT_NO_CONTENDER,           /* a model that leaves too much for its optimum to matter */
    VERDICT_NO_BLOW,                /* nothing in the record rises at once, as from a blow */
    VERDICT_NO_RING_DOWN,           /* behind the blow nothing rings */
    VERDICT_DEAD_SENSOR,            /* a sensor among others says nothing */
    VERDICT_COPIED_SENSOR,          /* a sensor among others is another one's column once more */
    VERDICT_MODES_TOO_NEAR,         /* modes of one band that the record does not tell apart */
    VERDICT_IRREGULAR_STAMPS,       /* the method wants samples at equal distances */
    VERDICT_UNIT_UNKNOWN,           /* the unit does not say what the sensor measures */
    VERDICT_NEVER_STICKS,           /* friction that gives way at any force has no break-away */
    VERDICT_NO_MOTION,              /* the displacement stays within its noise */
    VERDICT_NO_LOOP,                /* the displacement does not come back to a lower reversal */
    VERDICT_NEGATIVE_ENERGY,        /* the contact would give energy away */
    VERDICT_NO_SLIP,                /* the loops enclose nothing */
    VERDICT_FORCE_CONSTANT,         /* all samples of the force are alike */
    VERDICT_FORCE_STANDS_STILL,     /* the force does not follow the motion for a while */
    VERDICT_FORCE_CLIPPED,          /* the force stands at the limit of its sensor */
    VERDICT_DISPLACEMENT_CLIPPED,   /* the motion turns where the displacement stands at the limit of its sensor */
    VERDICT_DISPLACEMENT_COARSE,    /* the motion has too few steps of its sensor's converter */
    VERDICT_DISPLACEMENT_NOISY,     /* its noise hides how fast the motion is */
    VERDICT_TOO_FEW_SLIDING,        /* no stretch of samples far enough from both reversals */
    VERDICT_TOO_FEW_SPEEDS,         /* fewer different speeds than a curve needs */
    VERDICT_NOT_POSITIVE,           /* what must be above 0 is not */
    VERDICT_NO_PEAK,                /* the response is largest at an end of the frequencies */
    VERDICT_NO_HALF_POWER,          /* it does not fall far enough on both sides */
    VERDICT_PENDING,                /* it is on its way */
    VERDICTS,                       /* how many there are */
};

/* The name that appears in JSON ("ok", "too_few_samples", …). */
const char *verdict_name(enum verdict verdict);

/* The names of all of them from index 0; NULL behind the last. */
const char *verdict_name_at(size_t index);

/* One sentence for a person about the verdict. */
const char *verdict_sentence(enum verdict verdict);

/* All that is uncertain about an estimate: its line in an uncertainty budget. */
struct combined_uncertainty {
    bool known;       /* there is a budget; else the rest is nothing */
    double u;         /* combined standard uncertainty */
    double low, high; /* 95 % interval */
};

/* A parameter with its uncertainty, all in the parameter's own unit.
 *
 * A figure that could not be determined is NAN. An estimate at its bound (zeta or x_k at 0) has no standard error:
 * se is NAN, low is the bound and high is the one-sided 95 % upper limit. */
struct estimate {
    double value;
    double se;  /* standard uncertainty, from the noise of the record alone */
    double low; /* 95 % interval, likewise */
    double high;
    bool at_bound;
    struct combined_uncertainty combined;
};

#endif
