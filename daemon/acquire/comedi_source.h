/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_SOURCE_H
#define FRICID_ACQUIRE_COMEDI_SOURCE_H

#include "acquire/comedi_settings.h"
#include "acquire/source.h"
#include "proto/complaint.h"

/* A Comedi card as a source. It need not be there yet: a card that is missing, busy or broken is a fault that is told,
 * and tried again until it works. The settings are copied. -ENOMEM and a complaint when memory is short, -ENOTSUP when
 * this fricidd was built without libcomedi. */
int comedi_source_create(struct event_base *base, const struct comedi_settings *settings,
                         const struct source_listener *listener, struct source **source, struct complaint *complaint);

#endif
