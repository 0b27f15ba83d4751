/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_LOG_IDS_H
#define FRICID_LOG_IDS_H

/* What is no event but has a number in the journal. */
#define LOG_STARTED "started"
#define LOG_STOPPING "stopping"

/* The MESSAGE_ID under which the journal files a kind of message: 32 hexadecimal digits. Never NULL. */
const char *log_message_id(const char *code);

#endif
