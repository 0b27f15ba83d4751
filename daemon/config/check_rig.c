/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/sections.h"
#include "proto/recording.h"

#include <string.h>

/* How the settings of a simulated rig go together is for the rig to say. */
static void check_simulated(struct config_reader *reader, const config_setting_t *source,
                            const struct simulated_rig_settings *simulated)
{
    struct complaint complaint;
    if (simulated_rig_check(simulated, &complaint) != 0)
        config_complain(reader, source, "%s", complaint.text);
}

static bool has_column(const struct recording_reader *recording, const char *name)
{
    const struct recording_column *columns = recording_columns(recording);
    for (size_t i = 0; i < recording_channel_count(recording); ++i)
        if (strcmp(columns[i].name, name) == 0)
            return true;
    return false;
}

/* The daemon would find a missing column only when it starts the rig, and a user would wait for decays that never come.
 */
static void check_columns(struct config_reader *reader, const config_setting_t *list,
                          const struct recording_source_settings *settings, const struct recording_reader *recording)
{
    for (size_t i = 0; i < settings->channel_count && !reader->arena->exhausted; ++i) {
        const char *name = settings->channels[i].name;
        if (name && !has_column(recording, name))
            config_complain(reader, config_setting_get_elem(list, (unsigned)i),
                            "the recording has no column for the channel \"%s\": its first one is \"%s\"", name,
                            recording_columns(recording)[0].name);
    }
}

/* Opens the file as the source will, so that missing rights and a broken header show as well; the rows are not read,
 * they may be gigabytes. */
static void check_recording(struct config_reader *reader, const config_setting_t *source, const config_setting_t *list,
                            const struct recording_source_settings *settings)
{
    struct recording_reader *recording;
    struct complaint complaint;
    if (!settings->path)
        return;
    if (recording_open(settings->path, &recording, &complaint) == 0)
        check_columns(reader, list, settings, recording);
    else
        config_complain(reader, config_setting_get_member(source, "file"), "`file`: %s", complaint.text);
    recording_close(recording);
}

/* A recording is looked for even in a rig with other mistakes: its absence does not follow from them. */
void check_rig(struct config_reader *reader, const config_setting_t *source, const config_setting_t *channels,
               const struct rig_configuration *rig, bool sound)
{
    if (rig->source_kind == SOURCE_RECORDING)
        check_recording(reader, source, channels, &rig->source.recording);
    else if (sound)
        check_simulated(reader, source, &rig->source.simulated);
}
