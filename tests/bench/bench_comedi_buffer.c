/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage: bench_comedi_buffer [DEVICE [SECONDS]]
 * What it costs to take a card's stream out of the kernel by read(), and out of its mapped buffer: processor time for
 * every second of 4 channels at the fastest of 100 kS/s, taken every 10 ms and looked at sample by sample. Needs a
 * card, like that of tests/kernel. */
#include <comedilib.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CHANNELS = 4, PERIOD_NS = 10000, PIECE = 1 << 18 };

struct stream {
    comedi_t *card;
    unsigned specs[CHANNELS];
    int bytes;
    const unsigned char *mapped; /* NULL: it is read */
    unsigned char *piece;
    uint64_t taken, sum;
};

static double processor_s(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void look_at(struct stream *stream, const unsigned char *bytes, size_t count)
{
    const sampl_t *samples = (const sampl_t *)(const void *)bytes;
    for (size_t i = 0; i < count / sizeof *samples; i++)
        stream->sum += samples[i];
    stream->taken += count;
}

/* All that is there; false when the stream has ended. */
static bool take_read(struct stream *stream)
{
    ssize_t got;
    while ((got = read(comedi_fileno(stream->card), stream->piece, PIECE)) > 0)
        look_at(stream, stream->piece, (size_t)got);
    return got < 0 && errno == EAGAIN;
}

static bool take_mapped(struct stream *stream)
{
    int there = comedi_get_buffer_contents(stream->card, 0);
    if (there < 0)
        return false;
    size_t at = stream->taken % (size_t)stream->bytes, count = (size_t)there;
    size_t first = count < (size_t)stream->bytes - at ? count : (size_t)stream->bytes - at;
    look_at(stream, stream->mapped + at, first);
    look_at(stream, stream->mapped, count - first);
    return comedi_mark_buffer_read(stream->card, 0, (unsigned)count) >= 0;
}

static bool start(struct stream *stream, const char *device)
{
    for (unsigned c = 0; c < CHANNELS; c++)
        stream->specs[c] = CR_PACK(c, 0, AREF_GROUND);
    comedi_cmd command = {.subdev = 0,
                          .start_src = TRIG_NOW,
                          .scan_begin_src = TRIG_TIMER,
                          .scan_begin_arg = PERIOD_NS,
                          .convert_src = TRIG_TIMER,
                          .convert_arg = PERIOD_NS / CHANNELS,
                          .scan_end_src = TRIG_COUNT,
                          .scan_end_arg = CHANNELS,
                          .stop_src = TRIG_NONE,
                          .chanlist = stream->specs,
                          .chanlist_len = CHANNELS};
    stream->card = comedi_open(device);
    if (!stream->card)
        return false;
    stream->bytes = comedi_get_buffer_size(stream->card, 0);
    int fd = comedi_fileno(stream->card);
    for (int trial = 0; trial < 3; trial++)
        comedi_command_test(stream->card, &command);
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && comedi_command(stream->card, &command) >= 0;
}

static int run(const char *device, double seconds, bool mapped)
{
    const struct timespec beat = {.tv_nsec = 10000000};
    struct stream stream = {.piece = malloc(PIECE)};
    bool good = stream.piece && start(&stream, device);
    if (good && mapped) {
        void *map = mmap(NULL, (size_t)stream.bytes, PROT_READ, MAP_SHARED, comedi_fileno(stream.card), 0);
        good = map != MAP_FAILED;
        stream.mapped = good ? map : NULL;
    }
    double began_s = processor_s();
    for (int turn = 0; good && turn < (int)(100 * seconds); turn++) {
        nanosleep(&beat, NULL);
        good = mapped ? take_mapped(&stream) : take_read(&stream);
    }
    double used_s = processor_s() - began_s;
    if (good)
        printf("%s: %.3f ms of processor for 1 s, %.1f MB taken, checksum %llx\n", mapped ? "mapped" : "read  ",
               1e3 * used_s / seconds, 1e-6 * (double)stream.taken, (unsigned long long)stream.sum);
    else
        printf("%s: %s\n", mapped ? "mapped" : "read  ", comedi_strerror(comedi_errno()));
    if (stream.mapped)
        munmap((void *)stream.mapped, (size_t)stream.bytes);
    if (stream.card)
        comedi_close(stream.card);
    free(stream.piece);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *device = argc > 1 ? argv[1] : "/dev/comedi0";
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 5;
    int failed = 0;
    for (int i = 0; i < 3; i++)
        failed |= run(device, seconds, false) | run(device, seconds, true);
    return failed;
}
