/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the sessions ask of what they share. */

#include "service/service_state.h"

#include <event2/event.h>
#include <event2/listener.h>

void service_choose_listening(struct service *service)
{
    if (!service->listener)
        return;
    if (service->session_count < service->session_limit)
        evconnlistener_enable(service->listener);
    else
        evconnlistener_disable(service->listener);
}

void service_wake_replays(struct service *service)
{
    static const struct timeval later = {.tv_sec = 1, .tv_usec = 0};
    if (!event_pending(service->replays_wait, EV_TIMEOUT, NULL))
        event_add(service->replays_wait, &later);
}

void service_give_memory_back(struct service *service)
{
    static const struct timeval later = {.tv_sec = 1, .tv_usec = 0};
    if (!event_pending(service->memory_fell, EV_TIMEOUT, NULL))
        event_add(service->memory_fell, &later);
}
