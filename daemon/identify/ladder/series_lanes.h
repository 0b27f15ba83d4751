/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of motion_series.c; lanes_each.h says how it is read. */

LANES_TARGET static void LANES_NAME(at)(const series_derivatives coefficients, double time, derivatives value)
{
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES) {
        LANES_NAME(lanes) sum = *(const LANES_NAME(loose) *)&coefficients[SERIES_ORDER][lane];
        for (size_t k = SERIES_ORDER; k-- > 0;)
            sum = sum * time + *(const LANES_NAME(loose) *)&coefficients[k][lane];
        *(LANES_NAME(loose) *)&value[lane] = sum;
    }
}
