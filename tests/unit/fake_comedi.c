/* SPDX-License-Identifier: GPL-3.0-or-later */

/* libcomedi's functions, as far as the daemon calls them, for a card that is described by a struct. */

#include "fake_comedi.h"

#include "acquire/message_ring.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANDLES = 16, RANGES = 3, MAX_READING_BYTES = 1 << 20 };

/* A file that is open, and its stream when it has one. */
struct comedi_t_struct {
    bool used;
    atomic_int fd;
    double opened_s;
    unsigned buffer_bytes;
    bool streams;
    comedi_cmd command;
    unsigned chanlist[16];
    double started_s, period_s;
    uint64_t consumed; /* bytes */
    bool overflowed;
    uint64_t most; /* bytes, when it has overflowed */
};

static struct fake_card *card;
static struct comedi_t_struct handles[HANDLES];
static int last_error;
static atomic_uint_least64_t now_ns;
static atomic_uint_least64_t end_ns;
static bool stalled;

/* --- time --- */

/* So that it is not mistaken for the computer's. */
static const double began_s = 1000;

double fake_comedi_now_s(void)
{
    return (double)atomic_load(&now_ns) * 1e-9;
}

static void pass(double seconds)
{
    atomic_fetch_add(&now_ns, (uint64_t)llround(fmax(seconds, 0) * 1e9));
}

void fake_comedi_run_until(double end_s)
{
    atomic_store(&end_ns, (uint64_t)llround(end_s * 1e9));
}

bool fake_comedi_has_ended(void)
{
    return atomic_load(&now_ns) >= atomic_load(&end_ns);
}

double __wrap_source_monotonic_s(void);
double __wrap_source_monotonic_s(void)
{
    return began_s + fake_comedi_now_s();
}

static bool is_deaf(void)
{
    double now_s = fake_comedi_now_s();
    return now_s >= card->deaf_s[0] && now_s < card->deaf_s[1];
}

static bool all_is_taken(struct message_ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    bool taken = ring->filled == 0;
    pthread_mutex_unlock(&ring->mutex);
    return taken;
}

void __real_message_ring_sleep(struct message_ring *ring, double seconds);
void __wrap_message_ring_sleep(struct message_ring *ring, double seconds);

/* The event loop takes no time: a sleep begins when it has taken everything. Waking up takes a little, and now and then
 * a little more. */
void __wrap_message_ring_sleep(struct message_ring *ring, double seconds)
{
    static const double usual_s = 37e-6, long_s = 311e-6;
    while (!is_deaf() && !all_is_taken(ring) && !message_ring_is_stopping(ring))
        sched_yield();
    if (fake_comedi_has_ended()) {
        __real_message_ring_sleep(ring, 3600);
        return;
    }
    uint64_t moment = atomic_load(&now_ns) / 1000;
    pass(seconds + (moment % 13 == 0 ? long_s : usual_s));
    if (!stalled && card->stall_s[1] > 0 && fake_comedi_now_s() >= card->stall_s[0]) {
        stalled = true;
        pass(card->stall_s[1]);
    }
}

/* --- the card --- */

void fake_comedi_plug(struct fake_card *plugged)
{
    card = plugged;
    stalled = false;
    atomic_store(&now_ns, 0);
    atomic_store(&end_ns, 0);
    for (size_t i = 0; i < HANDLES; i++)
        handles[i] = (struct comedi_t_struct){.fd = -1};
}

static double nothing(unsigned channel, double at_s)
{
    (void)channel;
    (void)at_s;
    return 0;
}

struct fake_card fake_comedi_card(void)
{
    return (struct fake_card){.driver = "ni_pcimio",
                              .analog_bits = 16,
                              .counter_bits = 24,
                              .fastest_ns = 4000,
                              .step_ns = 50,
                              .buffer_bytes = 1 << 16,
                              .most_buffer_bytes = 1 << 26,
                              .mode = 0660,
                              .tick_s = 1e-3,
                              .reading_s = 5e-6,
                              .volts = nothing,
                              .edges = nothing};
}

