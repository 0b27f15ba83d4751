/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_SHARED_LIBRARY_H
#define FRICID_PROTO_SHARED_LIBRARY_H

#include "proto/complaint.h"

#include <stddef.h>

/* Libraries that are loaded when the first file is met that needs them. Those that read files of numbers load some
 * forty others: every start of a program would take five times as long, for files that most programs never see.
 *
 * Who needs one lists the symbols that he uses as an X macro, of which these make a struct of pointers, each of its
 * symbol's own type, and the names:
 *
 *     #define SYMBOLS(SYMBOL) SYMBOL(sf_close) SYMBOL(sf_seek)
 *     struct sound_calls { SYMBOLS(LIBRARY_POINTER) };
 *     static const char *const names[] = {SYMBOLS(LIBRARY_NAME)};
 */
#define LIBRARY_POINTER(name) __typeof__(name) *name;
#define LIBRARY_NAME(name) #name,

/* Loads a library, for good, and fills `pointers`, a struct of so many pointers, with the addresses of its symbols.
 * 0, or -ENOTSUP and a complaint that names no file. Safe in any thread; a second time takes microseconds. */
int shared_library_load(const char *library, const char *const *names, size_t count, void *pointers,
                        struct complaint *complaint);

#endif
