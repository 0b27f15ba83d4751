/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the terminal and the locale can show, and whether everything that was printed was really written. */

#include <config.h>

#include "client/screen.h"

#include "client/wrapped.h"

#include "proto/cause.h"
#include "proto/plain_text.h"
#include "proto/quote.h"
#include "proto/standard_streams.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const struct glyphs *glyphs_for(bool ascii)
{
    static const struct glyphs unicode = {
        .minus = "−", .plus_minus = "±", .dot = "·", .to = "…", .missing = "—", .width = SIZE_MAX};
    static const struct glyphs spelled = {
        .ascii = true, .minus = "-", .plus_minus = "+/-", .dot = " ", .to = "..", .missing = "--", .width = SIZE_MAX};
    return ascii ? &spelled : &unicode;
}

const char *glyphs_verdict(const struct glyphs *glyphs, const char *verdict)
{
    if (!glyphs->coloured || strcmp(verdict, glyphs->missing) == 0)
        return "";
    return strcmp(verdict, "ok") == 0 ? "\033[32m" : "\033[31m";
}

const char *glyphs_plain(const struct glyphs *glyphs)
{
    return glyphs->coloured ? GLYPHS_PLAIN : "";
}

/* NO_COLOR, whatever it says unless it is empty, is what all programs heed (no-color.org). */
static bool wants_colours(void)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(none && *none) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* The locale's name as the environment gives it: the first of these variables that is set and not empty. */
static const char *locale_name(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *name = getenv(variables[i]);
        if (name && *name)
            return name;
    }
    return NULL;
}

/* A locale that is named but not installed still tells what its user's terminal understands. */
static bool reader_knows_utf8(void)
{
    const char *name = locale_name();
    if (!name)
        return true;
    if (setlocale(LC_CTYPE, ""))
        return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return strcasestr(name, "utf-8") || strcasestr(name, "utf8");
}

/* The locale is asked first and set to C.UTF-8 afterwards. */
void screen_open(struct screen *screen)
{
    standard_streams_occupy();
    screen->own = *glyphs_for(!reader_knows_utf8());
    screen->glyphs = &screen->own;
    screen->terminal = isatty(STDOUT_FILENO) == 1;
    screen->own.width = screen_room(screen);
    screen->own.coloured = screen->terminal && wants_colours();
    /* What fricidctl handles itself is UTF-8 whatever the locale: widths of characters are looked up in it. */
    setlocale(LC_CTYPE, "C.UTF-8");
}

static size_t width_of(int descriptor)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
        return 80;
    return size.ws_col;
}

/* A sentence on standard error, behind a word of its own; on a terminal in lines that fit. */
__attribute__((format(printf, 3, 0))) static void tell(const struct screen *screen, const char *before,
                                                       const char *format, va_list arguments)
{
    const size_t width = isatty(STDERR_FILENO) == 1 ? width_of(STDERR_FILENO) : SIZE_MAX;
    char *sentence = NULL, *plain = NULL;
    if (vasprintf(&sentence, format, arguments) >= 0) {
        plain = plain_text(sentence, screen->glyphs->ascii);
        free(sentence);
    }
    fputs(before, stderr);
    wrapped_behind(plain ? plain : "not enough memory", strlen(before), width, stderr);
    free(plain);
}

void screen_message(const struct screen *screen, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(screen, "fricidctl: ", format, arguments);
    va_end(arguments);
}

enum exit_status screen_no_memory(const struct screen *screen)
{
    screen_message(screen, "not enough memory");
    return STATUS_FAILED;
}

void screen_remark(const struct screen *screen, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(screen, "", format, arguments);
    va_end(arguments);
}

void screen_json(const struct screen *screen, const json_t *value)
{
    size_t escapes = screen->terminal ? JSON_ENSURE_ASCII : 0;
    if (quote_json(stdout, value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17) | escapes) != 0)
        screen_no_memory(screen);
    putchar('\n');
}

size_t screen_width(void)
{
    return width_of(STDOUT_FILENO);
}

size_t screen_room(const struct screen *screen)
{
    return screen->terminal ? screen_width() : SIZE_MAX;
}

size_t screen_height(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 10)
        return 24;
    return size.ws_row;
}

/* Whether standard output is a pipe that nobody reads any more. */
static bool nobody_reads(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

/* fclose() tells of the last flush, ferror() of all those before. Whoever has read enough is told nothing. */
enum exit_status screen_close(const struct screen *screen, enum exit_status status)
{
    const bool failed = ferror(stdout) != 0, left = nobody_reads();
    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        if (left || errno == EPIPE)
            return STATUS_NOBODY_READS;
        screen_message(screen, "cannot write standard output: %s", errno ? cause_of(errno) : "an earlier write failed");
        return STATUS_FAILED;
    }
    return status;
}
