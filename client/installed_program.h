/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_INSTALLED_PROGRAM_H
#define FRICID_CLIENT_INSTALLED_PROGRAM_H

/* Turns this process into another program of fricid's: the one beside this program, as it was built or installed, else
 * the one in the directory for the system's programs, else the one of the search path. `arguments` begin with its name
 * and end with NULL. Returns only when there is none, with errno set. */
void installed_program_become(const char *const *arguments);

#endif
