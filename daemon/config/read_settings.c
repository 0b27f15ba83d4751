/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The groups that are alike at every level: `service`, `segment` and `physical`. Each is a table of keys and the
 * checks that a table cannot hold. */

#include "config/sections.h"
#include "proto/address.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

/* --- service --- */

#define SERVICE(member_name) .offset = offsetof(struct service_configuration, member_name)

/* A terabyte, or half of what the machine can address where that is less. */
#define MAX_BYTES (SIZE_MAX / 2 < 1000000000000 ? (double)(SIZE_MAX / 2) : 1e12)

/* A queue below a mebibyte would lose decays of a few seconds. */
static const struct config_key service_keys[] = {
    {.name = "socket", .type = CONFIG_PATH, SERVICE(socket_path)},
    {.name = "group", .type = CONFIG_LABEL, SERVICE(group), .maximum = 32},
    {.name = "socket_mode", .type = CONFIG_WORD, SERVICE(socket_mode)},
    {.name = "queue_max_bytes",
     .type = CONFIG_SIZE,
     SERVICE(queue_max_bytes),
     .minimum = 1 << 20,
     .maximum = MAX_BYTES},
    {.name = "results_held", .type = CONFIG_SIZE, SERVICE(results_held), .minimum = 1, .maximum = 1e6},
    {.name = "samples_held_bytes",
     .type = CONFIG_SIZE,
     SERVICE(samples_held_bytes),
     .minimum = 0,
     .maximum = MAX_BYTES},
    {.name = "identify_max_bytes",
     .type = CONFIG_SIZE,
     SERVICE(identify_max_bytes),
     .minimum = 1 << 20,
     .maximum = MAX_BYTES},
    {.name = "job_deadline_s", .type = CONFIG_NUMBER, SERVICE(job_deadline_s), .minimum = 0.1, .maximum = 86400},
    {.name = "ladder_deadline_s", .type = CONFIG_NUMBER, SERVICE(ladder_deadline_s), .minimum = 0, .maximum = 86400},
};

const struct config_section service_section = {"service", service_keys, sizeof service_keys / sizeof service_keys[0]};

struct service_configuration service_default_configuration(void)
{
    return (struct service_configuration){
        .socket_path = FRICID_DEFAULT_SOCKET,
        .group = "fricid",
        .socket_mode = 0666,
        .queue_max_bytes = (size_t)256 << 20,
        .results_held = 1000,
        .samples_held_bytes = (size_t)256 << 20,
        .identify_max_bytes = (size_t)256 << 20,
        .job_deadline_s = 60,
        .ladder_deadline_s = 60,
    };
}

/* A string, because libconfig reads the number 0666 as six hundred and sixty-six. */
static void read_socket_mode(struct config_reader *reader, const config_setting_t *word, unsigned *mode)
{
    if (!word)
        return;
    const char *text = config_setting_get_string(word);
    size_t length = strlen(text);
    if (length < 3 || length > 4 || strspn(text, "01234567") != length || (length == 4 && text[0] != '0'))
        config_complain(reader, word, "`socket_mode` is \"%s\": it must be three octal digits, as in \"0666\"", text);
    else
        *mode = (unsigned)strtoul(text, NULL, 8);
}

/* The path is measured after it was joined with the folder: that is what the kernel will see. */
void read_service(struct config_reader *reader, const config_setting_t *group, struct service_configuration *service)
{
    config_read_section(reader, group, &service_section, service);
    read_socket_mode(reader, config_member(group, &service_section, "socket_mode"), &service->socket_mode);
    const config_setting_t *socket = config_member(group, &service_section, "socket");
    size_t longest = sizeof((struct sockaddr_un *)NULL)->sun_path - 1;
    if (socket && service->socket_path && strlen(service->socket_path) > longest)
        config_complain(reader, socket, "the socket path %s is %zu bytes long: at most %zu are possible",
                        service->socket_path, strlen(service->socket_path), longest);
}

/* --- segment --- */

#define SEGMENT(member_name) .offset = offsetof(struct segment_settings, member_name)

/* Two half cycles are the least that a decrement can be taken from. The bounds of length keep a channel's memory within
 * what a small lab computer has: a sample takes 8 to 17 bytes. Lengths in displacement units know no natural bound; 1e9
 * only keeps their squares and sums far from the end of a double. */
static const struct config_key segment_keys[] = {
    {.name = "start_below", .type = CONFIG_NUMBER_OR_NONE, SEGMENT(start_below), .minimum = 0, .maximum = 1e9},
    {.name = "stop_below", .type = CONFIG_NUMBER_OR_NONE, SEGMENT(stop_below), .minimum = 0, .maximum = 1e9},
    {.name = "min_half_cycles", .type = CONFIG_SIZE, SEGMENT(min_half_cycles), .minimum = 2, .maximum = 10000},
    {.name = "pretrigger_cycles", .type = CONFIG_NUMBER, SEGMENT(pretrigger_cycles), .minimum = 0, .maximum = 100},
    {.name = "max_duration_s", .type = CONFIG_NUMBER, SEGMENT(max_duration_s), .above_minimum = true, .maximum = 1e6},
    {.name = "max_samples", .type = CONFIG_SIZE, SEGMENT(max_samples), .minimum = 1000, .maximum = 1e8},
    {.name = "resolution", .type = CONFIG_NUMBER, SEGMENT(resolution), .minimum = 0, .maximum = 1e9},
};

const struct config_section segment_section = {"segment", segment_keys, sizeof segment_keys / sizeof segment_keys[0]};

