/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is chosen, and how that follows what there is. */

#include "client/monitor/view.h"

#include "client/reply.h"

#include <stdlib.h>
#include <string.h>

const double view_spans_s[VIEW_SPANS] = {2, 5, 10, 20, 60, 120, 300, 600};

static bool is_same(const json_t *facts, const json_t *others)
{
    return strcmp(reply_text(facts, "rig", ""), reply_text(others, "rig", "")) == 0 &&
           strcmp(reply_text(facts, "channel", ""), reply_text(others, "channel", "")) == 0;
}

static void choose_channel(struct view *view, const struct model *model, size_t place)
{
    json_decref(view->chosen);
    view->channel = place;
    view->chosen = place < model->channel_count ? json_incref(model->channels[place].facts) : NULL;
}

/* A reload may put others before it. Where it is gone, the one in its place is chosen. */
static void follow_channel(struct view *view, const struct model *model)
{
    for (size_t i = 0; view->chosen && i < model->channel_count; i++)
        if (is_same(view->chosen, model->channels[i].facts)) {
            choose_channel(view, model, i);
            return;
        }
    const size_t last = model->channel_count > 0 ? model->channel_count - 1 : 0;
    choose_channel(view, model, view->channel < last ? view->channel : last);
}

void view_follow(struct view *view, const struct model *model)
{
    const size_t results = json_array_size(model->results);
    follow_channel(view, model);
    if (view->result_id > 0 && results > 0 &&
        view->result_id < reply_integer(json_array_get(model->results, results - 1), "id", 0))
        view->result_id = 0;
}

size_t view_chosen_result(const struct view *view, const struct model *model)
{
    size_t i;
    json_t *row;
    json_array_foreach (model->results, i, row)
        if (view->result_id > 0 && reply_integer(row, "id", 0) <= view->result_id)
            return i;
    return 0;
}

/* A place moved by some steps among so many. */
static size_t moved(size_t place, int steps, size_t count)
{
    if (steps < 0)
        return place > (size_t)-steps ? place - (size_t)-steps : 0;
    return place + (size_t)steps < count ? place + (size_t)steps : count > 0 ? count - 1 : 0;
}

static size_t text_lines(const char *text)
{
    size_t lines = 0;
    for (; text && *text; text++)
        lines += *text == '\n';
    return lines;
}

/* The newest result stays chosen when newer ones come; any other one stays itself. */
static void move_in_results(struct view *view, const struct model *model, int steps)
{
    const size_t place = moved(view_chosen_result(view, model), steps, json_array_size(model->results));
    view->result_id = place > 0 ? reply_integer(json_array_get(model->results, place), "id", 0) : 0;
}

void view_move(struct view *view, const struct model *model, int steps)
{
    if (view->page != PAGE_PANELS)
        view->line = moved(view->line, steps, text_lines(view->text));
    else if (view->focus == FOCUS_RESULTS)
        move_in_results(view, model, steps);
    else
        choose_channel(view, model, moved(view->channel, steps, model->channel_count));
}

void view_set_text(struct view *view, char *text)
{
    free(view->text);
    view->text = text;
}

void view_turn_to(struct view *view, enum page page)
{
    view_set_text(view, NULL);
    view->page = page;
    view->line = 0;
    view->asked_id = 0;
}

void view_close(struct view *view)
{
    view_set_text(view, NULL);
    json_decref(view->chosen);
    view->chosen = NULL;
}
