/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the bytes of a file to the lines of a recording, in as many steps as the file needs. */

#include "proto/dialect/dialect.h"

#include "proto/dialect/decode.h"
#include "proto/dialect/gunzip.h"
#include "proto/dialect/sniff.h"
#include "proto/dialect/translate.h"
#include "proto/utf8.h"

#include <byteswap.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is no text, by its first bytes. */
static const struct {
    const char *bytes;
    size_t count;
    const char *sentence;
} strangers[] = {
    {"PK\003\004", 4, "is a workbook, or another archive: save the sheet with the samples as CSV"},
    {"\xD0\xCF\x11\xE0", 4, "is a workbook: save the sheet with the samples as CSV"},
    {"MATLAB ", 7, "is a file of MATLAB that is cut"},
    {"RIFF", 4, "is no WAV file"},
    {"TDSm", 4, "is a TDMS file: export it as text, or as .lvm"},
    {"BZh", 3, "is packed by bzip2: unpack it with bunzip2 first"},
    {"\xFD\x37zXZ", 5, "is packed by xz: unpack it with unxz first"},
    {"\x28\xB5\x2F\xFD", 4, "is packed by zstd: unpack it with unzstd first"},
    {"\x93NUMPY", 6, "is a file of NumPy: save the samples as text, as with numpy.savetxt"},
    {"PAR1", 4, "is a Parquet file: export the samples as CSV"},
    {"SQLite format 3", 15, "is a database: export the samples as CSV"},
    {"MDF  ", 5, "is an MDF file: export the samples as CSV"},
    {"<?xml", 5, "is XML: export the samples as text (CSV)"},
    {"<html", 5, "is a page of the web: save the samples as text (CSV)"},
    {"%PDF", 4, "is a PDF: save the samples as text (CSV)"},
};

static int no_memory(struct complaint *complaint)
{
    complaint_set(complaint, "memory is short");
    return -ENOMEM;
}

/* A file of MATLAB 4 begins with five numbers of four bytes each: of the first, which tells the order of bytes and the
 * type, those of a matrix of numbers or of text; then two dimensions, whether it is complex, and how long its name is.
 */
static bool is_matlab_four(const char *bytes, size_t count)
{
    uint32_t head[5];
    if (count <= sizeof head)
        return false;
    memcpy(head, bytes, sizeof head);
    const bool other_order = head[0] > UINT16_MAX || head[3] > UINT16_MAX || head[4] > UINT16_MAX;
    for (size_t i = 0; other_order && i < 5; i++)
        head[i] = bswap_32(head[i]);
    const uint32_t order = head[0] / 1000, type = head[0] % 100;
    return order <= 1 && head[0] % 1000 < 60 && type % 10 <= 1 && head[1] > 0 && head[2] > 0 && head[3] <= 1 &&
           head[4] >= 2 && head[4] <= 64 && sizeof head + head[4] <= count &&
           memchr(bytes + sizeof head, '\0', head[4]) == bytes + sizeof head + head[4] - 1;
}

static int refuse_strangers(const char *bytes, size_t count, struct complaint *complaint)
{
    if (is_matlab_four(bytes, count)) {
        complaint_set(complaint,
                      "is a file of MATLAB 4: load it and save it anew, as with save(\"FILE.mat\", \"-v7\")");
        return -EBADMSG;
    }
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        if (count >= strangers[i].count && memcmp(bytes, strangers[i].bytes, strangers[i].count) == 0) {
            complaint_set(complaint, "%s", strangers[i].sentence);
            return -EBADMSG;
        }
    return 0;
}

/* What does not fit is seen to be missing. */
static void say(struct dialect *dialect, const char *what)
{
    static const char cut[] = "...";
    const size_t used = strlen(dialect->said), room = sizeof dialect->said - used;
    if ((size_t)snprintf(dialect->said + used, room, "%s%s", used > 0 ? ", " : "", what) >= room)
        memcpy(dialect->said + sizeof dialect->said - sizeof cut, cut, sizeof cut);
}

/* A recording that declares itself is written as recordings are. */
static bool is_ours(const char *text, size_t count)
{
    static const char opening[] = "#fricid ";
    const size_t mark = utf8_mark(text, count);
    return count - mark >= sizeof opening - 1 && memcmp(text + mark, opening, sizeof opening - 1) == 0;
}