void read_segment(struct config_reader *reader, const config_setting_t *group, struct segment_settings *segment)
{
    if (!group)
        return;
    config_read_section(reader, group, &segment_section, segment);
    const config_setting_t *stop = config_member(group, &segment_section, "stop_below");
    const config_setting_t *start = config_member(group, &segment_section, "start_below");
    /* Inherited values were compared where they were written. Comparisons with NAN, no limit, are false. */
    if ((stop || start) && segment->stop_below >= segment->start_below)
        config_complain(reader, stop ? stop : start,
                        "`stop_below` (%.15g) must be smaller than `start_below` (%.15g), or no sample is left",
                        segment->stop_below, segment->start_below);
}

/* --- physical --- */

#define PHYSICAL(member_name) .offset = offsetof(struct physical_settings, member_name)

/* No mass and no stiffness are said by leaving the keys out, never by 0: results would divide by them. */
static const struct config_key physical_keys[] = {
    {.name = "mass_kg", .type = CONFIG_NUMBER, PHYSICAL(mass_kg), .above_minimum = true, .maximum = 1e6},
    {.name = "stiffness_n_per_m",
     .type = CONFIG_NUMBER,
     PHYSICAL(stiffness_n_per_m),
     .above_minimum = true,
     .maximum = 1e12},
    {.name = "gravity_m_per_s2",
     .type = CONFIG_NUMBER,
     PHYSICAL(gravity_m_per_s2),
     .above_minimum = true,
     .maximum = 100},
    {.name = "u_mass_kg", .type = CONFIG_NUMBER, PHYSICAL(u_mass_kg), .minimum = 0, .maximum = 1e6},
    {.name = "u_stiffness_n_per_m",
     .type = CONFIG_NUMBER,
     PHYSICAL(u_stiffness_n_per_m),
     .minimum = 0,
     .maximum = 1e12},
    {.name = "u_gravity_m_per_s2", .type = CONFIG_NUMBER, PHYSICAL(u_gravity_m_per_s2), .minimum = 0, .maximum = 100},
    {.name = "u_gain_percent", .type = CONFIG_NUMBER, PHYSICAL(u_gain_percent), .minimum = 0, .maximum = 100},
    {.name = "u_clock_ppm", .type = CONFIG_NUMBER, PHYSICAL(u_clock_ppm), .minimum = 0, .maximum = 1e6},
    {.name = "linearity_percent", .type = CONFIG_NUMBER, PHYSICAL(linearity_percent), .minimum = 0, .maximum = 100},
    {.name = "full_scale", .type = CONFIG_NUMBER, PHYSICAL(full_scale), .above_minimum = true, .maximum = 1e9},
    {.name = "force_sign", .type = CONFIG_NUMBER, PHYSICAL(contact.force_sign), .minimum = -1, .maximum = 1},
    {.name = "normal_sign", .type = CONFIG_NUMBER, PHYSICAL(contact.normal_sign), .minimum = -1, .maximum = 1},
    {.name = "force_delay_s", .type = CONFIG_NUMBER, PHYSICAL(contact.force_delay_s), .minimum = -100, .maximum = 100},
    {.name = "u_force_delay_s", .type = CONFIG_NUMBER, PHYSICAL(contact.u_force_delay_s), .maximum = 100},
    {.name = "normal_delay_s",
     .type = CONFIG_NUMBER,
     PHYSICAL(contact.normal_delay_s),
     .minimum = -100,
     .maximum = 100},
    {.name = "u_normal_delay_s", .type = CONFIG_NUMBER, PHYSICAL(contact.u_normal_delay_s), .maximum = 100},
    {.name = "moving_mass_kg",
     .type = CONFIG_NUMBER,
     PHYSICAL(contact.moving_mass_kg),
     .above_minimum = true,
     .maximum = 1e6},
    {.name = "u_moving_mass_kg", .type = CONFIG_NUMBER, PHYSICAL(contact.u_moving_mass_kg), .maximum = 1e6},
    {.name = "path_stiffness_n_per_m",
     .type = CONFIG_NUMBER,
     PHYSICAL(contact.path_stiffness_n_per_m),
     .above_minimum = true,
     .maximum = 1e15},
    {.name = "u_path_stiffness_n_per_m",
     .type = CONFIG_NUMBER,
     PHYSICAL(contact.u_path_stiffness_n_per_m),
     .maximum = 1e15},
    {.name = "u_force_gain_percent", .type = CONFIG_NUMBER, PHYSICAL(contact.u_force_gain_percent), .maximum = 100},
    {.name = "u_normal_gain_percent", .type = CONFIG_NUMBER, PHYSICAL(contact.u_normal_gain_percent), .maximum = 100},
};

const struct config_section physical_section = {"physical", physical_keys,
                                                sizeof physical_keys / sizeof physical_keys[0]};

static void check_sign(struct config_reader *reader, const config_setting_t *group, const char *name)
{
    const config_setting_t *sign = config_member(group, &physical_section, name);
    double value;
    if (sign && config_number(reader, sign, &value) && fabs(value) < 1)
        config_complain(reader, sign, "`%s` is %g: it must be 1, or -1 for a force that counts the other way", name,
                        value);
}

void read_physical(struct config_reader *reader, const config_setting_t *group, struct physical_settings *physical)
{
    if (!group)
        return;
    config_read_section(reader, group, &physical_section, physical);
    check_sign(reader, group, "force_sign");
    check_sign(reader, group, "normal_sign");
}
