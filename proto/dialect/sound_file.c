/* SPDX-License-Identifier: GPL-3.0-or-later */

/* WAV files by libsndfile. */

#include "config.h"

#include "proto/dialect/sound_file.h"

#include "proto/dialect/shared_library.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool sound_file_knows(const char *bytes, size_t count)
{
    static const char *const openings[] = {"RIFF", "RIFX", "RF64"};
    for (size_t i = 0; count >= 12 && i < sizeof openings / sizeof openings[0]; i++)
        if (memcmp(bytes, openings[i], 4) == 0 && memcmp(bytes + 8, "WAVE", 4) == 0)
            return true;
    return false;
}

#if HAVE_SNDFILE

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows that are taken apart at a time. */
enum { PIECE_ROWS = 4096 };

#define SYMBOLS(SYMBOL)                                                                                                \
    SYMBOL(sf_close) SYMBOL(sf_command) SYMBOL(sf_open_fd) SYMBOL(sf_readf_double) SYMBOL(sf_seek) SYMBOL(sf_strerror)
struct sound_calls {
    SYMBOLS(LIBRARY_POINTER)
};

struct sound_file {
    struct number_file file; /* first: a file of numbers is this */
    struct sound_calls calls;
    SNDFILE *sound;
    size_t channels, position;
    double *piece; /* PIECE_ROWS of all channels */
};

/* How the numbers are stored; bits 0: as floating point. */
static const struct coding {
    int format;
    unsigned bits;
    const char *name;
} codings[] = {
    {SF_FORMAT_PCM_U8, 8, "8 bit"},   {SF_FORMAT_PCM_16, 16, "16 bit"}, {SF_FORMAT_PCM_24, 24, "24 bit"},
    {SF_FORMAT_PCM_32, 32, "32 bit"}, {SF_FORMAT_FLOAT, 0, "float"},    {SF_FORMAT_DOUBLE, 0, "double"},
};

static const struct coding *coding_of(int format)
{
    for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++)
        if ((format & SF_FORMAT_SUBMASK) == codings[i].format)
            return &codings[i];
    return NULL;
}

static int cannot_read(const struct sound_file *sound, struct complaint *complaint)
{
    complaint_set(complaint, "is a WAV file that cannot be read: %s", sound->calls.sf_strerror(sound->sound));
    return -EBADMSG;
}

/* Brings rows from the file's next place on to their columns. */
static int read_piece(struct sound_file *sound, size_t rows, size_t to, const size_t *columns, size_t wanted,
                      double *const *values, struct complaint *complaint)
{
    if (sound->calls.sf_readf_double(sound->sound, sound->piece, (sf_count_t)rows) != (sf_count_t)rows)
        return cannot_read(sound, complaint);
    sound->position += rows;
    for (size_t k = 0; k < wanted; k++)
        for (size_t row = 0; row < rows; row++)
            values[k][to + row] = sound->piece[row * sound->channels + columns[k]];
    return 0;
}

static int read_sound(struct number_file *file, size_t first, size_t count, const size_t *columns, size_t wanted,
                      double *const *values, struct complaint *complaint)
{
    struct sound_file *sound = (struct sound_file *)file;
    int error = 0;
    if (first != sound->position &&
        sound->calls.sf_seek(sound->sound, (sf_count_t)first, SEEK_SET) != (sf_count_t)first)
        return cannot_read(sound, complaint);
    sound->position = first;
    for (size_t done = 0; done < count && !error; done += PIECE_ROWS) {
        const size_t left = count - done;
        error = read_piece(sound, left < PIECE_ROWS ? left : PIECE_ROWS, done, columns, wanted, values, complaint);
    }
    return error;
}

static void close_sound(struct number_file *file)
{
    struct sound_file *sound = (struct sound_file *)file;
    if (sound->sound)
        sound->calls.sf_close(sound->sound);
    free(sound->piece);
    free(sound);
}

/* libsndfile reads a file that ends too soon as far as it goes, and tells of it in its log alone: in the line of the
 * samples, or of the whole where that is of 64 bits. It finds fault with much else there. */