/* DOS ends a text with Ctrl-Z, with a newline behind it or not. */
static bool ends_in_mark(int descriptor)
{
    char last[3];
    struct stat status;
    if (fstat(descriptor, &status) != 0 || status.st_size < (off_t)sizeof last ||
        pread(descriptor, last, sizeof last, status.st_size - (off_t)sizeof last) != (ssize_t)sizeof last)
        return false;
    size_t count = sizeof last;
    while (count > 0 && strchr("\r\n", last[count - 1]))
        count--;
    return count > 0 && last[count - 1] == '\x1a';
}

/* Puts the decoder on the source when the text is not UTF-8 with newlines, and looks at the text again then. */
static int decode(struct byte_source **source, bool end_mark, char *text, size_t *count, struct dialect *dialect,
                  struct complaint *complaint)
{
    struct text_coding coding = text_coding_of(text, *count);
    int error = 0;
    coding.end_mark = end_mark;
    if (!coding.name && !coding.bare_returns && !coding.end_mark)
        return 0;
    *source = decode_open(*source, &coding, &error, complaint);
    const long got = *source ? byte_source_peek(*source, text, SAMPLE_BYTES, complaint) : error;
    if (got < 0)
        return (int)got;
    *count = (size_t)got;
    if (coding.name)
        say(dialect, coding.said ? coding.said : coding.name);
    if (coding.bare_returns)
        say(dialect, "lines end in carriage returns");
    return 0;
}

static int translate(struct byte_source **source, const char *text, size_t count, const struct recording_manner *manner,
                     struct dialect *dialect, struct complaint *complaint)
{
    struct sample *sample = malloc(sizeof *sample);
    struct layout layout;
    if (!sample)
        return no_memory(complaint);
    sample_take(sample, text, count, count < SAMPLE_BYTES);
    int error = sniff(sample, manner, &layout, complaint);
    free(sample);
    dialect->rate_hz = layout.rate_hz;
    dialect->seconds = layout.seconds;
    dialect->points_sure = layout.form.decimal == ',' || layout.groups;
    dialect->zero_at_ns = layout.zero_at_ns;
    memcpy(dialect->first_time, layout.first_time, sizeof dialect->first_time);
    if (!error && !layout.plain) {
        say(dialect, layout.said);
        *source = translate_open(*source, &layout);
        error = *source ? 0 : no_memory(complaint);
    }
    layout_clear(&layout);
    return error;
}

/* As decode(), for a file that is packed. */
static int unpack(struct byte_source **source, char *text, size_t *count, struct dialect *dialect,
                  struct complaint *complaint)
{
    int error = 0;
    if (!gunzip_knows(text, *count))
        return 0;
    *source = gunzip_open(*source, &error, complaint);
    const long got = *source ? byte_source_peek(*source, text, SAMPLE_BYTES, complaint) : error;
    *count = got > 0 ? (size_t)got : 0;
    say(dialect, "gzip");
    return got < 0 ? (int)got : 0;
}

/* Looks at the first bytes and puts on the source what they need; manner NULL: rows stay as they are; end_mark: the
 * file ends in one. */
static int adapt(struct byte_source **source, bool end_mark, char *text, const struct recording_manner *manner,
                 struct dialect *dialect, struct complaint *complaint)
{
    const long got = byte_source_peek(*source, text, SAMPLE_BYTES, complaint);
    size_t count = got > 0 ? (size_t)got : 0;
    if (got < 0)
        return (int)got;
    int error = unpack(source, text, &count, dialect, complaint);
    if (error || is_ours(text, count))
        return error;
    error = refuse_strangers(text, count, complaint);
    if (!error)
        error = decode(source, end_mark, text, &count, dialect, complaint);
    return error || !manner ? error : translate(source, text, count, manner, dialect, complaint);
}

struct byte_source *dialect_open(int descriptor, const struct recording_manner *manner, struct dialect *dialect,
                                 int *error, struct complaint *complaint)
{
    struct byte_source *source = byte_source_of_file(descriptor);
    char *text = malloc(SAMPLE_BYTES);
    *dialect = (struct dialect){.zero_at_ns = INT64_MIN};
    *error = source && text ? adapt(&source, ends_in_mark(descriptor), text, manner, dialect, complaint)
                            : no_memory(complaint);
    free(text);
    if (!*error)
        return source;
    byte_source_close(source);
    return NULL;
}

struct byte_source *dialect_open_text(int descriptor, struct dialect *dialect, int *error, struct complaint *complaint)
{
    return dialect_open(descriptor, NULL, dialect, error, complaint);
}
