/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_SAMPLE_CODEC_H
#define FRICID_STORE_SAMPLE_CODEC_H

#include "acquire/code_scale.h"
#include "segment/decay.h"

#include <stddef.h>
#include <stdint.h>

/* The samples of a decay, pre-trigger first, as they lie in the store: the device's integers where the scale gives
 * every displacement back bit for bit, else the displacements themselves. Numbers are little-endian whatever the
 * machine. */
struct coded_samples {
    const char *coding; /* "int8", "int16", "int32", "int64", "float64" */
    void *samples;      /* owned */
    void *time_s;       /* owned; NULL: uniform */
    void *flags;        /* owned; NULL: none is flagged */
    size_t samples_bytes, time_bytes, flags_bytes;
    uint64_t checksum; /* 64-bit FNV-1a of the coding's name and the three arrays */
};

/* 0 or -ENOMEM. Free with coded_samples_clear(). */
int samples_encode(const struct decay *decay, const struct code_scale *scale, struct coded_samples *coded);
void coded_samples_clear(struct coded_samples *coded);

/* The checksum of samples as they were read. */
uint64_t coded_samples_checksum(const struct coded_samples *coded);

/* Fills `count` displacements. 0, or -EUCLEAN when coding and length do not fit. */
int samples_decode(const struct coded_samples *coded, const struct code_scale *scale, double *displacement,
                   size_t count);

/* Little-endian doubles, for time stamps. -EUCLEAN when the length does not fit. */
int doubles_decode(const void *bytes, size_t length, double *values, size_t count);

#endif
