/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FIT_PEERS_H
#define FRICID_TESTS_FIT_PEERS_H

/* What other people use for the same least-squares problem: cminpack's lmdif and SciPy's least_squares. Five
 * parameters, in the order omega_n, zeta, x_k, x0, bias; the first extremum is at t = 0. */

#include <stdbool.h>
#include <stddef.h>

enum { PEER_PARAMETERS = 5 };

/* Samples i = 0 … count-1 at i period_s, whether the model comes to rest at the first |X_j| <= x_k, and the values from
 * which every peer starts. */
struct peer_problem {
    const double *displacement;
    size_t count;
    double period_s;
    bool rests;
    double start[PEER_PARAMETERS];
};

struct peer_answer {
    double parameters[PEER_PARAMETERS];
    double sum_of_squares; /* by sum_of_squares_of() */
    double seconds;        /* of processor time */
    int evaluations;       /* of the model, those for derivatives included; 0: not counted */
};

/* Starting values as a user reads them off a plot: half period from the first eight mean crossings, damping as if all
 * of it were viscous, a little friction, the first sample's height. */
void peer_start(struct peer_problem *problem);

/* Sum of squared differences from the closed-form decay, sample by sample, with libm alone. */
double sum_of_squares_of(const struct peer_problem *problem, const double parameters[PEER_PARAMETERS]);

/* False when this build has no cminpack. tolerance: ftol and xtol. */
bool cminpack_fit(const struct peer_problem *problem, double tolerance, struct peer_answer *answer);

/* False when no Python with NumPy and SciPy could be run; the program and the script are found by the environment's
 * BENCH_PYTHON and BENCH_SCIPY. TRF with the bounds zeta >= 0, x_k >= 0, ftol = xtol = gtol = tolerance. */
bool scipy_fit(const struct peer_problem *problem, double tolerance, struct peer_answer *answer);

/* Processor time of one real-to-complex transform of that length, planned by measuring; false without FFTW. */
bool fftw_seconds(size_t count, double *seconds);

/* Processor time of this thread, s. */
double processor_seconds(void);

#endif
