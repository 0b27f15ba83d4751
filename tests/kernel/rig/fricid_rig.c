// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A test rig that exists in the kernel only: behind the Comedi interface, an LVDT on analog inputs and an encoder on
 * counters follow one motion.
 *
 * The motion is a table of positions: int32 nanometres, one every `row_ns`, written to the attribute "motion" of the
 * platform device. It stands at its first row until "go" is written to, runs through once, and stays at its last.
 * Everything reads the table by time, so every channel sees the same motion at whatever rate.
 *
 * Subdevice 0: four analog inputs of up to 16 bit, or wider ones, LVDT of 0.5 V/mm on each; single readings and
 * commands. Subdevice 1: two counters, an encoder of 200 quadrature edges a millimetre, with its index pulse at zero;
 * single readings, and commands if asked. Subdevice 2: digital inputs that nobody needs, to have a subdevice of the
 * wrong type.
 *
 * Binding and unbinding the platform driver plugs the card in and out.
 */
#include <linux/comedi/comedidev.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/vmalloc.h>

#define MAX_ROWS 2000000
#define ANALOG_CHANNELS 4
#define COUNTERS 2
#define UV_PER_UM 500    /* 0.5 V/mm */
#define NM_PER_EDGE 5000 /* 200 edges a mm */
#define TICK_NS 1000000  /* how often a card tells of what it has converted */
#define TIME_BASE_NS 50  /* scan periods are multiples of this, as on a card with a clock of 20 MHz */

enum fault { FAULT_NONE, FAULT_ERROR, FAULT_SILENT, FAULT_OVERFLOW };

static unsigned int row_ns = 100000, noise_uv, analog_bits = 16, counter_bits = 32, fault;
static int clock_ppm;
static bool stream_counters, simultaneous;
static u64 went_ns; /* CLOCK_MONOTONIC; 0: the motion stands at its first row */
module_param(row_ns, uint, 0644);
module_param(noise_uv, uint, 0644);
module_param(clock_ppm, int, 0644);
module_param(fault, uint, 0644);
module_param(analog_bits, uint, 0444);
module_param(counter_bits, uint, 0444);
module_param(stream_counters, bool, 0444);
module_param(simultaneous, bool, 0444);
MODULE_PARM_DESC(noise_uv, "noise of the analog inputs: evenly spread up to this, either way");
MODULE_PARM_DESC(simultaneous, "every analog input has a converter of its own");
MODULE_PARM_DESC(clock_ppm, "how much too slow the card's clock is");
MODULE_PARM_DESC(fault, "1: error, 2: no more data, 3: overflow");

static int set_went(const char *text, const struct kernel_param *parameter)
{
    bool go;
    int error = kstrtobool(text, &go);

    if (!error)
        WRITE_ONCE(went_ns, go ? ktime_get_ns() : 0);
    return error;
}

static int get_went(char *text, const struct kernel_param *parameter)
{
    return sysfs_emit(text, "%llu\n", READ_ONCE(went_ns));
}

static const struct kernel_param_ops went_ops = {.set = set_went, .get = get_went};
module_param_cb(go, &went_ops, NULL, 0644);
MODULE_PARM_DESC(go, "1: start the motion, 0: back to its first row; reads as the time when it started, ns");

/* --- the motion --- */

static s32 *motion;
static size_t motion_bytes;

/* Rows before the first and behind the last are like these. */
static s64 row_nm(s64 row, s64 rows)
{
    return motion[clamp_t(s64, row, 0, rows - 1)];
}

/* Between two rows a parabola, with the mean of their second differences: chords would take from the amplitude, at
 * 40 Hz more than a stream of 200 kS/s is uncertain by. */
