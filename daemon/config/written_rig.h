/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIG_WRITTEN_RIG_H
#define FRICID_CONFIG_WRITTEN_RIG_H

#include "settings/config_arena.h"

#include <libconfig.h>

/* A rig's group of a file that was read without complaint, with what it inherits from the groups `segment` and
 * `physical` of the levels above, as a text that is the same for the same keys with the same values: comments, spaces
 * and order do not show. NULL, and the arena exhausted, when memory is short. */
const char *written_rig(struct config_arena *arena, const config_setting_t *root, const config_setting_t *rig);

#endif
