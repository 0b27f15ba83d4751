/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_LABVIEW_H
#define FRICID_PROTO_LABVIEW_H

#include "proto/complaint.h"
#include "proto/dialect/preamble.h"
#include "proto/dialect/sample.h"

/* What LabVIEW writes above the rows of its text files: measurements (.lvm), and waveforms as a table (.txt). */

/* 0, also where it is no such file; or -EBADMSG and a complaint when it is one that cannot be read. */
int labview_read(const struct sample *sample, struct preamble *preamble, struct complaint *complaint);

#endif
