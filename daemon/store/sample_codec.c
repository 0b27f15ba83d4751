/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Samples between memory and file. The integers are tried first and checked by turning them back into displacements:
 * what is stored gives the same record again, or is not stored that way. */

#include "store/sample_codec.h"

#include "store/checksum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How wide an integer is written. */
static const struct {
    const char *name;
    size_t bytes;
} widths[] = {{"int8", 1}, {"int16", 2}, {"int32", 4}, {"int64", 8}};

enum { WIDTHS = sizeof widths / sizeof widths[0] };

static const char float_name[] = "float64";

/* Byte by byte, lowest first: compilers make one store of it where the machine allows. */
static void put_integer(uint8_t *place, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        place[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_integer(const uint8_t *place, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)place[i] << (8 * i);
    return value;
}

/* Two's complement of a narrow width, widened. */
static int64_t get_signed(const uint8_t *place, size_t bytes)
{
    uint64_t value = get_integer(place, bytes), sign = UINT64_C(1) << (8 * bytes - 1);
    return (int64_t)((value ^ sign) - sign);
}

static void *doubles_encode(const double *values, size_t count)
{
    uint8_t *bytes = malloc(count ? 8 * count : 1);
    for (size_t i = 0; bytes && i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_integer(bytes + 8 * i, bits, 8);
    }
    return bytes;
}

int doubles_decode(const void *bytes, size_t length, double *values, size_t count)
{
    if (length != 8 * count)
        return -EUCLEAN;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = get_integer((const uint8_t *)bytes + 8 * i, 8);
        memcpy(&values[i], &bits, sizeof bits);
    }
    return 0;
}

/* All codes, or NULL when one displacement is not the device's alone, or memory is short. */
static int64_t *find_codes(const double *displacement, size_t count, const struct code_scale *scale)
{
    int64_t *codes = scale->terms > 0 ? malloc((count ? count : 1) * sizeof *codes) : NULL;
    for (size_t i = 0; codes && i < count; i++) {
        if (!code_scale_code(scale, displacement[i], i > 0 ? codes[i - 1] : 0, &codes[i])) {
            free(codes);
            return NULL;
        }
    }
    return codes;
}

/* Index of the narrowest width that holds every code. */
static size_t width_of(const int64_t *codes, size_t count)
{
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = codes[i] < low ? codes[i] : low;
        high = codes[i] > high ? codes[i] : high;
    }
    size_t width = 0;
    while (width < WIDTHS - 1 && (low < -(INT64_C(1) << (8 * widths[width].bytes - 1)) ||
                                  high >= INT64_C(1) << (8 * widths[width].bytes - 1)))
        width++;
    return width;
}

static void encode_codes(const int64_t *codes, size_t count, struct coded_samples *coded)
{
    size_t width = width_of(codes, count), bytes = widths[width].bytes;
    coded->coding = widths[width].name;
    coded->samples_bytes = count * bytes;
    coded->samples = malloc(count ? coded->samples_bytes : 1);
    for (size_t i = 0; coded->samples && i < count; i++)
        put_integer((uint8_t *)coded->samples + i * bytes, (uint64_t)codes[i], bytes);
}

int samples_encode(const struct decay *decay, const struct code_scale *scale, struct coded_samples *coded)
{
    size_t count = decay->pretrigger_count + decay->record.count;
    *coded = (struct coded_samples){0};
    int64_t *codes = find_codes(decay->displacement, count, scale);
    if (codes) {
        encode_codes(codes, count, coded);
        free(codes);
    } else {
        coded->coding = float_name;
        coded->samples = doubles_encode(decay->displacement, count);
        coded->samples_bytes = 8 * count;
    }
    if (decay->time_s) {
        coded->time_s = doubles_encode(decay->time_s, count);
        coded->time_bytes = 8 * count;
    }
    if (decay->flags && (coded->flags = malloc(count ? count : 1))) {
        memcpy(coded->flags, decay->flags, count);
        coded->flags_bytes = count;
    }
    if (!coded->samples || (decay->time_s && !coded->time_s) || (decay->flags && !coded->flags)) {
        coded_samples_clear(coded);
        return -ENOMEM;
    }
    coded->checksum = coded_samples_checksum(coded);
    return 0;
}

void coded_samples_clear(struct coded_samples *coded)
{
    free(coded->samples);
    free(coded->time_s);
    free(coded->flags);
    *coded = (struct coded_samples){0};
}

uint64_t coded_samples_checksum(const struct coded_samples *coded)
{
    uint64_t state = checksum_add(CHECKSUM_EMPTY, coded->coding, strlen(coded->coding));
    state = checksum_add(state, coded->samples, coded->samples_bytes);
    state = checksum_add(state, coded->time_s, coded->time_bytes);
    return checksum_add(state, coded->flags, coded->flags_bytes);
}

int samples_decode(const struct coded_samples *coded, const struct code_scale *scale, double *displacement,
                   size_t count)
{
    if (strcmp(coded->coding, float_name) == 0)
        return doubles_decode(coded->samples, coded->samples_bytes, displacement, count);
    for (size_t width = 0; width < WIDTHS; width++) {
        size_t bytes = widths[width].bytes;
        if (strcmp(coded->coding, widths[width].name) != 0)
            continue;
        if (coded->samples_bytes != count * bytes || scale->terms == 0)
            return -EUCLEAN;
        for (size_t i = 0; i < count; i++)
            displacement[i] =
                code_scale_displacement(scale, get_signed((const uint8_t *)coded->samples + i * bytes, bytes));
        return 0;
    }
    return -EUCLEAN;
}
