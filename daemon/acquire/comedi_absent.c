/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stands in for a card where libcomedi was not there to build with. */

#include "acquire/comedi_source.h"
#include "acquire/device_survey.h"

#include <errno.h>
#include <string.h>

int comedi_source_create(struct event_base *base, const struct comedi_settings *settings,
                         const struct source_listener *listener, struct source **source, struct complaint *complaint)
{
    (void)base;
    (void)listener;
    *source = NULL;
    complaint_set(complaint, "%s: this fricidd was built without libcomedi", settings->device);
    return -ENOTSUP;
}

void device_survey_take(struct device_survey *survey)
{
    memset(survey, 0, sizeof *survey);
}
