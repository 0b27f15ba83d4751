/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_EXIT_STATUS_H
#define FRICID_CLIENT_EXIT_STATUS_H

/* What fricidctl returns to the shell; documented in fricidctl(1). */
enum exit_status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,         /* the daemon answered with an error, or the output could not be written */
    STATUS_USAGE = 2,          /* wrong options or arguments, or a bad input file */
    STATUS_NOT_REACHABLE = 3,  /* nobody answers at the socket, or not in time */
    STATUS_NO_RESULT = 4,      /* the question was answered, but no valid result came of it */
    STATUS_NOT_PERMITTED = 5,  /* this user may not do that */
    STATUS_NOBODY_READS = 141, /* 128 + SIGPIPE, as shells say it: who read the output, as `| head` does, left */
};

#endif
