#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries what a sandbox may forbid, and prints as JSON what came of each: "done", or the kind of error."""

import ctypes
import json
import mmap
import os
import socket
import time
from pathlib import Path


def write_to(path):
    Path(path).write_text("trespass")
    Path(path).unlink()


def checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


libc = ctypes.CDLL(None, use_errno=True)
state = os.environ.get("STATE_DIRECTORY", "/var/lib/fricid")
CLONE_NEWUSER = 0x10000000

deeds = {
    "use the card": lambda: os.open("/dev/comedi0", os.O_RDWR),
    "write into the state directory": lambda: write_to(f"{state}/trespass"),
    "write into /tmp": lambda: write_to("/tmp/trespass"),
    "a Unix socket": lambda: socket.socket(socket.AF_UNIX),
    "write into /etc": lambda: write_to("/etc/trespass"),
    "write into /usr": lambda: write_to("/usr/trespass"),
    "write into a home": lambda: write_to("/root/trespass"),
    "use the kernel's log": lambda: os.open("/dev/kmsg", os.O_WRONLY),
    "use the memory of all": lambda: os.open("/dev/mem", os.O_RDONLY),
    "an Internet socket": lambda: socket.socket(socket.AF_INET),
    "set the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME)),
    "mount": lambda: checked(libc.mount(b"none", b"/root", b"tmpfs", 0, None)),
    "become root": lambda: os.setuid(0),
    "write code into memory": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC),
    "see other processes": lambda: os.stat("/proc/1/status"),
    "see the files of others in /tmp": lambda: os.stat("/tmp/of_others"),
    "turn a knob of the kernel": lambda: os.open("/proc/sys/kernel/panic", os.O_WRONLY),
    "a name space": lambda: checked(libc.unshare(CLONE_NEWUSER)),  # the last, for there it would stay
}

answers = {}
for deed, act in deeds.items():
    try:
        act()
        answers[deed] = "done"
    except OSError as error:
        answers[deed] = error.strerror
print(json.dumps(answers))
