/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_EVENT_JSON_H
#define FRICID_SERVICE_EVENT_JSON_H

#include "service/service_event.h"

#include <jansson.h>

/* An event as notify.event carries it. New reference, NULL when memory is short. */
json_t *event_to_json(const struct service_event *event);

#endif
