/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SOURCE_KINDS_H
#define FRICID_ACQUIRE_SOURCE_KINDS_H

#include <stddef.h>

/* The kinds of sources, a row each: what the code calls it, and the driver that knows everything else about it. Only
 * this table and that driver know of a kind; see source_driver.h. */
#define SOURCE_KINDS(ROW)                                                                                              \
    ROW(SOURCE_COMEDI, comedi_driver)                                                                                  \
    ROW(SOURCE_RECORDING, recording_driver)                                                                            \
    ROW(SOURCE_SIMULATED, simulated_driver)

#define SOURCE_KIND_OF_ROW(kind, driver) kind,
enum source_kind { SOURCE_KINDS(SOURCE_KIND_OF_ROW) SOURCE_KIND_COUNT };
#undef SOURCE_KIND_OF_ROW

/* The name that appears in configurations and in JSON: "comedi", "recording", "simulated". */
const char *source_kind_name(enum source_kind kind);

/* The names of all of them from index 0; NULL behind the last. */
const char *source_kind_name_at(size_t index);

#endif
