/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_SET_ASIDE_H
#define FRICID_STORE_SET_ASIDE_H

/* "PATH.KIND-DATE-NN", a name that nothing has yet, nor a log of it: an earlier copy is not for us to remove. To be
 * freed with sqlite3_free(); NULL when memory is short, or a hundred of this second are there. */
char *set_aside_name(const char *path, const char *kind);

#endif
