/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "acquire/read_calibration.h"

/* A polynomial that cannot be used changes nothing. Whether it rises or falls all the way over its range is the
 * simulated rig's question; a recording's range is not known before it is read. */
void read_calibration(struct config_reader *reader, const config_setting_t *array, struct calibration *calibration)
{
    int terms = config_setting_length(array);
    if (terms < 2 || terms > CALIBRATION_MAX_TERMS) {
        config_complain(reader, array, "`calibration` has %d coefficients: write 2 to %d, [offset, slope, …]", terms,
                        CALIBRATION_MAX_TERMS);
        return;
    }
    struct calibration read = {.terms = (size_t)terms};
    bool has_slope = false;
    for (int i = 0; i < terms; ++i) {
        if (!config_number(reader, config_setting_get_elem(array, (unsigned)i), &read.coefficients[i]))
            return;
        has_slope = has_slope || (i > 0 && read.coefficients[i] != 0);
    }
    if (has_slope)
        *calibration = read;
    else
        config_complain(reader, array, "`calibration` gives the same displacement whatever the sensor says");
}
