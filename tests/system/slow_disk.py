"""Runs a program as if its disk were slow: every sync of a file, by any of its processes, waits for its turn and then
for a time. Needs no privileges: a seccomp filter passes these calls to this program, which lets them continue late.

    slow_disk.py MILLISECONDS COUNT PROGRAM [ARGUMENT...]

Appends a byte to the file COUNT for every sync that it has delayed. Exits with 77 if the kernel does not offer this.
The program takes the place of this process, so signals reach it."""

import ctypes
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import sys
import time

# fsync, fdatasync, seccomp
CALLS = {"x86_64": (74, 75, 317), "aarch64": (82, 83, 277)}

# From <linux/prctl.h>, <linux/seccomp.h> and <linux/bpf_common.h>.
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_NEW_LISTENER = 1 << 3
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_USER_NOTIF = 0x7FC00000
SECCOMP_IOCTL_NOTIF_RECV = 0xC0502100
SECCOMP_IOCTL_NOTIF_SEND = 0xC0182101
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06

UNSUPPORTED = 77


class Program(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def restrict() -> int:
    """Passes the syncs of this process, and of those that it becomes or starts, to the returned descriptor."""
    fsync, fdatasync, seccomp = CALLS[platform.machine()]
    steps = [
        (LOAD_WORD, 0, 0, 0),
        (JUMP_IF_EQUAL, 2, 0, fsync),
        (JUMP_IF_EQUAL, 1, 0, fdatasync),
        (RETURN, 0, 0, SECCOMP_RET_ALLOW),
        (RETURN, 0, 0, SECCOMP_RET_USER_NOTIF),
    ]
    program = Program(len(steps), b"".join(struct.pack("HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    flags = SECCOMP_FILTER_FLAG_NEW_LISTENER
    listener = libc.syscall(seccomp, SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


def delay(listener: int, seconds: float, count: int) -> None:
    """Delays the syncs, one after the other, until no process is left that makes any."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        (_, events), = poll.poll()
        if not events & select.POLLIN:
            return
        notification = bytearray(80)
        try:
            fcntl.ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notification)
            time.sleep(seconds)
            os.write(count, b".")
            answer = struct.pack("QqiI", *struct.unpack_from("Q", notification), 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
            fcntl.ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, bytearray(answer))
        except OSError as error:
            # The caller was killed, or a signal interrupted its call.
            if error.errno not in (errno.ENOENT, errno.EINTR):
                raise


def main() -> None:
    seconds, count, program = float(sys.argv[1]) / 1000, sys.argv[2], sys.argv[3:]
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        # A grandchild, so that the program has no child that it has not started.
        if os.fork() == 0:
            # Nothing of this process keeps the program's pipes open.
            null = os.open(os.devnull, os.O_RDWR)
            for standard in range(3):
                os.dup2(null, standard)
            ours.close()
            _, listeners, _, _ = socket.recv_fds(theirs, 1, 1)
            for listener in listeners:
                delay(listener, seconds, os.open(count, os.O_WRONLY | os.O_CREAT | os.O_APPEND))
        os._exit(0)
    os.wait()
    theirs.close()
    try:
        listener = restrict()
    except (KeyError, OSError) as error:
        print(f"the kernel delays no system calls: {error}", file=sys.stderr)
        sys.exit(UNSUPPORTED)
    socket.send_fds(ours, [b"."], [listener])
    os.close(listener)
    ours.close()
    os.execv(program[0], program)


main()