static enum fake_state state_at(double at_s)
{
    enum fake_state state = FAKE_WORKS;
    for (size_t i = 0; i < card->moment_count && card->moments[i].at_s <= at_s; i++)
        state = card->moments[i].state;
    return state;
}

static enum fake_state state_now(void)
{
    return state_at(fake_comedi_now_s());
}

/* The first moment from from_s on at which the card is in one of these states; INFINITY: never. */
static double first_from(double from_s, enum fake_state a, enum fake_state b)
{
    if (state_at(from_s) == a || state_at(from_s) == b)
        return from_s;
    for (size_t i = 0; i < card->moment_count; i++)
        if (card->moments[i].at_s > from_s && (card->moments[i].state == a || card->moments[i].state == b))
            return card->moments[i].at_s;
    return INFINITY;
}

static int fail(int error)
{
    last_error = errno = error;
    return -1;
}

static bool is_dead(const comedi_t *handle)
{
    return first_from(handle->opened_s, FAKE_UNPLUGGED, FAKE_UNPLUGGED) <= fake_comedi_now_s();
}

static unsigned mask_of(unsigned bits)
{
    return (unsigned)((UINT64_C(1) << bits) - 1);
}

static const comedi_range ranges[RANGES] = {{-10, 10, UNIT_volt}, {-5, 5, UNIT_volt}, {-1, 1, UNIT_volt}};

static unsigned analog_code(unsigned spec, double at_s)
{
    const comedi_range *range = &ranges[CR_RANGE(spec)];
    double full = mask_of(card->analog_bits);
    double code = rint((card->volts(CR_CHAN(spec), at_s) - range->min) / (range->max - range->min) * full);
    return (unsigned)fmin(fmax(code, 0), full);
}

/* Quadrature X1, X2, X4 are 1, 2, 3 in the bits of the mode; what was not set up counts X1. */
static unsigned count_at(unsigned channel, double at_s)
{
    unsigned quadrature = card->counter_mode >> 16 & 7;
    unsigned shift = quadrature > 0 ? 3 - quadrature : 2;
    int64_t edges = (int64_t)floor(card->edges(channel, at_s)) - card->edges_before[channel];
    return (unsigned)((edges >> shift) + (int64_t)card->loaded[channel]) & mask_of(card->counter_bits);
}

static unsigned code_at(unsigned subdevice, unsigned spec, double at_s)
{
    return subdevice == 0 ? analog_code(spec, at_s) : count_at(CR_CHAN(spec), at_s);
}

/* --- opening --- */

comedi_t *comedi_open(const char *device)
{
    static const int errors[] = {[FAKE_MISSING] = ENOENT,
                                 [FAKE_NO_DRIVER] = ENODEV,
                                 [FAKE_FORBIDDEN] = EACCES,
                                 [FAKE_UNPLUGGED] = ENOENT,
                                 [FAKE_FAILING] = 0};
    int error = errors[state_now()];
    size_t i = 0;
    while (i < HANDLES && handles[i].used)
        i++;
    if (strcmp(device, "/dev/comedi0") != 0 || i == HANDLES)
        error = ENOENT;
    int fd = error ? -1 : memfd_create("comedi", MFD_CLOEXEC);
    if (fd < 0 || fchmod(fd, card->mode) != 0) {
        fail(error ? error : errno);
        return NULL;
    }
    handles[i] =
        (struct comedi_t_struct){.used = true, .opened_s = fake_comedi_now_s(), .buffer_bytes = card->buffer_bytes};
    atomic_store(&handles[i].fd, fd);
    card->opened++;
    return &handles[i];
}

int comedi_close(comedi_t *handle)
{
    close(atomic_exchange(&handle->fd, -1));
    handle->used = false;
    return 0;
}

unsigned fake_comedi_open_handles(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < HANDLES; i++)
        count += handles[i].used;
    return count;
}

