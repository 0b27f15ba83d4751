/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of ladder_samples.c; lanes_each.h says how it is read. Two vectors of samples go through Horner's rule
 * together, so that neither waits for the other. */

LANES_TARGET static inline void LANES_NAME(polynomials)(const double *coefficients, size_t stride,
                                                        const LANES_NAME(lanes) time[2], LANES_NAME(lanes) value[2])
{
    LANES_NAME(lanes) first = {0}, second = {0};
    for (size_t k = SERIES_ORDER + 1; k-- > 0;) {
        first = first * time[0] + coefficients[k * stride];
        second = second * time[1] + coefficients[k * stride];
    }
    value[0] = first;
    value[1] = second;
}

LANES_TARGET static inline void LANES_NAME(put)(const LANES_NAME(lanes) value[2], double *at)
{
    *(LANES_NAME(loose) *)at = value[0];
    *(LANES_NAME(loose) *)(at + LANES) = value[1];
}

/* The model and its derivatives by what all rungs have, at two vectors of samples. */
LANES_TARGET static inline void LANES_NAME(fill_measurement)(struct sampling *sampling,
                                                             const struct ladder_piece *piece, size_t from, size_t to,
                                                             LANES_NAME(lanes) time[2])
{
    const double *parameters = sampling->parameters, omega_n = parameters[LADDER_OMEGA_N];
    struct ladder_block *block = &sampling->block;
    for (size_t half = 0; half < 2; half++, from += LANES, to += LANES) {
        const LANES_NAME(lanes) own_time =
            omega_n * (*(const LANES_NAME(loose) *)&sampling->data->time[from] - parameters[LADDER_T0]);
        time[half] = own_time - piece->origin;
        LANES_NAME(lanes) x = {0}, v = {0};
        for (size_t k = SERIES_ORDER + 1; k-- > 0;) {
            v = v * time[half] + x;
            x = x * time[half] + piece->x[k];
        }
        *(LANES_NAME(loose) *)&block->residual[to] =
            *(const LANES_NAME(loose) *)&sampling->data->value[from] - parameters[LADDER_BIAS] - x;
        *(LANES_NAME(loose) *)&block->row[LADDER_OMEGA_N][to] = v * own_time * (1 / omega_n);
        *(LANES_NAME(loose) *)&block->row[LADDER_BIAS][to] = v * 0 + 1;
        *(LANES_NAME(loose) *)&block->row[LADDER_T0][to] = -omega_n * v;
    }
}

/* Appends samples of a piece to the block. What is written beyond them is written over, or cleared at last. */
LANES_TARGET static void LANES_NAME(fill)(struct sampling *sampling, const struct ladder_piece *piece, size_t count)
{
    for (size_t i = 0; i < count; i += 2 * LANES) {
        const size_t to = sampling->block.count + i;
        LANES_NAME(lanes) time[2], value[2];
        LANES_NAME(fill_measurement)(sampling, piece, sampling->next + i, to, time);
        for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++) {
            if (!ladder_terms_have(sampling->terms, p))
                continue;
            LANES_NAME(polynomials)(&piece->x_by[0][p], SERIES_LANES, time, value);
            LANES_NAME(put)(value, &sampling->block.row[p][to]);
        }
    }
}
