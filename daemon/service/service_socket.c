/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The name in the file system: who may stand there already, how it appears with the right mode, and that only our
 * own is removed. */

#include "service/service_socket.h"

#include "proto/address.h"
#include "proto/cause.h"
#include "proto/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Neither blocks nor leaks into programs that the daemon may start. */
static int new_socket(struct complaint *complaint)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        return fd;
    int code = -errno;
    complaint_set(complaint, "no socket can be made: %s", cause_of(code));
    return code;
}

static void complain_of_other(const char *path, struct complaint *complaint)
{
    complaint_set(complaint, "%s: a daemon answers there already: stop it, or choose another socket", path);
}

enum { LOCK_PATH_SIZE = sizeof(((struct service_socket *)0)->path) + sizeof ".lock" };

static void write_lock_path(const char *path, char lock_path[LOCK_PATH_SIZE])
{
    snprintf(lock_path, LOCK_PATH_SIZE, "%s.lock", path);
}

/* Between finding out that nobody answers and taking the place nobody else must do the same. */
static int lock_name(const char *path, struct service_socket *socket, struct complaint *complaint)
{
    char lock_path[LOCK_PATH_SIZE];
    write_lock_path(path, lock_path);
    socket->lock = lock_file_take(lock_path, complaint);
    if (socket->lock >= 0)
        return 0;
    int error = socket->lock;
    socket->lock = -1;
    /* Whoever cannot make a file there cannot make a socket, either, and that is told of better. */
    if (error == -ENOTSUP || error == -ENOENT || error == -EROFS)
        return 0;
    if (error == -EALREADY)
        complain_of_other(path, complaint);
    return error == -EALREADY ? -EADDRINUSE : error;
}

static void unlock_name(struct service_socket *socket)
{
    char lock_path[LOCK_PATH_SIZE];
    write_lock_path(socket->path, lock_path);
    if (socket->lock >= 0)
        lock_file_remove(lock_path, socket->lock);
    socket->lock = -1;
}

/* Whether something answers at the address: 0 when nothing does, or a negative errno and a complaint. */
static int ask_who_is_there(const struct sockaddr_un *address, struct complaint *complaint)
{
    int fd = new_socket(complaint);
    if (fd < 0)
        return fd;
    int code = connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : -errno;
    close(fd);
    if (code == -ECONNREFUSED || code == -ENOENT)
        return 0;
    /* EAGAIN: its queue is full, so somebody must be there. */
    if (code == 0 || code == -EAGAIN) {
        complain_of_other(address->sun_path, complaint);
        return -EADDRINUSE;
    }
    complaint_set(complaint, "%s: cannot find out whether a daemon answers there: %s", address->sun_path,
                  cause_of(code));
    return code;
}

/* Removes what a daemon that died has left. */
static int clear_the_way(const struct sockaddr_un *address, struct complaint *complaint)
{
    struct stat found;
    if (lstat(address->sun_path, &found) != 0)
        return 0;
    if (!S_ISSOCK(found.st_mode)) {
        complaint_set(complaint, "%s: something that is not a socket stands there: remove it, or choose another path",
                      address->sun_path);
        return -EEXIST;
    }
    int code = ask_who_is_there(address, complaint);
    if (code != 0)
        return code;
    if (unlink(address->sun_path) == 0 || errno == ENOENT)
        return 0;
    code = -errno;
    complaint_set(complaint, "%s: cannot remove the socket of a daemon that is gone: %s", address->sun_path,
                  cause_of(code));
    return code;
}

/* The name appears with no more rights than the descriptor has, less what the process withholds: there is no moment at
 * which it is more open than `mode`. What is withheld cannot be changed for this once: other threads make files. */
static int bind_with_mode(int fd, const struct sockaddr_un *address, unsigned mode)
{
    if (fchmod(fd, mode) != 0 || bind(fd, (const struct sockaddr *)address, sizeof *address) != 0)
        return -errno;
    if (fchmodat(AT_FDCWD, address->sun_path, mode, AT_SYMLINK_NOFOLLOW) == 0)
        return 0;
    /* Not to follow a link needs /proc; without it, what was just bound is taken to stand there still. */
    if (errno == ENOTSUP && chmod(address->sun_path, mode) == 0)
        return 0;
    int code = -errno;
    unlink(address->sun_path);
    return code;
}

static int bind_and_listen(int fd, const struct sockaddr_un *address, unsigned mode, struct complaint *complaint)
{
    int code = bind_with_mode(fd, address, mode);
    if (code == -ENOENT)
        complaint_set(complaint, "%s: the folder of the socket does not exist: create it, or choose another path",
                      address->sun_path);
    else if (code != 0)
        complaint_set(complaint, "%s: the socket cannot be made: %s", address->sun_path, cause_of(code));
    if (code != 0)
        return code;
    /* As many may wait as the system lets: a client that does not want to wait is turned away when the queue is full.
     */
    if (listen(fd, SOMAXCONN) == 0)
        return 0;
    code = -errno;
    complaint_set(complaint, "%s: the socket cannot be listened at: %s", address->sun_path, cause_of(code));
    unlink(address->sun_path);
    return code;
}

