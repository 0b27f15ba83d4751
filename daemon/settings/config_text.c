/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between the files and libconfig: splices included files in and mends what libconfig 1.5 gets wrong, token by
 * token. It follows libconfig's grammar only as far as that needs. */

#include "settings/config_text.h"

#include "proto/utf8.h"
#include "settings/read_file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From line `first_line` of the expanded text on, the lines are those of `file` from `file_line` on. */
struct config_run {
    unsigned first_line;
    const char *file;
    unsigned file_line;
};

enum { MAX_NESTING = 32 };

/* Two runs a file: its beginning, and the rest of the file that included it. */
enum { MAX_RUNS = 2 * CONFIG_MAX_FILES };

/* One for all files: brackets may open in one and close in another. */
struct expander {
    struct config_text *text;
    struct config_arena *arena;
    const char *folder;
    FILE *expanded;
    FILE *shown;
    unsigned line; /* of the expanded text */
    size_t files;
    char brackets[MAX_NESTING]; /* those that are open */
    size_t nesting;
    char last; /* character copied that is neither blank nor comment */
    struct complaint *complaint;
};

/* One file being read; `next` is the first character that is not yet copied. */
struct scanner {
    const char *next;
    const char *file;
    unsigned line;
    unsigned depth;
};

static int expand_file(struct expander *expander, const char *path, const struct scanner *includer);

/* Called where a file begins and where it goes on behind an @include. */
static void begin_run(struct expander *expander, const char *file, unsigned file_line)
{
    struct config_run *run = &expander->text->runs[expander->text->run_count++];
    run->first_line = expander->line;
    run->file = file;
    run->file_line = file_line;
}

static void copy_to(struct expander *expander, struct scanner *scanner, const char *end)
{
    for (; scanner->next < end; ++scanner->next) {
        fputc(*scanner->next, expander->expanded);
        if (*scanner->next == '\n') {
            ++scanner->line;
            ++expander->line;
        }
    }
}

/* Puts down a character that no grammar knows, so that libconfig complains of this place, or of an earlier one. */
static void provoke_error(struct expander *expander)
{
    fputc('@', expander->expanded);
}

/* Copies a bracket or another character that stands for itself. */
static void copy_character(struct expander *expander, struct scanner *scanner)
{
    char character = *scanner->next;
    bool opens = strchr("{([", character), closes = strchr("])}", character);
    if (opens && expander->nesting == MAX_NESTING)
        provoke_error(expander);
    else if (opens)
        expander->brackets[expander->nesting++] = character;
    else if (closes && expander->nesting > 0)
        --expander->nesting;
    if (!isspace((unsigned char)character))
        expander->last = character;
    copy_to(expander, scanner, scanner->next + 1);
}

/* --- what libconfig's grammar calls a token --- */

/* Strings may span lines; a backslash takes the next character with it. */
static const char *end_of_string(const char *quote)
{
    const char *p = quote + 1;
    while (*p && *p != '"')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

static const char *end_of_block_comment(const char *start)
{
    const char *end = strstr(start + 2, "*/");
    return end ? end + 2 : start + strlen(start);
}

/* The end of the comment, string or name that begins here, where digits and @ mean nothing; NULL: none does. */
static const char *end_of_opaque(const char *start)
{
    if (*start == '#' || (start[0] == '/' && start[1] == '/'))
        return start + strcspn(start, "\n");
    if (start[0] == '/' && start[1] == '*')
        return end_of_block_comment(start);
    if (*start == '"')
        return end_of_string(start);
    if (!isalpha((unsigned char)*start) && *start != '*')
        return NULL;
    while (isalnum((unsigned char)*start) || (*start && strchr("-_*", *start)))
        ++start;
    return start;
}

/* Whether a string may come next; elsewhere the grammar refuses it, and libconfig 1.5 forgets to free it. */
static bool expects_string(const struct expander *expander)
{
    bool in_list = expander->nesting > 0 && expander->brackets[expander->nesting - 1] != '{';
    return expander->last && strchr(in_list ? "=:([,\"" : "=:\"", expander->last);
}

static void copy_opaque(struct expander *expander, struct scanner *scanner, const char *end)
{
    char first = *scanner->next;
    if (first == '"' && !expects_string(expander))
        provoke_error(expander);
    if (first != '#' && first != '/')
        expander->last = first;
    copy_to(expander, scanner, end);
}

/* A sign belongs to the number: the smallest 32-bit number has no positive counterpart. */
static bool begins_number(const char *p)
{
    if (*p == '+' || *p == '-')
        ++p;
    return isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]));
}