int comedi_loglevel(int level)
{
    (void)level;
    return 0;
}

int comedi_errno(void)
{
    return last_error;
}

int comedi_fileno(comedi_t *handle)
{
    return atomic_load(&handle->fd);
}

const char *comedi_get_driver_name(comedi_t *handle)
{
    (void)handle;
    return card->driver;
}

const char *comedi_get_board_name(comedi_t *handle)
{
    (void)handle;
    return "made up";
}

char *comedi_get_default_calibration_path(comedi_t *handle)
{
    (void)handle;
    return strdup(card->calibration_file ? card->calibration_file : "/nonexistent/calibration");
}

/* --- what the subdevices are --- */

int comedi_get_n_subdevices(comedi_t *handle)
{
    (void)handle;
    return 3;
}

int comedi_get_subdevice_type(comedi_t *handle, unsigned subdevice)
{
    static const int types[] = {COMEDI_SUBD_AI, COMEDI_SUBD_COUNTER, COMEDI_SUBD_DI};
    (void)handle;
    return subdevice < 3 ? types[subdevice] : fail(EINVAL);
}

int comedi_find_subdevice_by_type(comedi_t *handle, int type, unsigned from)
{
    for (unsigned s = from; s < 3; s++)
        if (comedi_get_subdevice_type(handle, s) == type)
            return (int)s;
    return -1;
}

int comedi_get_subdevice_flags(comedi_t *handle, unsigned subdevice)
{
    int flags = SDF_READABLE;
    if (is_dead(handle))
        return fail(ENODEV);
    if (subdevice == 0)
        flags |= SDF_CMD_READ | SDF_GROUND | SDF_DIFF;
    if (subdevice == 0 && card->calibration_file)
        flags |= SDF_SOFT_CALIBRATED;
    if (subdevice == 0 && card->analog_bits > 16)
        flags |= SDF_LSAMPL;
    if (subdevice == 1)
        flags |= SDF_WRITABLE | (card->counters_stream ? SDF_CMD_READ | SDF_LSAMPL : 0);
    return state_now() == FAKE_BUSY ? flags | SDF_BUSY : flags;
}

int comedi_get_n_channels(comedi_t *handle, unsigned subdevice)
{
    static const int channels[] = {FAKE_ANALOG_CHANNELS, FAKE_COUNTERS, 8};
    (void)handle;
    return subdevice < 3 ? channels[subdevice] : fail(EINVAL);
}

lsampl_t comedi_get_maxdata(comedi_t *handle, unsigned subdevice, unsigned channel)
{
    (void)handle;
    (void)channel;
    return subdevice == 0 ? mask_of(card->analog_bits) : subdevice == 1 ? mask_of(card->counter_bits) : 1;
}

int comedi_get_n_ranges(comedi_t *handle, unsigned subdevice, unsigned channel)
{
    (void)handle;
    (void)channel;
    return subdevice == 0 ? RANGES : 1;
}

comedi_range *comedi_get_range(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned range)
{
    static comedi_range given;
    (void)handle;
    (void)channel;
    if (subdevice != 0 || range >= RANGES)
        return NULL;
    given = ranges[range];
    return &given;
}

int comedi_get_hardcal_converter(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned range,
                                 enum comedi_conversion_direction direction, comedi_polynomial_t *polynomial)
{
    (void)handle;
    (void)channel;
    if (subdevice != 0 || range >= RANGES || direction != COMEDI_TO_PHYSICAL)
        return fail(EINVAL);
    *polynomial = (comedi_polynomial_t){
        .coefficients = {ranges[range].min, (ranges[range].max - ranges[range].min) / mask_of(card->analog_bits)},
        .order = 1};
    return 0;
}

int comedi_get_buffer_size(comedi_t *handle, unsigned subdevice)
{
    (void)subdevice;
    return (int)handle->buffer_bytes;
}

int comedi_get_max_buffer_size(comedi_t *handle, unsigned subdevice)
{
    (void)handle;
    (void)subdevice;
    return (int)card->most_buffer_bytes;
}

