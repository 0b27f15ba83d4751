/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "failing_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* left: how many more calls succeed; negative: all. */
static struct {
    long left;
    enum disk_fault fault;
    int error;
    bool happened;
} disk = {.left = -1};

/* What is to become of this call. */
enum fate { SUCCEEDS, FAILS, HALF };

static enum fate next_fate(void)
{
    if (disk.left < 0)
        return SUCCEEDS;
    if (disk.left > 0) {
        disk.left--;
        return SUCCEEDS;
    }
    bool first = !disk.happened;
    disk.happened = true;
    if (disk.fault == DISK_ENDS_PROCESS)
        _exit(DISK_EXIT_STATUS);
    if (disk.fault == DISK_FAILS_ONCE)
        disk.left = -1;
    errno = disk.error;
    return disk.fault == DISK_TAKES_HALF && first ? HALF : FAILS;
}

ssize_t __real_pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
int __real_ftruncate(int descriptor, off_t length);
int __wrap_ftruncate(int descriptor, off_t length);

static ssize_t failing_write(int descriptor, const void *bytes, size_t count)
{
    enum fate fate = next_fate();
    return fate == FAILS ? -1 : write(descriptor, bytes, fate == HALF ? count / 2 : count);
}

ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    enum fate fate = next_fate();
    return fate == FAILS ? -1 : __real_pwrite(descriptor, bytes, fate == HALF ? count / 2 : count, offset);
}

int __wrap_ftruncate(int descriptor, off_t length)
{
    return next_fate() == SUCCEEDS ? __real_ftruncate(descriptor, length) : -1;
}

static int failing_open(const char *path, int flags, int mode)
{
    bool makes = (flags & O_CREAT) && access(path, F_OK) != 0;
    return makes && next_fate() != SUCCEEDS ? -1 : open(path, flags, mode);
}

static int failing_unlink(const char *path)
{
    return next_fate() == SUCCEEDS ? unlink(path) : -1;
}

/* Stand in for the C library's, also for SQLite. */
int fdatasync(int descriptor)
{
    (void)descriptor;
    return next_fate() == SUCCEEDS ? 0 : -1;
}

int fsync(int descriptor)
{
    return fdatasync(descriptor);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);

int __wrap_rename(const char *from, const char *to)
{
    return next_fate() == SUCCEEDS ? __real_rename(from, to) : -1;
}

int __wrap_link(const char *from, const char *to)
{
    return next_fate() == SUCCEEDS ? __real_link(from, to) : -1;
}

int __wrap_unlink(const char *path)
{
    return next_fate() == SUCCEEDS ? __real_unlink(path) : -1;
}

static void hook(const char *name, sqlite3_syscall_ptr function)
{
    sqlite3_vfs *files = sqlite3_vfs_find(NULL);
    if (files->xSetSystemCall(files, name, function) != SQLITE_OK)
        printf("SQLite has no hook for %s\n", name);
}

void failing_disk_set_up(void)
{
    hook("write", (sqlite3_syscall_ptr)failing_write);
    hook("pwrite", (sqlite3_syscall_ptr)__wrap_pwrite);
    hook("pwrite64", (sqlite3_syscall_ptr)__wrap_pwrite);
    hook("ftruncate", (sqlite3_syscall_ptr)__wrap_ftruncate);
    hook("open", (sqlite3_syscall_ptr)failing_open);
    hook("unlink", (sqlite3_syscall_ptr)failing_unlink);
}

void failing_disk_begin(long succeeding, enum disk_fault fault, int error)
{
    disk.left = succeeding;
    disk.fault = fault;
    disk.error = error;
    disk.happened = false;
}

bool failing_disk_end(void)
{
    disk.left = -1;
    return disk.happened;
}
