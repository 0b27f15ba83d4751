/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/motion_file.h"

#include "report/kinds/record_kind.h"
#include "report/kinds/table_header.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The columns of a loop that are looked for: of its forms the first two. */
enum { MAIN_COLUMNS = 2 };

/* In the unit of the form, in place. */
static const double *take_channel(struct recording *recording, size_t channel, double scale)
{
    double *values = recording->displacement[channel];
    for (size_t i = 0; i < recording->count; i++)
        values[i] *= scale;
    return values;
}

/* The column, or NULL where there is none, or where nobody can choose: then there is a complaint. */
static int find_column(struct recording *recording, const struct kind_column *column, const char *path,
                       const double **values, struct complaint *complaint)
{
    size_t found = SIZE_MAX;
    double unit = NAN;
    for (size_t c = 0; c < recording->channel_count; c++) {
        const struct recording_column *channel = &recording->columns[c];
        const double scale = table_channel_scale(column, channel->name, channel->unit);
        if (isnan(scale))
            continue;
        if (found != SIZE_MAX) {
            complaint_set(complaint, "%s: both `%s` and `%s` may be the %s: --columns names what is wanted", path,
                          recording->columns[found].name, channel->name, column->quantity);
            return -EINVAL;
        }
        found = c;
        unit = scale;
    }
    *values = found == SIZE_MAX ? NULL : take_channel(recording, found, unit);
    return 0;
}

/* Nobody can choose between a displacement and an angle. */
static int refuse_other_motion(struct motion_file *motion, const struct kind_form *other, const char *path,
                               struct complaint *complaint)
{
    const double *found = NULL;
    const bool angular = strcmp(other->column[0].unit, "rad") == 0;
    if (angular == motion->angular || !motion->displacement)
        return 0;
    const int error = find_column(&motion->recording, &other->column[0], path, &found, complaint);
    if (error || !found)
        return error;
    complaint_set(complaint, "%s: both a displacement and an angle may be the motion: --columns names what is wanted",
                  path);
    return -EINVAL;
}

static int find_columns(struct motion_file *motion, const char *path, struct complaint *complaint)
{
    const struct record_kind *loop = record_kind_named("loop");
    const double **const values[MAIN_COLUMNS] = {&motion->displacement, &motion->force};
    int error = 0;
    bool taken = false;
    for (size_t f = 0; f < loop->form_count && !error; f++) {
        const double *found[MAIN_COLUMNS] = {NULL, NULL};
        if (strcmp(loop->forms[f].column[0].quantity, QUANTITY_VELOCITY) == 0)
            continue;
        if (taken) {
            error = refuse_other_motion(motion, &loop->forms[f], path, complaint);
            continue;
        }
        for (size_t c = 0; c < MAIN_COLUMNS && !error; c++)
            error = find_column(&motion->recording, &loop->forms[f].column[c], path, &found[c], complaint);
        if (error || (!found[0] && !found[1]))
            continue;
        for (size_t c = 0; c < MAIN_COLUMNS; c++)
            *values[c] = found[c];
        motion->angular = strcmp(loop->forms[f].column[0].unit, "rad") == 0;
        taken = true;
    }
    if (taken && !error)
        return 0;
    if (!error)
        complaint_set(complaint,
                      "%s: there is no motion and no force in it: a column is called displacement_m, force_n, "
                      "angle_rad or torque_nm, or so in another unit",
                      path);
    return -EINVAL;
}

int motion_file_load(const char *path, const struct recording_manner *manner, struct motion_file *motion,
                     struct complaint *complaint)
{
    *motion = (struct motion_file){.angular = false};
    const int error = recording_load(path, manner, &motion->recording, complaint);
    return error < 0 ? error : find_columns(motion, path, complaint);
}

void motion_file_clear(struct motion_file *motion)
{
    recording_clear(&motion->recording);
    *motion = (struct motion_file){.angular = false};
}
