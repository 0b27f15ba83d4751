/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words for error codes. fricid gives some codes a meaning of its own, and the system's words for some others are
 * those of kernel developers: these stand here. For the rest the system's words will do. */

#include "proto/cause.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct cause {
    int error;
    const char *words;
} causes[] = {
    {0, "no reason was given"},
    /* fricid's own meanings */
    {EUCLEAN, "what is stored there is damaged"},
    {ENOMEDIUM, "it is no database of fricid's, or its first page is damaged"},
    {EPROTO, "the database refused it; has another program changed it?"},
    {EPROTONOSUPPORT, "a later version of fricid wrote it"},
    {EBADMSG, "what stands in it is not what should stand there"},
    {ENODATA, "a part of it is missing"},
    {ECANCELED, "it was broken off"},
    {ESHUTDOWN, "the daemon is ending"},
    {EILSEQ, "it is not UTF-8 text"},
    {EDQUOT, "more room is not granted for it"},
    {EEXIST, "it is there already"},
    /* the system's meanings in other words */
    {ENOMEM, "memory is short"},
    {EAGAIN, "the system gives no more of it at the moment"},
    {EBADF, "it is not open"},
    {EBUSY, "another program uses it"},
    {EFAULT, "it cannot be reached in memory"},
    {EFBIG, "it would become too large"},
    {EINTR, "it was interrupted"},
    {EINVAL, "the system cannot do that with it"},
    {ENODEV, "there is no such device"},
    {ENOSPC, "the disk is full"},
    {ENOSYS, "the system cannot do that"},
    {ENOTSUP, "the system cannot do that with it"},
    {ENXIO, "nobody is at the other end of it"},
    {ERANGE, "a number in it is too large"},
    {EDOM, "a number in it is not possible"},
    {ESTALE, "the disk in the network does not know it any more"},
    {ETXTBSY, "it is a program that runs"},
};

const char *cause_of(int error)
{
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i].error == abs(error))
            return causes[i].words;
    return strerror(abs(error));
}
