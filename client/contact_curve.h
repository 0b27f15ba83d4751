/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_CONTACT_CURVE_H
#define FRICID_CLIENT_CONTACT_CURVE_H

#include <jansson.h>

/* Friction over speed as the chosen model of a record of loops has it, for records of which too little slides to be
 * points of a curve: what the contact holds against a steady motion, both ways, at speeds up to that of a sine of the
 * record's stroke and period. Points like those of a curve, without a measured force; owned by the caller. NULL: the
 * model knows no speed, or too little is known, or memory is short. */
json_t *contact_curve_of(const json_t *result);

#endif
