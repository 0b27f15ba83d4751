/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_PANELS_H
#define FRICID_CLIENT_MONITOR_PANELS_H

#include "client/monitor/scene.h"

/* All of the screen: the panels, or the page that stands in their place. */
void panels_draw(const struct scene *scene);

/* The panels, each into its area. */
void panel_head_draw(const struct scene *scene, struct area area);
void panel_channels_draw(const struct scene *scene, struct area area);
void panel_trace_draw(const struct scene *scene, struct area area);
void panel_decay_draw(const struct scene *scene, struct area area);
void panel_results_draw(const struct scene *scene, struct area area);
void panel_events_draw(const struct scene *scene, struct area area);
void panel_keys_draw(const struct scene *scene, struct area area);

#endif
