/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Encodings by iconv of the C library. What is no character becomes a question mark, which no number contains. */

#include "proto/dialect/decode.h"

#include "proto/cause.h"
#include "proto/dialect/two_bytes.h"
#include "proto/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 16384, DOS_END = 0x1A };

/* Bytes that somebody has not taken yet, from `begin` to `end`. */
struct piece {
    size_t begin, end;
    char bytes[PIECE_BYTES];
};

struct decoder {
    struct byte_source source; /* first: a source is this */
    struct byte_source *from;
    iconv_t conversion; /* (iconv_t)-1: the bytes are UTF-8 already */
    bool bare_returns, end_mark;
    bool ended;  /* nothing more comes from `from` */
    size_t unit; /* bytes that are left out where no character begins */
    struct piece in, out;
};

/* --- what a file looks like --- */

/* Two bytes a character, nearly all of them ASCII. */
static const char *wide_coding(const char *bytes, size_t count)
{
    size_t zeros[2] = {0, 0};
    if (count >= 2 && memcmp(bytes, "\xFF\xFE", 2) == 0)
        return "UTF-16LE";
    if (count >= 2 && memcmp(bytes, "\xFE\xFF", 2) == 0)
        return "UTF-16BE";
    for (size_t i = 0; i < count; i++)
        zeros[i % 2] += bytes[i] == '\0';
    const size_t nearly_all = count / 2 - count / 20;
    if (count < 8 || zeros[0] + zeros[1] < nearly_all)
        return NULL;
    return zeros[0] == 0 ? "UTF-16LE" : zeros[1] == 0 ? "UTF-16BE" : NULL;
}

static bool is_text(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((unsigned char)bytes[i] < 0x20 && !strchr("\t\n\r\f\x1a", bytes[i] ? bytes[i] : 'x'))
            return false;
    return true;
}

/* The last character may be cut. */
static bool is_utf8_so_far(const char *bytes, size_t count)
{
    for (size_t cut = 0; cut < 4 && cut <= count; cut++)
        if (is_utf8(bytes, count - cut))
            return true;
    return false;
}

/* One byte a character. Words of Latin letters have no three in a row that are none of ASCII's; Cyrillic ones have
 * nothing else, and small letters behind their first: those of Windows are the upper half, those of KOI8 the lower, and
 * those of DOS lie around the marks that it draws tables with. */
static const char *narrow_coding(const char *bytes, size_t count)
{
    enum { LETTERS = 0xC0, UPPER_HALF = 0xE0, DOS_LETTERS = 0x80, DOS_TABLES = 0xB0, LATIN_MOST = 2 };
    size_t run = 0, dos_run = 0, dos = 0, halves[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        const bool low = byte >= DOS_LETTERS && byte < DOS_TABLES;
        run = byte >= LETTERS ? run + 1 : 0;
        halves[byte >= UPPER_HALF] += run > LATIN_MOST;
        dos_run = low || byte >= UPPER_HALF ? dos_run + 1 : 0;
        dos += low && dos_run > LATIN_MOST;
    }
    if (dos > halves[0] + halves[1])
        return "CP866";
    if (halves[0] + halves[1] == 0)
        return "ISO-8859-1";
    return halves[1] > halves[0] ? "CP1251" : "KOI8-R";
}

/* Of Cyrillic letters of DOS. */
static bool is_dos_small(unsigned char byte)
{
    return (byte >= 0xA0 && byte < 0xB0) || (byte >= 0xE0 && byte < 0xF0) || byte == 0xF1;
}

static bool is_dos_capital(unsigned char byte)
{
    return (byte >= 0x80 && byte < 0xA0) || byte == 0xF0;
}

/* Kana have one of two first bytes in all their places, and a bar that is a bracket behind another. */
static bool may_be_kana(const unsigned char *word, size_t length, unsigned char next)
{
    size_t kana = 0, last = (length - 1) / 2;
    for (size_t i = 0; i <= last; i++)
        kana += word[2 * i] == 0x82 || word[2 * i] == 0x83 || (i == last && word[2 * i] == 0x81 && next == '[');
    return length > 2 && kana == last + 1;
}

/* As Russian is written: a first letter, and all others capital or all small. Second bytes of Japanese characters stand
 * among them at random, many of which are letters of ASCII. */
static bool is_dos_word(const unsigned char *word, size_t length, unsigned char before, unsigned char next)
{
    for (size_t i = 0; i < length; i++) {
        const bool capital = is_dos_capital(word[i]);
        if ((!capital && !is_dos_small(word[i])) || (i > 0 && capital && is_dos_small(word[i - 1])) ||
            (i > 1 && !capital && is_dos_capital(word[1])))
            return false;
    }
    return !is_ascii_letter(before) && !is_ascii_letter(next) && !may_be_kana(word, length, next);
}

/* Whether all that is not ASCII are such words. */
static bool has_dos_words(const char *bytes, size_t count)
{
    const unsigned char *text = (const unsigned char *)bytes;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && text[end] >= 0x80;)
            end++;
        if (end > i && !is_dos_word(text + i, end - i, i > 0 ? text[i - 1] : '\n', end < count ? text[end] : '\n'))
            return false;
        end += end == i;
    }
    return true;
}

