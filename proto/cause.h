/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_CAUSE_H
#define FRICID_PROTO_CAUSE_H

/* Why something failed, as half a sentence that a person understands: "permission denied". `error` is an errno value,
 * or the negative one that fricid's functions return; some of these mean what they mean in fricid alone. The text holds
 * until the next call in the same thread. */
const char *cause_of(int error);

#endif
