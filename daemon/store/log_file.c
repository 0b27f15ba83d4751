/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The frames of a write-ahead log, and which of them are what was written. */

#include "store/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 32, FRAME_HEADER = 24, FRAME = FRAME_HEADER + LOG_PAGE, SALTS = 8 };

static const uint32_t magic = 0x377f0682, format = 3007000;

/* Of two words that are summed up in turn; words are as the machine that wrote them had them. */
struct sum {
    uint32_t first, second;
};

/* What the frames of a log have in common, and the sum that the next one goes on from. */
struct walk {
    bool big_endian; /* the words of sums; all else always is */
    unsigned char salts[SALTS];
    bool started; /* the sum is known */
    struct sum sum;
};

static uint32_t big(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t word(const unsigned char *bytes, bool big_endian)
{
    if (big_endian)
        return big(bytes);
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static struct sum sum_add(struct sum sum, const unsigned char *bytes, size_t length, bool big_endian)
{
    for (size_t i = 0; i < length; i += 8) {
        sum.first += word(bytes + i, big_endian) + sum.second;
        sum.second += word(bytes + i + 4, big_endian) + sum.first;
    }
    return sum;
}

/* What the sum was before these bytes. */
static struct sum sum_take_back(struct sum sum, const unsigned char *bytes, size_t length, bool big_endian)
{
    for (size_t i = length; i > 0; i -= 8) {
        sum.second -= word(bytes + i - 4, big_endian) + sum.first;
        sum.first -= word(bytes + i - 8, big_endian) + sum.second;
    }
    return sum;
}

static struct sum sum_read(const unsigned char *bytes)
{
    return (struct sum){big(bytes), big(bytes + 4)};
}

static bool sum_equal(struct sum a, struct sum b)
{
    return a.first == b.first && a.second == b.second;
}

/* Of a frame: the page's number and size, then the page; not the salts. */
static struct sum sum_add_frame(struct sum sum, const unsigned char *frame, bool big_endian)
{
    sum = sum_add(sum, frame, 8, big_endian);
    return sum_add(sum, frame + FRAME_HEADER, LOG_PAGE, big_endian);
}

static int read_at(int descriptor, void *bytes, size_t length, size_t offset)
{
    ssize_t got;
    do
        got = pread(descriptor, bytes, length, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : (size_t)got < length ? -ENODATA : 0;
}

static int read_frame(const struct log_file *log, size_t frame, unsigned char bytes[FRAME])
{
    return read_at(log->descriptor, bytes, FRAME, HEADER + frame * FRAME);
}

int log_file_read_page(const struct log_file *log, size_t frame, unsigned char page[LOG_PAGE])
{
    return read_at(log->descriptor, page, LOG_PAGE, HEADER + frame * FRAME + FRAME_HEADER);
}

/* --- where the walk begins --- */

static bool take_header(const unsigned char header[HEADER], struct walk *walk)
{
    if ((big(header) & ~1u) != magic || big(header + 4) != format)
        return false;
    walk->big_endian = big(header) & 1;
    walk->sum = sum_add((struct sum){0, 0}, header, HEADER - 8, walk->big_endian);
    memcpy(walk->salts, header + 16, SALTS);
    walk->started = sum_equal(walk->sum, sum_read(header + HEADER - 8));
    return walk->started;
}

/* The sum that the first frame goes on from is known when it is that of a header with this frame's salts. All of that
 * header is known but how often the log was begun anew, and its second word has to be right. */
static void start_at_first_frame(const unsigned char frame[FRAME], struct walk *walk)
{
    unsigned char head[16] = {magic >> 24, magic >> 16 & 0xFF, magic >> 8 & 0xFF,  (magic & 0xFF) | walk->big_endian,
                              0,           format >> 16,       format >> 8 & 0xFF, format & 0xFF};
    struct sum sum = sum_read(frame + 16);
    sum = sum_take_back(sum, frame + FRAME_HEADER, LOG_PAGE, walk->big_endian);
    walk->sum = sum_take_back(sum, frame, 8, walk->big_endian);
    struct sum behind_sequence = sum_take_back(walk->sum, walk->salts, SALTS, walk->big_endian);
    struct sum before = sum_add((struct sum){0, 0}, head, 8, walk->big_endian);
    head[10] = LOG_PAGE >> 8;
    uint32_t first = before.first + word(head + 8, walk->big_endian) + before.second;
    walk->started = first == behind_sequence.first && memcmp(frame + 8, walk->salts, SALTS) == 0;
}

/* Two frames, one behind the other, of which the second goes on from the first. */
static bool go_together(const unsigned char *frame, const unsigned char *next, bool big_endian)
{
    struct sum sum = sum_add_frame(sum_read(frame + 16), next, big_endian);
    return big(next) > 0 && memcmp(frame + 8, next + 8, SALTS) == 0 && sum_equal(sum, sum_read(next + 16));
}

/* Without a header: from the first two frames that go together. */
static int find_salts(const struct log_file *log, struct walk *walk, bool *found)
{
    unsigned char frames[2][FRAME];
    int error = read_frame(log, 0, frames[0]);
    for (size_t i = 1; !error && !*found && i < log->count; i++) {
        const unsigned char *frame = frames[(i - 1) % 2], *next = frames[i % 2];
        error = read_frame(log, i, frames[i % 2]);
        for (int big_endian = 0; !error && !*found && big_endian < 2; big_endian++) {
            *found = go_together(frame, next, big_endian);
            walk->big_endian = big_endian;
        }
        memcpy(walk->salts, next + 8, SALTS);
    }
    if (!error && *found && (error = read_frame(log, 0, frames[0])) == 0)
        start_at_first_frame(frames[0], walk);
    return error;
}

/* --- the walk --- */

static int walk_frames(struct log_file *log, struct walk *walk)
{
    unsigned char bytes[FRAME];
    size_t wrong = 0;
    for (size_t i = 0; i < log->count; i++) {
        struct log_frame *frame = &log->frames[i];
        int error = read_frame(log, i, bytes);
        if (error)
            return error;
        *frame = (struct log_frame){.page = big(bytes), .size_after = big(bytes + 4)};
        struct sum written = sum_read(bytes + 16);
        frame->ours = frame->page > 0 && memcmp(bytes + 8, walk->salts, SALTS) == 0;
        frame->sound =
            walk->started && frame->ours && sum_equal(sum_add_frame(walk->sum, bytes, walk->big_endian), written);
        walk->sum = written;
        walk->started = true;
        wrong += !frame->sound;
        if (frame->sound && frame->size_after > 0) {
            log->committed = i + 1;
            log->damaged = wrong;
        }
    }
    return 0;
}

/* --- the index --- */

/* Two copies of what SQLite knows of the log, then how much of that is in the file already. It is in shared memory,
 * which stays as a file when a process is killed, and is written behind the log: after a power cut it may be of an
 * earlier log, or claim less, never more. Its words are this machine's. */
static void read_index(const char *path, const struct walk *walk, struct log_file *log)
{
    enum { COPY = 48, SUMMED = 40, FRAMES = 16, INDEX_SALTS = 32, FOLDED = 2 * COPY };
    unsigned char index[FOLDED + 4];
    const uint16_t one = 1;
    const bool big_endian = *(const unsigned char *)&one == 0;
    uint32_t committed, folded;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int error = descriptor < 0 ? -errno : read_at(descriptor, index, sizeof index, 0);
    if (descriptor >= 0)
        close(descriptor);
    if (error || memcmp(index, index + COPY, COPY) != 0 || memcmp(index + INDEX_SALTS, walk->salts, SALTS) != 0)
        return;
    struct sum sum = sum_add((struct sum){0, 0}, index, SUMMED, big_endian);
    struct sum written = {word(index + SUMMED, big_endian), word(index + SUMMED + 4, big_endian)};
    memcpy(&committed, index + FRAMES, sizeof committed);
    memcpy(&folded, index + FOLDED, sizeof folded);
    if (sum_equal(sum, written) && folded < committed)
        log->promised = committed;
}

/* --- all of it --- */

static int count_frames(struct log_file *log)
{
    struct stat file;
    if (fstat(log->descriptor, &file) != 0)
        return -errno;
    log->count = file.st_size <= HEADER ? 0 : ((size_t)file.st_size - HEADER) / FRAME;
    log->frames = calloc(log->count + 1, sizeof *log->frames);
    return log->frames ? 0 : -ENOMEM;
}

static int read_log(struct log_file *log, const char *index_path)
{
    static const unsigned char blank[HEADER];
    unsigned char header[HEADER];
    struct walk walk = {.started = false};
    int error = count_frames(log);
    if (!error)
        error = read_at(log->descriptor, header, HEADER, 0);
    if (error)
        return error == -ENODATA ? 0 : error;
    bool known = log->header_sound = take_header(header, &walk);
    if (known && big(header + 8) != LOG_PAGE) {
        log->count = 0;
        return 0;
    }
    if (!known && log->count > 0)
        error = find_salts(log, &walk, &known);
    /* Room that was made for a log and never written is blank. */
    log->garbled = !known && log->count > 0 && memcmp(header, blank, HEADER) != 0;
    if (!error && known)
        error = walk_frames(log, &walk);
    if (!error && known)
        read_index(index_path, &walk, log);
    return error;
}

int log_file_open(const char *path, const char *index_path, struct log_file *log)
{
    *log = (struct log_file){.descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    if (log->descriptor < 0)
        return errno == ENOENT ? 0 : -errno;
    int error = read_log(log, index_path);
    if (error)
        log_file_close(log);
    /* It became shorter while it was read. */
    return error == -ENODATA ? -EIO : error;
}

void log_file_close(struct log_file *log)
{
    if (log->descriptor >= 0)
        close(log->descriptor);
    free(log->frames);
    *log = (struct log_file){.descriptor = -1};
}
