/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens a card, and finds words for what the kernel says when it cannot. */

#include "acquire/comedi_card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool card_fault_set(struct card_fault *fault, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->complaint.text, sizeof fault->complaint.text, format, arguments);
    va_end(arguments);
    fault->code = code;
    return false;
}

bool card_fault_from_errno(struct card_fault *fault, const char *device, const char *doing, int error)
{
    static const struct {
        int error;
        const char *code, *sentence;
    } known[] = {
        {ENOENT, "no_device", "there is no such device: is the card plugged in, and its driver loaded?"},
        {ENXIO, "no_driver", "no driver is attached: load the card's driver, or attach it with comedi_config"},
        {ENODEV, "device_lost", "the card is gone: is the cable in?"},
        {EACCES, "no_permission", "permission denied; is the service in group iocard?"},
        {EPERM, "no_permission",
         "permission denied; does the service unit allow the device (DeviceAllow=char-comedi)?"},
        {EBUSY, "busy", "busy: another program uses it; end that program"},
        {ENOMEM, "no_memory", "the kernel has too little memory for it"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].error == error)
            return card_fault_set(fault, known[i].code, "%s: %s", device, known[i].sentence);
    return card_fault_set(fault, "device_error", "%s: %s: %s", device, doing, comedi_strerror(error));
}

/* Most cards are calibrated in hardware, and then there is no file; a file that cannot be read is none. */
static comedi_calibration_t *find_calibration(comedi_t *handle)
{
    char *path = comedi_get_default_calibration_path(handle);
    comedi_calibration_t *calibration = path && access(path, R_OK) == 0 ? comedi_parse_calibration_file(path) : NULL;
    free(path);
    return calibration;
}

bool comedi_card_open(struct comedi_card *card, const char *device, struct card_fault *fault)
{
    struct stat status;
    *card = (struct comedi_card){.device = device};
    /* The library prints what it does not like; what matters is told in events. */
    comedi_loglevel(0);
    card->handle = comedi_open(device);
    if (!card->handle) {
        /* A node without a card behind it is not one that was pulled out. */
        int error = comedi_errno() == ENODEV ? ENXIO : comedi_errno();
        return card_fault_from_errno(fault, device, "cannot open it", error);
    }
    int fd = comedi_fileno(card->handle);
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ||
        fstat(fd, &status) < 0) {
        card_fault_from_errno(fault, device, "cannot prepare it", errno);
        comedi_card_close(card);
        return false;
    }
    card->world_writable = (status.st_mode & S_IWOTH) != 0;
    card->board = comedi_get_board_name(card->handle);
    card->driver = comedi_get_driver_name(card->handle);
    card->calibration = find_calibration(card->handle);
    return true;
}

void comedi_card_close(struct comedi_card *card)
{
    if (card->calibration)
        comedi_cleanup_calibration(card->calibration);
    if (card->handle)
        comedi_close(card->handle);
    card->handle = NULL;
    card->calibration = NULL;
}
