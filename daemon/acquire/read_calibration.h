/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_READ_CALIBRATION_H
#define FRICID_ACQUIRE_READ_CALIBRATION_H

#include "proto/calibration.h"
#include "settings/config_reader.h"

/* An array of coefficients; one that cannot be used changes nothing. */
void read_calibration(struct config_reader *reader, const config_setting_t *array, struct calibration *calibration);

#endif
