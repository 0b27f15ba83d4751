/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_TABLE_JOIN_H
#define FRICID_REPORT_TABLE_JOIN_H

#include "report/kinds/table_file.h"

/* Makes one record of all records of several files, which are of one kind that has runs, with the same columns in the
 * same units: one run behind the other, with gaps in time between them that are longer than any run, and each run with
 * its own order of time. `paths` are those of the files, for complaints. 0, or a negative errno and a complaint;
 * table_file_clear(joined) in any case. */
int table_join(const struct table_file *tables, const char *const *paths, size_t count, struct table_file *joined,
               struct complaint *complaint);

#endif
