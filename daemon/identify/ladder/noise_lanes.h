/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters of ladder_noise.c; lanes_each.h says how it is read. */

/* Innovations, as the residuals of the coloured block; the first ones of a record have none. */
LANES_TARGET static void LANES_NAME(whiten)(struct whitening *whitening, const struct ladder_block *block)
{
    const struct ar_model *noise = whitening->noise;
    double *residual = whitening->residual + AR_MOST, *innovation = whitening->coloured.residual;
    memcpy(residual, block->residual, sizeof block->residual);
    for (size_t i = 0; i < block->count; i += LANES) {
        LANES_NAME(lanes) left = *(const LANES_NAME(loose) *)&residual[i];
        for (size_t k = 0; k < noise->order; k++)
            left -= noise->coefficient[k] * *(const LANES_NAME(loose) *)(residual + i - 1 - k);
        *(LANES_NAME(loose) *)&innovation[i] = left;
    }
    for (size_t i = 0; whitening->count + i < noise->order && i < block->count; i++)
        innovation[i] = 0;
    memset(innovation + block->count, 0, LADDER_PADDING * sizeof *innovation);
    memmove(whitening->residual, whitening->residual + block->count, AR_MOST * sizeof *residual);
}

/* The rows, one behind the other, each with all parameters side by side. */
LANES_TARGET static void LANES_NAME(colour)(struct whitening *whitening, const struct ladder_block *block)
{
    const struct ar_model *noise = whitening->noise;
    for (size_t i = 0; i < block->count; i++) {
        const size_t number = whitening->count + i;
        double *row = whitening->last[number % KEPT];
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            row[p] = block->row[p][i];
        for (size_t k = 0; k < noise->order && k < number; k++) {
            const double *before = whitening->last[(number - 1 - k) % KEPT];
            for (size_t p = 0; p < ROW_ROOM; p += LANES)
                *(LANES_NAME(loose) *)&row[p] += noise->coefficient[k] * *(const LANES_NAME(loose) *)&before[p];
        }
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            whitening->coloured.row[p][i] = row[p];
    }
    whitening->coloured.count = block->count;
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        memset(whitening->coloured.row[p] + block->count, 0, LADDER_PADDING * sizeof(double));
}
