/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The frames of a write-ahead log, and which of them are what was written. */

#include "store/log_file.h"

#include "proto/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t magic = 0x377f0682, format = 3007000;

/* No file of SQLite's has more. */
static const uint32_t most_pages = UINT32_MAX - 1;

/* Of two words that are summed up in turn; words are as the machine that wrote them had them. */
struct sum {
    uint32_t first, second;
};

/* What SQLite knew of the log when it was written last. */
struct index {
    uint32_t committed, folded; /* frames; 0: it is not known, or nothing was waiting */
    uint32_t pages;             /* of the file, after the last of them */
    struct sum sum;             /* of the last of them */
};

/* What the frames of a log have in common, and the sum that the next one goes on from. */
struct walk {
    bool big_endian; /* the words of sums; all else always is */
    unsigned char salts[SALTS];
    bool started;        /* the sum is known */
    struct sum sum;      /* as it is written */
    struct sum computed; /* as it should have been written */
    bool destroyed;      /* the frame before cannot be told from noise, and its sum says nothing */
    struct index index;
};

static uint32_t word(const unsigned char *bytes, bool big_endian)
{
    if (big_endian)
        return big_endian_get(bytes);
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
    return (struct sum){big_endian_get(bytes), big_endian_get(bytes + 4)};
}

static bool sum_equal(struct sum a, struct sum b)
{
    return a.first == b.first && a.second == b.second;
}

/* Of a frame: the page's number and size, then the page; not the salts. */
static struct sum sum_add_frame(struct sum sum, const unsigned char *frame, bool big_endian)
{
    sum = sum_add(sum, frame, 8, big_endian);
    return sum_add(sum, frame + FRAME_PAGE, DATABASE_PAGE, big_endian);
}