/* With the name locked. */
static int take_place(const struct sockaddr_un *address, struct service_socket *socket, struct complaint *complaint)
{
    int code = clear_the_way(address, complaint);
    int fd = code ? code : new_socket(complaint);
    if (fd < 0)
        return fd;
    code = bind_and_listen(fd, address, socket->mode, complaint);
    if (code != 0) {
        close(fd);
        return code;
    }
    struct stat found;
    socket->named = lstat(address->sun_path, &found) == 0;
    socket->device = socket->named ? found.st_dev : 0;
    socket->inode = socket->named ? found.st_ino : 0;
    socket->fd = fd;
    return 0;
}

int service_socket_open(const char *path, unsigned mode, struct service_socket *socket, struct complaint *complaint)
{
    *socket = (struct service_socket){.fd = -1, .lock = -1, .mode = mode};
    struct sockaddr_un address;
    int code = fricid_socket_address(path, &address, complaint);
    if (code != 0)
        return code;
    memcpy(socket->path, address.sun_path, sizeof address.sun_path);
    code = lock_name(address.sun_path, socket, complaint);
    if (code == 0)
        code = take_place(&address, socket, complaint);
    if (code != 0)
        unlock_name(socket);
    return code;
}

static bool name_is_ours(const struct service_socket *socket)
{
    struct stat found;
    return socket->named && lstat(socket->path, &found) == 0 && found.st_dev == socket->device &&
           found.st_ino == socket->inode;
}

static bool lock_is_ours(const struct service_socket *socket)
{
    char lock_path[LOCK_PATH_SIZE];
    write_lock_path(socket->path, lock_path);
    return lock_file_has_name(lock_path, socket->lock);
}

bool service_socket_stands(const struct service_socket *socket)
{
    return !socket->named || (name_is_ours(socket) && (socket->lock < 0 || lock_is_ours(socket)));
}

/* The lock that was taken before is kept until there is another. */
static int lock_again(struct service_socket *socket, struct complaint *complaint)
{
    const int before = socket->lock;
    if (before >= 0 && lock_is_ours(socket))
        return 0;
    int code = lock_name(socket->path, socket, complaint);
    if (socket->lock < 0)
        socket->lock = before;
    else if (before >= 0)
        close(before);
    return code;
}

/* The new socket takes the old one's number: who holds that goes on with it. */
static int replace_socket(struct service_socket *socket, const struct service_socket *made, struct complaint *complaint)
{
    int code = dup3(made->fd, socket->fd, O_CLOEXEC) >= 0 ? 0 : -errno;
    close(made->fd);
    if (code != 0) {
        unlink(made->path);
        complaint_set(complaint, "%s: the socket cannot be replaced: %s", made->path, cause_of(code));
        return code;
    }
    socket->device = made->device;
    socket->inode = made->inode;
    return 1;
}

int service_socket_renew(struct service_socket *socket, struct complaint *complaint)
{
    struct sockaddr_un address;
    int code = fricid_socket_address(socket->path, &address, complaint);
    if (code == 0)
        code = lock_again(socket, complaint);
    if (name_is_ours(socket))
        return 0;
    struct service_socket made = *socket;
    if (code == 0)
        code = take_place(&address, &made, complaint);
    return code ? code : replace_socket(socket, &made, complaint);
}

/* Whether it is a listening Unix stream socket, asked one property after the other. */
static bool is_listening_socket(int fd)
{
    const struct {
        int option, wanted;
    } properties[] = {{SO_DOMAIN, AF_UNIX}, {SO_TYPE, SOCK_STREAM}, {SO_ACCEPTCONN, 1}};
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        int value = 0;
        socklen_t bytes = sizeof value;
        if (getsockopt(fd, SOL_SOCKET, properties[i].option, &value, &bytes) != 0 || value != properties[i].wanted)
            return false;
    }
    return true;
}

/* For people only. An abstract name begins with a zero byte, which is written "@". */
static void name_inherited(int fd, char path[], size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t bytes = sizeof address;
    size_t before = offsetof(struct sockaddr_un, sun_path);
    if (getsockname(fd, (struct sockaddr *)&address, &bytes) != 0 || bytes <= before) {
        snprintf(path, size, "(unnamed)");
        return;
    }
    bool abstract = address.sun_path[0] == '\0';
    size_t length = bytes - before;
    snprintf(path, size, "%s%.*s", abstract ? "@" : "", (int)length - (abstract ? 1 : 0),
             address.sun_path + (abstract ? 1 : 0));
}

int service_socket_inherit(int fd, struct service_socket *socket, struct complaint *complaint)
{
    *socket = (struct service_socket){.fd = -1, .lock = -1};
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || !is_listening_socket(fd)) {
        complaint_set(complaint, "the service manager handed over something else than a listening Unix stream socket: "
                                 "its unit needs ListenStream= with a path");
        close(fd);
        return -EINVAL;
    }
    if (fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
        int code = -errno;
        complaint_set(complaint, "the socket that was handed over cannot be used: %s", cause_of(code));
        close(fd);
        return code;
    }
    name_inherited(fd, socket->path, sizeof socket->path);
    socket->fd = fd;
    return 0;
}

/* Another daemon may have put its own socket there meanwhile: device and inode tell. */
void service_socket_close(struct service_socket *socket)
{
    if (name_is_ours(socket))
        unlink(socket->path);
    if (socket->fd >= 0)
        close(socket->fd);
    socket->fd = -1;
    socket->named = false;
    unlock_name(socket);
}