static s64 position_nm(u64 now)
{
    u64 went = READ_ONCE(went_ns), rows = motion_bytes / sizeof(*motion);
    u32 into;
    u64 row = div_u64_rem(went && now > went ? now - went : 0, row_ns, &into);
    s64 from, to, bend;

    if (!rows)
        return 0;
    if (row >= rows)
        return motion[rows - 1];
    from = row_nm(row, rows);
    to = row_nm(row + 1, rows);
    bend = div_s64((row_nm(row + 2, rows) - to - from + row_nm((s64)row - 1, rows)) * into, row_ns);
    return from + div_s64((to - from) * into - div_s64(bend * (row_ns - into), 4), row_ns);
}

static ssize_t motion_write(struct file *file, struct kobject *kobject, struct bin_attribute *attribute, char *text,
                            loff_t offset, size_t count)
{
    if (offset + count > MAX_ROWS * sizeof(*motion))
        return -EFBIG;
    memcpy((char *)motion + offset, text, count);
    motion_bytes = offset + count;
    return count;
}
static BIN_ATTR_WO(motion, 0);

/* --- the sensors --- */

struct stream {
    struct comedi_device *card;
    struct comedi_subdevice *subdevice;
    struct hrtimer timer;
    u64 started_ns, scans;
    bool running;
};

struct card {
    struct stream stream[2];
    u32 offset[COUNTERS];      /* added to the encoder's edges */
    u32 edges_shift[COUNTERS]; /* quadrature X4: 0, X2: 1, X1: 2 */
    u32 loaded[COUNTERS];      /* what an index pulse sets the counter to */
    bool indexed[COUNTERS];    /* whether it does */
    bool beyond[COUNTERS];     /* whether the mass was beyond the index when somebody looked last */
    u32 chance;
    spinlock_t lock; /* chance, and all about the counters */
};

static s64 noise(struct card *card)
{
    card->chance = card->chance * 1664525u + 1013904223u;
    return (s64)((u64)card->chance * (2ull * noise_uv + 1) >> 32) - noise_uv;
}

static u32 voltage_code(struct card *card, const struct comedi_krange *range, u32 maxdata, u64 now)
{
    s64 uv = div_s64(position_nm(now) * UV_PER_UM, 1000) + noise(card);
    u64 span = range->max - range->min;

    uv = clamp_t(s64, uv, range->min, range->max) - range->min;
    return div_u64(uv * maxdata + span / 2, span);
}

static u32 edges(struct card *card, unsigned int counter, u64 now)
{
    s64 nm = position_nm(now) * (counter ? -1 : 1);
    s64 full = nm >= 0 ? div_s64(nm, NM_PER_EDGE) : -div_s64(-nm + NM_PER_EDGE - 1, NM_PER_EDGE);

    return (u32)(full >> card->edges_shift[counter]);
}

/* The index is where no edges have been counted yet. */
static void pass_index(struct card *card, unsigned int counter, u64 now)
{
    bool beyond = position_nm(now) > 0;

    if (card->indexed[counter] && beyond != card->beyond[counter])
        card->offset[counter] = card->loaded[counter];
    card->beyond[counter] = beyond;
}

static u32 reading(struct comedi_device *dev, struct comedi_subdevice *s, u32 spec, u64 now)
{
    struct card *card = dev->private;
    unsigned int channel = CR_CHAN(spec);

    if (s->type == COMEDI_SUBD_AI)
        return voltage_code(card, &s->range_table->range[CR_RANGE(spec)], s->maxdata, now);
    pass_index(card, channel, now);
    return (edges(card, channel, now) + card->offset[channel]) & s->maxdata;
}

static int read_once(struct comedi_device *dev, struct comedi_subdevice *s, struct comedi_insn *insn,
                     unsigned int *data)
{
    struct card *card = dev->private;
    unsigned int i;

    spin_lock_bh(&card->lock);
    for (i = 0; i < insn->n; i++)
        data[i] = reading(dev, s, insn->chanspec, ktime_get_ns());
    spin_unlock_bh(&card->lock);
    return insn->n;
}

/* --- counters --- */