/* In whole pages. */
int comedi_set_buffer_size(comedi_t *handle, unsigned subdevice, unsigned size)
{
    (void)subdevice;
    unsigned rounded = (size + 4095) / 4096 * 4096;
    if (rounded > card->most_buffer_bytes)
        return fail(EPERM);
    handle->buffer_bytes = rounded;
    return (int)rounded;
}

int comedi_set_read_subdevice(comedi_t *handle, unsigned subdevice)
{
    (void)handle;
    (void)subdevice;
    return 0;
}

/* --- single readings, and counters --- */

int comedi_data_read(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned range, unsigned reference,
                     lsampl_t *data)
{
    if (is_dead(handle))
        return fail(ENODEV);
    *data = code_at(subdevice, CR_PACK(channel, range, reference), fake_comedi_now_s() + card->reading_s / 2);
    pass(card->reading_s);
    return 1;
}

int comedi_data_write(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned range, unsigned reference,
                      lsampl_t data)
{
    (void)range;
    (void)reference;
    if (is_dead(handle) || subdevice != 1 || channel >= FAKE_COUNTERS)
        return fail(is_dead(handle) ? ENODEV : EINVAL);
    card->loaded[channel] = data;
    if (card->counts_anew)
        card->edges_before[channel] = (int64_t)floor(card->edges(channel, fake_comedi_now_s()));
    return 1;
}

int comedi_reset_channel(comedi_t *handle, unsigned subdevice, unsigned channel)
{
    (void)handle;
    (void)subdevice;
    card->resets++;
    card->armed = false;
    card->counter_mode = 0;
    card->loaded[channel] = 0;
    return 0;
}

int comedi_set_gate_source(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned gate, unsigned source)
{
    (void)handle;
    (void)subdevice;
    (void)channel;
    (void)gate;
    (void)source;
    return fail(EINVAL);
}

int comedi_set_other_source(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned which, unsigned source)
{
    (void)handle;
    (void)subdevice;
    (void)channel;
    unsigned index = which - NI_GPCT_SOURCE_ENCODER_A;
    if (card->knows_no_quadrature || index >= 16)
        return fail(EINVAL);
    card->terminal[index] = source;
    return 0;
}

int comedi_set_counter_mode(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned mode)
{
    (void)handle;
    (void)subdevice;
    (void)channel;
    if (card->knows_no_quadrature)
        return fail(EINVAL);
    card->counter_mode = mode;
    return 0;
}

int comedi_arm_channel(comedi_t *handle, unsigned subdevice, unsigned channel, unsigned source)
{
    (void)handle;
    (void)subdevice;
    (void)channel;
    (void)source;
    card->armed = true;
    return 0;
}

/* --- streams --- */

int comedi_get_cmd_src_mask(comedi_t *handle, unsigned subdevice, comedi_cmd *command)
{
    (void)handle;
    (void)subdevice;
    command->start_src = TRIG_NOW;
    command->scan_begin_src = card->times_conversions_only ? TRIG_FOLLOW : TRIG_TIMER;
    command->convert_src = card->simultaneous ? TRIG_NOW : TRIG_TIMER;
    command->scan_end_src = TRIG_COUNT;
    command->stop_src = TRIG_NONE;
    return 0;
}

static bool round_up(unsigned *ns, unsigned least)
{
    unsigned before = *ns;
    *ns = *ns < least ? least : (*ns + card->step_ns - 1) / card->step_ns * card->step_ns;
    return *ns != before;
}

int comedi_command_test(comedi_t *handle, comedi_cmd *command)
{
    comedi_cmd offered = {0};
    comedi_get_cmd_src_mask(handle, command->subdev, &offered);
    if (command->start_src != offered.start_src || command->scan_begin_src != offered.scan_begin_src ||
        command->convert_src != offered.convert_src)
        return 1;
    bool changed = !card->simultaneous && round_up(&command->convert_arg, card->fastest_ns / 4);
    if (!card->times_conversions_only)
        changed = round_up(&command->scan_begin_arg, card->fastest_ns) || changed;
    return changed ? 4 : 0;
}