static bool is_cut(const struct sound_file *sound)
{
    char log[2048] = "";
    sound->calls.sf_command(sound->sound, SFC_GET_LOG_INFO, log, sizeof log);
    for (const char *line = log; line; line = strchr(line, '\n')) {
        long long claimed, found;
        line += *line == '\n';
        if ((sscanf(line, "data : %lld (should be %lld", &claimed, &found) == 2 ||
             sscanf(line, " Riff size : %lld (should be %lld", &claimed, &found) == 2) &&
            claimed > found)
            return true;
    }
    return false;
}

/* Nothing in the file says what the full scale is. */
static void name_columns(struct sound_file *sound, const SF_INFO *info, const struct coding *coding)
{
    for (size_t c = 0; c < sound->channels; c++) {
        char name[32];
        snprintf(name, sizeof name, "channel%zu", c + 1);
        struct number_column *column = number_file_add(&sound->file, name, (size_t)info->frames);
        if (!column)
            return;
        snprintf(column->label, sizeof column->label, "%s (full scale)", name);
        column->resolution = coding->bits > 0 ? ldexp(1, 1 - (int)coding->bits) : 0;
    }
}

static int take(struct sound_file *sound, const SF_INFO *info, struct complaint *complaint)
{
    const struct coding *coding = coding_of(info->format);
    if (!coding) {
        complaint_set(complaint, "is a WAV file of compressed sound: save it as PCM or as floating point");
        return -EBADMSG;
    }
    if (info->channels < 1 || info->channels > RECORDING_MAX_CHANNELS || info->samplerate < 1) {
        complaint_set(complaint, "is a WAV file of %d channels at %d Hz: a recording has 1 to %d channels and a rate",
                      info->channels, info->samplerate, RECORDING_MAX_CHANNELS);
        return -EBADMSG;
    }
    sound->channels = (size_t)info->channels;
    sound->piece = calloc(PIECE_ROWS * sound->channels, sizeof *sound->piece);
    if (!sound->piece) {
        complaint_set(complaint, "memory is short");
        return -ENOMEM;
    }
    name_columns(sound, info, coding);
    sound->file.rate_hz = info->samplerate;
    snprintf(sound->file.said, sizeof sound->file.said, "WAV, %s%s", coding->name,
             is_cut(sound) ? ", its end is missing" : "");
    return 0;
}

static int load_library(struct sound_calls *calls, struct complaint *complaint)
{
    static const char *const names[] = {SYMBOLS(LIBRARY_NAME)};
    struct complaint reason;
    if (shared_library_load(SNDFILE_LIBRARY, names, sizeof names / sizeof names[0], calls, &reason) == 0)
        return 0;
    complaint_set(complaint, "is a WAV file, and %s", reason.text);
    return -ENOTSUP;
}

/* Takes the descriptor over. */
static int open_sound(struct sound_file *sound, int descriptor, struct complaint *complaint)
{
    SF_INFO info = {.format = 0};
    const int error = load_library(&sound->calls, complaint);
    if (error) {
        close(descriptor);
        return error;
    }
    sound->sound = sound->calls.sf_open_fd(descriptor, SFM_READ, &info, SF_TRUE);
    return sound->sound ? take(sound, &info, complaint) : cannot_read(sound, complaint);
}

struct number_file *sound_file_open(int descriptor, int *error, struct complaint *complaint)
{
    static const struct number_methods methods = {read_sound, NULL, close_sound};
    struct sound_file *sound = calloc(1, sizeof *sound);
    if (!sound) {
        complaint_set(complaint, "memory is short");
        *error = -ENOMEM;
        close(descriptor);
        return NULL;
    }
    sound->file.methods = &methods;
    *error = open_sound(sound, descriptor, complaint);
    if (!*error)
        return &sound->file;
    close_sound(&sound->file);
    return NULL;
}

#else

struct number_file *sound_file_open(int descriptor, int *error, struct complaint *complaint)
{
    complaint_set(complaint, "is a WAV file, and fricid was built without libsndfile: save the samples as text (CSV)");
    *error = -ENOTSUP;
    close(descriptor);
    return NULL;
}

#endif