static void set_count(struct comedi_device *dev, unsigned int counter, u32 count)
{
    struct card *card = dev->private;

    spin_lock_bh(&card->lock);
    card->offset[counter] = count - edges(card, counter, ktime_get_ns());
    card->loaded[counter] = count;
    pass_index(card, counter, ktime_get_ns());
    spin_unlock_bh(&card->lock);
}

static int counter_write(struct comedi_device *dev, struct comedi_subdevice *s, struct comedi_insn *insn,
                         unsigned int *data)
{
    if (insn->n)
        set_count(dev, CR_CHAN(insn->chanspec), data[insn->n - 1]);
    return insn->n;
}

/* Understands the words in which the counters of NI cards are set up. */
static int counter_config(struct comedi_device *dev, struct comedi_subdevice *s, struct comedi_insn *insn,
                          unsigned int *data)
{
    struct card *card = dev->private;
    unsigned int counter = CR_CHAN(insn->chanspec);

    switch (data[0]) {
    case INSN_CONFIG_RESET:
        set_count(dev, counter, 0);
        return insn->n;
    case INSN_CONFIG_SET_COUNTER_MODE:
        /* Bits 16 to 18: 1, 2, 3 stand for quadrature X1, X2, X4. */
        if (data[1] >> 16 & 7) {
            card->edges_shift[counter] = 3 - (data[1] >> 16 & 3);
            card->indexed[counter] = data[1] & NI_GPCT_INDEX_ENABLE_BIT;
            return insn->n;
        }
        return -EINVAL;
    case INSN_CONFIG_ARM:
    case INSN_CONFIG_DISARM:
    case INSN_CONFIG_SET_GATE_SRC:
    case INSN_CONFIG_SET_OTHER_SRC:
        return insn->n;
    }
    return -EINVAL;
}

static int no_digital_input(struct comedi_device *dev, struct comedi_subdevice *s, struct comedi_insn *insn,
                            unsigned int *data)
{
    data[1] = 0;
    return insn->n;
}

/* --- commands --- */

/* When a scan is taken. The card believes that its clock is right. */
static u64 scan_ns(const struct stream *stream, u64 period_ns)
{
    u64 ns = stream->scans * period_ns;

    return stream->started_ns + ns + div_s64((s64)ns * clock_ppm, 1000000);
}

static bool write_scan(struct stream *stream, u64 now)
{
    struct comedi_subdevice *s = stream->subdevice;
    const struct comedi_cmd *cmd = &s->async->cmd;
    unsigned int i;

    for (i = 0; i < cmd->chanlist_len; i++) {
        u32 wide = reading(stream->card, s, cmd->chanlist[i], now + i * cmd->convert_arg);
        u16 narrow = wide;

        if (!comedi_buf_write_samples(s, s->subdev_flags & SDF_LSAMPL ? (void *)&wide : (void *)&narrow, 1))
            return false; /* the buffer is full, and comedi has noted the overflow */
    }
    stream->scans++;
    return true;
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
    struct stream *stream = container_of(timer, struct stream, timer);
    struct comedi_subdevice *s = stream->subdevice;
    struct card *card = stream->card->private;
    u64 now = ktime_get_ns();
    unsigned int failing = READ_ONCE(fault);

    if (failing == FAULT_ERROR)
        s->async->events |= COMEDI_CB_ERROR;
    if (failing == FAULT_OVERFLOW)
        s->async->events |= COMEDI_CB_OVERFLOW;
    spin_lock(&card->lock);
    while (!failing && scan_ns(stream, s->async->cmd.scan_begin_arg) <= now)
        if (!write_scan(stream, scan_ns(stream, s->async->cmd.scan_begin_arg)))
            break;
    spin_unlock(&card->lock);
    comedi_handle_events(stream->card, s);
    if (!READ_ONCE(stream->running))
        return HRTIMER_NORESTART;
    hrtimer_forward_now(timer, ns_to_ktime(TICK_NS));
    return HRTIMER_RESTART;
}

