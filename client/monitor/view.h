/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_VIEW_H
#define FRICID_CLIENT_MONITOR_VIEW_H

#include "client/monitor/layout.h"
#include "client/monitor/model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What of the model is looked at, as the keys have chosen it. */

enum focus { FOCUS_CHANNELS, FOCUS_RESULTS };

/* What stands on the screen: the panels, or a text in their place. */
enum page { PAGE_PANELS, PAGE_RESULT, PAGE_HELP };

struct view {
    enum focus focus;
    enum page page;
    size_t channel;    /* the chosen one */
    json_t *chosen;    /* its facts, by whose names it is found again; NULL: none was there yet */
    int64_t result_id; /* the chosen one; 0: the newest */
    size_t span;       /* of view_spans_s */
    double frozen_s;   /* the trace ends there; 0: it runs */
    int64_t asked_id;  /* whose text is wanted on PAGE_RESULT */
    char *text;        /* of the page, lines; NULL: it has not come */
    size_t line;       /* the first that is shown */
    bool quit;
};

/* How much of the signal the trace shows, s. */
enum { VIEW_SPANS = 8 };
extern const double view_spans_s[VIEW_SPANS];

/* What is chosen is there: for when channels or results went. */
void view_follow(struct view *view, const struct model *model);

/* The place of the chosen result; 0 also when there is none. */
size_t view_chosen_result(const struct view *view, const struct model *model);

/* Goes up (negative) or down in what the keys act on, or in the text. */
void view_move(struct view *view, const struct model *model, int steps);

/* The text of the page, once it is there; takes it over. */
void view_set_text(struct view *view, char *text);

/* Another page, whose text is still to come. */
void view_turn_to(struct view *view, enum page page);

void view_close(struct view *view);

#endif
