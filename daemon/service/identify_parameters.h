/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_IDENTIFY_PARAMETERS_H
#define FRICID_SERVICE_IDENTIFY_PARAMETERS_H

#include "service/parameters.h"

/* What identify and the methods of uploads take. */
extern const struct parameter_list identify_parameters, identify_begin_parameters, identify_append_parameters,
    identify_finish_parameters, identify_more_parameters;

/* The first of what identify, or a method of uploads, was given that says something of samples, and nothing of a table;
 * NULL: none. */
const char *identify_parameter_of_samples(const json_t *params);

#endif
