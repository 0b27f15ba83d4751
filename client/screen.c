/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the terminal and the locale can show, and whether everything that was printed was really written. */

#include <config.h>

#include "client/screen.h"

#include "client/plain_text.h"
#include "proto/complaint.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const struct glyphs *glyphs_for(bool ascii)
{
    static const struct glyphs unicode = {
        .zeta = "ζ", .mu = "μ", .minus = "−", .plus_minus = "±", .dot = "·", .to = "…", .missing = "—"};
    static const struct glyphs spelled = {.ascii = true,
                                          .zeta = "zeta",
                                          .mu = "mu",
                                          .minus = "-",
                                          .plus_minus = "+/-",
                                          .dot = " ",
                                          .to = "..",
                                          .missing = "--"};
    return ascii ? &spelled : &unicode;
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

/* A closed standard descriptor would be given to the next socket or file, and output would go there. What is opened
 * here in its place cannot be written, so that output still fails as it should. */
static void occupy_standard_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            break;
}

/* The locale is asked first and set to C.UTF-8 afterwards. */
void screen_open(struct screen *screen)
{
    occupy_standard_descriptors();
    screen->glyphs = glyphs_for(!reader_knows_utf8());
    screen->terminal = isatty(STDOUT_FILENO) == 1;
    /* What fricidctl handles itself is UTF-8 whatever the locale: widths of characters are looked up in it. */
    setlocale(LC_CTYPE, "C.UTF-8");
}

void screen_message(const struct screen *screen, const char *format, ...)
{
    char *sentence = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&sentence, format, arguments);
    va_end(arguments);
    char *plain = length < 0 ? NULL : plain_text(sentence, screen->glyphs->ascii);
    fprintf(stderr, "fricidctl: %s\n", plain ? plain : "not enough memory");
    free(plain);
    if (length >= 0)
        free(sentence);
}

void screen_json(const struct screen *screen, const json_t *value)
{
    /* JSON itself escapes only the first 32 control characters; a terminal obeys more. */
    size_t escapes = screen->terminal ? JSON_ENSURE_ASCII : 0;
    json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17) | escapes);
    putchar('\n');
}

size_t screen_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
        return 80;
    return size.ws_col;
}

size_t screen_height(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 10)
        return 24;
    return size.ws_row;
}

/* fclose() tells of the last flush, ferror() of all those before. */
enum exit_status screen_close(const struct screen *screen, enum exit_status status)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        screen_message(screen, "cannot write standard output: %s", errno ? strerror(errno) : "an earlier write failed");
        return STATUS_FAILED;
    }
    return status;
}
