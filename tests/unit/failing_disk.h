/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FAILING_DISK_H
#define FRICID_TESTS_FAILING_DISK_H

#include <stdbool.h>

/* A disk that fails when a test wants it to: every call of SQLite that writes, syncs, cuts or makes a file goes through
 * here (its own hooks for testing, and fdatasync() and fsync() of this program), and so do pwrite(), ftruncate(),
 * link(), rename() and unlink() of the program's own objects (--wrap). Nothing is really synced: tests end processes,
 * not machines. */

enum disk_fault {
    DISK_FAILS_ONCE,   /* the call that is meant, no other */
    DISK_STAYS_BAD,    /* that one and all after it */
    DISK_TAKES_HALF,   /* that one writes half of what it should; all after it fail */
    DISK_ENDS_PROCESS, /* as kill -9 just before the call */
};

enum { DISK_EXIT_STATUS = 42 }; /* of a process that was ended so */

/* To be called first of all. */
void failing_disk_set_up(void);

/* From now on `succeeding` calls succeed; at the next one the fault happens, with this errno. */
void failing_disk_begin(long succeeding, enum disk_fault fault, int error);

/* All succeed again. Whether the fault happened: when not, there were no more than `succeeding` calls. */
bool failing_disk_end(void);

#endif