int comedi_command(comedi_t *handle, comedi_cmd *command)
{
    if (is_dead(handle) || state_now() == FAKE_BUSY)
        return fail(is_dead(handle) ? ENODEV : EBUSY);
    handle->command = card->command = *command;
    memcpy(handle->chanlist, command->chanlist, command->chanlist_len * sizeof *handle->chanlist);
    memcpy(card->chanlist, command->chanlist, command->chanlist_len * sizeof *handle->chanlist);
    unsigned period_ns =
        card->times_conversions_only ? command->convert_arg * command->chanlist_len : command->scan_begin_arg;
    handle->period_s = period_ns * 1e-9 * (1 + card->clock_ppm * 1e-6);
    handle->started_s = fake_comedi_now_s();
    handle->streams = true;
    handle->consumed = 0;
    card->commands++;
    return 0;
}

static size_t sample_bytes(const comedi_t *handle)
{
    return handle->command.subdev == 1 || card->analog_bits > 16 ? sizeof(lsampl_t) : sizeof(sampl_t);
}

static unsigned sample_at(const comedi_t *handle, uint64_t number)
{
    unsigned channels = handle->command.chanlist_len;
    uint64_t scan = number / channels, channel = number % channels;
    double convert_s = card->simultaneous ? 0 : handle->command.convert_arg * 1e-9 * (1 + card->clock_ppm * 1e-6);
    double at_s = handle->started_s + (double)scan * handle->period_s + (double)channel * convert_s;
    return code_at(handle->command.subdev, handle->chanlist[channel], at_s);
}

/* How many bytes the driver has put into the kernel's buffer since the start, had it room for all. */
static uint64_t produced_by(const comedi_t *handle, double until_s)
{
    double ticks = floor((until_s - handle->started_s) / card->tick_s);
    double scans = floor(ticks * card->tick_s / handle->period_s);
    return (uint64_t)fmax(scans, 0) * handle->command.chanlist_len * sample_bytes(handle);
}

/* What is there in the end: the kernel drops what comes behind a full buffer, and the stream has ended. */
static uint64_t produced(comedi_t *handle)
{
    double broken_s = first_from(handle->started_s, FAKE_SILENT, FAKE_FAILING);
    uint64_t bytes = produced_by(handle, fmin(fake_comedi_now_s(), broken_s));
    if (!handle->overflowed && bytes > handle->consumed + handle->buffer_bytes) {
        handle->overflowed = true;
        handle->most = handle->consumed + handle->buffer_bytes;
    }
    return handle->overflowed ? handle->most : bytes;
}

static ssize_t read_stream(comedi_t *handle, void *bytes, size_t size)
{
    if (is_dead(handle))
        return fail(ENODEV);
    uint64_t there = produced(handle) - handle->consumed;
    double failed_s = first_from(handle->started_s, FAKE_FAILING, FAKE_FAILING);
    if (there == 0)
        return fail(handle->overflowed || failed_s <= fake_comedi_now_s() ? EPIPE : EAGAIN);
    size = size < there ? size : (size_t)there;
    size = card->piece_bytes > 0 && size > card->piece_bytes ? card->piece_bytes : size;
    for (size_t i = 0; i < size; i++) {
        size_t width = sample_bytes(handle);
        unsigned code = sample_at(handle, (handle->consumed + i) / width);
        ((unsigned char *)bytes)[i] = (unsigned char)(code >> 8 * ((handle->consumed + i) % width));
    }
    handle->consumed += size;
    return (ssize_t)size;
}

ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __wrap_read(int fd, void *bytes, size_t size);

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    for (size_t i = 0; i < HANDLES; i++)
        if (atomic_load(&handles[i].fd) == fd)
            return read_stream(&handles[i], bytes, size);
    return __real_read(fd, bytes, size);
}