/* Copies a number. libconfig 1.5 keeps only the low 32 bits of a whole number without the suffix L, and nothing that
 * makes sense beyond 64 bits, so such numbers get the suffix, or a decimal point. */
static void copy_number(struct expander *expander, struct scanner *scanner)
{
    const char *digits_end = scanner->next + 1;
    expander->last = '0';
    while (isdigit((unsigned char)*digits_end))
        ++digits_end;
    const char *end = digits_end;
    while (isalnum((unsigned char)*end) || *end == '.' || ((*end == '+' || *end == '-') && tolower(end[-1]) == 'e'))
        ++end;
    bool suffixed = *digits_end == 'L';
    bool whole = *scanner->next != '.' && (end == digits_end || suffixed);
    errno = 0;
    long long value = whole ? strtoll(scanner->next, NULL, 10) : 0;
    if (errno == ERANGE) {
        copy_to(expander, scanner, digits_end);
        fputs(".0", expander->expanded);
        scanner->next = end;
        return;
    }
    copy_to(expander, scanner, end);
    if (!suffixed && (value < INT_MIN || value > INT_MAX))
        fputc('L', expander->expanded);
}

/* The file name in `@include "name"`, with the scanner moved behind it; NULL and a complaint when there is none. */
static char *included_name(struct expander *expander, struct scanner *scanner)
{
    const char *quote = scanner->next + strlen("@include");
    quote += strspn(quote, " \t");
    const char *end = *quote == '"' ? end_of_string(quote) : quote;
    if (end - quote < 3 || end[-1] != '"' || memchr(quote, '\n', (size_t)(end - quote))) {
        complaint_set(expander->complaint, "%s:%u: write @include \"FILE\"", scanner->file, scanner->line);
        return NULL;
    }
    scanner->next = end;
    char *name = config_arena_text(expander->arena, quote + 1, (size_t)(end - quote) - 2);
    return name ? config_arena_path(expander->arena, expander->folder, name) : NULL;
}

/* Expands the included file in place; one that includes itself ends at CONFIG_MAX_INCLUDE_DEPTH. */
static int copy_include(struct expander *expander, struct scanner *scanner)
{
    char *path = included_name(expander, scanner);
    if (!path)
        return expander->arena->exhausted ? -ENOMEM : -EINVAL;
    if (scanner->depth + 1 >= CONFIG_MAX_INCLUDE_DEPTH || expander->files >= CONFIG_MAX_FILES) {
        complaint_set(expander->complaint, "%s:%u: too many files include each other", scanner->file, scanner->line);
        return -ELOOP;
    }
    int error = expand_file(expander, path, scanner);
    begin_run(expander, scanner->file, scanner->line);
    return error;
}

/* Copies a file token by token up to its end. */
static int expand(struct expander *expander, struct scanner *scanner)
{
    int error = 0;
    bool line_start = true; /* nothing but blanks so far */
    while (*scanner->next && !error) {
        const char *end = end_of_opaque(scanner->next);
        if (end)
            copy_opaque(expander, scanner, end);
        else if (begins_number(scanner->next))
            copy_number(expander, scanner);
        else if (line_start && strncmp(scanner->next, "@include", strlen("@include")) == 0)
            error = copy_include(expander, scanner);
        else
            copy_character(expander, scanner);
        line_start = scanner->next[-1] == '\n' || (line_start && isblank((unsigned char)scanner->next[-1]));
    }
    return error;
}

