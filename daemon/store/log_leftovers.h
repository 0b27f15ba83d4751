/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_LOG_LEFTOVERS_H
#define FRICID_STORE_LOG_LEFTOVERS_H

#include "store/log_file.h"

#include <sys/types.h>

/* Adds what a log holds beside what was committed to the file that the committed pages were put into and of which pages
 * are missing; `there` is how long that was before, 0: it is made of the log alone. Where nothing is known of a page it
 * gets its place; a leaf of a table whose place has another page goes behind all places: no tree leads there, but what
 * its rows say is not lost. */
int log_leftovers_apply(const struct log_file *log, int descriptor, off_t there);

#endif
