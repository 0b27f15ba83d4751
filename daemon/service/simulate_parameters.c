/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows that tell whose friction is simulated, and of which motion. */

#include "service/simulate_parameters.h"

#include "identify/loop/loop_parts.h"
#include "service/upload_parameters.h"

#define SIMULATION_PARAMETERS                                                                                          \
    {.name = "id",                                                                                                     \
     .type = PARAMETER_INTEGER,                                                                                        \
     .minimum = 1,                                                                                                     \
     .maximum = PARAMETER_LARGEST,                                                                                     \
     .since = 10,                                                                                                      \
     .note = "of a result of the kind loop: its chosen model"},                                                        \
        {.name = "model",                                                                                              \
         .type = PARAMETER_OBJECT,                                                                                     \
         .since = 10,                                                                                                  \
         .note = "instead of id: a model of a ladder, or one written by hand"},                                        \
        {.name = "part",                                                                                               \
         .type = PARAMETER_INTEGER,                                                                                    \
         .minimum = 1,                                                                                                 \
         .maximum = LOOP_PARTS,                                                                                        \
         .since = 14,                                                                                                  \
         .note = "of a record of joint runs: the one whose offset the force has; the first if left out"},              \
    {                                                                                                                  \
        .name = "mass", .type = PARAMETER_NUMBER, .minimum = 1e-300, .maximum = 1e300, .unit = "kg", .since = 10,      \
        .note = "that the force pushes; of angles its moment of inertia, kg m^2. If left out that of the model"        \
    }

static const struct parameter for_simulate[] = {
    SIMULATION_PARAMETERS,
    UPLOAD_COLUMNS(.required = true, .since = 10,
                   .note = "time_s with displacement_m, with displacement_m and a measured force_n, or with force_n "
                           "alone; likewise "
                           "angle_rad and torque_nm"),
};

static const struct parameter for_begin[] = {
    SIMULATION_PARAMETERS,
    UPLOAD_FORM(.required = true, .since = 10,
                .note = "the names of the columns that every piece brings, with commas between them, time_s last, as "
                        "displacement_m,time_s"),
};

static const struct parameter for_append[] = {
    UPLOAD_NUMBER,
    UPLOAD_COLUMNS(.required = true, .since = 10, .note = "its next rows"),
};

static const struct parameter for_finish[] = {UPLOAD_NUMBER};

static const struct parameter for_more[] = {
    UPLOAD_NUMBER,
    UPLOAD_OFFSET(.since = 10, .note = "number of the first row, from 0"),
};

#define ONE_MODEL "{\"oneOf\":[{\"required\":[\"id\"]},{\"required\":[\"model\"]}]}"
#define LIST(rows) rows, sizeof rows / sizeof rows[0]

const struct parameter_list simulate_parameters = {LIST(for_simulate), ONE_MODEL};
const struct parameter_list simulate_begin_parameters = {LIST(for_begin), ONE_MODEL};
const struct parameter_list simulate_append_parameters = {LIST(for_append), NULL};
const struct parameter_list simulate_finish_parameters = {LIST(for_finish), NULL};
const struct parameter_list simulate_more_parameters = {LIST(for_more), NULL};
