/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of keys: what each does on which page, and how the bottom line and the help call it. */

#include "client/monitor/keys.h"

#include "client/reply.h"

/* On which pages a key is bound. */
enum { ON_PANELS = 1u << PAGE_PANELS, ON_RESULT = 1u << PAGE_RESULT, ON_HELP = 1u << PAGE_HELP };
#define ON_TEXTS (ON_RESULT | ON_HELP)

/* What a key is pressed on. */
struct press {
    struct view *view;
    const struct model *model;
    int amount; /* of the row */
    double now_s;
};

static void end(const struct press *press)
{
    press->view->quit = true;
}

static void go_back(const struct press *press)
{
    view_turn_to(press->view, PAGE_PANELS);
}

static void show_help(const struct press *press)
{
    view_turn_to(press->view, PAGE_HELP);
}

static void move_view(const struct press *press)
{
    view_move(press->view, press->model, press->amount);
}

static void switch_focus(const struct press *press)
{
    press->view->focus = press->view->focus == FOCUS_CHANNELS ? FOCUS_RESULTS : FOCUS_CHANNELS;
}

static void change_span(const struct press *press)
{
    struct view *view = press->view;
    if (press->amount < 0 && view->span > 0)
        view->span--;
    else if (press->amount > 0 && view->span + 1 < VIEW_SPANS)
        view->span++;
}

static void freeze(const struct press *press)
{
    press->view->frozen_s = press->view->frozen_s > 0 ? 0 : press->now_s;
}

/* The chosen result, or where a channel is chosen, its last one. */
static void open_result(const struct press *press)
{
    struct view *view = press->view;
    const struct model *model = press->model;
    const json_t *row = json_array_get(model->results, view_chosen_result(view, model));
    if (view->focus == FOCUS_CHANNELS && view->channel < model->channel_count)
        row = json_object_get(model->channels[view->channel].facts, "last");
    const int64_t id = reply_integer(row, "id", 0);
    if (id <= 0)
        return;
    view_turn_to(view, PAGE_RESULT);
    view->asked_id = id;
}

/* As many lines as a small screen has. */
enum { PAGE_LINES = 10 };

struct binding {
    int key;
    unsigned pages;
    void (*act)(const struct press *press);
    int amount;
};

static const struct binding bindings[] = {
    {'q', ON_PANELS, end, 0},
    {'q', ON_TEXTS, go_back, 0},
    {PRESSED_ESCAPE, ON_TEXTS, go_back, 0},
    {PRESSED_ENTER, ON_TEXTS, go_back, 0},
    {'?', ON_PANELS | ON_RESULT, show_help, 0},
    {'?', ON_HELP, go_back, 0},
    {PRESSED_UP, ON_PANELS | ON_TEXTS, move_view, -1},
    {PRESSED_DOWN, ON_PANELS | ON_TEXTS, move_view, 1},
    {'k', ON_PANELS | ON_TEXTS, move_view, -1},
    {'j', ON_PANELS | ON_TEXTS, move_view, 1},
    {PRESSED_PAGE_UP, ON_PANELS | ON_TEXTS, move_view, -PAGE_LINES},
    {PRESSED_PAGE_DOWN, ON_PANELS | ON_TEXTS, move_view, PAGE_LINES},
    {' ', ON_TEXTS, move_view, PAGE_LINES},
    {PRESSED_TAB, ON_PANELS, switch_focus, 0},
    {PRESSED_ENTER, ON_PANELS, open_result, 0},
    {'+', ON_PANELS, change_span, 1},
    {']', ON_PANELS, change_span, 1},
    {'-', ON_PANELS, change_span, -1},
    {'[', ON_PANELS, change_span, -1},
    {' ', ON_PANELS, freeze, 0},
};

void keys_press(struct view *view, const struct model *model, int key, double now_s)
{
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++) {
        const struct binding *binding = &bindings[i];
        if (binding->key == key && binding->pages & 1u << view->page) {
            binding->act(&(struct press){view, model, binding->amount, now_s});
            return;
        }
    }
}

static const struct {
    unsigned pages;
    struct key_help help;
} helps[] = {
    {ON_PANELS, {"q", "quit", "ends the monitor"}},
    {ON_TEXTS, {"q", "back", "goes back to the panels; also Esc and Enter"}},
    {ON_PANELS | ON_RESULT, {"?", "help", "shows this text"}},
    {ON_PANELS, {"up/down", "choose", "choose a channel or a result"}},
    {ON_TEXTS, {"up/down", "scroll", "scroll; also PageUp, PageDown and space"}},
    {ON_PANELS, {"Tab", "switch", "goes from the channels to the results, and back"}},
    {ON_PANELS, {"Enter", "open", "opens the chosen result, or a channel's last one"}},
    {ON_PANELS, {"+/-", "time", "a longer or a shorter while of the signal; also ] ["}},
    {ON_PANELS, {"space", "freeze", "lets the signal stand still, or run again"}},
};

const struct key_help *keys_help(enum page page, size_t i)
{
    for (size_t row = 0; row < sizeof helps / sizeof helps[0]; row++)
        if (helps[row].pages & 1u << page && i-- == 0)
            return &helps[row].help;
    return NULL;
}
