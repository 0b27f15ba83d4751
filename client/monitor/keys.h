/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_KEYS_H
#define FRICID_CLIENT_MONITOR_KEYS_H

#include "client/monitor/model.h"
#include "client/monitor/view.h"

#include <stdbool.h>
#include <stddef.h>

/* Keys that are no characters. */
enum key {
    PRESSED_ENTER = 0x110000, /* behind all characters */
    PRESSED_ESCAPE,
    PRESSED_TAB,
    PRESSED_UP,
    PRESSED_DOWN,
    PRESSED_PAGE_UP,
    PRESSED_PAGE_DOWN,
};

/* What is done on a key, of enum key or a character, on the page that is shown. Nothing when none is bound to it. */
void keys_press(struct view *view, const struct model *model, int key, double now_s);

/* What a key does. */
struct key_help {
    const char *name;     /* of the key, or of several */
    const char *brief;    /* for the bottom line */
    const char *sentence; /* for the help */
};

/* The i-th that goes with the page, the most important ones first; NULL behind the last. */
const struct key_help *keys_help(enum page page, size_t i);

#endif