static int test_command(struct comedi_device *dev, struct comedi_subdevice *s, struct comedi_cmd *cmd)
{
    bool at_once = simultaneous && s->type == COMEDI_SUBD_AI;
    int error = 0;

    error |= comedi_check_trigger_src(&cmd->start_src, TRIG_NOW);
    error |= comedi_check_trigger_src(&cmd->scan_begin_src, TRIG_TIMER);
    error |= comedi_check_trigger_src(&cmd->convert_src, at_once ? TRIG_NOW : TRIG_TIMER);
    error |= comedi_check_trigger_src(&cmd->scan_end_src, TRIG_COUNT);
    error |= comedi_check_trigger_src(&cmd->stop_src, TRIG_NONE);
    if (error)
        return 1;
    error |= comedi_check_trigger_arg_is(&cmd->start_arg, 0);
    error |= at_once ? comedi_check_trigger_arg_is(&cmd->convert_arg, 0)
                     : comedi_check_trigger_arg_min(&cmd->convert_arg, 1000);
    error |= comedi_check_trigger_arg_min(&cmd->chanlist_len, 1);
    error |= comedi_check_trigger_arg_is(&cmd->scan_end_arg, cmd->chanlist_len);
    error |= comedi_check_trigger_arg_min(&cmd->scan_begin_arg, max(2000u, cmd->convert_arg * cmd->chanlist_len));
    error |= comedi_check_trigger_arg_is(&cmd->stop_arg, 0);
    if (error)
        return 3;
    error |= comedi_check_trigger_arg_is(&cmd->convert_arg, roundup(cmd->convert_arg, TIME_BASE_NS));
    error |= comedi_check_trigger_arg_is(&cmd->scan_begin_arg, roundup(cmd->scan_begin_arg, TIME_BASE_NS));
    return error ? 4 : 0;
}

static int start_command(struct comedi_device *dev, struct comedi_subdevice *s)
{
    struct stream *stream = s->private;

    stream->started_ns = ktime_get_ns();
    stream->scans = 0;
    WRITE_ONCE(stream->running, true);
    hrtimer_start(&stream->timer, ns_to_ktime(TICK_NS), HRTIMER_MODE_REL_SOFT);
    return 0;
}

/* Also called from the tick itself, where the flag is enough and waiting would be for oneself. */
static int cancel_command(struct comedi_device *dev, struct comedi_subdevice *s)
{
    struct stream *stream = s->private;

    WRITE_ONCE(stream->running, false);
    if (!in_serving_softirq())
        hrtimer_cancel(&stream->timer);
    return 0;
}

/* --- the card --- */

static const struct comedi_lrange voltages = {3, {BIP_RANGE(10), BIP_RANGE(5), BIP_RANGE(1)}};

static void make_subdevice(struct comedi_device *dev, unsigned int index, int type, int channels, unsigned int maxdata)
{
    struct comedi_subdevice *s = &dev->subdevices[index];

    s->type = type;
    s->n_chan = channels;
    s->maxdata = maxdata;
    s->subdev_flags = SDF_READABLE;
    s->range_table = &range_unknown;
    s->insn_read = read_once;
}

