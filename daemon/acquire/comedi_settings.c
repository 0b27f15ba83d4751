/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What holds for a card of which nothing else was said. */

#include "acquire/comedi_settings.h"

struct comedi_settings comedi_default_settings(void)
{
    return (struct comedi_settings){.device = "/dev/comedi0",
                                    .sample_rate_hz = 10000,
                                    .poll_rate_hz = 1000,
                                    .convert_us = 10,
                                    .buffer_s = 10,
                                    .silent_s = 1};
}

struct comedi_channel_settings comedi_channel_default_settings(enum comedi_input input)
{
    return (struct comedi_channel_settings){.unit = "mm",
                                            .input = input,
                                            .subdevice = COMEDI_FIRST_SUBDEVICE,
                                            .calibration = calibration_identity(),
                                            .counts_per_unit = 1,
                                            .multiply = 4,
                                            .input_a = COMEDI_NO_TERMINAL,
                                            .input_b = COMEDI_NO_TERMINAL,
                                            .input_z = COMEDI_NO_TERMINAL};
}
