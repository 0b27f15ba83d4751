/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "failing_memory.h"

#include <errno.h>
#include <jansson.h>
#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__real_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__real_strdup(const char *text);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
locale_t __wrap_newlocale(int mask, const char *name, locale_t base);
locale_t __real_newlocale(int mask, const char *name, locale_t base);

/* left: how many more succeed; negative: all. */
static struct {
    long left;
    enum memory_manner manner;
    bool failed;
} memory = {.left = -1};

static bool fails(void)
{
    if (memory.left < 0)
        return false;
    if (memory.left > 0) {
        memory.left--;
        return false;
    }
    memory.failed = true;
    errno = ENOMEM;
    if (memory.manner == MEMORY_FAILS_ONCE)
        memory.left = -1;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    if (fails())
        return -1;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

locale_t __wrap_newlocale(int mask, const char *name, locale_t base)
{
    return fails() ? (locale_t)0 : __real_newlocale(mask, name, base);
}

void failing_memory_set_up(void)
{
    json_set_alloc_funcs(__wrap_malloc, free);
}

void failing_memory_begin(long succeeding, enum memory_manner manner)
{
    memory.left = succeeding;
    memory.manner = manner;
    memory.failed = false;
}

bool failing_memory_end(void)
{
    memory.left = -1;
    return memory.failed;
}
