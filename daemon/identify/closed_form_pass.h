/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CLOSED_FORM_PASS_H
#define FRICID_IDENTIFY_CLOSED_FORM_PASS_H

#include "identify/decay_pass.h"

/* The pass of viscous and Coulomb damping, alone or together. It knows a short way to everything. */
extern const struct decay_pass closed_form_pass;

#endif