/* What the method `config` shows, and what the id is made of. */
static void show_file(struct expander *expander, const char *path, const char *content, unsigned depth)
{
    if (depth > 0)
        fprintf(expander->shown, "\n# included file %s\n", path);
    fputs(content, expander->shown);
    /* 64-bit FNV-1a: tells two configurations apart, and is no protection against anybody. */
    uint64_t hash = expander->text->hash;
    for (const char *p = content; *p; ++p)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    /* A NUL ends each file: text that moves from one file to another changes the id. */
    expander->text->hash = hash * UINT64_C(0x100000001b3);
}

/* Says where a file that cannot be read must be mended: its own line, or the line that asks for it. */
static void complain_of_file(struct expander *expander, const char *path, unsigned line, const struct scanner *includer,
                             const char *what)
{
    if (line > 0)
        complaint_set(expander->complaint, "%s:%u: %s", path, line, what);
    else if (includer)
        complaint_set(expander->complaint, "%s:%u: the included file %s %s", includer->file, includer->line, path,
                      what);
    else
        complaint_set(expander->complaint, "%s: %s", path, what);
}

/* includer: where the @include stands; NULL for the main file. */
static int expand_file(struct expander *expander, const char *path, const struct scanner *includer)
{
    char *content = NULL;
    unsigned line = 0;
    unsigned depth = includer ? includer->depth + 1 : 0;
    struct complaint what;
    ++expander->files;
    int error = text_file_read(path, CONFIG_MAX_FILE_BYTES, expander->arena, &content, &line, &what);
    if (error) {
        complain_of_file(expander, path, line, includer, what.text);
        return error;
    }
    show_file(expander, path, content, depth);
    content += utf8_mark(content, strlen(content));
    struct scanner scanner = {.next = content, .file = path, .line = 1, .depth = depth};
    begin_run(expander, path, 1);
    error = expand(expander, &scanner);
    if (!error && scanner.next > content && scanner.next[-1] != '\n') {
        fputc('\n', expander->expanded);
        ++expander->line;
    }
    return error;
}

/* Moves what a memory stream collected into the arena. */
static char *close_into_arena(FILE *stream, char **buffer, size_t *length, struct config_arena *arena)
{
    char *text = NULL;
    bool failed = !stream || ferror(stream);
    if (stream && fclose(stream) == 0 && !failed)
        text = config_arena_text(arena, *buffer, *length);
    free(*buffer);
    return text;
}

int config_text_read(const char *path, const char *folder, struct config_arena *arena, struct config_text *text,
                     struct complaint *complaint)
{
    char *expanded = NULL, *shown = NULL;
    size_t expanded_length = 0, shown_length = 0;
    *text = (struct config_text){.hash = UINT64_C(0xcbf29ce484222325)};
    text->runs = config_arena_array(arena, MAX_RUNS, sizeof *text->runs);
    struct expander expander = {.text = text, .arena = arena, .folder = folder, .line = 1, .complaint = complaint};
    expander.expanded = open_memstream(&expanded, &expanded_length);
    expander.shown = open_memstream(&shown, &shown_length);
    int error = -ENOMEM;
    if (text->runs && expander.expanded && expander.shown)
        error = expand_file(&expander, path, NULL);
    text->expanded = close_into_arena(expander.expanded, &expanded, &expanded_length, arena);
    text->shown = close_into_arena(expander.shown, &shown, &shown_length, arena);
    if (error == -ENOMEM || (!error && (!text->expanded || !text->shown))) {
        complaint_set(complaint, "%s: cannot be read: memory is short", path);
        error = -ENOMEM;
    }
    return error;
}

struct config_place config_text_place(const struct config_text *text, unsigned line)
{
    const struct config_run *run = &text->runs[0];
    for (size_t i = 1; i < text->run_count && text->runs[i].first_line <= line; ++i)
        run = &text->runs[i];
    return (struct config_place){.file = run->file, .line = run->file_line + (line - run->first_line)};
}