static int read_at(int descriptor, void *bytes, size_t length, size_t offset)
{
    ssize_t got;
    do
        got = pread(descriptor, bytes, length, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : (size_t)got < length ? -ENODATA : 0;
}

static int read_frame(const struct log_file *log, size_t frame, unsigned char bytes[LOG_FRAME])
{
    return read_at(log->descriptor, bytes, LOG_FRAME, LOG_HEADER + frame * LOG_FRAME);
}

int log_file_read_page(const struct log_file *log, size_t frame, unsigned char page[DATABASE_PAGE])
{
    return read_at(log->descriptor, page, DATABASE_PAGE, LOG_HEADER + frame * LOG_FRAME + FRAME_PAGE);
}

static bool are_possible(uint32_t page, uint32_t size_after)
{
    return page > 0 && page <= most_pages && size_after <= most_pages;
}

/* --- where the walk begins --- */

static bool take_header(const unsigned char header[LOG_HEADER], struct walk *walk)
{
    if ((big_endian_get(header) & ~1u) != magic || big_endian_get(header + LOG_VERSION) != format)
        return false;
    walk->big_endian = big_endian_get(header) & 1;
    walk->sum = sum_add((struct sum){0, 0}, header, LOG_SUM, walk->big_endian);
    memcpy(walk->salts, header + LOG_SALTS, SALTS);
    walk->computed = walk->sum;
    walk->started = sum_equal(walk->sum, sum_read(header + LOG_SUM));
    return walk->started;
}

/* The sum that the first frame goes on from is known when it is that of a header with this frame's salts. All of that
 * header is known but how often the log was begun anew, and its second word has to be right. */
static void start_at_first_frame(const unsigned char frame[LOG_FRAME], struct walk *walk)
{
    const uint32_t words[] = {magic | walk->big_endian, format};
    unsigned char head[LOG_SALTS] = {0};
    for (size_t i = 0; i < 8; i++)
        head[i] = (unsigned char)(words[i / 4] >> (24 - 8 * (i % 4)) & 0xFF);
    struct sum sum = sum_read(frame + FRAME_SUM);
    sum = sum_take_back(sum, frame + FRAME_PAGE, DATABASE_PAGE, walk->big_endian);
    walk->computed = walk->sum = sum_take_back(sum, frame, 8, walk->big_endian);
    struct sum behind_sequence = sum_take_back(walk->sum, walk->salts, SALTS, walk->big_endian);
    struct sum before = sum_add((struct sum){0, 0}, head, 8, walk->big_endian);
    head[LOG_PAGE_SIZE + 2] = DATABASE_PAGE >> 8;
    uint32_t first = before.first + word(head + LOG_PAGE_SIZE, walk->big_endian) + before.second;
    walk->started = first == behind_sequence.first && memcmp(frame + FRAME_SALTS, walk->salts, SALTS) == 0;
}

static bool have_same_salts(const unsigned char *frame, const unsigned char *other)
{
    return memcmp(frame + FRAME_SALTS, other + FRAME_SALTS, SALTS) == 0;
}

/* Two frames, one behind the other, of which the second goes on from the first. */
static bool go_together(const unsigned char *frame, const unsigned char *next, bool big_endian)
{
    struct sum sum = sum_add_frame(sum_read(frame + FRAME_SUM), next, big_endian);
    return are_possible(big_endian_get(next), big_endian_get(next + FRAME_SIZE_AFTER)) &&
           have_same_salts(frame, next) && sum_equal(sum, sum_read(next + FRAME_SUM));
}

/* Without a header: from the first two frames that go together. */
static int find_salts(const struct log_file *log, struct walk *walk, bool *found)
{
    unsigned char frames[2][LOG_FRAME];
    int error = read_frame(log, 0, frames[0]);
    for (size_t i = 1; !error && !*found && i < log->count; i++) {
        const unsigned char *frame = frames[(i - 1) % 2], *next = frames[i % 2];
        error = read_frame(log, i, frames[i % 2]);
        for (int big_endian = 0; !error && !*found && big_endian < 2; big_endian++) {
            *found = go_together(frame, next, big_endian);
            walk->big_endian = big_endian;
        }
        memcpy(walk->salts, next + FRAME_SALTS, SALTS);
    }
    if (!error && *found && (error = read_frame(log, 0, frames[0])) == 0)
        start_at_first_frame(frames[0], walk);
    return error;
}

/* --- the index --- */

/* It is in shared memory,
 * which stays as a file when a process is killed, and is written behind the log: after a power cut it may be of an
 * earlier log, or claim less, never more. Its words are this machine's. */
static void read_index(const char *path, const unsigned char *salts, struct walk *walk)
{
    unsigned char bytes[INDEX_FOLDED + 4];
    const uint16_t one = 1;
    const bool big_endian = *(const unsigned char *)&one == 0;
    struct complaint ignored;
    int descriptor = regular_file_open(path, O_RDONLY, 0, &ignored);
    int error = descriptor < 0 ? descriptor : read_at(descriptor, bytes, sizeof bytes, 0);
    if (descriptor >= 0)
        close(descriptor);
    if (error || memcmp(bytes, bytes + INDEX_COPY, INDEX_COPY) != 0 ||
        (salts && memcmp(bytes + INDEX_SALTS, salts, SALTS) != 0))
        return;
    struct sum sum = sum_add((struct sum){0, 0}, bytes, INDEX_SUM, big_endian);
    if (!sum_equal(sum, (struct sum){word(bytes + INDEX_SUM, big_endian), word(bytes + INDEX_SUM + 4, big_endian)}) ||
        word(bytes + INDEX_PAGES, big_endian) > most_pages)
        return;
    walk->index = (struct index){
        .committed = word(bytes + INDEX_FRAMES, big_endian),
        .folded = word(bytes + INDEX_FOLDED, big_endian),
        .pages = word(bytes + INDEX_PAGES, big_endian),
        .sum = {word(bytes + INDEX_FRAME_SUM, big_endian), word(bytes + INDEX_FRAME_SUM + 4, big_endian)}};
}

/* --- the walk --- */

/* The page's number, or the size behind it, is another than was written, and nothing else of the frame is: then the
 * sums before and behind tell what it was. */
static bool mend_header(struct log_frame *frame, const unsigned char bytes[LOG_FRAME], const struct walk *walk)
{
    unsigned char numbers[8];
    struct sum behind = sum_take_back(sum_read(bytes + FRAME_SUM), bytes + FRAME_PAGE, DATABASE_PAGE, walk->big_endian);
    const uint32_t words[] = {behind.first - walk->sum.first - walk->sum.second,
                              behind.second - walk->sum.second - behind.first};
    for (int i = 0; i < 8; i++)
        numbers[i] = (unsigned char)(words[i / 4] >> 8 * (walk->big_endian ? 3 - i % 4 : i % 4));
    const uint32_t page = big_endian_get(numbers), size_after = big_endian_get(numbers + 4);
    if (!walk->started || !are_possible(page, size_after) || (page != frame->page && size_after != frame->size_after))
        return false;
    frame->page = page;
    frame->size_after = size_after;
    return true;
}

/* A frame goes on from the sum that the one before has written, or, when just that was damaged, from what it should
 * have. Behind one that is destroyed no sum leads on; there a frame with the salts of this log is taken for what was
 * written when the next one, or SQLite's index, goes on from it. Frames of an earlier log have other salts. */
static void take_frame(struct log_file *log, size_t i, const unsigned char bytes[LOG_FRAME], struct walk *walk)
{
    struct log_frame *frame = &log->frames[i];
    const struct sum written = sum_read(bytes + FRAME_SUM);
    const struct sum onward = sum_add_frame(walk->sum, bytes, walk->big_endian);
    const struct sum around = sum_add_frame(walk->computed, bytes, walk->big_endian);
    *frame = (struct log_frame){.page = big_endian_get(bytes), .size_after = big_endian_get(bytes + FRAME_SIZE_AFTER)};
    const bool possible = are_possible(frame->page, frame->size_after);
    const bool salted = possible && memcmp(bytes + FRAME_SALTS, walk->salts, SALTS) == 0;
    const bool ours = possible && (salted || i == 0 || frame[-1].sound);
    const bool goes_on = ours && walk->started && sum_equal(onward, written);
    const bool mends_sum = salted && walk->started && sum_equal(around, written);
    frame->plain = goes_on && salted;
    frame->sound = goes_on || mends_sum || (salted && mend_header(frame, bytes, walk));
    frame->promising = !frame->sound && salted && walk->destroyed;
    if (i > 0 && (mends_sum || (goes_on && frame[-1].promising)))
        frame[-1].sound = are_possible(frame[-1].page, frame[-1].size_after);
    if (salted && i + 1 == walk->index.committed)
        frame->sound = frame->sound || sum_equal(frame->promising ? written : onward, walk->index.sum);
    walk->destroyed = !frame->sound && !salted;
    walk->sum = written;
    walk->computed = onward;
    walk->started = true;
}

static size_t count_unsound(const struct log_file *log, size_t from, size_t to)
{
    size_t unsound = 0;
    for (size_t i = from; i < to; i++)
        unsound += !log->frames[i].sound;
    return unsound;
}

/* SQLite's index may know of a transaction behind the last one whose end can be told. When one frame of that is missing
 * it is taken all the same: what cannot be measured again stands on two pages. */
static void find_end(struct log_file *log, const struct index *index)
{
    for (size_t i = log->count; i > 0 && log->committed == 0; i--) {
        if (!log->frames[i - 1].sound || log->frames[i - 1].size_after == 0)
            continue;
        log->committed = i;
        log->pages = log->frames[i - 1].size_after;
    }
    const size_t promised = index->folded < index->committed ? index->committed : 0;
    const size_t there = promised < log->count ? promised : log->count;
    if (promised > log->committed && log->committed > 0 &&
        count_unsound(log, log->committed, there) + (promised - there) <= 1) {
        log->committed = there;
        log->pages = index->pages;
    }
    log->folded = index->folded < log->committed ? index->folded : log->committed;
    log->damaged = count_unsound(log, 0, log->committed);
    for (size_t i = 0; i < log->committed; i++)
        log->mended += log->frames[i].sound && !log->frames[i].plain;
    for (size_t i = log->committed; i < log->count; i++)
        log->left_over += log_file_is_left_over(log, i);
    log->lost = count_unsound(log, log->folded, log->committed);
    log->lost += promised > log->committed ? promised - log->committed : 0;
}

bool log_file_is_left_over(const struct log_file *log, size_t frame)
{
    return frame >= log->committed && (log->frames[frame].sound || log->frames[frame].rounds_ago > 0);
}

/* Each round counts the first word of its salts on. Of the first frame that a round has left nothing more is known than
 * that the next one goes on from its sum. */
static void take_earlier(struct log_file *log, size_t i, unsigned char frames[3][LOG_FRAME], const struct walk *walk)
{
    const unsigned char *frame = frames[i % 3], *before = frames[(i + 2) % 3], *two_before = frames[(i + 1) % 3];
    const uint32_t rounds_ago = big_endian_get(walk->salts) - big_endian_get(frame + FRAME_SALTS);
    if (log->frames[i].sound || rounds_ago == 0 || !go_together(before, frame, walk->big_endian))
        return;
    log->frames[i].rounds_ago = rounds_ago;
    if (log->frames[i - 1].rounds_ago > 0 || (i > 1 && have_same_salts(two_before, before)))
        return;
    log->frames[i - 1].rounds_ago = rounds_ago;
    log->frames[i - 1].promising = true;
}

static int walk_frames(struct log_file *log, struct walk *walk)
{
    unsigned char frames[3][LOG_FRAME];
    for (size_t i = 0; i < log->count; i++) {
        int error = read_frame(log, i, frames[i % 3]);
        if (error)
            return error;
        take_frame(log, i, frames[i % 3], walk);
        if (i > 0)
            take_earlier(log, i, frames, walk);
    }
    find_end(log, &walk->index);
    return 0;
}

/* --- all of it --- */

static int count_frames(struct log_file *log)
{
    struct stat file;
    if (fstat(log->descriptor, &file) != 0)
        return -errno;
    log->count = file.st_size <= LOG_HEADER ? 0 : ((size_t)file.st_size - LOG_HEADER) / LOG_FRAME;
    log->frames = calloc(log->count + 1, sizeof *log->frames);
    return log->frames ? 0 : -ENOMEM;
}

/* Of a log that is missing, or does not even have a header, only its index tells that it was not empty. */
static void look_for_promise(struct log_file *log, const char *index_path)
{
    struct walk walk = {.started = false};
    read_index(index_path, NULL, &walk);
    log->lost = walk.index.folded < walk.index.committed ? walk.index.committed - walk.index.folded : 0;
}

static int read_log(struct log_file *log, const char *index_path)
{
    static const unsigned char blank[LOG_HEADER];
    unsigned char header[LOG_HEADER];
    struct walk walk = {.started = false};
    int error = count_frames(log);
    if (!error)
        error = read_at(log->descriptor, header, LOG_HEADER, 0);
    if (error == -ENODATA)
        look_for_promise(log, index_path);
    if (error)
        return error == -ENODATA ? 0 : error;
    bool known = log->header_sound = take_header(header, &walk);
    if (known && big_endian_get(header + LOG_PAGE_SIZE) != DATABASE_PAGE) {
        log->count = 0;
        return 0;
    }
    if (!known && log->count > 0)
        error = find_salts(log, &walk, &known);
    /* Room that was made for a log and never written is blank. */
    log->garbled = !known && log->count > 0 && memcmp(header, blank, LOG_HEADER) != 0;
    if (!error && known) {
        read_index(index_path, walk.salts, &walk);
        error = walk_frames(log, &walk);
    }
    return error;
}

int log_file_open(const char *path, const char *index_path, struct log_file *log)
{
    struct complaint ignored;
    *log = (struct log_file){.descriptor = regular_file_open(path, O_RDONLY, 0, &ignored)};
    if (log->descriptor == -ENOENT)
        look_for_promise(log, index_path);
    if (log->descriptor < 0)
        return log->descriptor == -ENOENT ? 0 : log->descriptor;
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
