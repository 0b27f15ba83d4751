/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_BACKBONE_READING_H
#define FRICID_TESTS_BACKBONE_READING_H

#include "identify/ring_down/mode_backbone.h"
#include "identify/ring_down/mode_laws.h"

#include <check.h>
#include <math.h>

/* From the record to the backbone. Returns the law in between. */
static inline struct law_fit read_backbone(const struct mode_record *record, struct backbone *backbone)
{
    struct law_fit fit;
    law_fit(record, NULL, &fit);
    ck_assert_str_eq(verdict_name(fit.verdict), "ok");
    mode_backbone(record, &fit, NULL, backbone);
    ck_assert_str_eq(verdict_name(backbone->verdict), "ok");
    return fit;
}

static inline double between(double share, double first, double second)
{
    return first + share * (second - first);
}

/* Between its points, along ln A; at its ends, straight on. */
static inline struct backbone_point backbone_at(const struct backbone *backbone, double amplitude)
{
    size_t i = 0;
    while (i + 2 < backbone->count && backbone->point[i + 1].amplitude > amplitude)
        i++;
    const struct backbone_point *p = &backbone->point[i], *q = p + 1;
    const double share = log(amplitude / p->amplitude) / log(q->amplitude / p->amplitude);
    return (struct backbone_point){amplitude,
                                   between(share, p->omega, q->omega),
                                   between(share, p->se_omega, q->se_omega),
                                   between(share, p->zeta, q->zeta),
                                   between(share, p->se_zeta, q->se_zeta),
                                   exp(between(share, log(p->dissipation), log(q->dissipation))),
                                   between(share, p->se_dissipation, q->se_dissipation),
                                   between(share, p->stiffness, q->stiffness),
                                   between(share, p->se_stiffness, q->se_stiffness),
                                   between(share, p->slip_omega, q->slip_omega),
                                   between(share, p->slip_zeta, q->slip_zeta),
                                   between(share, p->slip_dissipation, q->slip_dissipation)};
}

#endif
