/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIG_SECTIONS_H
#define FRICID_CONFIG_SECTIONS_H

#include "acquire/source_driver.h"
#include "config/group_settings.h"
#include "recorder/recorder.h"
#include "settings/config_reader.h"

/* The groups of a configuration file. Each fills the settings that came with the defaults in them; what it does not
 * mention stays. Complaints go to the reader. */

extern const struct config_section service_section;
extern const struct config_section store_section;
extern const struct config_section recorder_section;
extern const struct config_section segment_section;
extern const struct config_section physical_section;
extern const struct config_section rig_section;

/* The built-in service settings, their strings literals. */
struct service_configuration service_default_configuration(void);

void read_service(struct config_reader *reader, const config_setting_t *group, struct service_configuration *service);

void read_store(struct config_reader *reader, const config_setting_t *group, struct store_configuration *store);

void read_recorder(struct config_reader *reader, const config_setting_t *group, struct recorder_settings *recorder);

/* `segment` and `physical` of a level hold what was inherited from the level above. A NULL group changes nothing. */
void read_segment(struct config_reader *reader, const config_setting_t *group, struct segment_settings *segment);
void read_physical(struct config_reader *reader, const config_setting_t *group, struct physical_settings *physical);

/* One element of `rigs`; rig->segment_defaults and rig->physical hold what is inherited. */
void read_rig(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig);

/* The list `channels` of a rig whose source is known (NULL: not given). */
void read_channels(struct config_reader *reader, const config_setting_t *rig_group, const config_setting_t *list,
                   struct rig_configuration *rig);

#endif
