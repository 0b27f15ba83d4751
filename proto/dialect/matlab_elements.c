/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tags and lengths of MATLAB's files, and the class that an array begins with. */

#include "config.h"

#include "proto/dialect/matlab_elements.h"

#include "proto/cause.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif

enum {
    PLACE_OF_ORDER = 126,
    HEADER_BYTES = 128,
    TAG_BYTES = 8,
    ARRAY_HEAD_BYTES = 48, /* its tag, its flags and two dimensions with a tag each, and the tag of its name */
    LONGEST_NAME = 63,
    PACKED_HEAD_BYTES = 256,
    NAME_TAG = 1,
    DIMENSIONS_TAG = 5,
    FLAGS_TAG = 6,
    MATRIX_TAG = 14,
    PACKED_TAG = 15,
    MOST_ELEMENTS = 65536,
    CLASS_CHAR = 4,
    CLASS_DOUBLE = 6,
    CLASS_UINT64 = 15,
};

/* One of them. */
struct element {
    size_t place, bytes; /* with its tag */
    bool numbers;
};

struct walk {
    int descriptor;
    size_t bytes;
    bool big; /* the first byte of a number counts most */
};

static uint32_t number_in(const unsigned char *bytes, bool big)
{
    return big ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]
               : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* The head of an array that is packed; false: there is none. */
static bool unpack_head(const unsigned char *packed, size_t count, unsigned char head[ARRAY_HEAD_BYTES])
{
#if HAVE_ZLIB
    z_stream stream = {.next_in = (unsigned char *)packed,
                       .avail_in = (unsigned)count,
                       .next_out = head,
                       .avail_out = ARRAY_HEAD_BYTES};
    if (inflateInit(&stream) != Z_OK)
        return false;
    inflate(&stream, Z_SYNC_FLUSH);
    inflateEnd(&stream);
    return stream.avail_out == 0;
#else
    (void)packed;
    (void)count;
    (void)head;
    return false;
#endif
}

/* A name of at most four bytes stands in its tag, whose upper half is then its length. */
static bool names_well(uint32_t tag, uint32_t length)
{
    return tag >> 16 ? (tag & 0xFFFF) == NAME_TAG && tag >> 16 <= 4 : tag == NAME_TAG && length <= LONGEST_NAME;
}

/* Whether an array of two dimensions begins so, of numbers or of text, which is passed over later. */
static bool is_of_numbers(const unsigned char head[ARRAY_HEAD_BYTES], bool big)
{
    uint32_t words[ARRAY_HEAD_BYTES / 4];
    for (size_t i = 0; i < ARRAY_HEAD_BYTES / 4; i++)
        words[i] = number_in(head + 4 * i, big);
    const uint32_t class = words[4] & 0xFF;
    return words[0] == MATRIX_TAG && words[2] == FLAGS_TAG && words[3] == 8 && words[6] == DIMENSIONS_TAG &&
           words[7] == 8 && names_well(words[10], words[11]) &&
           (class == CLASS_CHAR || (class >= CLASS_DOUBLE && class <= CLASS_UINT64));
}

static bool has_numbers(const struct walk *walk, size_t place, uint32_t tag)
{
    unsigned char head[ARRAY_HEAD_BYTES], packed[PACKED_HEAD_BYTES];
    const bool is_packed = tag == PACKED_TAG;
    unsigned char *bytes = is_packed ? packed : head;
    const ssize_t got = pread(walk->descriptor, bytes, is_packed ? sizeof packed : sizeof head,
                              (off_t)(is_packed ? place + TAG_BYTES : place));
    if (got < 0 || (is_packed ? !unpack_head(packed, (size_t)got, head) : got < ARRAY_HEAD_BYTES))
        return false;
    return is_of_numbers(head, walk->big);
}

/* The element at a place. False: the file does not hold it whole. */
static bool read_element(const struct walk *walk, size_t place, struct element *element)
{
    unsigned char tag[TAG_BYTES];
    if (pread(walk->descriptor, tag, sizeof tag, (off_t)place) != TAG_BYTES)
        return false;
    *element = (struct element){place, TAG_BYTES + (size_t)number_in(tag + 4, walk->big),
                                has_numbers(walk, place, number_in(tag, walk->big))};
    return element->bytes <= walk->bytes - place;
}

static int cannot_read(int error, struct complaint *complaint)
{
    complaint_set(complaint, "cannot be read: %s", cause_of(error));
    return -error;
}

static int begin(int descriptor, struct walk *walk, struct complaint *complaint)
{
    struct stat status;
    char order;
    if (fstat(descriptor, &status) != 0)
        return cannot_read(errno, complaint);
    if (pread(descriptor, &order, 1, PLACE_OF_ORDER) != 1)
        return cannot_read(EIO, complaint);
    *walk = (struct walk){descriptor, (size_t)status.st_size, order == 'M'};
    return 0;
}

int matlab_elements_check(int descriptor, struct matlab_elements *elements, struct complaint *complaint)
{
    struct walk walk;
    struct element element = {HEADER_BYTES, 0, false};
    size_t count = 0;
    const int error = begin(descriptor, &walk, complaint);
    if (error)
        return error;
    *elements = (struct matlab_elements){.bytes = walk.bytes};
    while (element.place < walk.bytes) {
        if (count++ == MOST_ELEMENTS || !read_element(&walk, element.place, &element)) {
            complaint_set(complaint, "is a file of MATLAB that is cut, or damaged: save it again");
            return -EBADMSG;
        }
        elements->others += !element.numbers;
        element.place += element.bytes;
    }
    return 0;
}

static bool copy_bytes(int from, size_t place, size_t bytes, int to)
{
    off_t offset = (off_t)place;
    while (bytes > 0) {
        const ssize_t count = sendfile(to, from, &offset, bytes);
        if (count <= 0)
            return false;
        bytes -= (size_t)count;
    }
    return true;
}

int matlab_elements_copy(int descriptor, const struct matlab_elements *elements, struct complaint *complaint)
{
    struct walk walk;
    struct element element = {HEADER_BYTES, 0, false};
    const int error = begin(descriptor, &walk, complaint);
    if (error)
        return error;
    walk.bytes = elements->bytes;
    const int copy = memfd_create("fricid-numbers", MFD_CLOEXEC);
    bool copied = copy >= 0 && copy_bytes(descriptor, 0, HEADER_BYTES, copy);
    while (copied && element.place < walk.bytes && read_element(&walk, element.place, &element)) {
        copied = !element.numbers || copy_bytes(descriptor, element.place, element.bytes, copy);
        element.place += element.bytes;
    }
    if (copied && element.place == walk.bytes)
        return copy;
    const int reason = errno ? errno : EIO;
    if (copy >= 0)
        close(copy);
    return cannot_read(reason, complaint);
}
