/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/sections.h"
#include "proto/address.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#define KEY(member_name) .offset = offsetof(struct service_configuration, member_name)

/* A terabyte, or half of what the machine can address where that is less. */
#define MAX_BYTES (SIZE_MAX / 2 < 1000000000000 ? (double)(SIZE_MAX / 2) : 1e12)

/* A queue below a mebibyte would lose decays of a few seconds. */
static const struct config_key keys[] = {
    {.name = "socket", .type = CONFIG_PATH, KEY(socket_path)},
    {.name = "group", .type = CONFIG_LABEL, KEY(group), .maximum = 32},
    {.name = "socket_mode", .type = CONFIG_WORD},
    {.name = "queue_max_bytes", .type = CONFIG_SIZE, KEY(queue_max_bytes), .minimum = 1 << 20, .maximum = MAX_BYTES},
    {.name = "results_held", .type = CONFIG_SIZE, KEY(results_held), .minimum = 1, .maximum = 1e6},
    {.name = "samples_held_bytes", .type = CONFIG_SIZE, KEY(samples_held_bytes), .minimum = 0, .maximum = MAX_BYTES},
    {.name = "job_deadline_s", .type = CONFIG_NUMBER, KEY(job_deadline_s), .minimum = 0.1, .maximum = 86400},
};

const struct config_section service_section = {"service", keys, sizeof keys / sizeof keys[0]};

struct service_configuration service_default_configuration(void)
{
    return (struct service_configuration){
        .socket_path = FRICID_DEFAULT_SOCKET,
        .group = "fricid",
        .socket_mode = 0666,
        .queue_max_bytes = (size_t)256 << 20,
        .results_held = 1000,
        .samples_held_bytes = (size_t)256 << 20,
        .job_deadline_s = 60,
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
