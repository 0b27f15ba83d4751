/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "proto/dialect/shared_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

int shared_library_load(const char *library, const char *const *names, size_t count, void *pointers,
                        struct complaint *complaint)
{
    /* Never closed: what a library has registered for the end of the program stays valid. */
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle && i < count; i++) {
        void *const address = dlsym(handle, names[i]);
        memcpy((char *)pointers + i * sizeof address, &address, sizeof address);
        handle = address ? handle : NULL;
    }
    if (handle)
        return 0;
    complaint_set(complaint, "needs a library that cannot be loaded: %s", dlerror());
    return -ENOTSUP;
}
