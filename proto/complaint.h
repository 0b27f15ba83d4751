/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_COMPLAINT_H
#define FRICID_PROTO_COMPLAINT_H

/* A sentence for the person in the lab: what is wrong, where, and what to do about it.
 *
 * Functions that can fail in ways a user must understand take a `struct complaint *` as their last argument,
 * return a negative errno-like code and leave the sentence here. The caller owns the struct; nothing is allocated. */
struct complaint {
    char text[512];
};

/* Replaces the sentence. It is made plain text (proto/plain_text.h); what does not fit is cut at the end of a
 * character. */
void complaint_set(struct complaint *complaint, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