static void make_stream(struct comedi_device *dev, unsigned int index, int flags)
{
    struct card *card = dev->private;
    struct comedi_subdevice *s = &dev->subdevices[index];
    struct stream *stream = &card->stream[index];

    stream->card = dev;
    stream->subdevice = s;
    hrtimer_init(&stream->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
    stream->timer.function = tick;
    s->private = stream;
    s->subdev_flags |= SDF_CMD_READ | flags;
    s->len_chanlist = 16;
    s->do_cmdtest = test_command;
    s->do_cmd = start_command;
    s->cancel = cancel_command;
}

static int attach(struct comedi_device *dev, unsigned long context)
{
    struct card *card = comedi_alloc_devpriv(dev, sizeof(*card));
    int error = card ? comedi_alloc_subdevices(dev, 3) : -ENOMEM;

    if (error)
        return error;
    spin_lock_init(&card->lock);
    dev->board_name = "fricid test rig";
    make_subdevice(dev, 0, COMEDI_SUBD_AI, ANALOG_CHANNELS, GENMASK(analog_bits - 1, 0));
    make_stream(dev, 0, SDF_GROUND | SDF_DIFF | SDF_SOFT_CALIBRATED | (analog_bits > 16 ? SDF_LSAMPL : 0));
    dev->subdevices[0].range_table = &voltages;
    dev->read_subdev = &dev->subdevices[0];
    make_subdevice(dev, 1, COMEDI_SUBD_COUNTER, COUNTERS, GENMASK(counter_bits - 1, 0));
    dev->subdevices[1].subdev_flags |= SDF_WRITABLE;
    dev->subdevices[1].insn_write = counter_write;
    dev->subdevices[1].insn_config = counter_config;
    if (stream_counters)
        make_stream(dev, 1, SDF_LSAMPL);
    make_subdevice(dev, 2, COMEDI_SUBD_DI, 8, 1);
    dev->subdevices[2].insn_read = NULL;
    dev->subdevices[2].insn_bits = no_digital_input;
    return 0;
}

static void detach(struct comedi_device *dev)
{
    struct card *card = dev->private;
    int i;

    for (i = 0; card && i < 2; i++)
        if (card->stream[i].card)
            hrtimer_cancel(&card->stream[i].timer);
}

static struct comedi_driver comedi_side = {
    .driver_name = "fricid_rig",
    .module = THIS_MODULE,
    .auto_attach = attach,
    .detach = detach,
};

static int plug(struct platform_device *device)
{
    return comedi_auto_config(&device->dev, &comedi_side, 0);
}

static int unplug(struct platform_device *device)
{
    comedi_auto_unconfig(&device->dev);
    return 0;
}

static struct platform_driver platform_side = {.probe = plug, .remove = unplug, .driver = {.name = "fricid_rig"}};
static struct platform_device *platform_device;

static int register_drivers(void)
{
    int error = comedi_driver_register(&comedi_side);

    if (error)
        return error;
    error = platform_driver_register(&platform_side);
    if (error)
        comedi_driver_unregister(&comedi_side);
    return error;
}

static void unregister_drivers(void)
{
    platform_driver_unregister(&platform_side);
    comedi_driver_unregister(&comedi_side);
}

static int __init fricid_rig_init(void)
{
    int error;

    if (analog_bits < 8 || analog_bits > 28 || counter_bits < 8 || counter_bits > 32 || !row_ns)
        return -EINVAL;
    motion = vzalloc(MAX_ROWS * sizeof(*motion));
    if (!motion)
        return -ENOMEM;
    error = register_drivers();
    if (error)
        goto no_drivers;
    platform_device = platform_device_register_simple("fricid_rig", PLATFORM_DEVID_NONE, NULL, 0);
    error = PTR_ERR_OR_ZERO(platform_device);
    if (error)
        goto no_device;
    error = device_create_bin_file(&platform_device->dev, &bin_attr_motion);
    if (!error)
        return 0;
    platform_device_unregister(platform_device);
no_device:
    unregister_drivers();
no_drivers:
    vfree(motion);
    return error;
}

static void __exit fricid_rig_exit(void)
{
    device_remove_bin_file(&platform_device->dev, &bin_attr_motion);
    platform_device_unregister(platform_device);
    unregister_drivers();
    vfree(motion);
}

module_init(fricid_rig_init);
module_exit(fricid_rig_exit);
MODULE_DESCRIPTION("fricid's test rig: an LVDT and an encoder that follow one motion");
MODULE_LICENSE("GPL");
