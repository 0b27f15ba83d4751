/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_RING_DOWN_BACKBONE_H
#define FRICID_KINDS_RING_DOWN_BACKBONE_H

#include "report/field.h"

/* Of a struct backbone_point. */
extern const struct section ring_down_backbone_table;

#endif
