/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring-downs that others measured or computed. */
#include "identify/ring_down/modal_iwan.h"
#include "run_suite.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define RINGDOWNS SHARED_DATA "/ringdowns"

/* 1000 sliders of another program: as good as they are, once more than a few of them slip. */
START_TEST(sliders_of_another_program_agree)
{
    struct modal_iwan mode = {.k_t = 2.5266e5, .f_s = 400, .chi = -0.5, .beta = 1};
    FILE *file = fopen(RINGDOWNS "/synthetic_peer_tmdsimpy_iwan4_backbone.csv", "r");
    char line[256];
    int compared = 0;
    double u, loss, stiffness;
    ck_assert(modal_iwan_complete(&mode));
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lf,%lf,%lf", &u, &loss, &stiffness) != 3)
            continue;
        ck_assert_double_eq_tol(modal_iwan_secant(&mode, u) / stiffness, 1, 1e-3);
        if (u > 0.03 * mode.phi_max)
            ck_assert_double_eq_tol(modal_iwan_dissipation(&mode, u, 0) / loss, 1, 1e-3);
        compared++;
    }
    fclose(file);
    ck_assert_int_ge(compared, 12);
}
END_TEST

int main(void)
{
    if (access(RINGDOWNS "/synthetic_peer_tmdsimpy_iwan4_backbone.csv", R_OK) != 0) {
        printf("SKIP: the measured ring-downs are not there\n");
        return TEST_SKIPPED;
    }
    Suite *suite = suite_create("measured ring-downs");
    TCase *peers = tcase_create("other programs");
    tcase_add_test(peers, sliders_of_another_program_agree);
    suite_add_tcase(suite, peers);
    return run_suite(suite);
}
