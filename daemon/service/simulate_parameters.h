/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SIMULATE_PARAMETERS_H
#define FRICID_SERVICE_SIMULATE_PARAMETERS_H

#include "service/parameters.h"

/* What simulate and the methods of its uploads take. */
extern const struct parameter_list simulate_parameters, simulate_begin_parameters, simulate_append_parameters,
    simulate_finish_parameters, simulate_more_parameters;

#endif
