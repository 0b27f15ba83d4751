/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_STANDARD_STREAMS_H
#define FRICID_PROTO_STANDARD_STREAMS_H

/* To be called before anything else is opened: where standard input, output or error is closed, its descriptor would be
 * given to the next socket or file, and what is printed would go there. What stands in its place cannot be written, so
 * that output still fails as it should. */
void standard_streams_occupy(void);

#endif
