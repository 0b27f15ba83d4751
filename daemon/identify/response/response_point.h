/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RESPONSE_POINT_H
#define FRICID_IDENTIFY_RESPONSE_POINT_H

/* A point of a response: gain is the response over the force. */
struct response_point {
    double frequency, response, force, gain;
};

#endif