/* Where several languages write these bytes, a question mark for each is better than characters of another one. */
static void find_coding(struct text_coding *coding, const char *bytes, size_t count)
{
    const char *narrow = narrow_coding(bytes, count);
    const bool is_dos = strcmp(narrow, "CP866") == 0 && has_dos_words(bytes, count);
    const struct two_bytes wide = is_dos ? (struct two_bytes){NULL, false} : two_bytes_of(bytes, count);
    coding->name = wide.several ? "ASCII" : wide.name ? wide.name : narrow;
    if (wide.several)
        coding->said = "Chinese or Korean as ? (save it as UTF-8 to have it)";
}

struct text_coding text_coding_of(const char *bytes, size_t count)
{
    struct text_coding coding = {.name = wide_coding(bytes, count)};
    if (!coding.name && !is_utf8_so_far(bytes, count) && is_text(bytes, count))
        find_coding(&coding, bytes, count);
    coding.bare_returns = memchr(bytes, '\r', count) && !memchr(bytes, '\n', count);
    return coding;
}

/* --- conversion --- */

/* Moves what is left to the front and reads behind it. 0, or a negative errno and a complaint. */
static int fill(struct decoder *decoder, struct complaint *complaint)
{
    struct piece *in = &decoder->in;
    memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    const long count = byte_source_read(decoder->from, in->bytes + in->end, PIECE_BYTES - in->end, complaint);
    if (count < 0)
        return (int)count;
    decoder->ended = count == 0;
    in->end += (size_t)count;
    return 0;
}

/* Newlines alone end lines; those in the place of an end of the text make empty ones. */
static void put_newlines(const struct decoder *decoder, char *bytes, size_t count)
{
    for (size_t i = 0; (decoder->bare_returns || decoder->end_mark) && i < count; i++)
        if ((decoder->bare_returns && bytes[i] == '\r') || (decoder->end_mark && bytes[i] == DOS_END))
            bytes[i] = '\n';
}

/* Converts what is there, which may come to nothing: a character is cut. */
static void convert(struct decoder *decoder)
{
    char *from = decoder->in.bytes + decoder->in.begin, *to = decoder->out.bytes;
    size_t left = decoder->in.end - decoder->in.begin, room = PIECE_BYTES;
    if (decoder->conversion == (iconv_t)-1) {
        memcpy(to, from, left);
        to += left;
        from += left;
    } else if (iconv(decoder->conversion, &from, &left, &to, &room) == (size_t)-1 && room > 0 &&
               (errno == EILSEQ || (errno == EINVAL && decoder->ended))) {
        from += left < decoder->unit ? left : decoder->unit;
        *to++ = '?';
    }
    decoder->in.begin = (size_t)(from - decoder->in.bytes);
    decoder->out.begin = 0;
    decoder->out.end = (size_t)(to - decoder->out.bytes);
    put_newlines(decoder, decoder->out.bytes, decoder->out.end);
}

static long read_decoded(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    struct decoder *decoder = (struct decoder *)source;
    struct piece *out = &decoder->out;
    while (out->begin == out->end && !(decoder->ended && decoder->in.begin == decoder->in.end)) {
        convert(decoder);
        const int error = out->end == 0 ? fill(decoder, complaint) : 0;
        if (error)
            return error;
    }
    const size_t count = out->end - out->begin < room ? out->end - out->begin : room;
    memcpy(bytes, out->bytes + out->begin, count);
    out->begin += count;
    return (long)count;
}

static void forget(struct decoder *decoder)
{
    decoder->in.begin = decoder->in.end = decoder->out.begin = decoder->out.end = 0;
    decoder->ended = false;
}

static int rewind_decoded(struct byte_source *source, struct complaint *complaint)
{
    struct decoder *decoder = (struct decoder *)source;
    forget(decoder);
    if (decoder->conversion != (iconv_t)-1)
        iconv(decoder->conversion, NULL, NULL, NULL, NULL);
    return byte_source_rewind(decoder->from, complaint);
}

static void close_decoded(struct byte_source *source)
{
    struct decoder *decoder = (struct decoder *)source;
    if (decoder->conversion != (iconv_t)-1)
        iconv_close(decoder->conversion);
    byte_source_close(decoder->from);
    free(decoder);
}

struct byte_source *decode_open(struct byte_source *source, const struct text_coding *coding, int *error,
                                struct complaint *complaint)
{
    static const struct byte_source_methods methods = {read_decoded, rewind_decoded, close_decoded};
    struct decoder *decoder = malloc(sizeof *decoder);
    const iconv_t conversion = coding->name ? iconv_open("UTF-8", coding->name) : (iconv_t)-1;
    if (!decoder || (coding->name && conversion == (iconv_t)-1)) {
        *error = !decoder ? -ENOMEM : -errno;
        complaint_set(complaint, "cannot be read as %s: %s", coding->name ? coding->name : "UTF-8", cause_of(*error));
        if (conversion != (iconv_t)-1)
            iconv_close(conversion);
        free(decoder);
        byte_source_close(source);
        return NULL;
    }
    decoder->source.methods = &methods;
    decoder->from = source;
    decoder->conversion = conversion;
    decoder->bare_returns = coding->bare_returns;
    decoder->end_mark = coding->end_mark;
    decoder->unit = coding->name && strncmp(coding->name, "UTF-16", 6) == 0 ? 2 : 1;
    forget(decoder);
    return &decoder->source;
}
